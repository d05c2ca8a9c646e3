import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { compatibilityPage, readResults } from '../../sandbox/compat/page.mts';
import { knownVersions } from '../../sandbox/host/versions.mts';

const root = dirname(dirname(import.meta.dirname));

test('the page has a row for each test and tells a failure and a missing result from a success', () => {
	const older = readResults('ok 1 - One\nnot ok 2 - Two\n# pass 1');
	const newer = readResults('ok 1 - One\nok 2 - Two # SKIP no browser\n    ok 1 - Three');
	const page = compatibilityPage([
		{ version: '1.0.0', outcomes: older },
		{ version: '2.0.0', outcomes: newer },
	]);
	const rows = page.split('\n').filter((line) => line.startsWith('| ') && !line.includes('---'));
	assert.deepEqual(rows, [
		'| What was tried | n8n 1.0.0 | n8n 2.0.0 |',
		'| One | yes | yes |',
		'| Two | no | no browser |',
		'| Three | – | yes |',
	]);
});

test('the README names the versions that can be installed for the tests', async () => {
	const readme = await readFile(join(root, 'README.md'), 'utf8');
	for (const version of knownVersions()) assert.ok(readme.includes(version), version);
});
