import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

const reporter = join(dirname(dirname(import.meta.dirname)), 'tools', 'checks', 'testReporter.mts');

const tests = `
import { before, describe, it, test } from 'node:test';
test('one', () => {});
test('two', () => { throw new Error('x'); });
test('three', { skip: 'no browser' }, () => {});
describe('a suite', () => { it('four', () => {}); });
describe('a broken suite', () => { before(() => { throw new Error('x'); }); it('five', () => {}); });
`;

/** What the reporter writes about test files, each given by its text. */
async function reportOf(...texts: readonly string[]): Promise<unknown> {
	const folder = await mkdtemp(join(tmpdir(), 'conversation-desk-reporter-'));
	try {
		const files = texts.map((_, i) => join(folder, `${i}.test.mjs`));
		await Promise.all(files.map((file, i) => writeFile(file, texts[i] ?? '')));
		const args = ['--test', `--test-reporter=${reporter}`, ...files];
		// Without its context, as the tests of a test run would not run.
		const env = { ...process.env, NODE_TEST_CONTEXT: undefined };
		const output = await new Promise<string>((done) => {
			execFile(process.execPath, args, { env }, (_error, stdout) => done(stdout));
		});
		return JSON.parse(output) as unknown;
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

test('the report of a test run counts what passed and failed, and says why a test was skipped', async () => {
	assert.deepEqual(await reportOf(tests), {
		passed: 2,
		failed: 2,
		tests: [
			{ name: 'one', outcome: 'yes' },
			{ name: 'two', outcome: 'no' },
			{ name: 'three', outcome: 'no browser' },
			{ name: 'four', outcome: 'yes' },
			{ name: 'five', outcome: 'no' },
		],
	});
});

test('a test file that cannot be loaded counts as failed, next to one that passes', async () => {
	const report = (await reportOf('import "./missing.mjs";', "import 'node:test';")) as {
		failed: number;
	};
	assert.equal(report.failed, 1);
});
