import type { Slot } from '../../src/customers/columnNames.ts';
import { columnHolders, columnNames, nameWords } from '../../src/customers/columnNames.ts';

const titles: Readonly<Record<Slot, string>> = {
	identifier: 'Identifier',
	fullName: 'Name: the whole of it',
	shortName: 'Name: the whole of it, or the other part beside a first or last name',
	displayName: 'Name: where there is no other',
	firstName: 'Name: the first part',
	lastName: 'Name: the last part',
	particle: 'Name: what stands before the last part',
	secondLastName: 'Name: what stands behind the last part',
	phoneNumber: 'Phone Number',
	email: 'Email',
	priority: 'Priority',
	country: 'Country of the number',
	metadata: 'Metadata',
};

const spans = (names: string): string =>
	names
		.split(/,\s+/)
		.map((name) => (name.includes('{') ? composed(name) : `\`${name}\``))
		.join(', ');

/** A name made of words: "**customer** + **id** (also with **code**)". */
function composed(pattern: string): string {
	const [needed = '', allowed = ''] = pattern.split(/[[\]]/);
	const kinds = (words: string) => [...words.matchAll(/\w+/g)].map(([kind]) => `**${kind}**`);
	const more = kinds(allowed);
	return `${kinds(needed).join(' + ')}${more.length > 0 ? ` (also with ${more.join(', ')})` : ''}`;
}

/** The names of columns that automatic mapping knows, as Markdown lists with the best first. */
export const aliasLists = (): string =>
	Object.entries(columnNames)
		.map(([slot, ranks]) => {
			const lines = ranks.map((names, rank) => `${rank + 1}. ${spans(names)}`);
			return `### ${titles[slot as Slot]}\n\n${lines.join('\n')}`;
		})
		.concat(`### Words\n\n${wordList()}`)
		.join('\n\n');

const wordList = (): string =>
	Object.entries(nameWords)
		.map(([kind, words]) => `- **${kind}**: ${spans(words.replace(/\s+/g, ', '))}`)
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
