import { rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import sumBy from 'lodash/sumBy.js';
import { countsLine } from './checks/check.mts';
import { runNodeTests } from './checks/nodeTests.mts';
import { results, testFilesIn } from './checks/testRuns.mts';
import { ensureHost } from './host/install.mts';
import { PACKED, packPackage } from './host/pack.mts';

/** The files of a folder, or those named by arguments (`npm run test:e2e -- panelWalk`). */
async function chosenFiles(folder: string): Promise<string[]> {
	const names = process.argv.slice(2);
	const files = await testFilesIn(folder);
	return files.filter(
		(file) => names.length === 0 || names.some((name) => basename(file).startsWith(`${name}.`)),
	);
}

/** Two lanes in the order of their names, because restarts of n8n mostly wait, e.g. until the lock of a killed one is stale. */
async function testLanes(): Promise<string[][]> {
	const [compat = [], e2e = [], restarts = []] = await Promise.all(
		['compat', 'e2e', 'restarts'].map(chosenFiles),
	);
	// The trigger in the test of kills, and the campaign on an empty canvas, do the same and more.
	const others = compat.filter((file) => !/trigger|dragging/.test(file));
	const oneN8n = [...others, ...e2e];
	return [oneN8n, restarts].filter((files) => files.length > 0);
}

await ensureHost(undefined, process.env['CONVERSATION_DESK_N8N']);
const packed = await packPackage({ report: console.error });
process.env[PACKED] = JSON.stringify(packed);
const lanes = await testLanes();
const findings = await Promise.all(
	lanes.map(async (files, i) => await runNodeTests({ name: `e2e-${i + 1}`, files, isShown: true })),
);
await rm(dirname(packed.tarball), { recursive: true, force: true });
const total = { passed: sumBy(findings, 'passed'), failed: sumBy(findings, 'failed') };
await writeFile(join(results, 'e2e.json'), `${JSON.stringify(total)}\n`);
console.log(countsLine(total));
process.exitCode = total.failed === 0 ? 0 : 1;
