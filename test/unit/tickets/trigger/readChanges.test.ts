import type { Query } from '../../../../src/tickets/search/query';
import type { ChangesWanted, Reading } from '../../../../src/tickets/trigger/readChanges';
import {
	collect,
	fetchFilled,
	isOutside,
	readChanges,
	readRows,
	withOperands,
} from '../../../../src/tickets/trigger/readChanges';
import { seenChangesOf } from '../../../../src/tickets/trigger/seenChanges';
import { NO_NUMBER } from '../../../../src/tickets/trigger/watermark';
import type { Scripted } from '../../../support/pageReader';
import { scriptedReader } from '../../../support/pageReader';
import { ticket, upTo } from '../../../support/tickets';

const NOON = Date.UTC(2026, 0, 15, 12);
const time = (ms: number): string => new Date(NOON + ms).toISOString();
/** A ticket that was updated so many ms after noon. */
const row = (n: number, ms: number) => ticket(n, { updatedAt: time(ms) });
const rowsAt = (ms: number, numbers: readonly number[]) => numbers.map((n) => row(n, ms));

const all: Query = { filters: {}, sort: [], select: [] };
const wanted: ChangesWanted = {
	column: 'updatedAt',
	from: { atMs: NOON, number: NO_NUMBER },
	seen: new Map(),
	grainMs: 1,
	isEnough: () => false,
};
const byTime = [{ field: 'updatedAt', direction: 'asc' }];
const byNumber = [{ field: 'ticketNumber', direction: 'asc' }];
const place = (offset = 0) => ({ limit: 3, offset });

async function read(
	answers: readonly Scripted[],
	more: Partial<ChangesWanted> = {},
	query: Query = all,
) {
	const { reader, asked } = scriptedReader(answers);
	const result = await readChanges(query, { ...wanted, ...more }, reader);
	return { result, numbers: result.changes.map(({ number }) => number), asked };
}

const contract = (message: string) => ({
	kind: 'contract',
	call: 'POST /tickets/search',
	status: 200,
	message,
});

