import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('../..', import.meta.url));
const src = join(root, 'src');

/** The layers of src from top to bottom: a file imports from its own layer, or from a lower one. */
const layers = ['operations', 'resource', 'bulk', 'core'] as const;

function layerOf(file: string): number {
	const [folder = ''] = relative(src, file).split('/');
	if (folder === 'operations.ts') return 0;
	return folder === 'bulk' ? 2 : folder === 'core' ? 3 : 1;
}

const resourceOf = (file: string): string => relative(src, file).split('/')[0] ?? '';

const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
	.filter((name) => name.endsWith('.ts'))
	.map((name) => join(src, name));

const imports = files.flatMap((file) =>
	ts
		.preProcessFile(readFileSync(file, 'utf8'))
		.importedFiles.map(({ fileName }) => ({ file, name: fileName })),
);

test('imports of src run from operations over the resources and bulk to core', () => {
	const upwards = imports.filter(({ file, name }) => {
		if (!name.startsWith('.')) return false;
		const target = resolve(dirname(file), name);
		if (layerOf(target) !== layerOf(file)) return layerOf(target) < layerOf(file);
		return layerOf(file) === 1 && resourceOf(target) !== resourceOf(file);
	});
	assert.deepEqual(upwards, []);
	assert.equal(new Set(files.map(layerOf)).size, layers.length);
});

test('src imports nothing of n8n', () => {
	assert.deepEqual(
		imports.filter(({ name }) => name.startsWith('n8n')),
		[],
	);
});
