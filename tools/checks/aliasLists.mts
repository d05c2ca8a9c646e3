import type { Aliases, Slot, Source } from '../../src/customers/columnAliases.ts';
import { columnAliases, columnHolders, nameWords } from '../../src/customers/columnAliases.ts';

const titles: Readonly<Record<Slot, string>> = {
	identifier: 'Identifier',
	fullName: 'Name: the whole of it',
	shortName: 'Name: the whole of it, or the other part beside a first or last name',
	displayName: 'Name: where there is no other',
	firstName: 'Name: the first part',
	lastName: 'Name: the last part',
	particle: 'Name: what stands before the last part',
	phoneNumber: 'Phone Number',
	email: 'Email',
	priority: 'Priority',
	country: 'Country of the number',
	metadata: 'Metadata',
};

const languages: Readonly<Record<Exclude<Source, 'api'>, string>> = {
	en: 'English',
	de: 'German',
	fr: 'French',
	es: 'Spanish',
	pt: 'Portuguese',
	it: 'Italian',
	nl: 'Dutch',
	pl: 'Polish',
};

const spans = (names: string): string =>
	names
		.split(', ')
		.map((name) => `\`${name}\``)
		.join(', ');

function line(aliases: Aliases): string {
	const parts = Object.entries(languages).flatMap(([language, name]) => {
		const names = aliases[language as Source];
		return names === undefined ? [] : [`${name}: ${names}`];
	});
	return [...(aliases.api === undefined ? [] : [spans(aliases.api)]), ...parts].join(' · ');
}

/** The names of columns that automatic mapping knows, as Markdown lists with the best first. */
export const aliasLists = (): string =>
	Object.entries(columnAliases)
		.map(([slot, ranks]) => {
			const lines = ranks.map((aliases, rank) => `${rank + 1}. ${line(aliases)}`);
			return `### ${titles[slot as Slot]}\n\n${lines.join('\n')}`;
		})
		.concat(`### Phone Number and Email: names made of these words\n\n${wordList()}`)
		.join('\n\n');

const wordList = (): string =>
	Object.entries(nameWords)
		.map(([what, words]) => `- ${what}: ${spans(words.replaceAll(' ', ', '))}`)
		.join('\n');

/** The names of objects and lists whose columns are read, as a Markdown list. */
export const holderList = (): string =>
	[
		`- a person in the row: ${spans(columnHolders.person)}`,
		`- the row itself: ${spans(columnHolders.own)}`,
		`- what the row only carries: ${spans(columnHolders.content)}`,
		`- an address, which gives no identifier: ${spans(columnHolders.address)}`,
		`- settings (only do-not-call marks are read): ${spans(columnHolders.settings)}`,
	].join('\n');
