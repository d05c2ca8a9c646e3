import fc from 'fast-check';
import { openBook } from '../../../../src/conversations/contacts/book';
import type { CallRule, Person } from '../../../../src/conversations/contacts/contact';
import { readContact } from '../../../../src/conversations/contacts/contact';
import type { DedupeStore } from '../../../../src/core/dedupeStore';
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

/** Claims Ana for a call that is accepted. Returns the claim. */
async function callAna(entries: Set<string>, rule: CallRule, ms: number) {
	const claims = await openBookOf(entries, rule).claim([ana], ms);
	return claims.ok ? claims.value[0] : claims.failure;
}

/** The state of Ana, found by a claim on a copy of the texts. */
async function stateOfAna(entries: ReadonlySet<string>, rule: CallRule, ms: number) {
	const claim = await callAna(new Set(entries), rule, ms);
	return claim === 'claimed' ? 'free' : claim;
}

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
				await store.alone(
					async ({ record, remove }) =>
						await work({
							record,
							remove: async (texts) => {
								await remove(texts);
								if (isDown) throw new Error('cut off');
							},
						}),
				),
		};
		const first = openBook(failing, byHours(12));
		await first.claim([ana], START);
		first.release(ana);
		// The removal fails when it has removed.
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

it.each<[hours: number, present: string, lookups: string, claim: string]>([
	[0, '', '@h100 @d8 /#1', '@h100 @d8 /#1'],
	[12, '', '@d7 @d8 @h100 /#1', '@d7 @d8 @h100 /#1'],
	[7, '@d7 @h92', '@d7 @d8 @h92 @h93 @h94 @h95 @h100 /#1', '@d8 @h100 /#1'],
	[12, '@d8 /#1 /#2', '@d7 @d8 @h100 /#1 /#2 /#3', '@d7 @h100 /#3'],
])('within %j hours, who has "%s" is asked for "%s"', (hours, present, lookups, claim) => {
	const has = (name: string) => present.split(' ').includes(name);
	const rule = { hours, maxAttempts: 3 };
	const contact = readContact({ key: '', campaign: '' }, rule, { nowMs: 100 * HOUR_MS, has });
	const names = [contact.lookups, contact.kept];
	expect(names.map((all) => all.join(' '))).toEqual([lookups, claim]);
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
