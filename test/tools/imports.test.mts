import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';
import ts from 'typescript';

const root = join(import.meta.dirname, '../..');
const files = globSync('{src,nodes,credentials}/**/*.ts', { cwd: root });

/** The imports of each file, including types. */
const imports = new Map(
	files.map((file) => {
		const { importedFiles } = ts.preProcessFile(readFileSync(join(root, file), 'utf8'));
		return [file, importedFiles.map(({ fileName }) => fileName)];
	}),
);

/** The files of `files` that a file imports. */
const targetsOf = (file: string): string[] =>
	(imports.get(file) ?? [])
		.filter((name) => name.startsWith('.'))
		.map((name) => `${normalize(join(dirname(file), name)).replace(/\.ts$/, '')}.ts`)
		.filter((target) => imports.has(target));

/** The layers from top to bottom; a file imports from its layer or from a lower one. */
const layers = [
	/^(nodes|credentials)\//,
	/^src\/operations\.ts$/,
	/^src\/(conversations|customers|tickets)\//,
	/^src\/bulk\//,
	/^src\/core\//,
];

const layerOf = (file: string): number => layers.findLastIndex((layer) => layer.test(file));

const folderOf = (file: string): string => file.split('/').slice(0, 2).join('/');

/** The first circle of imports below a file, as "a -> b -> a". */
function circleBelow(file: string, path: readonly string[], done: Set<string>): string | undefined {
	const start = path.indexOf(file);
	if (start >= 0) return [...path.slice(start), file].join(' -> ');
	if (done.has(file)) return undefined;
	for (const target of targetsOf(file)) {
		const circle = circleBelow(target, [...path, file], done);
		if (circle) return circle;
	}
	done.add(file);
	return undefined;
}

test('imports run from the nodes over operations, resources and bulk to core', () => {
	const upwards = files.flatMap((file) =>
		targetsOf(file)
			.filter((target) => {
				if (layerOf(target) !== layerOf(file)) return layerOf(target) < layerOf(file);
				return layerOf(file) === 2 && folderOf(target) !== folderOf(file);
			})
			.map((target) => `${file} -> ${target}`),
	);
	assert.deepEqual(upwards, []);
	assert.deepEqual([...new Set(files.map(layerOf))].sort(), [0, 1, 2, 3, 4]);
});

test('no file imports itself over others, not even for a type', () => {
	const done = new Set<string>();
	const circle = files.map((file) => circleBelow(file, [], done)).find(Boolean);
	assert.equal(circle, undefined);
});

test('no pair of folders imports each other', () => {
	const arrows = new Set(
		files.flatMap((file) =>
			targetsOf(file).map((target) => `${dirname(file)} -> ${dirname(target)}`),
		),
	);
	const pairs = [...arrows].filter((arrow) => {
		const [from, to] = arrow.split(' -> ');
		return from !== to && arrows.has(`${to} -> ${from}`);
	});
	assert.deepEqual(pairs, []);
});

test('src imports nothing of n8n', () => {
	const foreign = files.filter(
		(file) => file.startsWith('src/') && imports.get(file)?.some((name) => name.startsWith('n8n')),
	);
	assert.deepEqual(foreign, []);
});
