import type { Condition, EmptyValue } from '../../../../src/tickets/filters/conditions';
import { compileConditions } from '../../../../src/tickets/filters/conditions';
import { search } from '../../../../src/tickets/search/search';
import { fakeRuntime, reply } from '../../../support/fakeRuntime';
import { runRows } from '../../../support/runRows';
import { page } from '../../../support/tickets';

const compile = (emptyValue: EmptyValue, ...conditions: Condition[]) => {
	const compiled = compileConditions(conditions, { zone: 'UTC', nowMs: 0, emptyValue });
	return compiled.ok ? compiled.value : compiled.failure.problems.map(({ message }) => message);
};

it('matches empty columns, or skips, where both ends of a range are empty', () => {
	const between: Condition = {
		column: 'createdAt',
		operator: 'between',
		dateValue: '',
		dateTo: '',
	};
	expect(compile('matchEmpty', between)).toEqual({
		filters: { createdAt: { isNull: true } },
		skipped: 0,
	});
	expect(compile('skip', between)).toEqual({ filters: {}, skipped: 1 });
});

it('keeps the end of a range that is there when empty values are skipped', () => {
	const numbers = { column: 'ticketNumber', operator: 'between' } as const;
	expect(compile('skip', { ...numbers, numberValue: 5, numberTo: '' })).toEqual({
		filters: { ticketNumber: { gte: 5 } },
		skipped: 0,
	});
	expect(compile('skip', { ...numbers, numberValue: null, numberTo: 9 })).toEqual({
		filters: { ticketNumber: { lte: 9 } },
		skipped: 0,
	});
	expect(compile('stop', { ...numbers, numberValue: '', numberTo: 9 })).toEqual([
		'is empty. Enter a value or remove the condition',
	]);
});

it('takes a list of nothing for empty', () => {
	for (const valueList of [' , ', [''], [null], '']) {
		expect(compile('skip', { column: 'title', operator: 'in', valueList })).toEqual({
			filters: {},
			skipped: 1,
		});
	}
});

it('says first that conditions were skipped, whichever input row it was', async () => {
	const runtime = fakeRuntime(() => page([]));
	const row = (value: string) => ({
		parameters: {
			filters: { conditions: [{ column: 'title', operator: 'eq', value }] },
			options: { emptyValue: 'skip' },
		},
	});
	const { summary } = await runRows(search, [row('x'), row('y'), row('')], runtime.context());
	expect(summary).toMatch(
		/^1 empty condition skipped\. No conditions: every ticket matches\. 3 rows/,
	);
});

it('learns the spelling of the service once for all input rows', async () => {
	const runtime = fakeRuntime(({ body }) =>
		JSON.stringify(body).includes('"field"')
			? reply(400, { message: 'sort is invalid' })
			: page([]),
	);
	const row = (limit: number) => ({
		parameters: { limit, sort: { rules: [{ column: 'title', direction: 'asc' }] } },
	});
	await runRows(search, [row(1), row(2), row(3)], runtime.context());
	expect(runtime.sent).toHaveLength(4);
});
