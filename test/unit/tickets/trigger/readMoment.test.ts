import type { Query } from '../../../../src/tickets/search/query';
import type { Change } from '../../../../src/tickets/trigger/changes';
import type { ChangesWanted, Reading } from '../../../../src/tickets/trigger/readChanges';
import { readMoment } from '../../../../src/tickets/trigger/readMoment';
import { seenChangesOf } from '../../../../src/tickets/trigger/seenChanges';
import { NO_NUMBER } from '../../../../src/tickets/trigger/watermark';
import type { Scripted } from '../../../support/pageReader';
import { scriptedReader } from '../../../support/pageReader';
import { ticket, upTo } from '../../../support/tickets';

const NOON = Date.UTC(2026, 0, 15, 12);
const time = (ms: number): string => new Date(NOON + ms).toISOString();
const at = (ms: number, ...numbers: number[]) =>
	numbers.map((n) => ticket(n, { updatedAt: time(ms) }));
const changesAt = (ms: number, ...numbers: number[]): Change[] =>
	numbers.map((number) => ({ atMs: NOON + ms, number, ticket: ticket(number) }));

const all: Query = { filters: {}, sort: [], select: [] };

/** A reading of changes from noon on, of a service that answers so. */
function reading(
	answers: readonly Scripted[],
	more: Partial<ChangesWanted> = {},
	others: Partial<Reading> = {},
) {
	const { reader, asked } = scriptedReader(answers);
	const one: Reading = {
		query: all,
		wanted: {
			column: 'updatedAt',
			from: { atMs: NOON, number: NO_NUMBER },
			seen: new Map(),
			grainMs: 1,
			isEnough: () => false,
			...more,
		},
		reader,
		found: new Map(),
		malformed: new Map(),
		grainMs: 1,
		...others,
	};
	const numbers = () => [...one.found.values()].map(({ number }) => number);
	return { one, asked, numbers };
}

const asks = (filters: object, offset = 0) => ({
	filters,
	pagination: { limit: 3, offset },
	sort: [{ field: 'ticketNumber', direction: 'asc' }],
});

const contract = (message: string) => ({
	kind: 'contract',
	call: 'POST /tickets/search',
	status: 200,
	message,
});

describe('the changes of a moment', () => {
	it('are read by number, each page from the last number on', async () => {
		const { one, asked, numbers } = reading([
			[at(500, 1, 2, 4), true],
			[at(500, 4, 4, 5), true],
			[at(500, 5, 9)],
		]);
		expect(await readMoment(one, NOON + 500)).toBe('read');
		const updatedAt = { gte: time(500), lt: time(501) };
		expect(asked).toEqual([
			asks({ updatedAt }),
			asks({ updatedAt, ticketNumber: { gte: 4 } }),
			asks({ updatedAt, ticketNumber: { gte: 5 } }),
		]);
		expect(numbers()).toEqual([1, 2, 4, 5, 9]);
	});

	it('last as long as what the service rounds to, and end where the reading does', async () => {
		const { one, asked } = reading([[at(500, 1)]], { toMs: NOON + 800 }, { grainMs: 1_000 });
		await readMoment(one, NOON);
		expect(asked).toEqual([asks({ updatedAt: { gte: time(0), lt: time(1_000), lte: time(800) } })]);
	});

	it('are those from a number on where the reading begins in the moment', async () => {
		const from = { atMs: NOON, number: 7 };
		const inside = reading([[at(0, 7, 8)]], { from });
		await readMoment(inside.one, NOON);
		const updatedAt = { gte: time(0), lt: time(1) };
		expect(inside.asked).toEqual([asks({ updatedAt, ticketNumber: { gte: 7 } })]);
		const later = reading([[at(1, 7)]], { from });
		await readMoment(later.one, NOON + 1);
		expect(later.asked).toEqual([asks({ updatedAt: { gte: time(1), lt: time(2) } })]);
		const below = reading([[at(0, 6)]], { from });
		expect(await readMoment(below.one, NOON)).toEqual(
			contract(
				'It sorts tickets neither by updatedAt nor by ticketNumber, so reading cannot go on',
			),
		);
	});

	it('are those of all moments where none is given', async () => {
		const { one, asked } = reading([[at(0, 1)]], { toMs: NOON + 9 });
		expect(await readMoment(one, undefined, changesAt(0, 5, 6, 7))).toBe('read');
		expect(asked).toEqual([asks({ updatedAt: { gte: time(0), lte: time(9) } })]);
	});

	it('are looked for behind pages with nothing new, twenty at most', async () => {
		const { one, asked } = reading([
			[at(0, 1, 2, 3), true],
			[at(0, 3), true],
			[[], true],
			[at(0, 4), true],
			[[]],
		]);
		expect(await readMoment(one, NOON)).toBe('read');
		const updatedAt = { gte: time(0), lt: time(1) };
		const from3 = { updatedAt, ticketNumber: { gte: 3 } };
		expect(asked.slice(1)).toEqual([
			asks(from3),
			asks(from3, 3),
			asks(from3, 6),
			asks({ updatedAt, ticketNumber: { gte: 4 } }),
		]);
		const endless = reading(upTo(40).map(() => [[], true]));
		expect(await readMoment(endless.one, NOON)).toEqual(
			contract(
				'It repeated a page of tickets by updatedAt and said that more follow, so reading cannot go on',
			),
		);
		expect(endless.asked).toHaveLength(21);
	});

	it('may be enough before their end', async () => {
		const isEnough = (changes: readonly Change[]) => changes.length >= 3;
		const { one, asked } = reading([[at(0, 1, 2, 3), true]], { isEnough });
		expect(await readMoment(one, NOON)).toBe('enough');
		expect(asked).toHaveLength(1);
		const last = reading([[at(0, 1, 2, 3)]], { isEnough });
		expect(await readMoment(last.one, NOON)).toBe('read');
	});

	it('end with the error of a page', async () => {
		const failure = { kind: 'contract', call: '', status: 500, message: 'no' } as const;
		const { one, numbers } = reading([[at(0, 1, 2, 3), true], { failure }]);
		expect(await readMoment(one, NOON)).toEqual(failure);
		expect(numbers()).toEqual([1, 2, 3]);
	});

	it.each<[string, Scripted, string]>([
		[
			'out of order',
			[at(0, 2, 1)],
			'It sorts tickets neither by updatedAt nor by ticketNumber, so reading cannot go on',
		],
		[
			'of another time',
			[at(-60_001, 1)],
			`It ignored the filter on updatedAt: a ticket of ${time(-60_001)} was returned where tickets from ${time(0)} on were requested`,
		],
		[
			'of a later time',
			[at(60_002, 1)],
			`It ignored the filter on updatedAt: a ticket of ${time(60_002)} was returned where tickets from ${time(0)} on were requested`,
		],
		[
			'without a time',
			[[ticket(1), ticket(2)]],
			'It returned tickets without a number and ID, or a time in updatedAt',
		],
	])('cannot be read from tickets %s', async (_, answer, message) => {
		expect(await readMoment(reading([answer]).one, NOON)).toEqual(contract(message));
	});

	it('may be shown a minute off', async () => {
		const { one } = reading([[[...at(-60_000, 1), ...at(60_001, 2)]]]);
		expect(await readMoment(one, NOON)).toBe('read');
	});
});

