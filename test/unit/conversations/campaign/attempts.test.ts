import fc from 'fast-check';
import { keptDone } from '../../../../src/bulk/attempts';
import { entriesOf } from '../../../../src/bulk/journalEntries';
import { attemptProblems } from '../../../../src/conversations/campaign/attemptSettings';
import { create } from '../../../../src/conversations/create';
import type { DedupeStore } from '../../../../src/core/dedupeStore';
import { fail } from '../../../../src/core/result';
import {
	fakeDedupeStore,
	fakeRuntime,
	inTurn,
	jsonLedger,
	lost,
	reply,
} from '../../../support/fakeRuntime';
import type { JsonLedger, Script } from '../../../support/fakeRuntime';
import { runRows } from '../../../support/runRows';
import { AGENT, listOf, members, phoneOf } from '../../../support/samples';

const FINE = reply(200, '');
const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 0, 15, 12);

const row = (n: number, options: object = {}) => ({
	parameters: {
		inputMode: 'fields',
		agentId: AGENT,
		toPhoneNumber: phoneOf(n),
		options: { maximumAttempts: 2, campaignKey: 'spring', batchSize: 2, ...options },
	},
});

interface Options {
	readonly store: DedupeStore;
	readonly script?: Script;
	readonly startMs?: number;
	readonly ledger?: JsonLedger;
	readonly round?: number;
	/** Whether the process is killed at the end. */
	readonly isKilled?: boolean;
}

async function execute(rows: ReturnType<typeof row>[], options: Options) {
	const { store, script = inTurn(FINE), startMs = START, ledger = jsonLedger() } = options;
	const runtime = fakeRuntime(script, { start: startMs });
	const run = await runRows(create, rows, runtime.context(ledger, store, options.round));
	if (!options.isKilled) await run.close?.();
	const called = runtime.sent.flatMap(({ body }) =>
		listOf(body, 'conversations').map((one) => members(one)['toPhoneNumber']),
	);
	const outcomes = run.rows.map(({ items, details }) =>
		items.length > 0 ? 'accepted' : details?.['outcome'],
	);
	return { ...run, called, outcomes };
}

it('calls a person as often as allowed in a campaign, and in another one anew', async () => {
	const store = fakeDedupeStore();
	for (const expected of [1, 1, 0, 0])
		expect((await execute([row(1)], { store })).called).toHaveLength(expected);
	const over = await execute([row(1)], { store });
	expect(over.rows[0]?.failure).toMatchObject({
		kind: 'skipped',
		message: expect.stringContaining('2 attempts already (Maximum Attempts)') as string,
	});
	expect((await execute([row(1, { campaignKey: 'autumn' })], { store })).called).toHaveLength(1);
	expect((await execute([row(1, { maximumAttempts: 3 })], { store })).called).toHaveLength(1);
});

it('does not count what was certainly not sent', async () => {
	const store = fakeDedupeStore();
	await execute([row(1)], { store, script: inTurn(reply(400)) });
	for (const expected of [1, 1, 0])
		expect((await execute([row(1)], { store })).called).toHaveLength(expected);
});

it('makes no further attempt while one is unknown, however long ago', async () => {
	const store = fakeDedupeStore();
	await execute([row(1)], { store });
	const unknown = await execute([row(1)], { store, script: inTurn(lost()) });
	expect(unknown.outcomes).toEqual(['unknown']);
	const more = { maximumAttempts: 5 };
	const later = await execute([row(1, more)], { store, startMs: START + 30 * DAY_MS });
	expect([later.called, later.outcomes]).toEqual([[], ['unknown']]);
});

it('calls at most once per day of the workflow where that is wanted', async () => {
	const store = fakeDedupeStore();
	const daily = { onePerDay: true, maximumAttempts: 3 };
	// It is 23:00 in Berlin, where the workflow is.
	const startMs = Date.UTC(2026, 0, 15, 22);
	expect((await execute([row(1, daily)], { store, startMs })).called).toHaveLength(1);
	const again = await execute([row(1, daily)], { store, startMs: startMs + 60_000 });
	expect(again.called).toEqual([]);
	expect(again.rows[0]?.failure).toMatchObject({
		message: expect.stringContaining('had an attempt today already') as string,
	});
	const tomorrow = await execute([row(1, daily)], { store, startMs: startMs + 3_600_000 });
	expect(tomorrow.called).toHaveLength(1);
});

