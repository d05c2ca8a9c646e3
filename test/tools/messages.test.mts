import assert from 'node:assert/strict';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import ts from 'typescript';
import { root } from '../../tools/checks/check.mts';

// What the package tells of problems and failures: reason and fix, or message and advice. UPDATE_MESSAGES=1 writes the list anew.

const snapshot = join(import.meta.dirname, 'messages.txt');

/** A text as it is written, with … for what is put in. Undefined where all of it is put in. */
function textOf(node: ts.Node | undefined): string | undefined {
	if (node === undefined) return undefined;
	if (ts.isStringLiteralLike(node)) return node.text;
	if (ts.isTemplateExpression(node))
		return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('');
	return undefined;
}

/** The problems in a file: objects with a reason, and with a fix where there is one; constants such as NO_PERSON. */
function* problemsIn(node: ts.Node): Generator<string> {
	if (ts.isObjectLiteralExpression(node)) {
		const member = (names: RegExp) =>
			node.properties
				.filter(ts.isPropertyAssignment)
				.find((each) => names.test(each.name.getText()))?.initializer;
		const reason = textOf(member(/^(reason|message)$/));
		const fix = textOf(member(/^(fix|advice)$/));
		if (reason !== undefined || fix !== undefined)
			yield [reason ?? '…', ...(fix === undefined ? [] : [fix])].join('. ');
	}
	if (ts.isVariableDeclaration(node) && /^(reason|NO_[A-Z]+)$/.test(node.name.getText())) {
		const text = textOf(node.initializer);
		if (text !== undefined) yield text;
	}
	for (const child of node.getChildren()) yield* problemsIn(child);
}

test('the problems are those of the list that was looked at (UPDATE_MESSAGES=1 writes it anew)', () => {
	const files = globSync('{src,nodes,credentials}/**/*.ts', { cwd: root });
	const found = files.flatMap((path) => {
		const text = readFileSync(join(root, path), 'utf8');
		return [...problemsIn(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true))];
	});
	const lines = `${[...new Set(found)].sort().join('\n')}\n`;
	if (process.env['UPDATE_MESSAGES'] !== undefined) writeFileSync(snapshot, lines);
	assert.equal(readFileSync(snapshot, 'utf8'), lines);
});