describe('changes', () => {
	it('are read in the order of their times, and what is said of one page that holds all', async () => {
		const { result, asked } = await read([[[row(2, 0), row(1, 1_000)]]]);
		expect(asked).toEqual([
			{ filters: { updatedAt: { gte: time(0) } }, pagination: place(), sort: byTime },
		]);
		expect(result).toEqual({
			changes: [
				{ atMs: NOON, number: 2, ticket: row(2, 0) },
				{ atMs: NOON + 1_000, number: 1, ticket: row(1, 1_000) },
			],
			isComplete: true,
			isInOrder: true,
			frontierMs: NOON,
			grainMs: 1,
			malformed: [],
		});
	});

	it('of the last moment of a page are read with the next one', async () => {
		const { result, numbers, asked } = await read([
			[[row(1, 0), row(3, 1_000), row(4, 2_000)], true],
			[[row(2, 2_000), row(4, 2_000), row(5, 3_000)]],
		]);
		expect(asked[1]).toEqual({
			filters: { updatedAt: { gte: time(2_000) } },
			pagination: place(),
			sort: byTime,
		});
		expect(numbers).toEqual([1, 3, 2, 4, 5]);
		expect(result).toMatchObject({ isComplete: true, frontierMs: NOON + 2_000 });
		expect(asked).toHaveLength(2);
	});

	it('end where a time has passed', async () => {
		const { asked } = await read([[[]]], { toMs: NOON + 5_000 });
		expect(asked[0]).toMatchObject({
			filters: { updatedAt: { gte: time(0), lte: time(5_000) } },
		});
	});

	it('of a moment that fills a page are read by number, then those after it', async () => {
		const { numbers, asked, result } = await read([
			[rowsAt(500, [3, 1, 2]), true],
			[rowsAt(500, [1, 2, 3]), true],
			[rowsAt(500, [3, 4])],
			[[row(9, 900)]],
		]);
		const moment = { gte: time(500), lt: time(501) };
		expect(asked.slice(1)).toEqual([
			{ filters: { updatedAt: moment }, pagination: place(), sort: byNumber },
			{
				filters: { updatedAt: moment, ticketNumber: { gte: 3 } },
				pagination: place(),
				sort: byNumber,
			},
			{ filters: { updatedAt: { gte: time(501) } }, pagination: place(), sort: byTime },
		]);
		expect(numbers).toEqual([1, 2, 3, 4, 9]);
		expect(result).toMatchObject({ isComplete: true, frontierMs: NOON + 501 });
	});

	it('of a moment are asked for again by time where the moment does not hold them', async () => {
		const { numbers, asked, result } = await read([
			[rowsAt(0, [1, 2, 3]), true],
			[[]],
			[rowsAt(0, [1, 2, 3]), true],
			[[]],
			[rowsAt(0, [1, 2, 3]), true],
			[rowsAt(0, [1, 2, 3])],
		]);
		expect(asked[3]).toMatchObject({ filters: { updatedAt: { lt: time(1) } } });
		// The service rounds: the moment is a second.
		expect(asked[5]).toMatchObject({ filters: { updatedAt: { gte: time(0), lt: time(1_000) } } });
		expect(numbers).toEqual([1, 2, 3]);
		expect(result).toMatchObject({ grainMs: 1_000, isComplete: true, frontierMs: NOON + 1_000 });
	});

	it('stop where they are enough, with what was read', async () => {
		const isEnough = (changes: readonly object[]) => changes.length >= 2;
		const first: Scripted = [[row(1, 0), row(2, 1_000), row(3, 2_000)], true];
		const { result, numbers, asked } = await read([first], { isEnough });
		expect(numbers).toEqual([1, 2]);
		expect(result).toMatchObject({ isComplete: false, isInOrder: true });
		expect(result).not.toHaveProperty('failure');
		expect(asked).toHaveLength(1);
		const moment = await read(
			[
				[rowsAt(0, [1, 2, 3]), true],
				[rowsAt(0, [1, 2, 3]), true],
			],
			{
				isEnough,
			},
		);
		expect(moment.result).toMatchObject({ isComplete: false, frontierMs: NOON });
		expect(moment.numbers).toEqual([1, 2, 3]);
	});

	it('come with an error where reading stops at one', async () => {
		const failure = { kind: 'contract', call: '', status: 500, message: 'no' } as const;
		const { result, numbers } = await read([
			[[row(1, 0), row(2, 1_000), row(3, 2_000)], true],
			{ failure },
		]);
		expect(numbers).toEqual([1, 2]);
		expect(result).toMatchObject({ isComplete: false, isInOrder: true, failure });
		const inMoment = await read([[rowsAt(0, [1, 2, 3]), true], { failure }]);
		expect(inMoment.result).toMatchObject({ isComplete: false, failure });
	});

	it.each<[string, Scripted, string]>([
		[
			'a ticket from before',
			[[row(1, -60_001)]],
			`It ignored the filter on updatedAt: a ticket of ${time(-60_001)} was returned where tickets from ${time(0)} on were requested`,
		],
		[
			'a ticket from after',
			[[row(1, 65_001)]],
			`It ignored the filter on updatedAt: a ticket of ${time(65_001)} was returned where tickets from ${time(0)} on were requested`,
		],
		[
			'a page that leads back',
			[[row(1, -2_000), row(2, -1_000)], true],
			'It repeated a page of tickets by updatedAt and said that more follow, so reading cannot go on',
		],
		[
			'tickets without a time',
			[[ticket(1), ticket(2)]],
			'It returned tickets without a number and ID, or a time in updatedAt',
		],
	])('are not read on from %s', async (_, answer, message) => {
		// A time may be shown rounded down by a minute.
		const { result } = await read([answer], { toMs: NOON + 5_000 });
		expect(result.failure).toEqual(contract(message));
		expect(result.isComplete).toBe(false);
	});

	it('may be shown a minute off', async () => {
		const { numbers } = await read([[[row(1, -60_000), row(2, 65_000)]]], { toMs: NOON + 5_000 });
		expect(numbers).toEqual([1, 2]);
	});

	it('are not read on from a page that is repeated', async () => {
		const page: Scripted = [[row(1, 0), row(2, 1_000)], true];
		const { result } = await read([page, page]);
		expect(result.failure?.message).toContain('It repeated a page of tickets by updatedAt');
	});

	it('are left out where a row has none, and the row is handed out', async () => {
		const { numbers, result } = await read([[[ticket(1), row(2, 0)]]]);
		expect(numbers).toEqual([2]);
		expect(result.malformed).toEqual([ticket(1)]);
		const alone = await read([[[ticket(1)]]]);
		expect(alone.result).toMatchObject({ isComplete: true, malformed: [ticket(1)] });
	});

	it('have to match the filters', async () => {
		const query = { ...all, filters: { isShared: { eq: true } } };
		const { result } = await read([[[{ ...row(1, 0), isShared: false }]]], {}, query);
		expect(result.failure?.message).toMatch(/^The service ignores the filter on Is Shared:/);
	});
});