it('makes the next attempt in a later round of a loop, but none in another try of the same round', async () => {
	const store = fakeDedupeStore();
	const ledger = jsonLedger();
	expect((await execute([row(1)], { store, ledger })).called).toHaveLength(1);
	const retry = await execute([row(1)], { store, ledger });
	expect([retry.called, retry.outcomes]).toEqual([[], ['accepted']]);
	expect((await execute([row(1)], { store, ledger, round: 1 })).called).toHaveLength(1);
	expect((await execute([row(1)], { store, ledger, round: 2 })).called).toEqual([]);
});

it('counts whom Skip People Already Contacted knows as called once', async () => {
	const store = fakeDedupeStore();
	const contacted = row(1, { maximumAttempts: undefined, skipContacted: true });
	await execute([contacted], { store });
	expect((await execute([row(1)], { store })).called).toHaveLength(1);
	expect((await execute([row(1)], { store })).called).toEqual([]);
	expect((await execute([contacted], { store })).called).toEqual([]);
});

it('makes one attempt when two executions are at it at once', async () => {
	const store = fakeDedupeStore();
	const rows = [row(1), row(2)];
	const both = await Promise.all([execute(rows, { store }), execute(rows, { store })]);
	expect(both.flatMap(({ called }) => called).toSorted()).toEqual([phoneOf(1), phoneOf(2)]);
});

it.each([
	['attempts without a campaign key', { campaignKey: ' ' }, 'counts by campaign'],
	[
		'one per day without attempts',
		{ maximumAttempts: undefined, onePerDay: true },
		'needs Maximum',
	],
	['attempts that skip who was contacted', { skipContacted: true }, 'Remove one of them'],
	['no attempts', { maximumAttempts: 0 }, 'must be a whole number'],
	['a word for attempts', { maximumAttempts: 'many' }, 'must be a whole number'],
	['no calls per day', { maximumPerDay: 0 }, 'must be a whole number'],
])('refuses %s before anything is sent', async (_, options, message) => {
	const { called, rows } = await execute([row(1), row(2, options)].slice(1), {
		store: fakeDedupeStore(),
	});
	expect(called).toEqual([]);
	expect(JSON.stringify(rows[0]?.failure)).toContain(message);
});

it('says which settings of attempts do not go together', () => {
	const problems = (settings: object) =>
		attemptProblems({ onePerDay: false, skipContacted: false, ...settings }).map(
			({ path, message }) => [path.join('.'), message],
		);
	expect(problems({})).toEqual([]);
	expect(problems({ maximumAttempts: 2, onePerDay: true })).toEqual([]);
	expect(problems({ onePerDay: true })).toEqual([
		['safeguards.onePerDay', 'needs Maximum Attempts. Add it under Safeguards'],
	]);
	expect(problems({ maximumAttempts: 2, skipContacted: true })).toEqual([
		[
			'safeguards.maximumAttempts',
			'cannot be used with Skip People Already Contacted, which allows one. Remove one of them',
		],
	]);
});

it('sends nothing when a single row has no campaign key', async () => {
	const store = fakeDedupeStore();
	const { called } = await execute([row(1), row(2, { campaignKey: '' })], { store });
	expect(called).toEqual([]);
});

it('sends nothing when the attempts cannot be counted', async () => {
	const store = { ...fakeDedupeStore(), exchange: async () => fail('the database is gone') };
	const { called, rows } = await execute([row(1)], { store });
	expect(called).toEqual([]);
	expect(rows[0]?.failure).toMatchObject({
		message: expect.stringContaining("turn 'Maximum Attempts' off") as string,
	});
});

it('knows the entries of the journal by the names that the journal gives them', () => {
	expect(keptDone('someone')).toBe(entriesOf('someone', START, true).done);
});

/** What becomes of one execution. */
const step = fc.record({
	people: fc.subarray([1, 2, 3, 4], { minLength: 1 }),
	ends: fc.constantFrom('ok', 'ok', 'rejected', 'lost'),
	isKilled: fc.boolean(),
	hours: fc.integer({ min: 0, max: 30 }),
});

it('calls no one more often than allowed, nor twice a day, nor after an unknown attempt, whatever happens', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(step, { maxLength: 12 }),
			fc.integer({ min: 1, max: 3 }),
			fc.boolean(),
			async (steps, maximumAttempts, onePerDay) => {
				const store = fakeDedupeStore();
				const made = new Map<number, number>();
				const days = new Map<number, string>();
				const blocked = new Set<number>();
				let startMs = START;
				for (const { people, ends, isKilled, hours } of steps) {
					startMs += hours * 3_600_000;
					const day = new Date(startMs + 3_600_000).toISOString().slice(0, 10);
					const script = inTurn(ends === 'ok' ? FINE : ends === 'rejected' ? reply(400) : lost());
					const options = { maximumAttempts, onePerDay, batchSize: 10 };
					const rows = people.map((n) => row(n, options));
					const { called } = await execute(rows, { store, script, startMs, isKilled });
					const expected = people.filter(
						(n) =>
							!blocked.has(n) &&
							(made.get(n) ?? 0) < maximumAttempts &&
							!(onePerDay && days.get(n) === day),
					);
					expect(called).toEqual(expected.map(phoneOf));
					for (const n of expected) {
						if (ends === 'lost') blocked.add(n);
						if (ends !== 'ok') continue;
						made.set(n, (made.get(n) ?? 0) + 1);
						days.set(n, day);
					}
				}
			},
		),
		{ numRuns: 60 },
	);
});

