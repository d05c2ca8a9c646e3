import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { command, countsLine, root } from './checks/check.mts';
import { readTap, results } from './checks/testRuns.mts';
import { ensureHost } from './host/install.mts';

/** The test files; the one that looks for secrets comes last. */
async function testFiles(): Promise<string[]> {
	const folder = join('test', 'e2e');
	const names = (await readdir(join(root, folder))).filter((name) => name.endsWith('.test.mts'));
	const last = names.filter((name) => name.startsWith('secrets'));
	const others = names.filter((name) => !last.includes(name)).sort();
	return [...others, ...last].map((name) => join(folder, name));
}

await ensureHost();
await mkdir(results, { recursive: true });
const tap = join(results, 'e2e.tap');
await rm(tap, { force: true });
// One process for all files: they share one n8n.
const flags = ['--test', '--test-isolation=none', '--test-timeout=300000'];
const reporters = [
	'--test-reporter=spec',
	'--test-reporter-destination=stdout',
	'--test-reporter=tap',
	`--test-reporter-destination=${tap}`,
];
const { code } = await command(
	process.execPath,
	[...flags, ...reporters, ...(await testFiles())],
	true,
);
const { passed, failed } = await readTap(tap);
const total = { passed, failed: failed === 0 && (code !== 0 || passed === 0) ? 1 : failed };
await writeFile(join(results, 'e2e.json'), `${JSON.stringify(total)}\n`);
console.log(countsLine(total));
process.exitCode = total.failed === 0 ? 0 : 1;
