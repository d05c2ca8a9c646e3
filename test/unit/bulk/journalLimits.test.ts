import type { JournalSettings } from '../../../src/bulk/journal';
import { openJournal } from '../../../src/bulk/journal';
import {
	entriesOf,
	halfHoursOf,
	leftBehindOf,
	registerOf,
	siblingsOf,
} from '../../../src/bulk/journalEntries';
import type { Outcome } from '../../../src/bulk/outcomes';
import type { DedupeStore } from '../../../src/core/dedupeStore';
import { MAX_PEOPLE } from '../../../src/core/dedupeStore';
import { fail } from '../../../src/core/result';
import { fakeDedupeStore } from '../../support/fakeRuntime';

const MINUTE = 60_000;
const start = Date.UTC(2026, 0, 15, 12);

const filled = (count: number, ...more: readonly string[]) =>
	new Set([...Array.from({ length: count }, (_, n) => `k:done:${n}`), ...more]);

function open(
	store: DedupeStore,
	keys: readonly string[],
	{ sends = true, ...more }: Partial<JournalSettings> & { sends?: boolean } = {},
) {
	const settings = { keys, isKept: false, earlier: [], now: () => start, ...more };
	return openJournal(store, settings, { indexes: [...keys.keys()], sends });
}

async function opened(...all: Parameters<typeof open>) {
	const result = await open(...all);
	if ('problem' in result) throw new Error(result.problem);
	return result.journal;
}

/** A store whose disk is full for a while. */
function breakable() {
	const entries = new Set<string>();
	const whole = fakeDedupeStore(entries);
	let isBroken = false;
	const store: DedupeStore = {
		...whole,
		exchange: async (exchange) => (isBroken ? fail('disk full') : await whole.exchange(exchange)),
	};
	return { entries, store, break: (is: boolean) => void (isBroken = is) };
}

const accepted: Outcome = { outcome: 'accepted', batch: 1, reply: {}, paired: false };
const rejected: Outcome = { outcome: 'rejected', failure: { kind: 'held', message: 'no' } };
const unknown: Outcome = { outcome: 'unknown', failure: { kind: 'held', message: 'lost' } };

describe('a list of people that is limited', () => {
	it.each([
		[true, 1],
		[false, 0],
	])('takes as many as there is room for, and not one more (kept: %s)', async (isKept, other) => {
		const keys = ['a', 'b'];
		const room = filled(MAX_PEOPLE - 2, ...(isKept ? ['kept'] : [halfHoursOf(start)[0] ?? '']));
		const space = isKept ? room : new Set([...room].slice(other + 1));
		const opens = await open(fakeDedupeStore(new Set(space)), keys, { isKept });
		expect(opens).not.toHaveProperty('problem');
		space.add('k:done:x');
		expect(await open(fakeDedupeStore(space), keys, { isKept })).toEqual({
			problem: 'its list of people is limited to 100,000 and contains 99,999',
		});
	});

	it('counts only who is new to it', async () => {
		const { done } = entriesOf('a', start, true);
		const store = fakeDedupeStore(filled(MAX_PEOPLE - 1, done, 'kept'));
		expect(await open(store, ['a'], { isKept: true })).not.toHaveProperty('problem');
		expect(await open(store, ['b'], { isKept: true })).toHaveProperty('problem');
	});

	it('writes down no one above the limit of the store, also while a run goes on', async () => {
		const entries = new Set<string>();
		const journal = await opened(fakeDedupeStore(entries), ['a', 'b', 'c']);
		for (let n = entries.size; n < MAX_PEOPLE + 1_998; n++) entries.add(`other:${n}`);
		expect(await journal.claim([0, 1])).toEqual([undefined, undefined]);
		const [, again] = await journal.claim([2, 2]);
		expect(again).toMatchObject({
			outcome: 'notSent',
			failure: {
				kind: 'held',
				message:
					'Not sent, because n8n could not record who is being contacted (its list of people is full). Run the node again',
			},
		});
	});
});

describe('a run that only looks', () => {
	it('writes nothing down', async () => {
		const entries = new Set<string>();
		const journal = await opened(fakeDedupeStore(entries), ['a'], { sends: false });
		await journal.leave();
		await journal.close();
		expect(entries.size).toBe(0);
	});

	it('does not strike out what another run wrote', async () => {
		const entries = new Set<string>();
		const other = await opened(fakeDedupeStore(entries), ['a']);
		await other.claim([0]);
		const before = [...entries];
		const looking = await opened(fakeDedupeStore(entries), ['a', 'b'], { sends: false });
		await looking.close();
		await looking.leave();
		expect([...entries]).toEqual(before);
	});
});

