import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { command, countsLine, root } from './checks/check.mts';
import { runNodeTests } from './checks/nodeTests.mts';
import { testFilesIn } from './checks/testRuns.mts';
import { compatibilityPage } from './compat/page.mts';
import type { VersionResults } from './compat/page.mts';
import { ensureHost } from './host/install.mts';
import { knownVersions } from './host/versions.mts';

const page = join(root, 'docs', 'internals', 'compatibility.md');

async function tryVersion(version: string): Promise<{ failed: number; results: VersionResults }> {
	console.log(`\nn8n ${version}`);
	await ensureHost(console.error, version);
	process.env['CONVERSATION_DESK_N8N'] = version;
	const files = await testFilesIn('compat');
	const found = await runNodeTests({ name: `compat-${version}`, files, isShown: true });
	console.log(`n8n ${version}: ${countsLine(found)}`);
	return {
		failed: found.failed,
		results: { version, tests: found.tests },
	};
}

/** Versions given as arguments, else all of them; only a run of all writes the page. */
const asked = process.argv.slice(2);
const versions = asked.length > 0 ? asked : knownVersions();
console.log(`n8n ${versions.join(', ')}: what is missing is installed once, about 2.2 GB each.`);
const found = [];
for (const version of versions) found.push(await tryVersion(version));
if (asked.length === 0) {
	await writeFile(page, compatibilityPage(found.map((each) => each.results)));
	await command('prettier', ['--write', page]);
}
process.exitCode = found.every(({ failed }) => failed === 0) ? 0 : 1;
