import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';
import { command, listVerdict, root } from './check.mts';
import type { Check } from './check.mts';

/** Finds lines that only save a line: spread literals, and assignments of one literal list to another. */
export function findShortcuts(text: string): string[] {
	const source = ts.createSourceFile('code.mts', text, ts.ScriptTarget.Latest, true);
	const shortcuts: string[] = [];
	const visit = (node: ts.Node): void => {
		if (isSpreadLiteral(node) || isTupleAssignment(node)) {
			const { line } = source.getLineAndCharacterOfPosition(node.getStart());
			shortcuts.push(`${line + 1}: ${node.getText().split('\n')[0]}`);
		}
		ts.forEachChild(node, visit);
	};
	visit(source);
	return shortcuts;
}

/** Whether a node is `...{ a, b }` or `...['a', 'b']`. */
function isSpreadLiteral(node: ts.Node): boolean {
	if (!ts.isSpreadAssignment(node) && !ts.isSpreadElement(node)) return false;
	const spread = unwrap(node.expression);
	return ts.isObjectLiteralExpression(spread) || ts.isArrayLiteralExpression(spread);
}

/** Whether a node is `const [a, b] = [1, 2]` or `[a, b] = [1, 2]`. */
function isTupleAssignment(node: ts.Node): boolean {
	if (ts.isVariableDeclaration(node))
		return (
			ts.isArrayBindingPattern(node.name) &&
			node.initializer !== undefined &&
			ts.isArrayLiteralExpression(unwrap(node.initializer))
		);
	return (
		ts.isBinaryExpression(node) &&
		node.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
		ts.isArrayLiteralExpression(node.left) &&
		ts.isArrayLiteralExpression(unwrap(node.right))
	);
}

/** The expression inside brackets, `as` and `satisfies`. */
function unwrap(node: ts.Expression): ts.Expression {
	if (
		ts.isParenthesizedExpression(node) ||
		ts.isAsExpression(node) ||
		ts.isSatisfiesExpression(node)
	)
		return unwrap(node.expression);
	return node;
}

/** Checks that no code of the checkout has such a line. */
export const plainCodeCheck: Check = {
	name: 'plain code: no spread literals, no tuple assignments',
	work: async () => {
		const { output } = await command('git', ['ls-files', '*.ts', '*.mts', '*.mjs']);
		const findings: string[] = [];
		for (const file of output.trim().split('\n')) {
			const text = await readFile(join(root, file), 'utf8').catch(() => '');
			findings.push(...findShortcuts(text).map((shortcut) => `${file}:${shortcut}`));
		}
		return listVerdict(findings);
	},
};