describe('what a run writes down', () => {
	it('is its own number, who is being sent, and who is done', async () => {
		const entries = new Set<string>();
		const journal = await opened(fakeDedupeStore(entries), ['a', 'b', 'c']);
		const [a, b, c] = ['a', 'b', 'c'].map((key) => entriesOf(key, start, false));
		const always = [halfHoursOf(start)[0], registerOf(start)[0]?.[0]];
		expect([...entries].sort()).toEqual([...always].sort());
		await journal.claim([0, 1, 2]);
		expect([...entries].sort()).toEqual([...always, a?.sent, b?.sent, c?.sent].sort());
		await journal.settle([0, 1, 2], [accepted, rejected, unknown]);
		expect([...entries].sort()).toEqual([...always, a?.done, c?.sent].sort());
		await journal.settle([2], [unknown]);
		expect([...entries].sort()).toEqual([...always, a?.done, c?.sent].sort());
	});

	it('stays where it did not end well, and says so', async () => {
		const entries = new Set<string>();
		const journal = await opened(fakeDedupeStore(entries), ['a']);
		await journal.claim([0]);
		await journal.settle([0], [accepted]);
		await journal.leave();
		const { done } = entriesOf('a', start, false);
		expect([...entries].sort()).toEqual(
			[halfHoursOf(start)[0], leftBehindOf(start)[0], done].sort(),
		);
	});

	it('says nothing of a run that left no one behind', async () => {
		const entries = new Set<string>();
		const journal = await opened(fakeDedupeStore(entries), ['a']);
		await journal.leave();
		expect([...entries]).toEqual([halfHoursOf(start)[0]]);
	});

	it('is more where the caller keeps more of who was accepted', async () => {
		const entries = new Set<string>();
		const journal = await opened(fakeDedupeStore(entries), ['a', 'b'], {
			isKept: true,
			keptEntries: (index) => [`day:${index}`],
		});
		await journal.claim([0, 1]);
		await journal.settle([0, 1], [accepted, rejected]);
		const { done } = entriesOf('a', start, true);
		expect([...entries].sort()).toEqual(['day:0', done, 'kept']);
	});

	it('is found again by another number where the first is taken', async () => {
		const entries = new Set<string>();
		const first = await opened(fakeDedupeStore(entries), ['a']);
		const second = await opened(fakeDedupeStore(entries), ['b']);
		expect(entries.has(registerOf(start)[1]?.[0] ?? '')).toBe(true);
		await first.close();
		expect(entries.has(registerOf(start)[0]?.[0] ?? '')).toBe(false);
		expect(entries.has(registerOf(start)[1]?.[0] ?? '')).toBe(true);
		await second.close();
		expect(entries.size).toBe(0);
	});
});

