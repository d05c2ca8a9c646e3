import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import ts from 'typescript';

const root = join(import.meta.dirname, '../..');

/** Files whose lists are names of the interface, of the panel, or of values that the documents name. */
const ALLOWED = [
	'core/readMark.ts',
	'core/credential.ts',
	'core/phone/zoneTable.ts',
	'customers/aliases.ts',
	'tickets/columns.ts',
	'tickets/operators.ts',
];
/** So many words in one list of a file are a vocabulary. */
const MAX_WORDS = 12;

const isWord = (text: string): boolean =>
	/^[\p{L}\p{M} ]{2,}$/u.test(text) && !/[a-z][A-Z]/.test(text);

/** The lists of words in a source: literals of one array, and alternatives of one pattern. */
function* listsIn(source: ts.Node): Generator<readonly string[]> {
	if (ts.isArrayLiteralExpression(source))
		yield source.elements.filter(ts.isStringLiteralLike).map(({ text }) => text);
	if (ts.isRegularExpressionLiteral(source)) yield source.text.split(/[|()[\]^$?*+\\/]+/);
	if (ts.isStringLiteralLike(source) && /[|,]/.test(source.text)) yield source.text.split(/[|,]/);
	for (const child of source.getChildren()) yield* listsIn(child);
}

const files = (await readdir(join(root, 'src'), { recursive: true })).filter((name) =>
	name.endsWith('.ts'),
);
const sources = await Promise.all(
	files.map(async (name) => [name, await readFile(join(root, 'src', name), 'utf8')] as const),
);

test('src has no list of words that decides what data means', () => {
	const found = sources
		.filter(([name]) => !ALLOWED.includes(name))
		.flatMap(([name, text]) => {
			const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
			const lists = Array.from(listsIn(file), (list) => list.filter(isWord));
			return lists
				.filter(({ length }) => length > MAX_WORDS)
				.map((list) => `${name}: ${list.join(', ')}`);
		});
	assert.deepEqual(found, []);
});

test('src has no letter outside of ASCII', () => {
	const found = sources.flatMap(([name, text]) =>
		(text.match(/\p{L}/gu) ?? [])
			.filter((letter) => !/[a-z]/i.test(letter))
			.map((letter) => `${name}: ${letter}`),
	);
	assert.deepEqual(found, []);
});

/** What makes a pattern within a function, where it may be made of data. */
function* patternsMadeLate(node: ts.Node, isLate = false): Generator<string> {
	const isMade = ts.isNewExpression(node) || ts.isCallExpression(node);
	if (isLate && isMade && node.expression.getText() === 'RegExp') yield node.getText();
	for (const child of node.getChildren())
		yield* patternsMadeLate(child, isLate || ts.isFunctionLike(node));
}

test('src makes no pattern of data but of the escaped letters of a key', () => {
	const found = sources.flatMap(([name, text]) => {
		const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
		return Array.from(patternsMadeLate(file), () => name);
	});
	assert.deepEqual(found, ['core/redact.ts', 'core/redact.ts']);
});
