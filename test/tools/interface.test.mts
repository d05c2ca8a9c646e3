import assert from 'node:assert/strict';
import { test } from 'node:test';
import { columns, priorities, sources, ticketNumberRange } from '../../src/tickets/columns.ts';
import { operatorsByKind } from '../../src/tickets/operators.ts';
import type { Kind } from '../../src/tickets/columns.ts';
import {
	interfaceColumns,
	interfaceOperators,
	interfaceText,
} from '../support/interfaceDocument.mts';

const known: ReadonlyMap<string, { kind: Kind; nullable?: boolean }> = new Map(
	Object.entries(columns),
);

test('the ticket columns are those of the interface', () => {
	const names = interfaceColumns.map(([name = '']) => name);
	assert.equal(names.length, 31);
	assert.deepEqual([...known.keys()].sort(), names.sort());
});

test('the ticket columns say null where the interface does, and nothing where it is silent', () => {
	for (const [name = '', , type = ''] of interfaceColumns) {
		const isNullable = type === 'not shown' ? undefined : type.endsWith('or null');
		assert.equal(known.get(name)?.nullable, isNullable, name);
	}
});

test('the ticket columns have the values and bounds of the interface', () => {
	const listed = (name: string) => {
		const [, text = ''] = new RegExp(`^- \`${name}\`: ([^-]*)$`, 'm').exec(interfaceText) ?? [];
		return Array.from(text.matchAll(/`(\w+)`/g), ([, value]) => value).sort();
	};
	assert.deepEqual(Object.keys(sources).sort(), listed('source'));
	assert.deepEqual(Object.keys(priorities).sort(), listed('priority'));
	assert.deepEqual(ticketNumberRange, { min: -2147483648, max: 2147483647 });
});

test('the operators of every ticket column are those of the interface', () => {
	for (const [name, operators] of interfaceOperators) {
		const { menu, jsonOnly } = operatorsByKind[known.get(name)?.kind ?? 'text'];
		assert.ok(operators.length > 5);
		assert.deepEqual([...menu, ...jsonOnly].sort(), operators.toSorted(), name);
	}
});
