import fc from 'fast-check';
import { DateTime } from 'luxon';
import type { Period } from '../../../../src/conversations/hours/callingHours';
import { findOpenMs } from '../../../../src/conversations/hours/callingHours';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

const zones = [
	'Africa/Casablanca',
	'America/New_York',
	'America/Phoenix',
	'America/Santiago',
	'America/St_Johns',
	'Asia/Kathmandu',
	'Asia/Kolkata',
	'Australia/Adelaide',
	'Australia/Lord_Howe',
	'Europe/Berlin',
	'Europe/Dublin',
	'Pacific/Kiritimati',
	'Pacific/Pago_Pago',
	'UTC',
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

const row: fc.Arbitrary<Period> = fc
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

/** Whether one minute is open by luxon's weekday and time. Late hours belong to the day they began on. */
function isOpenByClock(entered: readonly Period[], closed: ReadonlySet<number>, local: DateTime) {
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

it('finds the first minute from which all zones are open for ten minutes, as a search minute by minute does', () => {
	fc.assert(
		fc.property(
			rows,
			fc.subarray([...zones], { minLength: 1, maxLength: 3 }),
			moment,
			barredDays,
			(entered, set, startMs, barred) => {
				const closed = daysFrom(startMs, barred);
				const hours = { periods: entered, closedDays: closed };
				const next = findOpenMs(hours, set, startMs);
				const isEveryOpen = (ms: number) =>
					set.every((zone) => isOpenByClock(entered, closed, DateTime.fromMillis(ms, { zone })));
				const open = (ms: number) =>
					Array.from({ length: 11 }, (_, i) => ms + i * MINUTE_MS).every(isEveryOpen);
				const minutes = Array.from({ length: 1200 }, (_, i) =>
					i === 0 ? startMs : (Math.floor(startMs / MINUTE_MS) + i) * MINUTE_MS,
				);
				const firstOpen = minutes.find(open);
				if (firstOpen !== undefined) expect(next).toBe(firstOpen);
				else if (next !== undefined) {
					expect(next).toBeGreaterThan(minutes.at(-1) ?? 0);
					expect([open(next), open(next - MINUTE_MS)]).toEqual([true, false]);
				}
			},
		),
		{ numRuns: 60 },
	);
});

describe('at the edges of the hours', () => {
	const at = (text: string) => Date.parse(`2026-01-${text}Z`);
	const every = [0, 1, 2, 3, 4, 5, 6];
	const hoursOf = (...periods: Array<readonly [from: number, until: number]>) => ({
		periods: periods.map(([from, until]) => ({ days: every, from, until })),
		closedDays: new Set<number>(),
	});

	it('hours go on in others that touch them, and a pause of a minute counts', () => {
		const noon = at('15T11:55');
		expect(findOpenMs(hoursOf([540, 720], [720, 900]), ['UTC'], noon)).toBe(noon);
		expect(findOpenMs(hoursOf([540, 720], [721, 900]), ['UTC'], noon)).toBe(at('15T12:01'));
		expect(findOpenMs(hoursOf([1_320, 120], [120, 240]), ['UTC'], at('15T01:55'))).toBe(
			at('15T01:55'),
		);
	});
});
