import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { columnKinds } from '../../sandbox/columns.mts';
import type { ColumnKind } from '../../sandbox/columns.mts';
import { operators } from '../../src/tickets/operators.ts';
import type { Operand } from '../../src/tickets/operators.ts';
import { interfaceOperators } from '../support/interfaceTable.mts';
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

const all = [...new Set([...interfaceOperators.values()].flat()), 'contains', 'EQ', 'between'];

/** The operands that an operator takes on a kind of column, and some that it rejects. */
function operandsOf(operator: string, kind: ColumnKind): { right: unknown[]; wrong: unknown[] } {
	const value = values[kind];
	const wrong = wrongValues[kind];
	const lists = wrong.map((one) => [one]);
	if (operator === 'ne') return { right: [value, [value], []], wrong: [...wrong, ...lists] };
	const operands: Record<Operand, { right: unknown[]; wrong: unknown[] }> = {
		one: { right: [value], wrong: [...wrong, [value]] },
		many: { right: [[value, value], []], wrong: [value, ...lists] },
		flag: { right: [true, false], wrong: ['true', 1, null] },
		pattern: { right: ['%a_'], wrong: [7, ['a']] },
		text: {
			right: ['2025-01-01T00:00:00Z,2025-02-01T00:00:00.000+01:00'],
			wrong: ['2025-01-01T00:00:00Z', 'a,b', ['a', 'b'], ''],
		},
		number: { right: [0, -7], wrong: ['today', '0', 0.5] },
	};
	const { operand = 'one' } =
		Object.entries(operators).find(([name]) => name === operator)?.[1] ?? {};
	return operands[operand];
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
				const isDocumented = interfaceOperators.get(column)?.includes(operator) === true;
				const { right, wrong } = operandsOf(operator, kind);
				for (const operand of [...right, ...(isDocumented ? wrong : [])]) {
					const text = `${column} ${operator} ${JSON.stringify(operand)}`;
					const isRight = isDocumented && right.includes(operand);
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
