import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { reportTotal, results, root, runCheck, verdict } from './checks/check.mts';
import { replaceTable } from './checks/table.mts';
import { runJest } from './checks/testRuns.mts';
import { matrixTable } from './matrix/document.mts';
import type { SeenRow } from './matrix/document.mts';

// Runs the fault matrix and compares docs/internals/reliability.md with it; `--write` writes the table.

const folder = join(results, 'matrix');
const path = join(root, 'docs', 'internals', 'reliability.md');

const readRows = async (part: string): Promise<SeenRow[]> =>
	JSON.parse(await readFile(join(folder, `${part}.json`), 'utf8')) as SeenRow[];

/** Checks that the document has the table of the run, or writes it. */
async function compareDocument() {
	const rows = [...(await readRows('reads')), ...(await readRows('writes'))];
	const before = await readFile(path, 'utf8');
	const after = await replaceTable(before, 'test:matrix -- --write', matrixTable(rows));
	if (after !== before && process.argv.includes('--write')) await writeFile(path, after);
	else if (after !== before)
		return verdict('Run "npm run test:matrix -- --write" and check the changes.');
	return verdict(undefined);
}

await rm(folder, { recursive: true, force: true });
const findings = [
	await runJest('matrix-jest', ['reliability'], ['--verbose=false', '--forceExit']),
];
if (findings[0]?.failed === 0)
	findings.push(await runCheck({ name: 'the table of the matrix', work: compareDocument }));
await reportTotal('matrix', findings);
