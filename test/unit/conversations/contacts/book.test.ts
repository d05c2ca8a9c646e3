import fc from 'fast-check';
import type { SettledAs } from '../../../../src/conversations/contacts/book';
import { openBook } from '../../../../src/conversations/contacts/book';
import { dayAt } from '../../../../src/conversations/contacts/dailyCount';
import type { CallRule, Person } from '../../../../src/conversations/contacts/personNames';
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
			if (claim !== 'claimed') continue;
			if (end !== 'notCalled') calls[person]?.push(nowMs);
			for (const one of chosen([person])) book.end(one, end);
		}
		await book.flush();
	}

	/** The user says of each whether they were called. */
	async function settle({ who, cut }: Step): Promise<void> {
		const book = bookOf(cut);
		const looked = await book.look(chosen(who));
		if (!looked.ok) return;
		for (const i of who) {
			const wasCalled = (calls[i] ?? []).length > 0;
			for (const one of chosen([i])) book.end(one, wasCalled ? 'called' : 'notCalled');
			if (wasCalled) said.add(i);
		}
		await book.flush();
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
			return looked.value;
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

const HOUR_MS = 60 * MINUTE_MS;
const [ana = { key: '', campaign: '' }] = people;

/** A book at a moment over names that stay. */
const bookAt = (entries: Set<string>, ms: number, rule: CallRule) =>
	openBook(fakeDedupeStore(entries), { rule, limit: undefined, now: () => ms });

async function callAt(entries: Set<string>, ms: number, rule: CallRule, end: Ended) {
	const book = bookAt(entries, ms, rule);
	await book.claim([ana]);
	book.end(ana, end);
	await book.flush();
}

async function standingAt(entries: Set<string>, ms: number, rule: CallRule) {
	const looked = await bookAt(entries, ms, rule).look([ana]);
	return looked.ok ? looked.value[0] : looked.failure;
}

describe('the hours between calls', () => {
	const byHours = (hours: number): CallRule => ({ hours, maxAttempts: undefined });
	const moment = fc.integer({ min: Date.UTC(2026, 0), max: Date.UTC(2027, 0) });
	const hoursBetween = fc.integer({ min: 1, max: 168 * 4 }).map((quarters) => quarters / 4);
	const ends = [
		['called', 'called'],
		['unknown', 'calling'],
	] as const;

	it.each(ends)(
		'cover exactly the time after a call that ended as %s, and at most 70 minutes more',
		async (end, standing) => {
			await fc.assert(
				fc.asyncProperty(
					moment,
					hoursBetween,
					fc.oneof(
						fc.integer({ min: -HOUR_MS, max: 200 * HOUR_MS }),
						fc.constantFrom('first', 'last'),
					),
					async (calledMs, hours, passed) => {
						const edges = { first: hours * HOUR_MS - 1, last: hours * HOUR_MS + 70 * MINUTE_MS };
						const passedMs = typeof passed === 'string' ? edges[passed] : passed;
						const entries = new Set<string>();
						await callAt(entries, calledMs, byHours(24), end);
						const found = await standingAt(entries, calledMs + passedMs, byHours(hours));
						if (passedMs <= edges.first) expect(found).toBe(standing);
						if (passedMs >= edges.last) expect(found).toBe('free');
						expect(['free', standing]).toContain(found);
					},
				),
				propertyRuns(1_000),
			);
		},
	);

	it('hold for a request that leaves ten minutes after its people were claimed', async () => {
		await fc.assert(
			fc.asyncProperty(moment, hoursBetween, async (calledMs, hours) => {
				const entries = new Set<string>();
				await callAt(entries, calledMs, byHours(hours), 'called');
				const afterMs = calledMs + hours * HOUR_MS + 9 * MINUTE_MS;
				expect(await standingAt(entries, afterMs, byHours(hours))).toBe('called');
			}),
		);
	});

	it('leave no one free who was called within them, whatever the hours of each run were', async () => {
		const call = fc.record({
			minutes: fc.integer({ min: 0, max: 100 * 60 }),
			end: fc.constantFrom<Ended>('called', 'unknown'),
			hours: fc.constantFrom(0, 0.5, 12),
		});
		await fc.assert(
			fc.asyncProperty(
				moment,
				fc.array(call, { maxLength: 5 }),
				hoursBetween,
				async (nowMs, calls, hours) => {
					const entries = new Set<string>();
					const rung: Array<{ readonly ageMs: number; readonly end: Ended }> = [];
					for (const each of calls.toSorted((a, b) => b.minutes - a.minutes)) {
						const ageMs = each.minutes * MINUTE_MS;
						const book = bookAt(entries, nowMs - ageMs, byHours(each.hours));
						const claim = await book.claim([ana]);
						if (!claim.ok || claim.value[0] !== 'claimed') continue;
						rung.push({ ageMs, end: each.end });
						book.end(ana, each.end);
						await book.flush();
					}
					const found = await standingAt(entries, nowMs, byHours(hours));
					const within = rung.filter(({ ageMs }) => ageMs < hours * HOUR_MS);
					if (within.length > 0)
						expect(found).toBe(within.at(-1)?.end === 'called' ? 'called' : 'calling');
					if (rung.every(({ ageMs }) => ageMs >= hours * HOUR_MS + 70 * MINUTE_MS))
						expect(found).toBe('free');
				},
			),
			propertyRuns(500),
		);
	});

	it('ask for few names, however long they are', async () => {
		await fc.assert(
			fc.asyncProperty(moment, hoursBetween, async (ms, hours) => {
				const entries = new Set<string>();
				await bookAt(entries, ms, byHours(hours)).claim([ana]);
				expect(entries.size).toBeLessThanOrEqual(hours / 6 + 7);
			}),
		);
	});

	it('say of no one that they were called whom a user settled as not called', async () => {
		const entries = new Set<string>();
		for (const day of [0, 1])
			await callAt(entries, START + day * 24 * HOUR_MS, byHours(12), 'unknown');
		const nowMs = START + 25 * HOUR_MS;
		const book = bookAt(entries, nowMs, byHours(12));
		await book.look([ana]);
		book.end(ana, 'notCalled');
		await book.flush();
		expect(await standingAt(entries, nowMs, byHours(12))).toBe('free');
		expect(await standingAt(entries, nowMs, byHours(48))).toBe('calling');
	});
});

describe('a book', () => {
	const rule = { hours: 12, maxAttempts: 3 };

	it('keeps few names of each person', async () => {
		const entries = new Set<string>();
		for (const day of [0, 1, 2]) await callAt(entries, START + day * 24 * HOUR_MS, rule, 'called');
		expect(entries.size).toBe(1 + 9);
		const ofHours = new Set<string>();
		await callAt(ofHours, START, { hours: 12, maxAttempts: undefined }, 'unknown');
		expect(ofHours.size).toBe(3);
	});

	it('keeps of a campaign the attempts before one that is settled', async () => {
		const free = { hours: 0, maxAttempts: 2 };
		const settled = async (how: SettledAs) => {
			const entries = new Set<string>();
			await callAt(entries, START, free, 'called');
			await callAt(entries, START, free, 'unknown');
			const book = bookAt(entries, START, free);
			await book.look([ana]);
			book.end(ana, how);
			await book.flush();
			const standing = await standingAt(entries, START, free);
			await callAt(entries, START, free, 'called');
			return [standing, await standingAt(entries, START, free)];
		};
		expect(await settled('called')).toEqual(['calledOften', 'calledOften']);
		expect(await settled('notCalled')).toEqual(['free', 'calledOften']);
	});

	it('claims no one whom another process has claimed, though it looked at them before', async () => {
		const entries = new Set<string>();
		await callAt(entries, START, rule, 'unknown');
		const book = bookAt(entries, START, rule);
		await book.look([ana]);
		expect(await book.claim([ana])).toEqual({ ok: true, value: ['calling'] });
	});

	it('removes once what has ended: another process may have claimed the same person since', async () => {
		const entries = new Set<string>();
		const book = bookAt(entries, START, rule);
		await book.claim([ana]);
		book.end(ana, 'notCalled');
		await book.flush();
		await callAt(entries, START, rule, 'unknown');
		await book.claim(people.slice(1));
		expect(await standingAt(entries, START, rule)).toBe('calling');
	});
});

it('gives a place back on the day that it was taken on, though midnight passes during the claim', async () => {
	const store = fakeDedupeStore();
	const midnight = START + 12 * 60 * MINUTE_MS;
	const bookFrom = (startMs: number) => {
		let nowMs = startMs;
		const day = () => dayAt(nowMs++, { zone: 'UTC', account: 'desk' });
		const rule = { hours: 12, maxAttempts: undefined };
		return openBook(store, { rule, limit: { max: 5, day }, now: () => nowMs });
	};
	const late = bookFrom(midnight - 1);
	await late.claim(people.slice(0, 1));
	await bookFrom(midnight).claim(people.slice(1, 2));
	for (const one of people.slice(0, 1)) late.end(one, 'notCalled');
	await late.flush();
	expect(await bookFrom(midnight).left()).toEqual({ ok: true, value: 4 });
});

it('frees no one again who may have been claimed since, where the database failed though it had freed them', async () => {
	const entries = new Set<string>();
	const rule = { hours: 12, maxAttempts: undefined };
	const book = (store = fakeDedupeStore(entries)) =>
		openBook(store, { rule, limit: undefined, now: () => START });
	const ana = people.slice(0, 1);
	const store = fakeDedupeStore(entries);
	let isDown = false;
	const alone: typeof store.alone = async (work) =>
		await (isDown ? cutStore(store, { at: 2, isDone: true }) : store).alone(work);
	const first = book({ ...store, alone });
	await first.claim(ana);
	for (const one of ana) first.end(one, 'notCalled');
	// To free someone takes two calls of the store, of which the second one fails when its work is done.
	isDown = true;
	expect(await first.flush()).toMatchObject({ ok: false });
	isDown = false;
	expect(await book().claim(ana)).toMatchObject({ value: ['claimed'] });
	await first.flush();
	expect(await book().claim(ana)).toMatchObject({ value: ['calling'] });
});

describe('where two runs call somebody at once, because Hours Between Calls is 0', () => {
	const [ana] = people;
	const open = (entries: Set<string>, hours: number) =>
		openBook(fakeDedupeStore(entries), {
			rule: { hours, maxAttempts: undefined },
			limit: undefined,
			now: () => START,
		});

	it.each<[string, ReadonlyArray<readonly ['first' | 'second', Ended]>, string]>([
		[
			'first',
			[
				['first', 'notCalled'],
				['second', 'called'],
			],
			'called',
		],
		[
			'first',
			[
				['first', 'notCalled'],
				['second', 'unknown'],
			],
			'calling',
		],
		['first', [['first', 'notCalled']], 'calling'],
		[
			'last',
			[
				['second', 'called'],
				['first', 'notCalled'],
			],
			'called',
		],
		[
			'last',
			[
				['second', 'unknown'],
				['first', 'notCalled'],
			],
			'calling',
		],
	])('a rejection that comes %s does not erase the other call', async (_, ends, standing) => {
		if (!ana) throw new Error('no one');
		const entries = new Set<string>();
		const books = { first: open(entries, 0), second: open(entries, 0) };
		for (const book of Object.values(books))
			expect(await book.claim([ana])).toEqual({ ok: true, value: ['claimed'] });
		for (const [whose, how] of ends) {
			books[whose].end(ana, how);
			await books[whose].flush();
		}
		expect(await open(entries, 12).look([ana])).toEqual({ ok: true, value: [standing] });
	});

	it('a rejection alone makes free as ever, also after somebody was called before', async () => {
		if (!ana) throw new Error('no one');
		const entries = new Set<string>();
		for (const how of ['notCalled', 'notCalled'] as const) {
			const book = open(entries, 0);
			await book.claim([ana]);
			book.end(ana, how);
			await book.flush();
		}
		expect(entries).toEqual(new Set());
	});
});
