import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import ts from 'typescript';
import { root } from '../../tools/checks/check.mts';

// Problems are data: no code reads the sentences of the package back.

/** Their patterns read the expressions that a user entered. */
const EXPRESSIONS = /(enteredParameters|expressions|simpleExpressions)\.ts$/;

/** A text of four words or more is a sentence for the user, but not an expression. */
const isSentence = (text: string): boolean =>
	!text.includes('{{') && text.split(/\s+/).filter(Boolean).length >= 4;
/** A pattern that names a word is about words, and not about signs or digits. */
const namesWord = (pattern: string): boolean => /[a-z]{4,}/i.test(pattern.replace(/\\./g, ''));

const sentences: string[] = [];
const patterns: Array<{ readonly path: string; readonly pattern: RegExp }> = [];

function visit(path: string, node: ts.Node): void {
	const isText = ts.isStringLiteralLike(node) || ts.isTemplateHead(node);
	const isPart = ts.isTemplateMiddle(node) || ts.isTemplateTail(node);
	if ((isText || isPart) && isSentence(node.text)) sentences.push(node.text);
	if (ts.isRegularExpressionLiteral(node) && !EXPRESSIONS.test(path)) {
		const end = node.text.lastIndexOf('/');
		const source = node.text.slice(1, end);
		const flags = node.text.slice(end + 1).replace(/[gy]/g, '');
		if (namesWord(source)) patterns.push({ path, pattern: new RegExp(source, flags) });
	}
	ts.forEachChild(node, (child) => visit(path, child));
}

for (const path of globSync('{src,nodes,credentials}/**/*.ts', { cwd: root })) {
	if (path.includes('descriptions')) continue;
	const text = readFileSync(join(root, path), 'utf8');
	visit(path, ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
}

test('no pattern reads a sentence of the package back', () => {
	const found = patterns.flatMap(({ path, pattern }) =>
		sentences
			.filter((sentence) => pattern.test(sentence))
			.map((sentence) => `${path}: ${String(pattern)} reads "${sentence}"`),
	);
	assert.deepEqual(found, []);
	assert.ok(sentences.length > 200 && patterns.length > 5);
});
