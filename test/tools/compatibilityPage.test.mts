import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { compatibilityPage } from '../../tools/compat/page.mts';
import { knownVersions } from '../../tools/host/versions.mts';

const root = dirname(dirname(import.meta.dirname));

test('the page has a row for each test and tells a failure and a missing result from a success', () => {
	const tests = (outcomes: Record<string, string>) =>
		Object.entries(outcomes).map(([name, outcome]) => ({ name, outcome }));
	const page = compatibilityPage([
		{ version: '1.0.0', tests: tests({ One: 'yes', Two: 'no' }) },
		{ version: '2.0.0', tests: tests({ One: 'yes', Two: 'no browser', Three: 'yes' }) },
	]);
	const [table = ''] = page.split('## Where');
	const rows = table.split('\n').filter((line) => line.startsWith('| ') && !line.includes('---'));
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
