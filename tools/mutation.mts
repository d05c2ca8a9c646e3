import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { command, root } from './checks/check.mts';
import { listTables } from './checks/markdown.mts';
import { replaceTable } from './checks/table.mts';

// Lets Stryker change the code of the named folders of src, or of all; `--write` writes the table.

/** The folders of src, each tested by the folder of its name in test/unit. */
const folders = ['core', 'bulk', 'tickets', 'conversations', 'customers'];

/** A report of Stryker: the mutants by file. */
interface Report {
	readonly files: Readonly<Record<string, { readonly mutants: ReadonlyArray<{ status: string }> }>>;
}

/** Changes the code of a folder and runs tests; returns whether they noticed enough changes. */
async function mutate(folder: string, tests: string): Promise<boolean> {
	process.env['MUTATED_FOLDER'] = folder;
	process.env['MUTATION_TESTS'] = tests;
	return (await command('stryker', ['run'], true)).code === 0;
}

/** Reads the line of a folder in the table from its report. */
async function readLine(folder: string): Promise<string[]> {
	const path = join(root, 'test-results', 'mutation', folder, 'report.json');
	const { files } = JSON.parse(await readFile(path, 'utf8')) as Report;
	const mutants = Object.values(files).flatMap((file) => file.mutants);
	const count = (...statuses: readonly string[]) =>
		mutants.filter(({ status }) => statuses.includes(status)).length;
	const noticed = count('Killed', 'Timeout');
	const all = noticed + count('Survived', 'NoCoverage');
	const numbers = [all, noticed].map((number) => number.toLocaleString('en-US'));
	return [`\`${folder}\``, ...numbers, `${((100 * noticed) / all).toFixed(1)} %`];
}

/** Writes the table; the lines of other folders stay. */
async function writeTable(mutated: readonly string[]): Promise<void> {
	const path = join(root, 'docs', 'internals', 'reliability.md');
	const document = await readFile(path, 'utf8');
	const [rows = []] = listTables(document, 'Mistakes that no test would notice');
	const lines = folders.map(async (folder) => {
		if (mutated.includes(folder)) return await readLine(folder);
		const [, ...cells] = rows.find(([name]) => name === folder) ?? [];
		return [`\`${folder}\``, ...cells];
	});
	const table = [['Folder', 'Mistakes', 'Noticed', 'Score'], ...(await Promise.all(lines))];
	await writeFile(path, await replaceTable(document, 'test:mutation -- --write', table));
}

const { values, positionals: chosen } = parseArgs({
	allowPositionals: true,
	options: { write: { type: 'boolean', default: false } },
});
const mutated = chosen.length > 0 ? chosen : folders;
for (const folder of mutated) {
	await mutate(folder, folder);
	// Only changes that its tests did not notice are tried again with all tests.
	if (!(await mutate(folder, '*'))) process.exitCode = 1;
}
if (values.write) await writeTable(mutated);
