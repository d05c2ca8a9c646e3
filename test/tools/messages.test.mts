import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import ts from 'typescript';
import { partsOf, readSources } from '../support/sources.mts';

// All messages of the package: reason and fix, or message and advice. UPDATE_MESSAGES=1 rewrites the list.

const snapshot = join(import.meta.dirname, 'messages.txt');

/** A text as it is written, with … for what is put in. Undefined where all of it is put in. */
function textOf(node: ts.Node | undefined): string | undefined {
	if (node === undefined) return undefined;
	if (ts.isStringLiteralLike(node)) return node.text;
	if (ts.isTemplateExpression(node))
		return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('');
	return undefined;
}

/** The problem of a node: an object with a reason, and with a fix where there is one; or a constant such as NO_PERSON. */
function problemOf(node: ts.Node): string | undefined {
	if (ts.isVariableDeclaration(node) && /^(reason|NO_[A-Z]+)$/.test(node.name.getText()))
		return textOf(node.initializer);
	if (!ts.isObjectLiteralExpression(node)) return undefined;
	const member = (names: RegExp) =>
		node.properties.filter(ts.isPropertyAssignment).find((each) => names.test(each.name.getText()))
			?.initializer;
	const reason = textOf(member(/^(reason|message)$/));
	const fix = textOf(member(/^(fix|advice)$/));
	if (reason === undefined && fix === undefined) return undefined;
	return [reason ?? '…', ...(fix === undefined ? [] : [fix])].join('. ');
}

test('the problems are those of the list that was looked at (UPDATE_MESSAGES=1 writes it anew)', () => {
	const nodes = readSources().flatMap(({ file }) => [...partsOf(file)]);
	const messages = nodes.map(problemOf).filter((text) => text !== undefined);
	const lines = `${[...new Set(messages)].sort().join('\n')}\n`;
	if (process.env['UPDATE_MESSAGES'] !== undefined) writeFileSync(snapshot, lines);
	assert.equal(readFileSync(snapshot, 'utf8'), lines);
});
