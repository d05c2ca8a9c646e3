import { rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import partition from 'lodash/partition.js';
import sumBy from 'lodash/sumBy.js';
import { countsLine } from './checks/check.mts';
import { runNodeTests } from './checks/nodeTests.mts';
import { results, testFilesIn } from './checks/testRuns.mts';
import { ensureHost } from './host/install.mts';
import { PACKED, packPackage } from './host/pack.mts';

/** Tests that mostly wait, e.g. until the lock of a killed n8n is stale. They run beside the others, with an n8n of their own. */
const waiting = ['campaignBoard', 'installer', 'killed', 'runAgain', 'trigger', 'unchangedKilled'];
/** It looks for secrets in what all other tests of its n8n have left. */
const last = 'secrets';

const nameOf = (file: string): string => basename(file, '.test.mts');

/** The test files for two n8ns, or those named by arguments (`npm run test:e2e -- walk`). What n8n of every version has to do, this one has to do, too. */
async function testFiles(): Promise<string[][]> {
	const [shared = [], own = []] = await Promise.all(['compat', 'e2e'].map(testFilesIn));
	// The trigger has a test here that starts n8n again besides.
	const files = [...shared.filter((file) => nameOf(file) !== 'trigger'), ...own];
	const names = process.argv.slice(2);
	const chosen = files.filter((file) => names.length === 0 || names.includes(nameOf(file)));
	const [end, others] = partition(chosen, (file) => nameOf(file) === last);
	const lanes = partition(others, (file) => waiting.includes(nameOf(file)));
	return lanes.filter((lane) => lane.length > 0).map((lane) => [...lane, ...end]);
}

await ensureHost(undefined, process.env['CONVERSATION_DESK_N8N']);
const packed = await packPackage({ report: console.error });
process.env[PACKED] = JSON.stringify(packed);
const lanes = await testFiles();
const findings = await Promise.all(
	lanes.map(async (files, i) => await runNodeTests({ name: `e2e-${i + 1}`, files, isShown: true })),
);
await rm(dirname(packed.tarball), { recursive: true, force: true });
const total = { passed: sumBy(findings, 'passed'), failed: sumBy(findings, 'failed') };
await writeFile(join(results, 'e2e.json'), `${JSON.stringify(total)}\n`);
console.log(countsLine(total));
process.exitCode = total.failed === 0 ? 0 : 1;