describe('pages without a ticket', () => {
	it('are passed over by what a page was cut to, twenty at most', async () => {
		const empty = (count: number) => upTo(count).map((): Scripted => [[], true]);
		const { reader, asked } = scriptedReader([...empty(20), [[row(1, 0)], true]]);
		const page = await fetchFilled(all, 5, reader);
		expect(page).toMatchObject({ ok: true, value: { data: [{ ticketNumber: 1 }] } });
		expect(asked).toHaveLength(21);
		expect(asked[1]).toMatchObject({ pagination: place(8) });
		const tooMany = scriptedReader(empty(30));
		expect(await fetchFilled(all, 0, tooMany.reader)).toMatchObject({ value: { data: [] } });
		expect(tooMany.asked).toHaveLength(21);
		const last = scriptedReader([[[], false]]);
		await fetchFilled(all, 0, last.reader);
		expect(last.asked).toHaveLength(1);
	});

	it('end a reading with an error where more are said to follow', async () => {
		const { result } = await read(upTo(30).map(() => [[], true]));
		expect(result.failure).toEqual(
			contract(
				'It returned 20 empty pages of tickets by updatedAt and said that more follow, so reading cannot go on',
			),
		);
	});
});

describe('a service that does not sort by time', () => {
	const mixed: Scripted = [[row(1, 1_000), row(2, 0)], true];

	it('is read by number, from the same time on', async () => {
		const { result, numbers, asked } = await read(
			[mixed, [[row(1, 1_000), row(2, 0), row(3, 5)], true], [[row(3, 5), row(4, 2)]]],
			{ toMs: NOON + 9_000 },
		);
		const filters = { updatedAt: { gte: time(0), lte: time(9_000) } };
		expect(asked.slice(1)).toEqual([
			{ filters, pagination: place(), sort: byNumber },
			{ filters: { ...filters, ticketNumber: { gte: 3 } }, pagination: place(), sort: byNumber },
		]);
		expect(numbers).toEqual([2, 4, 3, 1]);
		expect(result).toMatchObject({ isComplete: true, isInOrder: false, frontierMs: NOON });
	});

	it('has nothing to hand out where there are too many, or reading fails', async () => {
		const { result } = await read([mixed, [[row(1, 0), row(2, 0)], true]], {
			isEnough: (changes) => changes.length >= 2,
		});
		expect(result).toMatchObject({ changes: [], isComplete: false, isInOrder: false });
		expect(result.failure).toEqual(
			contract('It does not sort tickets by updatedAt, and there are too many for one poll'),
		);
		const failure = { kind: 'contract', call: '', status: 500, message: 'no' } as const;
		const failed = await read([mixed, [[row(1, 0), row(2, 0)], true], { failure }]);
		expect(failed.result).toMatchObject({ changes: [], isInOrder: false, failure });
	});
});

