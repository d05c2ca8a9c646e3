import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { aliasLists, holderList } from '../../tools/checks/aliasLists.mts';

const root = dirname(dirname(import.meta.dirname));
const page = await readFile(join(root, 'docs', 'columns.md'), 'utf8');

test('the page lists the names of columns that the code knows, and no others', () => {
	const [, lists = ''] = page.split('<!-- names -->\n');
	assert.equal(lists.trim(), aliasLists());
});

test('the page lists the objects whose columns are read', () => {
	const [, list = ''] = page.split('<!-- holders -->\n');
	assert.equal(list.trim(), holderList());
});

test('the page names every source with a pinned row, and none that is still read wrongly', async () => {
	const folder = join(root, 'test', 'support', 'customerSources');
	const files = await readdir(folder);
	const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
	const [, list = ''] = page.split('<!-- sources -->\n');
	const named = new Set(list.trim().split('\n'));
	for (const [name, shape] of texts.flatMap((text) => Object.entries<object>(JSON.parse(text))))
		assert.equal(named.has(`- ${name}`), !('open' in shape), name);
});
