import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listTables } from '../../tools/checks/markdown.mts';

const path = join(import.meta.dirname, '../../docs/internals/interface.md');

/** The document of the interface. */
export const interfaceText = await readFile(path, 'utf8');
const [columns = []] = listTables(interfaceText, 'Ticket');
const [[head = [], ...rows] = []] = listTables(interfaceText, 'Filter operators by column kind');

/** The ticket columns: name, kind, and type in a row. */
export const interfaceColumns = columns.slice(1);

/** The operators of each column. */
export const interfaceOperators = new Map(
	interfaceColumns.map(([name = '', kind = '']) => {
		const place = head.findIndex((kinds) => kinds.split(', ').includes(kind));
		const known = rows.filter((row) => row[place] === 'yes');
		return [name, known.flatMap(([names = '']) => names.split(', '))] as const;
	}),
);
