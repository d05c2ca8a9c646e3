import fc from 'fast-check';
import { openBook } from '../../../../src/conversations/contacts/book';
import type { CallRule, Person } from '../../../../src/conversations/contacts/contact';
import { readContact } from '../../../../src/conversations/contacts/contact';
import type { DedupeStore } from '../../../../src/core/dedupeStore';
import type { Cut } from '../../../support/cutStore';
import { cutStore } from '../../../support/cutStore';
import { fakeDedupeStore } from '../../../support/fakeRuntime';
import { propertyRuns } from '../../../support/propertyRuns.mjs';

const START = Date.UTC(2026, 0, 15, 12);
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const people: readonly Person[] = ['ana', 'bo', 'cy', 'di'].map((key) => ({
	key,
	campaign: 'spring',
}));
const [ana = { key: '', campaign: '' }] = people;

const byHours = (hours: number): CallRule => ({ hours, maxAttempts: undefined });

/** A book over texts that stay; what it removes is gone. */
const openBookOf = (entries: Set<string>, rule: CallRule) =>
	openBook(fakeDedupeStore(entries), rule);

/** The states of people, found by a claim on a copy of the texts. */
async function readStates(
	entries: ReadonlySet<string>,
	rule: CallRule,
	{ of = people, ms }: { readonly of?: readonly Person[]; readonly ms: number },
) {
	const claims = await openBookOf(new Set(entries), rule).claim(of, ms);
	if (!claims.ok) throw new Error(claims.failure);
	return claims.value.map((claim) => (claim === 'claimed' ? 'free' : claim));
}

type End = 'accepted' | 'rejected';

/** Claims Ana, and releases her where she was rejected. Returns the claim. */
async function callAna(entries: Set<string>, rule: CallRule, ms: number, end: End = 'accepted') {
	const book = openBookOf(entries, rule);
	const claims = await book.claim([ana], ms);
	if (end === 'rejected') book.release(ana);
	await book.flush();
	return claims.ok ? claims.value[0] : claims.failure;
}

const stateOfAna = async (entries: Set<string>, rule: CallRule, ms: number) =>
	(await readStates(entries, rule, { of: [ana], ms }))[0];

/** The people whom a process claims, how their calls end, and where it is cut off, if it is. */
interface Step {
	readonly who: readonly number[];
	readonly ends: readonly End[];
	readonly cut: Cut | undefined;
	readonly minutes: number;
}

const step: fc.Arbitrary<Step> = fc.record({
	who: fc.subarray([0, 1, 2, 3], { minLength: 1 }),
	ends: fc.array(fc.constantFrom<End>('accepted', 'rejected'), { minLength: 4, maxLength: 4 }),
	cut: fc.option(
		fc.record({
			at: fc.integer({ min: 1, max: 9 }),
			isDone: fc.boolean(),
			share: fc.constantFrom(0, 0.3, 0.5, 0.8),
		}),
		{ nil: undefined },
	),
	minutes: fc.integer({ min: 0, max: 900 }),
});

describe.each([
	['hours', { hours: 12, maxAttempts: undefined }],
	['attempts', { hours: 0, maxAttempts: 2 }],
	['hours and attempts', { hours: 3, maxAttempts: 3 }],
])('a book of %s', (_, rule: CallRule) => {
	it('never has someone free who was called, wherever it is cut off, and frees the others', async () => {
		const seen = { free: 0, held: 0 };
		await fc.assert(
			fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 10 }), async (steps) => {
				const entries = new Set<string>();
				const calls = people.map((): number[] => []);
				let nowMs = START;
				let isCut = false;
				for (const { who, ends, cut, minutes } of steps) {
					nowMs += minutes * MINUTE_MS;
					isCut ||= cut !== undefined;
					const store = fakeDedupeStore(entries);
					const book = openBook(cut ? cutStore(store, cut) : store, rule);
					const chosen = who.map((i) => ({ ...(people[i] ?? ana), i }));
					const claims = await book.claim(chosen, nowMs);
					for (const [n, person] of chosen.entries()) {
						if (!claims.ok || claims.value[n] !== 'claimed') continue;
						if (ends[person.i] === 'rejected') book.release(person);
						else calls[person.i]?.push(nowMs);
					}
					await book.flush();
					for (const [i, state] of (await readStates(entries, rule, { ms: nowMs })).entries()) {
						seen[state === 'free' ? 'free' : 'held'] += 1;
						const made = calls[i] ?? [];
						const ages = made.map((ms) => (nowMs - ms) / HOUR_MS);
						const isRecent = ages.some((age) => age < rule.hours);
						const isOften = made.length >= (rule.maxAttempts ?? Infinity);
						if (isRecent || isOften) expect({ i, state }).not.toEqual({ i, state: 'free' });
						if (isCut) continue;
						if (state === 'called')
							expect(ages.some((age) => age < rule.hours + 70 / 60)).toBe(true);
						if (state === 'calledOften') expect(isOften).toBe(true);
					}
				}
			}),
			propertyRuns(2_000),
		);
		const all = seen.free + seen.held;
		expect(seen.free).toBeGreaterThan(all / 20);
		expect(seen.held).toBeGreaterThan(all / 20);
	}, 120_000);
});

