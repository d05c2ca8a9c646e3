import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { countsLine } from './checks/check.mts';
import { runNodeTests } from './checks/nodeTests.mts';
import { results, testFilesIn } from './checks/testRuns.mts';
import { ensureHost } from './host/install.mts';
import { refusals } from './queue/database.mts';
import { missingServices, queueServices } from './queue/services.mts';

/** Why queue mode cannot be run on this machine; empty when it can. */
async function obstacles(): Promise<string[]> {
	const services = queueServices();
	const missing = await missingServices(services);
	if (missing.length > 0) return missing;
	await ensureHost();
	return await refusals(services);
}

/** Runs the tests; the file that looks for secrets comes last by its name. */
async function runTests(): Promise<void> {
	const files = await testFilesIn('queue');
	const { passed, failed } = await runNodeTests({ name: 'queue', files, isShown: true });
	const total = { passed, failed };
	await writeFile(join(results, 'queue.json'), `${JSON.stringify(total)}\n`);
	console.log(countsLine(total));
	process.exitCode = total.failed === 0 ? 0 : 1;
}

const found = await obstacles();
if (found.length === 0) await runTests();
else {
	// Where both are provided, a skip would hide that they broke.
	const failed = process.env['CONVERSATION_DESK_QUEUE'] === 'required' ? 1 : 0;
	console.log(`SKIPPED: the tests of queue mode, because ${found.join(' and ')}.`);
	await mkdir(results, { recursive: true });
	await writeFile(join(results, 'queue.json'), `{"passed":0,"failed":${failed}}\n`);
	process.exitCode = failed;
}
