import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, matchesGlob } from 'node:path';
import { test } from 'node:test';
import uniq from 'lodash/uniq.js';
import { root } from '../../tools/checks/check.mts';

// Follows the recipes of CONTRIBUTING.md on one copy of the checkout, and runs `npm test` there.

/** A new file, or a text that belongs into a file, before `anchor` or in lines above it. */
interface Edit {
	readonly file: string;
	readonly place: string | undefined;
	readonly anchor: string | undefined;
	readonly text: string;
}

interface Recipe {
	readonly title: string;
	/** The edits of each step. The last step of a recipe runs `npm test`, and has none. */
	readonly steps: ReadonlyArray<readonly Edit[]>;
	/** The names of tests that follow from the recipe. */
	readonly tests: readonly string[];
}

const HEAD = /^(\S+)(?:, (above the line with|before) "(.*)")?$/;

/** Reads the edits of a recipe, e.g. column.txt. */
function readRecipe(name: string, title: string): Recipe {
	const text = readFileSync(join(import.meta.dirname, `${name}.txt`), 'utf8');
	const parts = text.split(/^--- .*\n/m).slice(1);
	const steps = parts.slice(0, -1).map((step) => step.split(/^>>> /m).slice(1).map(readEdit));
	return { title, steps, tests: parts.at(-1)?.trim().split('\n') ?? [] };
}

function readEdit(part: string): Edit {
	const [head = '', ...lines] = part.split('\n');
	const [, file = '', place, anchor] = HEAD.exec(head) ?? [];
	return { file, place, anchor, text: lines.join('\n') };
}

const recipes = [
	readRecipe('column', 'Add a ticket column'),
	readRecipe('operator', 'Add an operator'),
	readRecipe('operation', 'Add an operation'),
	readRecipe('safeguard', 'Add a safeguard'),
];

/** Makes the edit in a copy. */
function apply(copy: string, { file, place, anchor, text }: Edit): void {
	const path = join(copy, file);
	if (anchor === undefined) {
		mkdirSync(dirname(path), { recursive: true });
		return writeFileSync(path, text);
	}
	const before = readFileSync(path, 'utf8');
	const anchorStart = before.indexOf(anchor);
	assert.notEqual(anchorStart, -1, `${file} has no ${anchor}`);
	const isLine = place !== 'before';
	const at = isLine ? before.lastIndexOf('\n', anchorStart) + 1 : anchorStart;
	const added = isLine ? text : text.trimEnd();
	return writeFileSync(path, before.slice(0, at) + added + before.slice(at));
}

function run(cwd: string, program: string, ...args: readonly string[]) {
	// Without it, the tests of the copy would report to the runner of this test.
	const env = { ...process.env, NODE_TEST_CONTEXT: undefined };
	const ended = spawnSync(program, args, { cwd, env, encoding: 'utf8', maxBuffer: 100_000_000 });
	return { isGood: ended.status === 0, output: ended.stdout + ended.stderr };
}

/** Copies the checkout into a repository of its own, because checks ask git for files; it shares installed packages. */
function copyCheckout(): string {
	const copy = mkdtempSync(join(tmpdir(), 'conversation-desk-recipes-'));
	const { output } = run(root, 'git', 'ls-files', '-co', '--exclude-standard');
	for (const file of output.trim().split('\n'))
		if (existsSync(join(root, file))) cpSync(join(root, file), join(copy, file));
	symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
	run(copy, 'git', 'init', '--quiet');
	return copy;
}

/** Lists the files that each step of a recipe names, e.g. src/<resource>/<operation>.ts as a pattern. */
function listNamedFiles(title: string): string[][] {
	const document = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
	const [, section = ''] = document.split(`### ${title}\n`);
	const [recipe = ''] = section.split(/\n\n(?!\d)(?=\S)/);
	const steps = recipe.split(/^\d+\. /m).slice(1);
	return steps.map((step) =>
		Array.from(step.matchAll(/`([^`\s]+\.(?:ts|mts|md|json|txt))`/g), ([, span = '']) =>
			span.replace(/<\w+>/g, '*'),
		),
	);
}

for (const { title, steps } of recipes)
	test(`"${title}" names the files that each step changes, and no others`, () => {
		const named = listNamedFiles(title);
		const changed = [...steps, []].map((edits) => uniq(edits.map(({ file }) => file)));
		assert.equal(named.length, changed.length);
		for (const [i, files] of changed.entries()) {
			const patterns = named[i] ?? [];
			const isNamed = (file: string) => patterns.some((pattern) => matchesGlob(file, pattern));
			assert.deepEqual(files.filter(isNamed), files, `step ${i + 1}: ${patterns.join(', ')}`);
			assert.equal(patterns.length, files.length, `step ${i + 1}: ${patterns.join(', ')}`);
		}
	});

test(
	'who follows all recipes gets more tests, and `npm test` passes',
	{ timeout: 1_800_000 },
	(context) => {
		const copy = copyCheckout();
		context.after(() => rmSync(copy, { recursive: true, force: true }));
		for (const edit of recipes.flatMap(({ steps }) => steps.flat())) apply(copy, edit);
		run(copy, 'git', 'add', '--all');
		assert.ok(run(copy, 'npm', 'run', 'format').isGood);
		const { isGood, output } = run(copy, 'npm', 'test');
		assert.ok(isGood, output.replace(/^PASS .*\n/gm, ''));
		const report = readFileSync(join(copy, 'test-results', 'jest.json'), 'utf8');
		for (const name of recipes.flatMap(({ tests }) => tests))
			assert.ok(report.includes(JSON.stringify(name).slice(1, -1)), name);
	},
);
