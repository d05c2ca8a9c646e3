import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TableRow } from './table.ts';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Keeps what a part of the matrix showed, for the document. */
export async function keepRows(name: string, rows: readonly TableRow[]): Promise<void> {
	const folder = join(root, 'test-results', 'matrix');
	await mkdir(folder, { recursive: true });
	await writeFile(join(folder, `${name}.json`), JSON.stringify(rows));
}
