import { DateTime } from 'luxon';
import type { Change } from '../../../../src/tickets/trigger/changes';
import { changeOf, readTime } from '../../../../src/tickets/trigger/changes';
import { packChanges } from '../../../../src/tickets/trigger/seenChanges';
import type { Watermark } from '../../../../src/tickets/trigger/watermark';
import {
	knownTo,
	MAX_SEEN_CHARS,
	NO_NUMBER,
	settlePoll,
} from '../../../../src/tickets/trigger/watermark';

const change = (number: number, atMs: number): Change => ({ number, atMs, ticket: {} });
const floorAt = (atMs: number) => ({ atMs, number: NO_NUMBER });
const start: Watermark = {
	fingerprint: 'f',
	cursorMs: 100_000,
	floor: floorAt(70_000),
	seen: packChanges([change(1, 90_000)]),
	gapMs: 0,
	aheadMs: 0,
	measuredMs: 0,
	grainMs: 1,
	reported: [],
};
const terms = { clockMs: 1_000_000, nowMs: 0, overlapMs: 30_000, max: 100 };
const all = (...changes: Change[]) => ({ changes, isComplete: true, isInOrder: true });
const numbers = (changes: readonly Change[]) => changes.map(({ number }) => number);

it('hands out what it does not know and forgets what lies behind the overlap', () => {
	const changes = all(change(1, 90_000), change(2, 95_000), change(3, 150_000));
	const { fresh, after } = settlePoll(start, changes, terms);
	expect(numbers(fresh)).toEqual([2, 3]);
	expect(after).toEqual({
		...start,
		cursorMs: 150_000,
		floor: floorAt(120_000),
		seen: packChanges([change(3, 150_000)]),
	});
});

it('moves only past what it hands out', () => {
	const changes = all(change(2, 110_000), change(3, 120_000), change(4, 130_000));
	const { fresh, after } = settlePoll(start, changes, { ...terms, nowMs: 500_000, max: 1 });
	expect(numbers(fresh)).toEqual([2]);
	expect(after.cursorMs).toBe(110_000);
});

it('moves with the clock of the service where all was read, and stays where a part is missing', () => {
	const moved = { ...terms, nowMs: 500_000 };
	expect(settlePoll(start, all(), moved).after.cursorMs).toBe(500_000);
	const cut = { changes: [change(2, 110_000)], isComplete: false, isInOrder: true };
	expect(settlePoll(start, cut, moved).after.cursorMs).toBe(110_000);
	expect(settlePoll(start, { ...cut, isInOrder: false }, moved).after.cursorMs).toBe(100_000);
});

it('does not move past the clock of the service, for a ticket that is dated in the future', () => {
	const { fresh, after } = settlePoll(start, all(change(9, 9_900_000)), terms);
	expect(numbers(fresh)).toEqual([9]);
	expect(after).toMatchObject({ cursorMs: 1_000_000, floor: floorAt(970_000) });
	expect(knownTo(after)(change(9, 9_900_000))).toBe(true);
});

it('hands out what happened at the floor itself', () => {
	const changes = all(change(6, 70_000), change(5, 69_999));
	expect(numbers(settlePoll(start, changes, terms).fresh)).toEqual([6]);
});

it('never moves back', () => {
	const { after } = settlePoll(start, all(), { ...terms, clockMs: 5 });
	expect(after).toEqual(start);
});

const wide = { clockMs: 1e9, nowMs: 1e9, overlapMs: 2e9, max: Infinity };

it('keeps the whole overlap for 10,000 changes in 64 kB', () => {
	const changes = Array.from({ length: 10_000 }, (_, n) => change(5_000 + n, 200_000 + 37 * n));
	const { after, lostOverlap } = settlePoll(start, all(...changes), wide);
	expect(lostOverlap).toBe(false);
	expect(after.floor).toEqual(start.floor);
	expect(JSON.stringify(after).length).toBeLessThan(64_000);
	expect(changes.every(knownTo(after))).toBe(true);
});

it.each([1, 33])('keeps 25,000 changes of one moment whose numbers are %i apart', (apart) => {
	const changes = Array.from({ length: 25_000 }, (_, n) => change(apart * n, 200_000));
	const { after, lostOverlap } = settlePoll(start, all(...changes), wide);
	expect(lostOverlap).toBe(false);
	expect(JSON.stringify(after).length).toBeLessThan(64_000);
	expect(changes.every(knownTo(after))).toBe(true);
	expect(knownTo(after)(change(-5, 200_000))).toBe(false);
});

it('says that it cannot keep the whole overlap, and hands out nothing twice', () => {
	const changes = Array.from({ length: 30_000 }, (_, n) =>
		change((7_919 * n) % 1_000_003, 200_000 + 1_000 * n),
	);
	const { after, lostOverlap } = settlePoll(start, all(...changes), wide);
	expect(lostOverlap).toBe(true);
	expect(after.seen.length).toBeLessThanOrEqual(MAX_SEEN_CHARS);
	expect(after.seen.length).toBeGreaterThan(0.8 * MAX_SEEN_CHARS);
	expect(settlePoll(after, all(...changes), wide).fresh).toEqual([]);
});

it.each([
	[{}],
	[{ id: 'x' }],
	[{ id: 'x', createdAt: null }],
	[{ id: 'x', createdAt: 'soon' }],
	[{ id: 'x', createdAt: '2026-13-01T00:00:00Z' }],
	[{ id: '', createdAt: '2026-01-01T00:00:00Z' }],
])('finds no change in %j', (row) => {
	expect(changeOf(row, 'createdAt')).toBeUndefined();
});

it('tells tickets apart by their numbers, also as text, and else by their IDs', () => {
	const createdAt = '2026-01-01T00:00:00Z';
	const number = (row: object) => changeOf({ ...row, createdAt }, 'createdAt')?.number;
	expect(number({ ticketNumber: -7, id: 'a' })).toBe(-7);
	expect(number({ ticketNumber: '12' })).toBe(12);
	expect(number({ id: 'a' })).toBeGreaterThan(2 ** 31);
	expect(number({ id: 'a' })).not.toBe(number({ id: 'b' }));
});

const NOON = DateTime.utc(2026, 1, 15, 12).toMillis();

it.each([
	'2026-01-15T12:00:00Z',
	'2026-01-15T12:00:00.000Z',
	'2026-01-15T12:00:00.000000Z',
	'2026-01-15T12:00:00',
	'2026-01-15 12:00:00',
	'2026-01-15 12:00:00.000+00',
	'2026-01-15T13:00:00+01:00',
	'2026-01-15 07:00:00 -0500',
	NOON,
	NOON / 1_000,
	String(NOON),
	String(NOON / 1_000),
	1_000 * NOON,
])('reads %s as the same moment, whatever the zone of this process', (text) => {
	expect(readTime(text)).toBe(NOON);
});