describe('who is in the store', () => {
	/** A run that ended badly after it sent "a" well and "b" without an answer. */
	async function leftBehind() {
		const entries = new Set<string>();
		const journal = await opened(fakeDedupeStore(entries), ['a', 'b']);
		await journal.claim([0, 1]);
		await journal.settle([0, 1], [accepted, unknown]);
		await journal.leave();
		return entries;
	}

	it('is not sent again, for an hour', async () => {
		const entries = await leftBehind();
		const known = async (later: number) => {
			const now = () => start + later;
			const result = await open(fakeDedupeStore(new Set(entries)), ['a', 'b', 'c'], { now });
			return 'known' in result ? result.known.map((each) => each?.outcome) : [];
		};
		expect(await known(59 * MINUTE)).toEqual(['notSent', 'unknown', undefined]);
		expect(await known(91 * MINUTE)).toEqual([undefined, undefined, undefined]);
	});

	it('is struck out by a run that reported it and ended well, but not who is unknown', async () => {
		const entries = await leftBehind();
		const journal = await opened(fakeDedupeStore(entries), ['a', 'b', 'c']);
		await journal.claim([2]);
		await journal.settle([2], [accepted]);
		await journal.close();
		const [a, b, c] = ['a', 'b', 'c'].map((key) => entriesOf(key, start, false));
		expect(entries.has(a?.done ?? '')).toBe(false);
		expect(entries.has(c?.done ?? '')).toBe(false);
		expect(entries.has(b?.sent ?? '')).toBe(true);
	});

	it('is struck out where an earlier attempt of the execution sent it', async () => {
		const entries = await leftBehind();
		const journal = await opened(fakeDedupeStore(entries), ['b', 'c'], { earlier: [0] });
		await journal.close();
		expect(entries.has(entriesOf('b', start, false).sent)).toBe(false);
		expect(entries.has(entriesOf('a', start, false).done)).toBe(true);
	});

	it('is looked for again once a write failed', async () => {
		const { entries, store, break: breaks } = breakable();
		const journal = await opened(store, ['a', 'b', 'c']);
		await journal.claim([0]);
		breaks(true);
		await journal.settle([0], [accepted]);
		expect(await journal.claim([1])).toMatchObject([
			{ failure: { message: expect.stringContaining('(disk full)') as string } },
		]);
		breaks(false);
		// Someone else wrote "c" down, while what this run wrote is one less: the size alone would not tell.
		entries.delete(halfHoursOf(start)[0] ?? '');
		entries.add(entriesOf('c', start, false).sent);
		expect(await journal.claim([2])).toMatchObject([{ outcome: 'unknown' }]);
	});

	it('is looked for again after half an hour, when the store may have been emptied', async () => {
		const entries = new Set<string>();
		let nowMs = start;
		const journal = await opened(fakeDedupeStore(entries), ['a', 'b', 'c'], { now: () => nowMs });
		await journal.claim([0]);
		nowMs += 29 * MINUTE;
		await journal.claim([1]);
		nowMs += 31 * MINUTE;
		entries.delete(entriesOf('a', start, false).sent);
		entries.add(entriesOf('c', nowMs, false).done);
		expect(await journal.claim([2])).toMatchObject([{ outcome: 'notSent' }]);
	});
});

describe('a run that ends well', () => {
	it('empties the store where nothing else is in it', async () => {
		const entries = new Set<string>();
		const journal = await opened(fakeDedupeStore(entries), ['a']);
		await journal.claim([0]);
		await journal.close();
		expect(entries.size).toBe(0);
	});

	it('leaves what a run left behind that is not its own', async () => {
		const entries = new Set<string>();
		const other = await opened(fakeDedupeStore(entries), ['x']);
		await other.claim([0]);
		await other.leave();
		const before = new Set(entries);
		const journal = await opened(fakeDedupeStore(entries), ['a']);
		await journal.claim([0]);
		await journal.settle([0], [accepted]);
		await journal.close();
		expect(entries).toEqual(before);
	});

	it('leaves a kept store as it is', async () => {
		const entries = new Set(['kept', 'k:done:x']);
		const journal = await opened(fakeDedupeStore(entries), ['a']);
		await journal.claim([0]);
		await journal.close();
		expect(entries.has('kept') && entries.has('k:done:x')).toBe(true);
		expect(entries.has(entriesOf('a', start, false).sent)).toBe(false);
	});

	it('empties a store whose entries are all too old to count, and no other', async () => {
		const old = new Set(['j1:done:x', 'h1']);
		await opened(fakeDedupeStore(old), ['a'], { sends: false });
		expect(old.size).toBe(0);
		const [current = ''] = halfHoursOf(start);
		const used = new Set(['j1:done:x', current]);
		await opened(fakeDedupeStore(used), ['a'], { sends: false });
		expect(used.size).toBe(2);
	});

	it('leaves marks for runs that go on, which find whom it contacted', async () => {
		const entries = new Set<string>();
		const long = await opened(fakeDedupeStore(entries), ['x', 'a']);
		await long.claim([0]);
		const quick = await opened(fakeDedupeStore(entries), ['a']);
		await quick.claim([0]);
		await quick.settle([0], [accepted]);
		await quick.close();
		expect(entries.has(entriesOf('a', start, false).done)).toBe(false);
		expect(await long.claim([1])).toMatchObject([
			{ failure: { message: expect.stringContaining('in the meantime') as string } },
		]);
		const next = await open(fakeDedupeStore(entries), ['a']);
		expect('known' in next && next.known).toEqual([undefined]);
	});
});

