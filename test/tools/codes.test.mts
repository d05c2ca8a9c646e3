import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { codes } from '../../src/bulk/codes.ts';

const root = dirname(dirname(import.meta.dirname));
const page = await readFile(join(root, 'docs', 'outcomes.md'), 'utf8');

test('the documents list every code with its outcome, in the order in which they are counted', () => {
	const [, table = ''] = page.split('<!-- codes -->\n');
	const rows = table.matchAll(/^\| `(\w+)` +\| `(\w+)` +\| \S.*\|$/gm);
	const outcomes = new Map([
		['invalid', 'rejected'],
		['rejected', 'rejected'],
		['unknown', 'unknown'],
	]);
	assert.deepEqual(
		Array.from(rows, ([, code, outcome]) => [code, outcome]),
		Object.keys(codes).map((code) => [code, outcomes.get(code) ?? 'notSent']),
	);
});