describe('a crowd that was handed out before', () => {
	const seenAt = (ms: number, count: number) =>
		upTo(count).map((number) => ({ atMs: NOON + ms, number }));

	it('is read from its last ticket on, and what lies before and behind it by time', async () => {
		const seen = seenChangesOf([...seenAt(2_000, 200), ...seenAt(3_000, 199), ...seenAt(-1, 300)]);
		const { numbers, asked, result } = await read(
			[[[row(500, 1_000)]], [rowsAt(2_000, [200, 201])], [[row(1, 2_500)]]],
			{ seen },
		);
		expect(asked).toEqual([
			{
				filters: { updatedAt: { gte: time(0), lt: time(2_000) } },
				pagination: place(),
				sort: byTime,
			},
			{
				filters: { updatedAt: { gte: time(2_000), lt: time(2_001) } },
				pagination: place(199),
				sort: byNumber,
			},
			{ filters: { updatedAt: { gte: time(2_001) } }, pagination: place(), sort: byTime },
		]);
		expect(numbers).toEqual([500, 200, 201, 1]);
		expect(result).toMatchObject({ isComplete: true, frontierMs: NOON + 2_001 });
	});

	it('is the first of several, and one at the start', async () => {
		const seen = seenChangesOf([...seenAt(5_000, 200), ...seenAt(0, 200)]);
		const { asked } = await read([[rowsAt(0, [200])], [[]], [rowsAt(5_000, [200])], [[]]], {
			seen,
		});
		expect(asked.map((body) => (body as typeof all).filters.updatedAt)).toEqual([
			{ gte: time(0), lt: time(1) },
			{ gte: time(1), lt: time(5_000) },
			{ gte: time(5_000), lt: time(5_001) },
			{ gte: time(5_001) },
		]);
	});

	it('is not read behind a part that ends before it', async () => {
		const strayed: Scripted = [[row(1, 2_000 + 60_001)]];
		const { result } = await read([strayed], { seen: seenChangesOf(seenAt(2_000, 200)) });
		expect(result.failure?.message).toContain('It ignored the filter on updatedAt');
	});
});

describe('the parts of a reading', () => {
	const reading = (query: Query = all): Reading => ({
		query,
		wanted,
		reader: scriptedReader([]).reader,
		found: new Map(),
		malformed: new Map(),
		grainMs: 1,
	});

	it('collect each change once, tickets of one number apart', () => {
		const one = reading();
		const change = { atMs: 1, number: 1, ticket: { id: 'a' } };
		expect(collect(one, [change])).toBe(true);
		expect(collect(one, [change])).toBe(false);
		expect(collect(one, [{ ...change, ticket: { id: 'b' } }])).toBe(true);
		expect(collect(one, [{ ...change, atMs: 2 }])).toBe(true);
		expect(collect(one, [{ ...change, number: 2 }])).toBe(true);
		expect(one.found.size).toBe(4);
	});

	it('keep rows without a change apart, each once', () => {
		const one = reading();
		const page = (data: readonly object[]) => ({ data, metadata: { hasNextPage: false } }) as never;
		readRows(one, page([{ id: 'a' }, row(1, 0), { id: 'b' }, { id: 'a' }]));
		readRows(one, page([{ id: 'a', ticketNumber: 5 }, row(1, 0)]));
		readRows(one, page([{ id: 'a', updatedAt: 'x' }, row(1, 0)]));
		expect([...one.malformed.values()]).toEqual([
			{ id: 'a' },
			{ id: 'b' },
			{ id: 'a', ticketNumber: 5 },
			{ id: 'a', updatedAt: 'x' },
		]);
		expect(readRows(one, page([]))).toEqual([]);
	});

	it('allow for a minute at both ends', () => {
		expect([39_999, 40_000, 260_000, 260_001].map((ms) => isOutside(ms, 1e5, 2e5))).toEqual([
			true,
			false,
			false,
			true,
		]);
		expect(isOutside(1e15, 0)).toBe(false);
	});

	it('join what the user filters by', () => {
		const query = { ...all, filters: { updatedAt: { lt: time(9) }, isShared: { eq: true } } };
		expect(withOperands(query, 'updatedAt', { gte: time(1), lte: time(8) })).toEqual({
			isShared: { eq: true },
			updatedAt: { lt: time(9), gte: time(1), lte: time(8) },
		});
		expect(withOperands(all, 'ticketNumber', { gte: 4 })).toEqual({ ticketNumber: { gte: 4 } });
	});
});
