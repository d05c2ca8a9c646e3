import type { PageReader } from '../../../../src/tickets/search/fetchPage';
import { unknownService } from '../../../../src/tickets/search/fetchPage';
import { sortHere, sortUnsorted } from '../../../../src/tickets/search/localOrder';
import type { Query, SortRule } from '../../../../src/tickets/search/query';
import type { Script } from '../../../support/fakeRuntime';
import { reply } from '../../../support/fakeRuntime';
import { wiredReader } from '../../../support/pageReader';
import { page, ticket } from '../../../support/tickets';

const none: Query = { filters: {}, sort: [], select: [] };

const sorted = (
	column: SortRule['column'],
	direction: SortRule['direction'] = 'asc',
): SortRule => ({
	column,
	direction,
});

const byNumber: Query = { ...none, sort: [sorted('ticketNumber')] };
const times = [
	'2026-01-01T00:00:00.500Z',
	'2026-01-02T00:00:00.500Z',
	'2026-01-03T00:00:00.500Z',
] as const;
const [early, late, latest] = times;
/** Closed late, not at all, and early. */
const closed = [late, null, early].map((closedAt, i) => ticket(i + 1, { closedAt }));

async function sort(
	rows: ReadonlyArray<ReturnType<typeof ticket>>,
	query: Query,
	script: Script = () => reply(500),
	more: Partial<PageReader> = {},
) {
	const { reader, sent } = wiredReader(script, more);
	const tickets = await sortHere(rows, query, reader);
	return { numbers: tickets?.map((row) => row['ticketNumber']), sent, reader };
}

describe('rows that are sorted here', () => {
	it('need no request where all have a value, or no order is asked for', async () => {
		const rows = [3, 1, 2].map((n) => ticket(n));
		for (const [query, numbers] of [
			[byNumber, [1, 2, 3]],
			[{ ...none, sort: [sorted('ticketNumber', 'desc')] }, [3, 2, 1]],
			[none, [3, 1, 2]],
		] as const) {
			const { sent, ...result } = await sort(rows, query);
			expect(result.numbers).toEqual(numbers);
			expect(sent).toEqual([]);
		}
		expect((await sort([], byNumber)).numbers).toEqual([]);
	});

	it('are left where only the service knows the order', async () => {
		const { numbers, sent } = await sort(
			[ticket(1, { title: 'b', closedAt: null }), ticket(2, { title: 'a', closedAt: early })],
			{ ...none, sort: [sorted('closedAt'), sorted('title')] },
			() => page([closed[0]]),
		);
		expect(numbers).toBeUndefined();
		expect(sent).toEqual([]);
	});

	it.each<[string, SortRule['direction'], unknown, readonly number[]]>([
		['first', 'asc', null, [2, 3, 1]],
		['first', 'asc', ' ', [2, 3, 1]],
		['last', 'asc', early, [3, 1, 2]],
		['first', 'desc', null, [2, 1, 3]],
		['last', 'desc', latest, [1, 3, 2]],
	])(
		'have empty values %s, %s, where the first ticket of the service has %j',
		async (_, direction, closedAt, numbers) => {
			const query = { ...none, sort: [sorted('closedAt', direction)] };
			const result = await sort(closed, query, () => page([ticket(9, { closedAt })], true));
			expect(result.numbers).toEqual(numbers);
			expect(result.reader.known?.nullsFirst).toEqual({ [direction]: numbers[0] === 2 });
		},
	);

	it('ask for the first ticket in the order of one column, with the filters', async () => {
		const { sent } = await sort(
			closed,
			{
				filters: { isShared: { eq: true } },
				sort: [sorted('closedAt', 'desc'), sorted('ticketNumber')],
				select: ['title'],
			},
			() => page([ticket(1, { closedAt: early })]),
		);
		expect(sent.map(({ body }) => body)).toEqual([
			{
				filters: { isShared: { eq: true } },
				pagination: { limit: 1, offset: 0 },
				sort: [{ field: 'closedAt', direction: 'desc' }],
				select: { title: true, id: true, ticketNumber: true, closedAt: true, isShared: true },
			},
		]);
	});

	it('ask once for each direction, and never again', async () => {
		const rows = closed.map((row, i) => ({
			...row,
			resolvedAt: i === 2 ? null : times[i],
			snoozedUntil: i === 0 ? null : times[i],
		}));
		const query = {
			...none,
			sort: [sorted('closedAt'), sorted('resolvedAt'), sorted('snoozedUntil', 'desc')],
		};
		const first = await sort(rows, query, () => page([ticket(9, { closedAt: null })]));
		expect(first.sent.map(({ body }) => body)).toMatchObject([
			{ sort: [{ field: 'closedAt', direction: 'asc' }] },
			{ sort: [{ field: 'snoozedUntil', direction: 'desc' }] },
		]);
		expect(first.reader.known?.nullsFirst).toEqual({ asc: true, desc: true });
		for (const [nullsFirst, numbers] of [
			[{ asc: true }, [2, 3, 1]],
			[{ asc: false }, [3, 1, 2]],
		] as const) {
			const known = { ...unknownService(), nullsFirst };
			const asc = { ...none, sort: [sorted('closedAt')] };
			const again = await sort(closed, asc, () => reply(500), { known });
			expect(again.sent).toEqual([]);
			expect(again.numbers).toEqual(numbers);
		}
	});

	it.each<[string, Script]>([
		['shows no ticket', () => page([])],
		['refuses to show one', () => reply(403)],
	])('are left where empty values are, and the service %s', async (_, script) => {
		const result = await sort(closed, { ...none, sort: [sorted('closedAt')] }, script);
		expect(result.numbers).toBeUndefined();
		expect(result.sent).toHaveLength(1);
		expect(result.reader.known?.nullsFirst).toEqual({});
	});
});

