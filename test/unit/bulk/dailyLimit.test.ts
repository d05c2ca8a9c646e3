import type { DailyLimit } from '../../../src/bulk/dailyLimit';
import { dayOf, leftToday, withDailyLimit } from '../../../src/bulk/dailyLimit';
import type { Journal } from '../../../src/bulk/journal';
import type { Outcome } from '../../../src/bulk/outcomes';
import type { DedupeStore } from '../../../src/core/dedupeStore';
import { fail, ok } from '../../../src/core/result';
import { fakeDedupeStore } from '../../support/fakeRuntime';

const DAY = 86_400_000;
const accepted: Outcome = { outcome: 'accepted', batch: 1, reply: {}, paired: false };
const held = { kind: 'held', message: 'no' } as const;
const rejected: Outcome = { outcome: 'rejected', failure: held };
const notSent: Outcome = { outcome: 'notSent', failure: held };
const unknown: Outcome = { outcome: 'unknown', failure: held };

/** A journal that claims all, but for some that other runs contacted. */
function world(max: number, contacted: readonly number[] = []) {
	const entries = new Set<string>();
	const clock = { ms: Date.UTC(2026, 0, 15, 22, 30) };
	const claims: Array<readonly number[]> = [];
	const settled: unknown[] = [];
	const journal: Journal = {
		claim: async (indexes) => {
			claims.push(indexes);
			return indexes.map((index) => (contacted.includes(index) ? notSent : undefined));
		},
		settle: async (...all) => void settled.push(all),
		leave: async () => undefined,
		close: async () => undefined,
	};
	const limitOf = (store: DedupeStore, zone = 'UTC'): DailyLimit => ({
		max,
		store,
		account: 'workspace',
		zone,
		now: () => clock.ms,
	});
	const limit = limitOf(fakeDedupeStore(entries));
	return {
		entries,
		clock,
		claims,
		settled,
		journal,
		limit,
		limitOf,
		limited: withDailyLimit(journal, limit),
	};
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);
const over = (max: string): Outcome => ({
	outcome: 'notSent',
	failure: {
		kind: 'skipped',
		message: `Not sent, because ${max} were sent today (Maximum per Day)`,
	},
});

it('allows so many a day and no more, in however many claims', async () => {
	const { limited, limit, claims } = world(1_300);
	expect(await limited.claim(range(0, 800))).toEqual(range(0, 800).map(() => undefined));
	expect(await leftToday(limit)).toEqual(ok(500));
	const second = await limited.claim(range(800, 1_400));
	expect(second).toEqual([
		...range(0, 500).map(() => undefined),
		...range(0, 100).map(() => over('1,300')),
	]);
	expect(await limited.claim([1_400])).toEqual([over('1,300')]);
	// What is above the limit is not written down.
	expect(claims.map(({ length }) => length)).toEqual([800, 500]);
	expect(await leftToday(limit)).toEqual(ok(0));
});

it('does not count who was certainly not called', async () => {
	const { limited, limit, settled } = world(10, [4]);
	expect(await limited.claim(range(0, 5))).toEqual([
		undefined,
		undefined,
		undefined,
		undefined,
		notSent,
	]);
	expect(await leftToday(limit)).toEqual(ok(6));
	const outcomes = [accepted, rejected, unknown, notSent];
	await limited.settle(range(0, 4), outcomes);
	expect(settled).toEqual([[range(0, 4), outcomes]]);
	expect(await leftToday(limit)).toEqual(ok(8));
	// No one is released twice.
	await limited.settle(range(0, 4), outcomes);
	expect(await leftToday(limit)).toEqual(ok(8));
	await limited.settle([0, 2], []);
	expect(await leftToday(limit)).toEqual(ok(8));
});

it('counts by the days of the zone, and forgets past ones', async () => {
	const { limited, limit, limitOf, clock, entries } = world(3);
	await limited.claim([0, 1]);
	expect(await leftToday(limit)).toEqual(ok(1));
	expect(await leftToday(limitOf(limit.store, 'Europe/Berlin'))).toEqual(ok(1));
	// Half past eleven in Berlin.
	clock.ms += DAY / 24;
	expect(await leftToday(limitOf(limit.store, 'Europe/Berlin'))).toEqual(ok(3));
	expect(await leftToday(limit)).toEqual(ok(1));
	clock.ms += DAY;
	await limited.claim([2]);
	expect(
		[...entries]
			.filter((entry) => entry.startsWith('n:'))
			.every((entry) => entry.includes('2026-01-16')),
	).toBe(true);
	expect(dayOf(Date.UTC(2026, 0, 15, 23, 30), 'Europe/Berlin')).toBe('2026-01-16');
	expect(dayOf(Date.UTC(2026, 0, 15, 23, 30), 'UTC')).toBe('2026-01-15');
});

it('gives back to the day on which it was counted', async () => {
	const { limited, limit, clock } = world(3);
	await limited.claim([0, 1]);
	clock.ms += DAY;
	await limited.claim([2]);
	await limited.settle([0, 1, 2], [rejected, accepted, accepted]);
	expect(await leftToday(limit)).toEqual(ok(2));
	// Past days are forgotten, and what is given back to them changes nothing.
	clock.ms -= DAY;
	expect(await leftToday(limit)).toEqual(ok(3));
});

it('keeps the count in few entries, and none of the other counts', async () => {
	const { limited, entries } = world(5_000);
	await limited.claim(range(0, 1_025));
	expect([...entries].toSorted()).toEqual([
		'kept',
		'n:workspace:2026-01-15:0',
		'n:workspace:2026-01-15:10',
	]);
	await limited.claim(range(1_025, 1_026));
	expect([...entries].toSorted()).toEqual([
		'kept',
		'n:workspace:2026-01-15:1',
		'n:workspace:2026-01-15:10',
	]);
});

it('sends no one whom n8n could not count', async () => {
	const { journal, limitOf, claims } = world(5);
	const broken = { size: async () => fail('no'), exchange: async () => fail('disk is full') };
	expect(await leftToday(limitOf(broken))).toEqual(fail('disk is full'));
	expect(await withDailyLimit(journal, limitOf(broken)).claim([0, 1])).toEqual(
		[0, 1].map(() => ({
			outcome: 'notSent',
			failure: {
				kind: 'held',
				message:
					"Not sent, because n8n could not count today's calls (disk is full). Run the node again",
			},
		})),
	);
	expect(claims).toEqual([]);
});

it('allows no one where the limit was lowered meanwhile', async () => {
	const { limited, limit, limitOf, journal } = world(5);
	await limited.claim([0, 1, 2]);
	const lower = { ...limitOf(limit.store), max: 2 };
	expect(await leftToday(lower)).toEqual(ok(0));
	expect(await withDailyLimit(journal, lower).claim([3])).toEqual([over('2')]);
	expect(await leftToday(limit)).toEqual(ok(2));
});