describe('Maximum per Day', () => {
	const limit = { maximumAttempts: undefined, campaignKey: '', maximumPerDay: 5 };
	const people = (from: number, count: number, options: object = {}) =>
		Array.from({ length: count }, (_, i) => row(from + i, { ...limit, ...options }));

	it('counts all executions of a day, and begins anew on the next', async () => {
		const entries = new Set<string>();
		const store = fakeDedupeStore(entries);
		expect((await execute(people(0, 3), { store })).called).toHaveLength(3);
		const second = await execute(people(10, 4), { store });
		expect(second.called).toHaveLength(2);
		expect(second.rows[2]?.failure).toMatchObject({
			kind: 'skipped',
			message: expect.stringContaining('5 were sent today (Maximum per Day)') as string,
		});
		const startMs = START + DAY_MS;
		expect((await execute(people(20, 7), { store, startMs })).called).toHaveLength(5);
		expect([...entries].filter((entry) => entry.includes('2026-01-15'))).toEqual([]);
	});

	it('is exact when executions overlap', async () => {
		const store = fakeDedupeStore();
		const runs = await Promise.all(
			[0, 10, 20].map(async (from) => await execute(people(from, 4, { batchSize: 1 }), { store })),
		);
		expect(runs.flatMap(({ called }) => called)).toHaveLength(5);
	});

	it('does not count whom another execution was quicker to call', async () => {
		const store = fakeDedupeStore();
		const kept = { skipContacted: true, batchSize: 4 };
		const same = people(0, 4, kept);
		const both = await Promise.all([execute(same, { store }), execute(same, { store })]);
		expect(both.flatMap(({ called }) => called)).toHaveLength(4);
		expect((await execute(people(20, 9, kept), { store })).called).toHaveLength(1);
	});

	it('counts what is unknown, and not what was certainly not sent', async () => {
		const store = fakeDedupeStore();
		await execute(people(0, 2), { store, script: inTurn(reply(400)) });
		await execute(people(10, 2), { store, script: inTurn(lost()) });
		expect((await execute(people(20, 9), { store })).called).toHaveLength(3);
	});

	it('reaches everyone below it though some are rejected in the same run, whom the next may call', async () => {
		const store = fakeDedupeStore();
		const script = inTurn(reply(400), FINE, reply(400), FINE, FINE);
		const first = await execute(people(0, 5, { batchSize: 1 }), { store, script });
		expect(first.called).toHaveLength(5);
		expect((await execute(people(20, 9), { store })).called).toHaveLength(2);
	});

	it('shows in a dry run who is above it, and counts nothing', async () => {
		const store = fakeDedupeStore();
		const { rows } = await execute(people(0, 7, { dryRun: true }), { store });
		expect(rows.map(({ items }) => members(items[0])['outcome'])).toEqual([
			...Array.from({ length: 5 }, () => 'wouldSend'),
			...['skipped', 'skipped'],
		]);
		expect((await execute(people(0, 7), { store })).called).toHaveLength(5);
	});

	it('is off where no one asked for it, and 20 as a tool', async () => {
		const off = { maximumPerDay: undefined };
		const free = await execute(people(0, 30, off), { store: fakeDedupeStore() });
		expect(free.called).toHaveLength(30);
		const asTool = people(0, 30, off).map(({ parameters }) => ({
			parameters: { ...parameters, asTool: true },
		}));
		expect((await execute(asTool, { store: fakeDedupeStore() })).called).toHaveLength(20);
		const unsaved = { ...fakeDedupeStore(), size: async () => fail('not saved') };
		const failing = { ...unsaved, exchange: async () => fail('not saved') };
		expect((await execute(asTool, { store: failing })).called).toHaveLength(30);
		const chosen = await execute(people(0, 2), { store: failing });
		expect(chosen.called).toEqual([]);
		expect(chosen.rows[0]?.failure).toMatchObject({
			message: expect.stringContaining("remove 'Maximum per Day'") as string,
		});
	});
});
