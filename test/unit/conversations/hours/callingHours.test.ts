import fc from 'fast-check';
import { DateTime } from 'luxon';
import type { HoursRow } from '../../../../src/conversations/hours/callingHours';
import { findCloseMs, isOpen, findOpenMs } from '../../../../src/conversations/hours/callingHours';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

const zones = [
	...['America/New_York', 'America/Phoenix', 'Europe/Berlin', 'Europe/Dublin', 'Asia/Kolkata'],
	...['Australia/Lord_Howe', 'Asia/Kathmandu', 'America/Santiago', 'Africa/Casablanca'],
	...['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Australia/Adelaide', 'America/St_Johns', 'UTC'],
] as const;

/** Around the changes of the clocks of these zones, and on other days. */
const moment = fc.oneof(
	fc
		.constantFrom(
			'2026-03-08',
			'2026-03-29',
			'2026-04-05',
			'2026-10-04',
			'2026-10-25',
			'2026-11-01',
		)
		.chain((date) =>
			fc
				.integer({ min: -1500, max: 2880 })
				.map((minutes) => Date.parse(date) + minutes * MINUTE_MS),
		),
	fc.integer({ min: Date.UTC(2025, 0), max: Date.UTC(2028, 0) }),
);

const row: fc.Arbitrary<HoursRow> = fc
	.record({
		days: fc.subarray([0, 1, 2, 3, 4, 5, 6], { minLength: 1 }),
		from: fc.integer({ min: 0, max: 1439 }),
		until: fc.integer({ min: 0, max: 1440 }),
	})
	.filter(({ from, until }) => from !== until);

/** Days not to call, by their distance from a moment. */
const barredDays = fc.array(fc.integer({ min: -2, max: 3 }), { maxLength: 2 });
const daysFrom = (ms: number, days: readonly number[]): ReadonlySet<number> =>
	new Set(days.map((each) => Math.floor(ms / DAY_MS) + each));

const rows = fc.array(row, { minLength: 1, maxLength: 3 });

/** What luxon says of one minute: the day of the week and the time on the clock. Late hours belong to the day they began on. */
function isOpenByClock(entered: readonly HoursRow[], closed: ReadonlySet<number>, local: DateTime) {
	const date = Date.UTC(local.year, local.month - 1, local.day) / DAY_MS;
	if (closed.has(date)) return false;
	const today = local.weekday - 1;
	const yesterday = (today + 6) % 7;
	const minute = local.hour * 60 + local.minute;
	return entered.some(({ days, from, until }) =>
		from < until
			? days.includes(today) && from <= minute && minute < until
			: (days.includes(today) && from <= minute) ||
				(days.includes(yesterday) && minute < until && !closed.has(date - 1)),
	);
}

const openings = [rows, fc.constantFrom(...zones), moment, barredDays] as const;

it('is open in exactly those minutes that the clock on the wall says, across daylight saving', () => {
	fc.assert(
		fc.property(...openings, (entered, zone, startMs, barred) => {
			const closed = daysFrom(startMs, barred);
			const hours = { rows: entered, closedDays: closed };
			for (let i = 0; i < 300; i += 7) {
				const ms = startMs + i * 11 * MINUTE_MS;
				const local = DateTime.fromMillis(ms, { zone });
				expect(isOpen(hours, zone, ms)).toBe(isOpenByClock(entered, closed, local));
			}
		}),
		{ numRuns: 200 },
	);
});

it('finds the first minute at which all zones are open, as a search minute by minute does', () => {
	fc.assert(
		fc.property(
			rows,
			fc.subarray([...zones], { minLength: 1, maxLength: 3 }),
			moment,
			barredDays,
			(entered, set, startMs, barred) => {
				const closed = daysFrom(startMs, barred);
				const hours = { rows: entered, closedDays: closed };
				const next = findOpenMs(hours, set, startMs);
				const open = (ms: number) =>
					set.every((zone) => isOpenByClock(entered, closed, DateTime.fromMillis(ms, { zone })));
				const minutes = Array.from({ length: 1200 }, (_, i) =>
					i === 0 ? startMs : (Math.floor(startMs / MINUTE_MS) + i) * MINUTE_MS,
				);
				const found = minutes.find(open);
				if (found !== undefined) expect(next).toBe(found);
				else if (next !== undefined) {
					expect(next).toBeGreaterThan(minutes.at(-1) ?? 0);
					expect([open(next), open(next - MINUTE_MS)]).toEqual([true, false]);
				}
			},
		),
		{ numRuns: 60 },
	);
});

it('stays open until the moment that it names, and is not named later than the next closing', () => {
	fc.assert(
		fc.property(...openings, (entered, zone, startMs, barred) => {
			const hours = { rows: entered, closedDays: daysFrom(startMs, barred) };
			if (!isOpen(hours, zone, startMs)) return;
			const closes = findCloseMs(hours, [zone], startMs);
			expect(closes).toBeGreaterThan(startMs);
			for (let i = 0; i < 40; i++) {
				const ms = startMs + ((closes - startMs) * i) / 40;
				expect(isOpen(hours, zone, ms)).toBe(true);
			}
		}),
		{ numRuns: 200 },
	);
});

describe('at the edges of the hours', () => {
	const at = (text: string) => Date.parse(`2026-01-${text}Z`);
	const hoursOf = (entered: readonly HoursRow[], closed: readonly string[] = []) => ({
		rows: entered,
		closedDays: new Set(closed.map((date) => Date.parse(date) / DAY_MS)),
	});
	const every = [0, 1, 2, 3, 4, 5, 6];
	const office = hoursOf([{ days: every, from: 540, until: 1_020 }]);

	it('it closes at the end of the hours, of the last where several go on', () => {
		expect(findCloseMs(office, ['UTC'], at('15T09:00'))).toBe(at('15T17:00'));
		const overlapping = hoursOf([
			{ days: every, from: 540, until: 720 },
			{ days: every, from: 600, until: 900 },
		]);
		expect(findCloseMs(overlapping, ['UTC'], at('15T11:00'))).toBe(at('15T15:00'));
		// Hours that only touch are one after the other for a single request.
		const late = hoursOf([{ days: every, from: 1_320, until: 120 }]);
		expect(findCloseMs(late, ['UTC'], at('15T23:00'))).toBe(at('16T02:00'));
		const always = hoursOf([{ days: every, from: 0, until: 1_440 }]);
		expect(findCloseMs(always, ['UTC'], at('15T12:00'))).toBe(at('22T00:00'));
		const twoDays = hoursOf([{ days: [3, 4], from: 0, until: 1_440 }]);
		expect(findCloseMs(twoDays, ['UTC'], at('15T12:00'))).toBe(at('17T00:00'));
		expect(findCloseMs(office, ['UTC', 'Europe/Berlin'], at('15T09:00'))).toBe(at('15T16:00'));
	});

	it('they follow a clock that is changed in the night', () => {
		const [midnight, zones] = [Date.parse('2026-03-28T23:00Z'), ['Europe/Berlin']];
		const early = hoursOf([{ days: every, from: 300, until: 420 }]);
		expect(findOpenMs(early, zones, midnight)).toBe(Date.parse('2026-03-29T03:00Z'));
		const night = hoursOf([{ days: every, from: 0, until: 420 }]);
		expect(findCloseMs(night, zones, midnight)).toBe(Date.parse('2026-03-29T05:00Z'));
	});
});
