import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { command, root } from './checks/check.mts';
import { layOut, withTable } from './documents/table.mts';
import { enteredBy } from './trace/coverage.mts';
import type { Entered } from './trace/coverage.mts';
import { runs } from './trace/runs.mts';

// Counts the files and functions of the built package that a row passes; with --write it writes them into CONTRIBUTING.md.

const { values } = parseArgs({ options: { write: { type: 'boolean', default: false } } });
const document = join(root, 'CONTRIBUTING.md');

const counted = (entered: Entered): number => [...entered.values()].flat().length;

const { code, output } = await command('gulp', ['compile']);
if (code !== 0) throw new Error(output);
const lines: string[][] = [];
for (const { title, work } of runs) {
	const [item] = await work();
	if (item === undefined) throw new Error(`${title}: no item was returned`);
	const entered = await enteredBy(work);
	lines.push([title, String(entered.size), String(counted(entered))]);
	console.log(`\n${title}: ${entered.size} files, ${counted(entered)} functions`);
	for (const [path, names] of [...entered].sort(([a], [b]) => a.localeCompare(b))) {
		console.log(`  ${path}: ${names.join(', ')}`);
	}
}
if (values.write) {
	const table = layOut([['Operation', 'Files', 'Functions'], ...lines], [1, 2]);
	await writeFile(document, withTable(await readFile(document, 'utf8'), 'trace', table));
}
