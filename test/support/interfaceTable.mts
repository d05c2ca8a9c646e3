import { readFileSync } from 'node:fs';

// The document of the interface, so that tests compare its tickets with the code.

/** The document of the interface. */
export const interfaceText = readFileSync('docs/internals/interface.md', 'utf8');

/** The rows of the first table below a heading, without its head; a cell is a text without `. */
function readTable(heading: string): string[][] {
	const [, section = ''] = interfaceText.split(`${heading}\n`);
	const [table = ''] = /^\|.*(?:\n\|.*)*/m.exec(section) ?? [];
	const rows = table.replaceAll('`', '').split('\n');
	return rows
		.map((row) => row.split('|').map((cell) => cell.trim()))
		.map((row) => row.slice(1, -1));
}

const [, , ...ticketRows] = readTable('## Ticket');
const [head = [], , ...operatorRows] = readTable('### Filter operators by column kind');

/** The ticket columns, in the order of the document. */
export const interfaceColumns: readonly string[] = ticketRows.map(([name = '']) => name);

/** Lists the columns whose type in a row fits. */
const listByType = (fits: (type: string) => boolean): readonly string[] =>
	ticketRows.flatMap(([name = '', , type = '']) => (fits(type) ? name : []));

/** The columns that the document calls "or null", and those of a type without null. */
export const interfaceNullable = listByType((type) => type.endsWith('or null'));
export const interfaceNotNull = listByType((type) => !/or null$|^not shown$/.test(type));

/** Lists the operators of a kind of column. */
function listOperatorsOf(kind: string): string[] {
	const place = head.findIndex((kinds) => kinds.split(', ').includes(kind));
	const taken = operatorRows.filter((row) => row[place] === 'yes');
	return taken.flatMap(([names = '']) => names.split(', '));
}

/** The operators of each column (interface: Filter operators by column kind). */
export const interfaceOperators: ReadonlyMap<string, readonly string[]> = new Map(
	ticketRows.map(([name = '', kind = '']) => [name, listOperatorsOf(kind)]),
);

/** The values of source (interface: Ticket). */
export const interfaceSources: readonly string[] = Array.from(
	/^- `source`:((?:\s+`\w+`,?)+)/m.exec(interfaceText)?.[1]?.matchAll(/\w+/g) ?? [],
	([name]) => name,
);
