import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { columnKinds } from '../../sandbox/columns.mts';
import type { ColumnKind } from '../../sandbox/columns.mts';
import { interfaceOperators } from '../support/interfaceDocument.mts';
import { open } from './client.mts';

const values: Record<ColumnKind, unknown> = {
	text: 'a',
	number: 7,
	source: 'email',
	priority: 'low',
	timestamp: '2025-03-04T05:06:07+02:00',
	boolean: true,
};

const wrongValues: Record<ColumnKind, unknown[]> = {
	text: [7, true, null, {}],
	number: ['7', true, null],
	source: ['fax', 7, 'EMAIL'],
	priority: ['normal', 1],
	timestamp: ['yesterday', '2025-03-04', '2025-02-30T00:00:00Z', 7],
	boolean: ['true', 1],
};

const patterns = ['iLike', 'notILike', 'like', 'notLike'];

const all = [...new Set([...interfaceOperators.values()].flat()), 'contains', 'EQ', 'between'];

function operandsOf(operator: string, kind: ColumnKind): unknown[] {
	const value = values[kind];
	if (operator === 'ne') return [value, [value], []];
	if (operator === 'in' || operator === 'notIn') return [[value, value], []];
	if (operator.startsWith('is') && !operator.startsWith('isB') && !operator.startsWith('isR')) {
		return [true, false];
	}
	if (operator === 'isBetween') return ['2025-01-01T00:00:00Z,2025-02-01T00:00:00.000+01:00'];
	if (operator === 'isRelativeToToday') return [0, -7];
	return patterns.includes(operator) ? ['%a_'] : [value];
}

function wrongOperandsOf(operator: string, kind: ColumnKind): unknown[] {
	const wrong = wrongValues[kind];
	if (['eq', 'gt', 'gte', 'lt', 'lte'].includes(operator)) return [...wrong, [values[kind]]];
	if (operator === 'ne') return [...wrong, ...wrong.map((value) => [value])];
	if (operator === 'in' || operator === 'notIn') return [values[kind], ...wrong.map((v) => [v])];
	if (operator === 'isBetween') return ['2025-01-01T00:00:00Z', 'a,b', ['a', 'b'], ''];
	if (operator === 'isRelativeToToday') return ['today', '0', 0.5];
	return patterns.includes(operator) ? [7, ['a']] : ['true', 1, null];
}

describe('filter operators', () => {
	let sandbox: Awaited<ReturnType<typeof open>>;
	before(async () => {
		sandbox = await open({ tickets: 20 });
	});
	after(() => sandbox.close());
	const status = async (column: string, operator: string, operand: unknown) =>
		(await sandbox.search({ filters: { [column]: { [operator]: operand } } })).status;

	for (const [column, kind] of Object.entries(columnKinds)) {
		it(`${column} takes exactly the operators of a ${kind} column`, async () => {
			for (const operator of all) {
				const known = interfaceOperators.get(column)?.includes(operator) === true;
				const right = operandsOf(operator, kind);
				for (const operand of [...right, ...(known ? wrongOperandsOf(operator, kind) : [])]) {
					const text = `${column} ${operator} ${JSON.stringify(operand)}`;
					const isRight = known && right.includes(operand);
					assert.equal(await status(column, operator, operand), isRight ? 200 : 400, text);
				}
			}
		});
	}

	it('refuses unknown columns and members, and pages outside the limits', async () => {
		const bodies = [
			{ filters: { nothing: { eq: 'a' } } },
			{ filters: [] },
			{ filters: { title: 'a' } },
			{ limit: 10 },
			{ pagination: { limit: 0 } },
			{ pagination: { limit: 101 } },
			{ pagination: { limit: '10' } },
			{ pagination: { offset: -1 } },
			{ pagination: { page: 2 } },
			{ sort: [{ field: 'title' }] },
			{ sort: [{ field: 'nothing', direction: 'asc' }] },
			{ sort: [{ field: 'title', direction: 'ASC' }] },
			{ select: { nothing: true } },
			[],
			null,
		];
		for (const body of bodies) {
			assert.equal((await sandbox.search(body)).status, 400, JSON.stringify(body));
		}
	});
});
