import { rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { countsLine } from './checks/check.mts';
import { runNodeTests } from './checks/nodeTests.mts';
import { results, testFilesIn } from './checks/testRuns.mts';
import { ensureHost } from './host/install.mts';
import { PACKED, packPackage } from './host/pack.mts';

/** The test files, or those named by arguments (`npm run test:e2e -- walk`); the one that looks for secrets comes last. What n8n of every version has to do, this one has to do, too. */
async function testFiles(): Promise<string[]> {
	const [shared, own] = await Promise.all(['compat', 'e2e'].map(testFilesIn));
	// The trigger has a test here that starts n8n again besides.
	const files = [...(shared ?? []).filter((file) => !file.includes('trigger')), ...(own ?? [])];
	const names = process.argv.slice(2);
	const chosen = files.filter(
		(file) => names.length === 0 || names.some((name) => basename(file).startsWith(`${name}.`)),
	);
	const last = chosen.filter((file) => basename(file).startsWith('secrets'));
	return [...chosen.filter((file) => !last.includes(file)), ...last];
}

await ensureHost(undefined, process.env['CONVERSATION_DESK_N8N']);
const packed = await packPackage({ report: console.error });
process.env[PACKED] = JSON.stringify(packed);
const { passed, failed } = await runNodeTests({
	name: 'e2e',
	files: await testFiles(),
	isShown: true,
});
await rm(dirname(packed.tarball), { recursive: true, force: true });
const total = { passed, failed };
await writeFile(join(results, 'e2e.json'), `${JSON.stringify(total)}\n`);
console.log(countsLine(total));
process.exitCode = total.failed === 0 ? 0 : 1;