describe('a crowd of which all were handed out before', () => {
	const seen = (count: number) =>
		seenChangesOf(changesAt(0, ...upTo(count).map((n) => (n === 1 ? 1_000 : n))));

	it('is read from the last of them on, where it stands in its place', async () => {
		const { one, asked } = reading([[at(0, 1_000, 1_001)]], { seen: seen(200) });
		expect(await readMoment(one, NOON)).toBe('read');
		expect(asked).toEqual([asks({ updatedAt: { gte: time(0), lt: time(1) } }, 199)]);
	});

	it('is read from its start where another one stands there', async () => {
		const { one, asked, numbers } = reading([[at(0, 1_001)], [at(0, 3)]], { seen: seen(200) });
		expect(await readMoment(one, NOON)).toBe('read');
		expect(asked.map((body) => Reflect.get(body, 'pagination'))).toEqual([
			{ limit: 3, offset: 199 },
			{ limit: 3, offset: 0 },
		]);
		expect(numbers()).toEqual([3]);
	});

	it('is none below 200, or at another moment', async () => {
		const few = reading([[[]]], { seen: seen(199) });
		await readMoment(few.one, NOON);
		expect(few.asked).toEqual([asks({ updatedAt: { gte: time(0), lt: time(1) } })]);
		const other = reading([[[]]], { seen: seen(200) });
		await readMoment(other.one, NOON + 1);
		expect(other.asked).toEqual([asks({ updatedAt: { gte: time(1), lt: time(2) } })]);
	});

	it('counts as found', async () => {
		const { one } = reading([[at(0, 1_000)]], { seen: seen(200) });
		expect(await readMoment(one, NOON, changesAt(0, 2, 3, 4))).toBe('read');
	});
});

describe('tickets that are shown for a moment and not found at it', () => {
	it('are in doubt where they are more than half', async () => {
		const half = reading([[at(0, 1, 2)]]);
		expect(await readMoment(half.one, NOON, changesAt(0, 1, 2, 3, 4))).toBe('read');
		const less = reading([[at(0, 1)]]);
		expect(await readMoment(less.one, NOON, changesAt(0, 1, 2, 3))).toBe('doubtful');
		expect(less.one).toMatchObject({ doubtMs: NOON, grainMs: 1 });
	});

	it('make the moment longer the second time: a second, then a minute, then there is no other', async () => {
		const shown = changesAt(0, 1, 2, 3);
		const { one } = reading([]);
		const grains: number[] = [];
		for (let i = 0; i < 4; i++) {
			expect(await readMoment(one, NOON, shown)).toBe('doubtful');
			grains.push(one.grainMs);
		}
		expect(grains).toEqual([1, 1_000, 1_000, 60_000]);
		expect(one.doubtMs).toBeUndefined();
		expect(await readMoment(one, NOON, shown)).toBe('doubtful');
		expect(await readMoment(one, NOON, shown)).toEqual(
			contract('It does not find tickets by the time in updatedAt that it shows for them'),
		);
	});

	it('are in doubt anew at another moment', async () => {
		const { one } = reading([], {}, { doubtMs: NOON });
		expect(await readMoment(one, NOON + 1, changesAt(1, 1))).toBe('doubtful');
		expect(one).toMatchObject({ doubtMs: NOON + 1, grainMs: 1 });
	});
});
