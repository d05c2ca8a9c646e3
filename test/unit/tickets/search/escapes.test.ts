import { pickFields } from '../../../../src/core/output';
import type { Filters } from '../../../../src/tickets/filters/schema';
import {
	breaksEscape,
	escapedColumns,
	matchesEscapes,
	withoutEscapes,
} from '../../../../src/tickets/search/escapes';
import { search } from '../../../../src/tickets/search/search';
import type { Ticket } from '../../../../src/tickets/ticket';
import type { Script } from '../../../support/fakeRuntime';
import { fakeRuntime } from '../../../support/fakeRuntime';
import { members } from '../../../support/samples';
import { runRows } from '../../../support/runRows';
import { page, pagination, ticket } from '../../../support/tickets';

/** A service of these titles that takes a backslash in a pattern for itself. */
const withoutEscape =
	(...titles: readonly string[]): Script =>
	({ body }) => {
		const { title } = members(members(body)['filters']);
		const tests = Object.entries(members(title)).map(([name, pattern]) => {
			const source = String(pattern).replace(/[^]/g, (one) =>
				one === '%' ? '[^]*' : one === '_' ? '[^]' : `\\u{${one.charCodeAt(0).toString(16)}}`,
			);
			const isMatch = new RegExp(`^${source}$`, 'iu');
			return (one: string) => isMatch.test(one) !== name.startsWith('not');
		});
		const rows = titles
			.map((one, i) => ticket(i + 1, { title: one }))
			.filter((row) => tests.every((test) => test(row.title)));
		const { limit, offset } = pagination(body);
		const names = Object.keys(members(members(body)['select']));
		const found = rows.slice(offset, offset + limit);
		const data = names.length === 0 ? found : found.map((row) => pickFields(row, names));
		return page(data, offset + limit < rows.length);
	};

async function find(
	script: Script,
	[operator, value]: readonly [operator: string, value: string],
	options = {},
) {
	const { sent, context } = fakeRuntime(script);
	const parameters = {
		output: 'selected',
		options,
		columns: ['id'],
		limit: 5,
		filters: { conditions: [{ column: 'title', operator, value }] },
	};
	const { rows } = await runRows(search, [{ parameters }], context());
	return { ...rows[0], requests: sent.length };
}

it.each([
	['contains', '50%'],
	['startsWith', '50%'],
	['notContains', '50%'],
])('says that a service does not know the escape: %s %s', async (operator, value) => {
	const { items, failure } = await find(withoutEscape('50% off', '500', 'x'), [operator, value]);
	expect(items).toEqual([]);
	expect(failure).toMatchObject({ message: expect.stringMatching(/backslash.*Matches Pattern/) });
});

it('finds nothing where there is nothing, and asks only then', async () => {
	const nothing = await find(withoutEscape('500', 'x'), ['contains', '50%']);
	expect(nothing).toMatchObject({ items: [], requests: 2 });
	expect(nothing.failure).toBeUndefined();
	expect(await find(withoutEscape('500', 'x'), ['contains', '77'])).toMatchObject({ requests: 1 });
});

it('asks again before it says so, since tickets may come and go between two requests', async () => {
	let emptyOnes = 0;
	const { items, failure, requests } = await find(
		({ body }) => {
			const isEscaped = JSON.stringify(body).includes('\\\\');
			if (isEscaped) emptyOnes += 1;
			return page(isEscaped && emptyOnes < 3 ? [] : [ticket(1, { title: '50% off' })]);
		},
		['contains', '50%'],
	);
	expect(failure).toBeUndefined();
	expect(items).toEqual([]);
	// Nothing found; one is there; still nothing; one is there; now it is found.
	expect(requests).toBe(5);
});

it('looks at what stands before an offset, where a pattern takes tickets out', async () => {
	const titles = ['50% off', '500', 'x', 'y'];
	const from = async (titles: readonly string[], operator: string, value: string) =>
		await find(withoutEscape(...titles), [operator, value], { offset: 2 });
	const wrong = await from(titles, 'notContains', '50%');
	expect(wrong.failure).toMatchObject({ message: expect.stringContaining('backslash') });
	expect(await from(titles, 'notILike', '50\\%%')).toHaveProperty('failure');
	const right = await from(titles.slice(1), 'notContains', '50%');
	expect(right).toMatchObject({ items: [{ id: 't3' }], requests: 2 });
	// Without an escape nothing has to be looked at.
	expect(await from(titles, 'notContains', '50')).toMatchObject({ requests: 1 });
});

