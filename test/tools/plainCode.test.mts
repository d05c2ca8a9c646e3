import assert from 'node:assert/strict';
import test from 'node:test';
import { findShortcuts } from '../../tools/checks/plainCode.mts';

test('finds spread literals and tuple assignments, and no other spreads', () => {
	const bad = [
		'f({ ...{ a, b }, c });',
		"const all = [...(['x'] as const), ...rest];",
		'const [a, b] = [1, 2];',
		'[a, b] = [b, a];',
	];
	for (const line of bad) assert.equal(findShortcuts(line).length, 1, line);
	const plain = 'const [a] = list; f({ ...(a && { b }), ...list.map(g) }); [a] = h();';
	assert.deepEqual(findShortcuts(plain), []);
});