describe('after a run that ended badly', () => {
	const kept = async (...keys: readonly string[]) => {
		const entries = new Set<string>();
		const crashed = await opened(fakeDedupeStore(entries), keys);
		await crashed.claim([...keys.keys()]);
		await crashed.settle(
			[...keys.keys()],
			keys.map(() => accepted),
		);
		await crashed.leave();
		return entries;
	};
	const endWell = async (entries: Set<string>, ...keys: readonly string[]) => {
		const next = await opened(fakeDedupeStore(entries), keys);
		await next.claim([keys.length - 1]);
		await next.settle([keys.length - 1], [accepted]);
		await next.close();
	};

	it('the store is emptied by one that reported all of its people', async () => {
		const entries = await kept('a', 'b');
		await endWell(entries, 'a', 'b', 'c');
		expect(entries.size).toBe(0);
	});

	it('the store keeps those of its people whom no one reported', async () => {
		const entries = await kept('a', 'b');
		await endWell(entries, 'a', 'c');
		const { done } = entriesOf('b', start, false);
		expect([...entries].toSorted()).toEqual(
			[done, halfHoursOf(start)[0], leftBehindOf(start)[0]].toSorted(),
		);
	});
});

describe('exchanges with the store', () => {
	/** A store that notes how many entries each exchange tests and changes. */
	function watched(entries = new Set<string>()) {
		const store = fakeDedupeStore(entries);
		const seen: Array<{ tests: number; changes: number }> = [];
		const exchange: DedupeStore['exchange'] = async ({ tests, decide, ...more }) =>
			await store.exchange({
				...more,
				tests,
				decide: (present, size) => {
					const change = decide(present, size);
					const { add = [], remove = [] } = change;
					seen.push({ tests: tests.length, changes: add.length + remove.length });
					return change;
				},
			});
		return { store: { ...store, exchange }, seen };
	}

	it('are none for what changes nothing', async () => {
		const { store, seen } = watched();
		const journal = await opened(store, ['a'], { sends: false });
		await journal.leave();
		await journal.close();
		expect(seen).toHaveLength(1);
		const sending = await opened(store, ['a']);
		await sending.claim([0]);
		const before = seen.length;
		await sending.settle([0], [unknown]);
		await sending.settle([0], []);
		expect(seen).toHaveLength(before);
		await sending.settle([0], [rejected]);
		expect(seen.at(-1)?.tests).toBe(0);
	});

	it('test people and runs in progress, each once', async () => {
		const { store, seen } = watched();
		const journal = await opened(store, ['a', 'b']);
		const { sentForms, doneForms, marks } = entriesOf('a', start, false);
		const each = sentForms.length + doneForms.length + marks.length;
		expect(seen.at(-1)?.tests).toBe(2 * each + registerOf(start).flat().length);
		await journal.claim([1]);
		expect(seen.at(-1)).toEqual({ tests: each, changes: 3 });
	});

	it('need no marks where no one else is in progress', async () => {
		const entries = new Set(['other', leftBehindOf(start)[0] ?? '', halfHoursOf(start)[0] ?? '']);
		const { store, seen } = watched(entries);
		const journal = await opened(store, ['a']);
		await journal.claim([0]);
		await journal.settle([0], [accepted]);
		await journal.close();
		expect(seen.at(-1)?.tests).toBe(0);
		expect([...entries].filter((entry) => entry.startsWith('m'))).toEqual([]);
	});
});

it('looks again once the end of a request could not be written down', async () => {
	const { entries, store, break: breaks } = breakable();
	const keptEntries = () => ['day:1', 'day:2'];
	const journal = await opened(store, ['a', 'b'], { keptEntries });
	await journal.claim([0]);
	breaks(true);
	await journal.settle([0], [accepted]);
	breaks(false);
	// Someone else wrote as many entries as were lost, so the size alone would not tell.
	entries.add('other');
	entries.add(entriesOf('b', start, false).sent);
	expect(await journal.claim([1])).toMatchObject([{ outcome: 'unknown' }]);
});

it('writes down a sub-execution under one name, for as long as its parent may run', async () => {
	const entries = new Set<string>();
	const options = { parent: '77' };
	const first = await opened(fakeDedupeStore(entries), ['a'], options);
	await first.claim([0]);
	await first.settle([0], [accepted]);
	await first.close();
	const names = siblingsOf('77', 'a', start);
	expect([...entries].filter((entry) => names.includes(entry))).toEqual([names[0]]);
	expect([...entries].filter((entry) => leftBehindOf(start).includes(entry))).toHaveLength(1);
	const again = await open(fakeDedupeStore(entries), ['a'], options);
	expect('known' in again && again.known).toMatchObject([{ outcome: 'notSent' }]);
});
