import fc from 'fast-check';
import type { SettledAs } from '../../../../src/conversations/contacts/book';
import { openBook } from '../../../../src/conversations/contacts/book';
import type { Person } from '../../../../src/conversations/contacts/personNames';
import type { Cut } from '../../../support/cutStore';
import { cutStore } from '../../../support/cutStore';
import { fakeDedupeStore } from '../../../support/fakeRuntime';
import { propertyRuns } from '../../../support/propertyRuns.mjs';

const START = Date.UTC(2026, 0, 15, 12);
const MINUTE_MS = 60_000;

const people: readonly Person[] = ['ana', 'bo', 'cy', 'di'].map((key) => ({
	key,
	campaign: 'spring',
}));

type Ended = SettledAs | 'unknown';

/** What a process does with some people, how their calls end, and where it is cut off, if it is. */
interface Step {
	readonly what: 'call' | 'look' | 'settle';
	readonly who: readonly number[];
	readonly ends: readonly Ended[];
	readonly cut: Cut | undefined;
	readonly minutes: number;
}

const step: fc.Arbitrary<Step> = fc.record({
	what: fc.constantFrom('call', 'call', 'look', 'settle'),
	who: fc.subarray([0, 1, 2, 3], { minLength: 1 }),
	ends: fc.array(fc.constantFrom<Ended>('called', 'called', 'notCalled', 'unknown'), {
		minLength: 4,
		maxLength: 4,
	}),
	cut: fc.option(
		fc.record({
			at: fc.integer({ min: 1, max: 14 }),
			isDone: fc.boolean(),
			share: fc.constantFrom(0, 0.3, 0.5, 0.8),
		}),
		{ nil: undefined },
	),
	minutes: fc.integer({ min: 0, max: 900 }),
});

/** A node over many processes, of which each may be cut off between any two calls of the store. */
function createHistory(rule: { readonly hours: number; readonly maxAttempts: number | undefined }) {
	const entries = new Set<string>();
	/** When someone was called, or may have been. */
	const calls = people.map((): number[] => []);
	/** Of whom the user says that they were called. */
	const said = new Set<number>();
	let nowMs = START;
	const bookOf = (cut?: Cut, names = entries) => {
		const store = fakeDedupeStore(names);
		const settings = { rule, limit: undefined, now: () => nowMs };
		return openBook(cut ? cutStore(store, cut) : store, settings);
	};
	const chosen = (who: readonly number[]) => who.flatMap((i) => people[i] ?? []);

	async function call({ who, ends, cut }: Step): Promise<void> {
		const book = bookOf(cut);
		const claims = await book.claim(chosen(who));
		if (!claims.ok) return;
		for (const [i, claim] of claims.value.entries()) {
			const person = who[i] ?? -1;
			const end = ends[person] ?? 'unknown';
			if (claim.is !== 'claimed') continue;
			if (end !== 'notCalled') calls[person]?.push(nowMs);
			book.end(claim.names, end);
		}
		await book.flush();
	}

	/** The user says of each whether they were called. */
	async function settle({ who, cut }: Step): Promise<void> {
		const wasCalled = (i: number): boolean => (calls[i] ?? []).length > 0;
		await bookOf(cut).look(
			who.flatMap((i) => {
				const person = people[i];
				return person ? [{ ...person, how: wasCalled(i) ? 'called' : 'notCalled' }] : [];
			}),
		);
		for (const i of who) if (wasCalled(i)) said.add(i);
	}

	return {
		calls,
		said,
		now: () => nowMs,
		play: async (each: Step): Promise<void> => {
			nowMs += each.minutes * MINUTE_MS;
			if (each.what === 'call') await call(each);
			else if (each.what === 'settle' && rule.maxAttempts === undefined) await settle(each);
			else await bookOf(each.cut).look(chosen(each.who));
		},
		/** How everyone stands, as the next run finds it. */
		standings: async () => {
			const looked = await bookOf(undefined, new Set(entries)).look(people);
			if (!looked.ok) throw new Error(looked.failure);
			return looked.value.map(({ is }) => is);
		},
	};
}

describe.each([
	['hours', { hours: 12, maxAttempts: undefined }],
	['attempts', { hours: 0, maxAttempts: 2 }],
	['hours and attempts', { hours: 3, maxAttempts: 3 }],
])('a book of %s', (_, rule) => {
	it('knows everyone who was called, and no one as called who was not, wherever it is cut off', async () => {
		const seen = new Map<string, number>();
		await fc.assert(
			fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 10 }), async (steps) => {
				const { calls, said, now, play, standings } = createHistory(rule);
				for (const each of steps) {
					await play(each);
					for (const [i, is] of (await standings()).entries()) {
						seen.set(is, (seen.get(is) ?? 0) + 1);
						const made = calls[i] ?? [];
						const ages = made.map((ms) => (now() - ms) / 3_600_000);
						const isRecent = ages.some((age) => age < rule.hours);
						const isOften = rule.maxAttempts !== undefined && made.length >= rule.maxAttempts;
						if (isRecent || isOften) expect({ i, is }).not.toEqual({ i, is: 'free' });
						if (said.has(i)) continue;
						if (is === 'called') expect(ages.some((age) => age < rule.hours + 70 / 60)).toBe(true);
						if (is === 'calledOften') expect(isOften).toBe(true);
					}
				}
			}),
			propertyRuns(1_500),
		);
		const all = [...seen.values()].reduce((sum, count) => sum + count, 0);
		for (const is of ['free', 'calling']) expect((seen.get(is) ?? 0) / all).toBeGreaterThan(0.05);
	}, 120_000);

	it('calls no one twice within the hours, nor more often than allowed', async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 12 }), async (steps) => {
				const { calls, play } = createHistory(rule);
				for (const each of steps) await play(each);
				for (const made of calls) {
					if (rule.maxAttempts !== undefined)
						expect(made.length).toBeLessThanOrEqual(rule.maxAttempts);
					for (const [i, ms] of made.entries()) {
						const before = made[i - 1];
						if (before !== undefined)
							expect((ms - before) / 3_600_000).toBeGreaterThanOrEqual(rule.hours);
					}
				}
			}),
			propertyRuns(500),
		);
	}, 120_000);
});

describe('a book', () => {
	const rule = { hours: 12, maxAttempts: 2 };
	const open = (entries: Set<string>, max?: number) =>
		openBook(fakeDedupeStore(entries), {
			rule,
			limit: max === undefined ? undefined : { max, day: () => ({ name: 'day', past: [] }) },
			now: () => START,
		});
	const claimsOf = async (book: ReturnType<typeof open>, some = people) => {
		const claims = await book.claim(some);
		return claims.ok ? claims.value : [];
	};

	it('keeps few names of each person', async () => {
		const entries = new Set<string>();
		const book = open(entries);
		for (const claim of await claimsOf(book))
			if (claim.is === 'claimed') book.end(claim.names, 'called');
		await book.flush();
		expect(entries.size).toBe(1 + 3 * people.length);
	});
});
