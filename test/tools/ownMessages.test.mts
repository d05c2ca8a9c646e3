import assert from 'node:assert/strict';
import { test } from 'node:test';
import ts from 'typescript';
import { partsOf, readSources } from '../support/sources.mts';

// Problems are data: no code reads the sentences of the package back.

/** Their patterns read the expressions that a user entered. */
const EXPRESSIONS = /(emptyParts|enteredParameters)\.ts$/;

/** A text of four words or more is a sentence for the user, but not an expression. */
const isSentence = (text: string): boolean =>
	!text.includes('{{') && text.split(/\s+/).filter(Boolean).length >= 4;
/** A pattern that names a word is about words, and not about signs or digits. */
const namesWord = (pattern: string): boolean => /[a-z]{4,}/i.test(pattern.replace(/\\./g, ''));

const sentences: string[] = [];
const patterns: Array<{ readonly path: string; readonly pattern: RegExp }> = [];

for (const { path, file } of readSources())
	for (const node of path.includes('descriptions') ? [] : partsOf(file)) {
		const isText = ts.isStringLiteralLike(node) || ts.isTemplateHead(node);
		const isPart = ts.isTemplateMiddle(node) || ts.isTemplateTail(node);
		if ((isText || isPart) && isSentence(node.text)) sentences.push(node.text);
		if (!ts.isRegularExpressionLiteral(node) || EXPRESSIONS.test(path)) continue;
		const end = node.text.lastIndexOf('/');
		const source = node.text.slice(1, end);
		const flags = node.text.slice(end + 1).replace(/[gy]/g, '');
		if (namesWord(source)) patterns.push({ path, pattern: new RegExp(source, flags) });
	}

test('no pattern reads a sentence of the package back', () => {
	const faults = patterns.flatMap(({ path, pattern }) =>
		sentences
			.filter((sentence) => pattern.test(sentence))
			.map((sentence) => `${path}: ${String(pattern)} reads "${sentence}"`),
	);
	assert.deepEqual(faults, []);
	assert.ok(sentences.length > 200 && patterns.length > 5);
});
