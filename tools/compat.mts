import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import uniq from 'lodash/uniq.js';
import { countsLine, root } from './checks/check.mts';
import { replaceTable } from './checks/table.mts';
import { listTestFiles, runNodeTests } from './checks/testRuns.mts';
import { ensureHost } from './host/install.mts';
import { runningN8n } from './host/session.mts';
import { knownVersions } from './host/versions.mts';

// Tries the package in the versions of n8n named by arguments, or in all. CONVERSATION_DESK_N8N can be the address of another n8n.
// Only a run of all versions writes the page.

const page = join(root, 'docs', 'internals', 'compatibility.md');

/** Runs the tests on one version of n8n, or on the n8n at an address. */
async function tryVersion(version: string) {
	console.log(`\nn8n ${version}`);
	if (version !== runningN8n) await ensureHost(console.error, version);
	process.env['CONVERSATION_DESK_N8N'] = version;
	const files = await listTestFiles('compat');
	const finding = await runNodeTests({
		name: `compat-${version.replace(/\W+/g, '-')}`,
		files,
		isShown: true,
	});
	console.log(`n8n ${version}: ${countsLine(finding)}`);
	return { ...finding, version };
}

const chosen = runningN8n ? [runningN8n] : process.argv.slice(2);
const versions = chosen.length > 0 ? chosen : knownVersions();
if (!runningN8n)
	console.log(`n8n ${versions.join(', ')}: missing ones are installed once, about 2.2 GB each.`);
const findings: Array<Awaited<ReturnType<typeof tryVersion>>> = [];
for (const version of versions) findings.push(await tryVersion(version));
if (chosen.length === 0) {
	const names = uniq(findings.flatMap(({ tests }) => tests.map(({ name }) => name)));
	const rows = names.map((name) => [
		name,
		...findings.map(({ tests }) => tests.find((test) => test.name === name)?.outcome ?? '–'),
	]);
	const head = ['What was tried', ...versions.map((version) => `n8n ${version}`)];
	const text = await readFile(page, 'utf8');
	await writeFile(page, await replaceTable(text, 'test:compat', [head, ...rows]));
}
process.exitCode = findings.every(({ failed }) => failed === 0) ? 0 : 1;
