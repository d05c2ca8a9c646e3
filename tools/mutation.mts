import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './checks/check.mts';
import { tablesIn } from './checks/markdown.mts';
import { layOut, withTable } from './documents/table.mts';

/** The folders of src, each tested by the folder of its name in test/unit. */
const folders = ['core', 'bulk', 'tickets', 'conversations', 'customers'];

/** What Stryker reports: what became of each mistake, by file. */
interface Report {
	readonly files: Readonly<Record<string, { readonly mutants: ReadonlyArray<{ status: string }> }>>;
}

/** Lets Stryker change the code of one folder of src and run some tests; true where enough of the changes were noticed. */
const mutate = async (folder: string, tests: string): Promise<boolean> =>
	await new Promise((done, fail) => {
		const env = { ...process.env, MUTATED_FOLDER: folder, MUTATION_TESTS: tests };
		const stryker = join(root, 'node_modules', '@stryker-mutator', 'core', 'bin', 'stryker.js');
		const child = spawn(process.execPath, [stryker, 'run'], { cwd: root, env, stdio: 'inherit' });
		child.once('error', fail);
		child.once('exit', (code) => done(code === 0));
	});

/** A line of the table, from the report of a folder. */
async function lineOf(folder: string): Promise<string[]> {
	const path = join(root, 'test-results', 'mutation', folder, 'report.json');
	const { files } = JSON.parse(await readFile(path, 'utf8')) as Report;
	const statuses = Object.values(files).flatMap(({ mutants }) =>
		mutants.map(({ status }) => status),
	);
	const count = (...names: readonly string[]) =>
		statuses.filter((status) => names.includes(status)).length;
	const noticed = count('Killed', 'Timeout');
	const all = noticed + count('Survived', 'NoCoverage');
	const score = `${((100 * noticed) / all).toFixed(1)} %`;
	return [`\`${folder}\``, ...[all, noticed].map((each) => each.toLocaleString('en-US')), score];
}

/** Writes the table of all folders; those that did not take part keep their lines. */
async function writeTable(mutated: readonly string[]): Promise<void> {
	const path = join(root, 'docs', 'internals', 'reliability.md');
	const document = await readFile(path, 'utf8');
	const [rows = []] = tablesIn(document, 'Mistakes that no test would notice');
	const kept = (folder: string): string[] => {
		const [, ...cells] = rows.find(([name]) => name === folder) ?? [];
		return [`\`${folder}\``, ...cells];
	};
	const lines = folders.map(async (folder) =>
		mutated.includes(folder) ? await lineOf(folder) : kept(folder),
	);
	const head = ['Folder', 'Mistakes', 'Noticed', 'Score'];
	const table = layOut([head, ...(await Promise.all(lines))], [1, 2]);
	await writeFile(path, withTable(document, 'test:mutation', table));
}

const { values, positionals: chosen } = parseArgs({
	allowPositionals: true,
	options: { write: { type: 'boolean', default: false } },
});
const unknown = chosen.filter((folder) => !folders.includes(folder));
if (unknown.length > 0)
	throw new Error(
		`Unknown: ${unknown.join(', ')}. Name some of ${folders.join(', ')}, or none for all.`,
	);

const mutated = chosen.length > 0 ? chosen : folders;
for (const folder of mutated) {
	await mutate(folder, folder);
	// What its own tests did not notice, and nothing else, is tried once more with all.
	if (!(await mutate(folder, '*'))) process.exitCode = 1;
}
if (values.write) await writeTable(mutated);
