import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { countsLine, root } from './checks/check.mts';
import { runNodeTests } from './checks/nodeTests.mts';
import { results } from './checks/testRuns.mts';
import { ensureHost } from './host/install.mts';

/** The test files; the one that looks for secrets comes last. */
async function testFiles(): Promise<string[]> {
	const folder = join('test', 'e2e');
	const names = (await readdir(join(root, folder))).filter((name) => name.endsWith('.test.mts'));
	const last = names.filter((name) => name.startsWith('secrets'));
	const others = names.filter((name) => !last.includes(name)).sort();
	return [...others, ...last].map((name) => join(folder, name));
}

await ensureHost(undefined, process.env['CONVERSATION_DESK_N8N']);
const total = await runNodeTests(await testFiles(), join(results, 'e2e.tap'));
await writeFile(join(results, 'e2e.json'), `${JSON.stringify(total)}\n`);
console.log(countsLine(total));
process.exitCode = total.failed === 0 ? 0 : 1;