it('leaves letters outside of ASCII, and case, to the service', () => {
	expect(breaksEscape({ like: '%É\\%%' }, 'é%')).toBe(false);
	expect(breaksEscape({ like: '%A\\%%' }, 'a%')).toBe(false);
	expect(breaksEscape({ notLike: '%A\\%%' }, 'a%')).toBe(false);
	expect(breaksEscape({ notILike: '%A\\%%' }, 'a%')).toBe(true);
	expect(breaksEscape({ iLike: '%A\\%%' }, 'ab')).toBe(true);
	expect(breaksEscape({ iLike: '%A\\%%' }, null)).toBe(false);
});

describe('patterns with an escape', () => {
	it('are found in every column', () => {
		const filters = {
			title: { like: 'a\\_' },
			summary: { iLike: 'a' },
			externalId: { notILike: '\\%' },
		} as unknown as Filters;
		expect(escapedColumns(filters)).toContain('title');
		expect(escapedColumns(filters)).not.toContain('summary');
		expect(escapedColumns({})).toEqual([]);
	});

	it.each<[object, unknown, boolean]>([
		[{ like: '50\\%' }, '50%', false],
		[{ like: '50\\%' }, '50x', true],
		[{ like: '50\\%%' }, '50% off', false],
		[{ like: 'a\\_c' }, 'abc', true],
		[{ like: 'a\\_c_' }, 'A_CD', false],
		[{ iLike: 'a\\_' }, 'A_', false],
		[{ like: 'ä\\_' }, 'x', false],
		[{ like: 'a\\_' }, 'ä', false],
		[{ notLike: 'a\\_' }, 'a_', true],
		[{ notLike: 'a\\_' }, 'A_', false],
		[{ notILike: 'a\\_' }, 'A_', true],
		[{ notILike: 'a\\_' }, 'ab', false],
		[{ like: 'a%' }, 'x', false],
		[{ like: 'a.c\\%' }, 'abc%', true],
		[{ like: '[a]\\%(+)' }, '[a]%(+)', false],
		[{ like: '\\%\n%' }, '%\n\n', false],
		[{ like: 'a\\%' }, 5, false],
		[{ like: 5 }, 'a', false],
	])('%j is broken by %j: %s', (operands, value, expected) => {
		expect(breaksEscape(operands, value)).toBe(expected);
	});

	it('match letter by letter', () => {
		const matches = (operands: object, title: unknown) =>
			matchesEscapes({ title: operands } as Filters, { title } as unknown as Ticket);
		expect(matches({ like: 'a\\_' }, 'a_')).toBe(true);
		expect(matches({ like: 'a\\_' }, 'A_')).toBe(false);
		expect(matches({ iLike: 'a\\_' }, 'A_')).toBe(true);
		expect(matches({ iLike: 'a\\_' }, 'ab')).toBe(false);
		expect(matches({ like: 'a\\_', iLike: 'b\\_' }, 'a_')).toBe(false);
		expect(matches({ like: 'a\\_' }, null)).toBe(false);
		expect(matchesEscapes({ title: { like: 'a' } }, {} as Ticket)).toBe(true);
	});

	it('are loosened by any character in the place of the escaped one', () => {
		const filters = {
			title: { like: 'a\\_\\%b', notLike: 'x\\_', eq: '\\_' },
			priority: { eq: 'low' },
		} as unknown as Filters;
		expect(withoutEscapes(filters)).toEqual({
			title: { like: 'a__b', notLike: 'x\\_', eq: '\\_' },
			priority: { eq: 'low' },
		});
		expect(withoutEscapes({ title: { iLike: '%\\😀%' } } as Filters)).toEqual({
			title: { iLike: '%_%' },
		});
	});
});