describe('rows of a service that ignores the sort', () => {
	const down = [3, 1, 2].map((n) => ticket(n));
	const up = [1, 2, 3].map((n) => ticket(n));
	const titled = { ...none, sort: [sorted('title')] };
	const failure = {
		kind: 'contract',
		call: 'POST /tickets/search',
		status: 200,
		message:
			'The service ignores the sort, and the node cannot sort this way itself. Remove the sort, or use Return All and sort by numbers, times or true and false',
	};

	it('are sorted here where they are all that there are', () => {
		const result = { rows: down, shifts: 2 };
		expect(sortUnsorted(result, byNumber, { offset: 0 })).toEqual({ rows: up, shifts: 2 });
		expect(sortUnsorted(result, none, { offset: 0 })).toEqual({ rows: up, shifts: 2 });
		expect(sortUnsorted(result, byNumber, { offset: 0, limit: 4 }).rows).toEqual(up);
	});

	it('are sorted by number where they tie', () => {
		const rows = [3, 1, 2].map((n) => ticket(n, { isShared: n !== 1 }));
		const query = { ...none, sort: [sorted('isShared', 'desc')] };
		expect(sortUnsorted({ rows }, query, { offset: 0 }).rows).toEqual([rows[2], rows[0], rows[1]]);
	});

	it.each<[string, Query, Parameters<typeof sortUnsorted>[2], ReturnType<typeof ticket>[]]>([
		['begin behind an offset', byNumber, { offset: 1 }, down],
		['are as many as were wanted', byNumber, { offset: 0, limit: 3 }, down],
		['are more than were wanted', byNumber, { offset: 0, limit: 2 }, down],
		['are in an order that only the service knows', titled, { offset: 0 }, down],
		['have empty values', { ...none, sort: [sorted('closedAt')] }, { offset: 0 }, closed],
	])('fail where they %s', (_, query, range, rows) => {
		expect(sortUnsorted({ rows, shifts: 1 }, query, range)).toEqual({
			rows: [],
			failure,
			position: { offset: range.offset },
		});
	});

	it('stay as they came where no order was asked for, and they cannot be sorted', () => {
		const unnumbered = [...down, { ...ticket(9), ticketNumber: null }];
		for (const [rows, range] of [
			[down, { offset: 1 }],
			[down, { offset: 0, limit: 3 }],
			[unnumbered, { offset: 0 }],
			[down.map((row) => ({ ...row, ticketNumber: 'x' })), { offset: 0 }],
		] as const) {
			const result = { rows, repeated: 1 };
			expect(sortUnsorted(result, none, range)).toBe(result);
		}
	});

	it('stay as they came where reading failed', () => {
		const failed = { rows: down, failure: { ...failure, kind: 'contract' as const } };
		for (const query of [byNumber, titled, none])
			expect(sortUnsorted(failed, query, { offset: 0 })).toBe(failed);
	});
});
