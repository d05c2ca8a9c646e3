import assert from 'node:assert/strict';
import { test } from 'node:test';
import ts from 'typescript';
import { partsOf, readSources } from '../support/sources.mts';

/** Files whose lists are names of the interface, of the panel, or of values that the documents name. */
const ALLOWED = [
	'core/readMark.ts',
	'core/credential.ts',
	'core/phone/zoneTable.ts',
	'customers/aliases.ts',
	'tickets/columns.ts',
	'tickets/operators.ts',
];
/** A longer list of words is a vocabulary. */
const MAX_WORDS = 12;

const isWord = (text: string): boolean =>
	/^[\p{L}\p{M} ]{2,}$/u.test(text) && !/[a-z][A-Z]/.test(text);

/** The lists of words in a node: literals of one array, and alternatives of one pattern. */
function* readLists(source: ts.Node): Generator<readonly string[]> {
	if (ts.isArrayLiteralExpression(source))
		yield source.elements.filter(ts.isStringLiteralLike).map(({ text }) => text);
	if (ts.isRegularExpressionLiteral(source)) yield source.text.split(/[|()[\]^$?*+\\/]+/);
	if (ts.isStringLiteralLike(source) && /[|,]/.test(source.text)) yield source.text.split(/[|,]/);
}

const sources = readSources('src/**/*.ts').map(({ path, file }) => [path.slice(4), file] as const);

test('src has no list of words that decides what data means', () => {
	const faults = sources
		.filter(([name]) => !ALLOWED.includes(name))
		.flatMap(([name, file]) =>
			[...partsOf(file)]
				.flatMap((node) => Array.from(readLists(node), (list) => list.filter(isWord)))
				.filter(({ length }) => length > MAX_WORDS)
				.map((list) => `${name}: ${list.join(', ')}`),
		);
	assert.deepEqual(faults, []);
});

test('src has no letter outside of ASCII', () => {
	const faults = sources.flatMap(([name, file]) =>
		(file.getFullText().match(/\p{L}/gu) ?? [])
			.filter((letter) => !/[a-z]/i.test(letter))
			.map((letter) => `${name}: ${letter}`),
	);
	assert.deepEqual(faults, []);
});

/** The patterns made within a function, where they may be made of data. */
function* patternsMadeLate(node: ts.Node, isLate = false): Generator<string> {
	const isMade = ts.isNewExpression(node) || ts.isCallExpression(node);
	if (isLate && isMade && node.expression.getText() === 'RegExp') yield node.getText();
	for (const child of node.getChildren())
		yield* patternsMadeLate(child, isLate || ts.isFunctionLike(node));
}

test('src makes no pattern of data but of the escaped letters of a key', () => {
	const names = sources.flatMap(([name, file]) => Array.from(patternsMadeLate(file), () => name));
	assert.deepEqual(names, ['core/redact.ts', 'core/redact.ts']);
});
