import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../../tools/checks/check.mts';
import { findProblems } from '../../tools/checks/documents.mts';
import type { Names } from '../../tools/checks/documents.mts';

const names: Names = {
	words: new Set(['Return All', 'Filter By: JSON', 'Is Greater Than']),
	scripts: ['demo'],
	files: ['README.md', 'docs/a.md', 'src/core/client.ts', 'test/unit/core/client.test.ts'],
	anchors: new Map([['docs/a.md', ['one-thing']]]),
	source: "'The service failed (' and 'Check API Key'",
};

const problems = (text: string) => findProblems('README.md', text, names);

test('a document may name parameters, choices, operators and columns that there are', () => {
	const text =
		'_Return All_, _Filter By: JSON_, _greater than_, _Phone\nNumber_ and _Retry On Fail_';
	assert.deepEqual(problems(text), []);
});

test('a parameter that there is not is found, but not in code', () => {
	assert.deepEqual(problems('_Return Everything_ and `_Return Nothing_`'), [
		'README.md: no parameter "Return Everything"',
	]);
});

test('scripts, files, tests and links have to be there', () => {
	const text = `
\`npm run demo\`, \`npm run fly\`, \`src/core/client.ts\`, \`src/core/gone.ts\`, \`client.ts\`, \`gone.json\`, \`.n8n/nodes\`
unit/core/client: _waits_ and unit/core/gone: _waits_
[a](docs/a.md) [b](docs/a.md#one-thing) [c](docs/a.md#two) [d](docs/b.md) [e](https://example.com)
`;
	assert.deepEqual(problems(text), [
		'README.md: no npm script fly',
		'README.md: no file src/core/gone.ts',
		'README.md: no file gone.json',
		'README.md: no test file for unit/core/gone',
		'README.md: dead link docs/a.md#two',
		'README.md: dead link docs/b.md',
	]);
});

const userDocuments = [
	'README.md',
	...readdirSync(join(root, 'docs'))
		.filter((name) => name.endsWith('.md'))
		.map((name) => join('docs', name)),
].map((path) => readFileSync(join(root, path), 'utf8'));

test('the documents are short enough to be read', () => {
	const countLines = (...texts: readonly string[]) => texts.join('').split('\n').length - 1;
	const internals = readdirSync(join(root, 'docs/internals')).filter((name) =>
		name.endsWith('.md'),
	);
	assert.ok(countLines(...userDocuments) <= 750);
	assert.ok(countLines(userDocuments[0] ?? '') <= 150);
	assert.ok(
		countLines(
			...internals.map((name) => readFileSync(join(root, 'docs/internals', name), 'utf8')),
		) <= 800,
	);
});

/** The longest fixed text of the first sentence of a message: what a user can search for. */
function toSearchText(message: string): string {
	const sentences = message.split(/(?<=[.…]) /);
	const first = sentences.find((sentence) => /[a-z]{3}/i.test(sentence)) ?? '';
	const parts = first
		.replace(/, e\.g\..*$/, '')
		.split('…')
		.map((part) => part.replace(/^[ .:,()]+|[ .:,()]+$/g, ''));
	return parts.reduce((longest, part) => (part.length > longest.length ? part : longest));
}

test('each error is in a document for users with its words', () => {
	const messages = readFileSync(join(import.meta.dirname, 'messages.txt'), 'utf8').split('\n');
	// Quotes in tables leave out what differs.
	const text = userDocuments.join('\n').replace(/\s+/g, ' ');
	const missing = messages.map(toSearchText).filter((words) => !text.includes(words));
	assert.deepEqual(missing, []);
});
