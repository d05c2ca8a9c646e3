import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import startCase from 'lodash/startCase.js';
import { aliases, NAME_PARTS } from '../../src/customers/aliases.ts';

const root = dirname(dirname(import.meta.dirname));
const page = await readFile(join(root, 'docs', 'customers.md'), 'utf8');

const title = (name: string): string => startCase(name).replace(/\bId\b/, 'ID');

/** The rows of the table as the code has them: field, its name, aliases. */
const rows = Object.entries(aliases).map(([field, names]) => {
	const parts = field === 'name' ? [NAME_PARTS.map(title).join(' with ')] : [];
	return [title(field), title(field), [...names.map(title), ...parts].join(', ')];
});

test('the table of aliases is what automatic mapping reads', () => {
	const [, table = ''] = page.split('<!-- aliases -->\n');
	const lines = table.split('\n').filter((line) => line.startsWith('|'));
	const cells = lines.slice(2).map((line) =>
		line
			.split('|')
			.slice(1, -1)
			.map((cell) => cell.trim()),
	);
	assert.deepEqual(cells, rows);
});
