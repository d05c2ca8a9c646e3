import type { Change } from '../../../src/tickets/watch/change';
import { changeOf } from '../../../src/tickets/watch/change';
import type { Watermark } from '../../../src/tickets/watch/watermark';
import { MOST_SEEN, settlePoll } from '../../../src/tickets/watch/watermark';

const change = (key: string, at: number): Change => ({ key, at, ticket: {} });
const start: Watermark = { column: 'createdAt', cursor: 1_000, floor: 700, seen: { a: 900 } };
const terms = { now: 10_000, overlap: 300, most: 100 };
const keys = (changes: readonly Change[]) => changes.map(({ key }) => key);

it('hands out what it does not know and forgets what lies behind the overlap', () => {
	const changes = [change('a', 900), change('b', 950), change('c', 1_500)];
	const { fresh, after } = settlePoll(start, changes, terms);
	expect(keys(fresh)).toEqual(['b', 'c']);
	expect(after).toEqual({ column: 'createdAt', cursor: 1_500, floor: 1_200, seen: { c: 1_500 } });
});

it('moves only past what it hands out', () => {
	const changes = [change('b', 1_100), change('c', 1_200), change('d', 1_300)];
	const { fresh, after } = settlePoll(start, changes, { ...terms, most: 1 });
	expect(keys(fresh)).toEqual(['b']);
	expect(after.cursor).toBe(1_100);
});

it('does not move past our own clock, for a ticket that is dated in the future', () => {
	const { fresh, after } = settlePoll(start, [change('z', 99_000)], terms);
	expect(keys(fresh)).toEqual(['z']);
	expect(after).toMatchObject({ cursor: 10_000, floor: 9_700, seen: { z: 99_000 } });
});

it('hands out what happened at the floor itself', () => {
	expect(keys(settlePoll(start, [change('f', 700), change('e', 699)], terms).fresh)).toEqual(['f']);
});

it('moves past a ticket dated in the future when its time has come', () => {
	const known = { ...start, seen: { z: 99_000 } };
	const { fresh, after } = settlePoll(known, [change('z', 99_000)], { ...terms, now: 100_000 });
	expect(fresh).toEqual([]);
	expect(after).toMatchObject({ cursor: 99_000, floor: 98_700, seen: { z: 99_000 } });
});

it('never moves back', () => {
	expect(settlePoll(start, [], { ...terms, now: 5 }).after).toEqual(start);
});

it('remembers a bounded number of changes, and shortens the overlap for it', () => {
	const changes = Array.from({ length: 2 * MOST_SEEN }, (_, n) => change(`k${n}`, 1_000 + n));
	const wide = { now: 1e9, overlap: 1e9, most: Infinity };
	const { after } = settlePoll({ ...start, floor: 0 }, changes, wide);
	expect(Object.keys(after.seen)).toHaveLength(MOST_SEEN);
	expect(after.floor).toBe(1_000 + MOST_SEEN);
	expect(settlePoll(after, changes, wide).fresh).toEqual([]);
});

it('keeps the whole overlap where it can remember all of it', () => {
	const changes = Array.from({ length: MOST_SEEN }, (_, n) => change(`k${n}`, 2_000 + n));
	const before = { ...start, seen: {} };
	const { after } = settlePoll(before, changes, { now: 1e9, overlap: 1e9, most: Infinity });
	expect(Object.keys(after.seen)).toHaveLength(MOST_SEEN);
	expect(after.floor).toBe(700);
});

it('does not shorten the overlap for what lies behind it', () => {
	const old = Array.from({ length: MOST_SEEN + 5 }, (_, n) => [`k${n}`, 1_000 + n] as const);
	const before = { ...start, cursor: 20_000, floor: 1_000, seen: Object.fromEntries(old) };
	const { after } = settlePoll(before, [change('x', 50_000)], { ...terms, now: 1e9 });
	expect(after).toMatchObject({ cursor: 50_000, floor: 49_700, seen: { x: 50_000 } });
});

it('remembers all changes of one moment, however many', () => {
	const changes = Array.from({ length: MOST_SEEN + 5 }, (_, n) => change(`k${n}`, 2_000));
	const { after } = settlePoll(start, changes, { now: 1e9, overlap: 300, most: Infinity });
	expect(Object.keys(after.seen)).toHaveLength(MOST_SEEN + 5);
});

it('takes about 30 bytes for a change', () => {
	const changes = Array.from({ length: 1_000 }, (_, n) => {
		const updatedAt = new Date(1.7e12 + n).toISOString();
		return changeOf(
			{ id: `0b6a6b7e-3c1f-4d2a-9f60-${String(n).padStart(12, '0')}`, updatedAt },
			'updatedAt',
		);
	}).flatMap((one) => one ?? []);
	const { after } = settlePoll({ ...start, cursor: 0, floor: 0 }, changes, {
		...terms,
		now: 1e13,
		overlap: 1e9,
		most: Infinity,
	});
	expect(Object.keys(after.seen)).toHaveLength(1_000);
	expect(JSON.stringify(after.seen).length / 1_000).toBeLessThan(36);
});

it.each([
	[{}],
	[{ id: 'x' }],
	[{ id: 'x', createdAt: null }],
	[{ id: 'x', createdAt: 'soon' }],
	[{ id: 'x', createdAt: 5 }],
	[{ id: 7, createdAt: '2026-01-01T00:00:00Z' }],
])('finds no change in %j', (row) => {
	expect(changeOf(row, 'createdAt')).toBeUndefined();
});
