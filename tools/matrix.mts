import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { command, countsLine, root } from './checks/check.mts';
import { readJest, results } from './checks/testRuns.mts';
import { withTable } from './documents/table.mts';
import { matrixTable } from './matrix/document.mts';
import type { SeenRow } from './matrix/document.mts';

// Runs the fault matrix and compares docs/internals/reliability.md with what it saw; with --write it writes it.

const seen = join(results, 'matrix');
const report = join(results, 'matrix-jest.json');
const document = join(root, 'docs', 'internals', 'reliability.md');

async function rowsOf(part: string): Promise<SeenRow[]> {
	return JSON.parse(await readFile(join(seen, `${part}.json`), 'utf8')) as SeenRow[];
}

/** Whether the document holds what the run saw, or holds it now. */
async function documentIsRight(): Promise<boolean> {
	const rows = [...(await rowsOf('reads')), ...(await rowsOf('writes'))];
	const before = await readFile(document, 'utf8');
	const after = withTable(before, 'test:matrix', matrixTable(rows));
	if (after === before) return true;
	if (!process.argv.includes('--write')) {
		console.error(
			'docs/internals/reliability.md does not say what the matrix saw. Run "npm run test:matrix -- --write" and look at what changed.',
		);
		return false;
	}
	await writeFile(document, after);
	return true;
}

await rm(seen, { recursive: true, force: true });
await rm(report, { force: true });
await mkdir(results, { recursive: true });
const { code } = await command(
	'jest',
	['--selectProjects', 'reliability', '--verbose=false', '--forceExit'].concat([
		'--json',
		'--outputFile',
		report,
	]),
	true,
);
const cells = await readJest(report);
const right = cells.failed === 0 && (await documentIsRight());
const total = {
	passed: cells.passed + Number(right),
	failed: cells.failed === 0 && (code !== 0 || !right) ? 1 : cells.failed,
};
await writeFile(join(results, 'matrix.json'), `${JSON.stringify(total)}\n`);
console.log(countsLine(total));
process.exitCode = total.failed === 0 ? 0 : 1;
