import type { Aliases, Slot, Source } from '../../src/customers/columnAliases.ts';
import { columnAliases, columnHolders } from '../../src/customers/columnAliases.ts';

const titles: Readonly<Record<Slot, string>> = {
	identifier: 'Identifier',
	fullName: 'Name: the whole of it',
	shortName: 'Name: the whole of it, or the other part beside a first or last name',
	firstName: 'Name: the first part',
	lastName: 'Name: the last part',
	phoneNumber: 'Phone Number',
	email: 'Email',
	priority: 'Priority',
	isDoNotDisturbEnabled: 'Do Not Disturb',
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
		.join('\n\n');

/** The names of objects and lists whose columns are read, as a Markdown list. */
export const holderList = (): string =>
	[
		`- a person in the row, who comes first: ${spans(columnHolders.person)}`,
		`- the row itself: ${spans(columnHolders.own)}`,
		`- an address, which comes last and gives no identifier: ${spans(columnHolders.address)}`,
	].join('\n');