describe('the hours between calls', () => {
	const moment = fc.integer({ min: Date.UTC(2026, 0), max: Date.UTC(2027, 0) });
	const hoursBetween = fc.integer({ min: 1, max: 168 * 4 }).map((quarters) => quarters / 4);

	it('cover exactly the time after a call, and at most 70 minutes more', async () => {
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
					await callAna(entries, byHours(24), calledMs);
					const state = await stateOfAna(entries, byHours(hours), calledMs + passedMs);
					if (passedMs <= edges.first) expect(state).toBe('called');
					if (passedMs >= edges.last) expect(state).toBe('free');
					expect(['free', 'called']).toContain(state);
				},
			),
			propertyRuns(2_000),
		);
	});
});

describe('a claim', () => {
	it('that fails holds its people, and is never taken back for people whom another run may have claimed', async () => {
		const entries = new Set<string>();
		const store = fakeDedupeStore(entries);
		let isDown = false;
		const failing: DedupeStore = {
			...store,
			alone: async (work) =>
				await (isDown ? cutStore(store, { at: 2, isDone: true }) : store).alone(work),
		};
		const first = openBook(failing, byHours(12));
		await first.claim([ana], START);
		first.release(ana);
		// The second call of a removal fails when it has removed.
		isDown = true;
		await first.flush();
		isDown = false;
		expect(await callAna(entries, byHours(12), START)).toBe('claimed');
		await first.flush();
		await first.claim(people.slice(1, 2), START);
		expect(await stateOfAna(entries, byHours(12), START)).toBe('called');
		// The claim of another one removes what was released.
		for (const person of people.slice(1, 2)) first.release(person);
		await first.claim(people.slice(2), START);
		expect([...entries].filter((name) => name.startsWith('bo@'))).toEqual([]);
	});
});

describe('where two runs call somebody at once, because Hours Between Calls is short or 0', () => {
	it('a rejection of each does not erase the call of the other one', async () => {
		const entries = new Set<string>();
		const books = [openBookOf(entries, byHours(0)), openBookOf(entries, byHours(0))];
		for (const book of books)
			expect(await book.claim([ana], START)).toEqual({ ok: true, value: ['claimed'] });
		const marks = [...entries].filter((name) => name.endsWith('&'));
		expect(marks.map((name) => /^ana@[hd]\d+&$/.test(name))).toEqual([true, true]);
		for (const book of books) {
			book.release(ana);
			await book.flush();
			expect(await stateOfAna(entries, byHours(12), START)).toBe('called');
		}
	});

	it('a rejection that comes late does not erase the half-day of a later call', async () => {
		const entries = new Set<string>();
		const first = openBookOf(entries, byHours(0.25));
		await first.claim([ana], START);
		const laterMs = START + 2 * HOUR_MS;
		expect(await callAna(entries, byHours(0.25), laterMs)).toBe('claimed');
		first.release(ana);
		await first.flush();
		expect(await stateOfAna(entries, byHours(24), laterMs + 13 * HOUR_MS)).toBe('called');
	});
});

it.each<[hours: number, present: string, asked: string, claim: string]>([
	[0, '', '@h100 @d8 /#1', '@h100 @d8 /#1'],
	[12, '', '@d7 @d8 @h100 /#1', '@d7 @d8 @h100 /#1'],
	[7, '@d7 @h92', '@d7 @d8 @h92 @h93 @h94 @h95 @h100 /#1', '@d8 @h100 /#1'],
	[12, '@d8 /#1 /#2', '@d7 @d8 @h100 /#1 /#2 /#3', '@d7 @h100 /#3'],
])('within %j hours, who has "%s" is asked for "%s"', (hours, present, asked, claim) => {
	const has = (name: string) => present.split(' ').includes(name);
	const rule = { hours, maxAttempts: 3 };
	const contact = readContact({ key: '', campaign: '' }, rule, { nowMs: 100 * HOUR_MS, has });
	const names = [contact.lookups, contact.kept];
	expect(names.map((all) => all.join(' '))).toEqual([asked, claim]);
});

describe('Maximum per Day', () => {
	const limit = { max: 5, zone: 'UTC', account: 'desk' };
	const midnightMs = START + 12 * HOUR_MS;
	const strangers = ['1', '2', '3', '4', '5', '6'].map((key) => ({ key, campaign: '' }));

	/** Counts the places of a day that are left, by claims on a copy of the texts. */
	async function countLeft(entries: ReadonlySet<string>, ms: number) {
		const book = openBook(fakeDedupeStore(new Set(entries)), byHours(12), limit);
		const claims = await book.claim(strangers, ms);
		return claims.ok && claims.value.filter((claim) => claim === 'claimed').length;
	}

	it('gives back no place of the next day, on which it was claimed once more', async () => {
		const entries = new Set<string>();
		const book = openBook(fakeDedupeStore(entries), byHours(12), limit);
		await book.claim([ana], midnightMs - 1);
		await book.claim(people.slice(1, 2), midnightMs);
		await book.claim([ana], midnightMs);
		book.release(ana);
		await book.flush();
		expect(await countLeft(entries, midnightMs)).toBe(4);
	});

	it('gets its place back on the day of the claim, though midnight has passed', async () => {
		const entries = new Set<string>();
		const store = fakeDedupeStore(entries);
		const late = openBook(store, byHours(12), limit);
		await late.claim(people.slice(0, 2), midnightMs - 1);
		await late.claim(people.slice(3), midnightMs);
		await openBook(store, byHours(12), limit).claim(people.slice(2, 3), midnightMs);
		for (const person of [ana, ...people.slice(3)]) late.release(person);
		await late.flush();
		expect(await countLeft(entries, midnightMs - 1)).toBe(4);
		expect(await countLeft(entries, midnightMs)).toBe(4);
	});
});
