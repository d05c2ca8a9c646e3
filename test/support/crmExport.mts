import { readFileSync } from 'node:fs';

const file = new URL('../../tools/demo/data/crm-contacts-export.csv', import.meta.url);

/** A cell with what ends it: quoted, where quotes stand twice and line breaks may be, or plain. */
const CELL = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/gy;

/** The rows of a CSV text by its header, every cell as text. */
function parseCsv(text: string): Array<Record<string, string>> {
	const lines: string[][] = [[]];
	for (const [whole, quoted, plain = '', end] of text.matchAll(CELL)) {
		if (whole === '') break;
		lines.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain);
		if (end !== ',') lines.push([]);
	}
	const [header = [], ...rows] = lines.filter((cells) => cells.length > 0);
	return rows.map((cells) =>
		Object.fromEntries(header.map((name, column) => [name, cells[column] ?? ''])),
	);
}

/** The contacts of the CRM export, as a spreadsheet hands them over. */
export const readCrmExport = (): Array<Record<string, string>> =>
	parseCsv(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''));
