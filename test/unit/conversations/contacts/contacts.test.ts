import type { DedupeStore } from '../../../../src/core/dedupeStore';
import { ok } from '../../../../src/core/result';
import type { HttpResult } from '../../../../src/core/http';
import {
	brokenDedupeStore,
	fakeDedupeStore,
	inTurn,
	jsonLedger,
	lost,
	neverSent,
	reply,
} from '../../../support/fakeRuntime';
import { phoneOf, uuidOf } from '../../../support/samples';
import { callOf, startAll } from '../../../support/startConversations';

const FINE = reply(200, '');
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const START = Date.UTC(2026, 0, 15, 12);

const row = (n: number, options: object = {}, more: object = {}) =>
	callOf(n, { batchSize: 2, ...options }, more);
const rowsOf = (numbers: readonly number[], options: object = {}) =>
	numbers.map((n) => row(n, options));

/** A campaign of two attempts, whose calls may follow each other at once. */
const SPRING = { maximumAttempts: 2, campaignKey: 'spring', hoursBetweenCalls: 0 };

const numbersOf = (...numbers: readonly number[]) => numbers.map(phoneOf);

describe('Hours Between Calls', () => {
	it('are 12, after an execution that ended well, too', async () => {
		const store = fakeDedupeStore();
		expect((await startAll([row(1)], { store })).called).toEqual(numbersOf(1));
		const again = await startAll([row(1), row(2)], { store, start: START + HOUR_MS });
		expect([again.called, again.outcomes]).toEqual([numbersOf(2), ['notSent', 'accepted']]);
		expect(again.reasons[0]).toBe('Called, or maybe called, in the last 12 hours');
		expect(again.codes[0]).toBe('calledBefore');
		expect(again.summary).toContain('2 rows, 1 request: 1 called, 1 called before');
		const early = await startAll([row(1)], { store, start: START + 12 * HOUR_MS - 1 });
		expect(early.called).toEqual([]);
		const later = await startAll([row(1)], { store, start: START + 14 * HOUR_MS });
		expect(later.called).toEqual(numbersOf(1));
	});

	it('end for a person whose row is run alone with 0, and the attempt stays counted', async () => {
		const store = fakeDedupeStore();
		const spring = { maximumAttempts: 2, campaignKey: 'spring' };
		await startAll([row(1, spring)], { store, script: inTurn(lost()) });
		expect((await startAll([row(1, spring)], { store })).called).toEqual([]);
		const alone = [row(1, { ...spring, hoursBetweenCalls: 0 })];
		expect((await startAll(alone, { store })).called).toEqual(numbersOf(1));
		expect((await startAll([row(1)], { store })).called).toEqual([]);
		expect((await startAll(alone, { store })).called).toEqual([]);
	});

	it.each<[string, HttpResult]>([
		['rejects them', reply(400)],
		['says that it did not take them', reply(200, { success: false })],
		['cannot be reached', neverSent('ENOTFOUND')],
		['is too busy', reply(429, '', { 'retry-after': '3600' })],
	])('do not hold for people who were not called: the service %s', async (_, response) => {
		const entries = new Set<string>();
		const store = fakeDedupeStore(entries);
		const { outcomes } = await startAll([row(1)], { store, script: inTurn(response) });
		expect(outcomes).not.toContain('unknown');
		expect([...entries]).toEqual([]);
		expect((await startAll([row(1)], { store })).outcomes).toEqual(['accepted']);
	});

	it('are of a person, on whatever channel, by whatever agent and in whatever spelling', async () => {
		const store = fakeDedupeStore();
		await startAll([row(1)], { store });
		const otherRows = [
			row(1, {}, { conversationType: 'web' }),
			row(1, {}, { conversationType: 'chat' }),
			row(1, {}, { agentId: uuidOf(7) }),
			row(1, { personId: 'P-1' }),
			row(1, { campaignKey: 'spring' }),
			row(1, {}, { toPhoneNumber: '+1 (415) 555-0001' }),
			row(1, {}, { dynamicVariables: { variables: [{ name: 'a', value: 'b' }] } }),
		];
		for (const other of otherRows) expect((await startAll([other], { store })).called).toEqual([]);
		const elsewhere = await startAll([row(1)], { store, account: 'another workspace' });
		expect(elsewhere.called).toEqual(numbersOf(1));
	});

	it("are for calls: conversations without a number are no one's across executions", async () => {
		const entries = new Set<string>();
		const store = fakeDedupeStore(entries);
		const chat = { conversationType: 'chat', toPhoneNumber: '' };
		for (let i = 0; i < 2; i++) {
			const rows = [row(1, {}, chat), row(2, { personId: 'P-1' }, chat)];
			expect((await startAll(rows, { store })).outcomes).toEqual(['accepted', 'accepted']);
		}
		expect(entries.size).toBe(0);
		const counted = [row(1, { ...SPRING, maximumAttempts: 1, personId: 'P-1' }, chat)];
		expect((await startAll(counted, { store })).outcomes).toEqual(['accepted']);
		expect((await startAll(counted, { store })).reasons).toEqual([
			'Called, or maybe called, once in this campaign',
		]);
	});

	it('call no one where n8n cannot remember it', async () => {
		const gone = brokenDedupeStore('the database is gone');
		for (const store of [gone, { ...gone, size: async () => ok(0) }]) {
			const { called, reasons, codes } = await startAll([row(1)], { store });
			expect([called, codes]).toEqual([[], ['notRecorded']]);
			expect(reasons).toEqual([
				'Not called, because n8n could not record who is being called (the database is gone). Run the node again',
			]);
		}
	});
});

describe('a workflow that is not saved', () => {
	const store = brokenDedupeStore('the workflow is not saved', false);

	it('calls all, and says that another execution calls them again', async () => {
		const { called, summary } = await startAll([row(1)], { store });
		expect(called).toEqual(numbersOf(1));
		expect(summary).toContain(
			'This workflow is not saved, so n8n cannot remember who was called: another execution calls everyone again',
		);
	});

	it.each([
		{ hoursBetweenCalls: 12 },
		{ maximumAttempts: 2, campaignKey: 'a' },
		{ maximumPerDay: 5 },
	])('calls no one with %j, which needs the list, also in a dry run', async (options) => {
		const { called, reasons } = await startAll([row(1, options)], { store });
		expect([called, reasons]).toEqual([
			[],
			[expect.stringContaining('only for a saved workflow. Save the workflow, then run')],
		]);
		const dry = await startAll([row(1, { ...options, dryRun: true })], { store });
		expect(dry.summary).toContain('Dry run: nothing would be sent, because n8n keeps');
	});
});

describe('a dry run', () => {
	const fail = async (): Promise<never> => {
		throw new Error('A dry run used the store');
	};
	const untouched: DedupeStore = { isSaved: true, size: fail, alone: fail };
	const called12 = 'who was called in the last 12 hours';

	it.each<[object, string]>([
		[{}, called12],
		[{ ...SPRING, hoursBetweenCalls: 1 }, 'who was called in the last 1 hour, attempts'],
		[{ maximumPerDay: 1 }, `${called12}, the limit of the day`],
	])('never calls the store, and names what only the run checks: %j', async (options, checks) => {
		const rows = rowsOf([1, 2, 2], { ...options, dryRun: true });
		const { called, summary } = await startAll(rows, { store: untouched });
		expect(called).toEqual([]);
		expect(summary).toContain('Dry run: 2 people would be called');
		expect(summary).toContain(`Only the run checks ${checks}`);
	});

	it('names nothing where nothing is left to check', async () => {
		const rows = [row(1, { hoursBetweenCalls: 0, dryRun: true })];
		expect((await startAll(rows, { store: untouched })).summary).not.toContain('Only the run');
	});
});

const NEW = 'This node had called no one before';

it('the first run of a node says that a copy remembers no one, and no later run does', async () => {
	const store = fakeDedupeStore();
	const first = await startAll(rowsOf([1, 2, 3, 4]), { store });
	expect(first.summary?.split(NEW)).toHaveLength(2);
	expect(first.summary).toContain('A copy of a workflow or node does not remember the calls');
	expect((await startAll([row(5)], { store })).summary).not.toContain(NEW);
});

describe('a full list', () => {
	const listOfTexts = (size: number) => new Set(Array.from({ length: size }, (_, i) => `old-${i}`));

	it.each([{}, SPRING, { hoursBetweenCalls: 0 }])(
		'ends the run at its first claim, says what to do, and forgets no one: %j',
		async (options) => {
			const full = listOfTexts(250_000);
			const rows = rowsOf([1, 2, 3], options);
			const { called, codes, reasons } = await startAll(rows, { store: fakeDedupeStore(full) });
			expect([called, codes]).toEqual([[], ['notRecorded', 'notRecorded', 'notRecorded']]);
			expect(reasons[2]).toBe(
				'Not called, because the list of people called is full (250,000 entries, 3 or 4 per call). Once the campaign has ended and its hours have passed, replace the node by a copy of it, which begins with an empty list',
			);
			expect(full.size).toBe(250_000);
		},
	);

	it('is full at 250,000 texts, and not before', async () => {
		const store = fakeDedupeStore(listOfTexts(249_999));
		expect((await startAll([row(1)], { store })).called).toEqual(numbersOf(1));
		expect((await startAll([row(2)], { store })).called).toEqual([]);
	});
});

describe('Maximum Attempts', () => {
	it('call a person as often as allowed in a campaign, and in another one anew', async () => {
		const store = fakeDedupeStore();
		for (const expected of [1, 1, 0, 0])
			expect((await startAll([row(1, SPRING)], { store })).called).toHaveLength(expected);
		const over = await startAll([row(1, SPRING)], { store });
		expect(over.reasons[0]).toBe('Called, or maybe called, 2 times in this campaign');
		expect(over.codes[0]).toBe('attemptsUsed');
		expect(over.summary).toContain('1 called often enough');
		const autumn = { ...SPRING, campaignKey: 'autumn' };
		expect((await startAll([row(1, autumn)], { store })).called).toHaveLength(1);
		const three = { ...SPRING, maximumAttempts: 3 };
		expect((await startAll([row(1, three)], { store })).called).toHaveLength(1);
	});

	it('make none in another try or a later round of the same execution, but in another execution', async () => {
		const store = fakeDedupeStore();
		const ledger = jsonLedger();
		const rows = [row(1, SPRING)];
		expect((await startAll(rows, { store, ledger })).called).toHaveLength(1);
		const retry = await startAll(rows, { store, ledger });
		expect([retry.called, retry.outcomes]).toEqual([[], ['accepted']]);
		const later = await startAll(rows, { store, ledger, round: 1 });
		expect([later.called, later.outcomes]).toEqual([[], ['notSent']]);
		expect((await startAll(rows, { store })).called).toHaveLength(1);
	});
});

it.each<[string, HttpResult]>([
	['too large', reply(413)],
	['without a named row', reply(400, { code: 'BAD_REQUEST', message: 'no', issues: [] })],
])('a rejected request that is sent again in parts counts once: %s', async (_, response) => {
	for (const limits of [SPRING, { maximumPerDay: 8, hoursBetweenCalls: 0 }]) {
		const store = fakeDedupeStore();
		const rows = rowsOf([1, 2, 3, 4], { batchSize: 4, ...limits });
		const first = await startAll(rows, { store, script: inTurn(response, FINE) });
		expect(first.outcomes).toEqual(Array(4).fill('accepted'));
		expect((await startAll(rows, { store })).called).toHaveLength(4);
		expect((await startAll(rows, { store })).called).toEqual([]);
	}
});

it('a request that is sent again after midnight takes places of the new day', async () => {
	const rows = rowsOf([1, 2, 3, 4], { maximumPerDay: 2 });
	const script = inTurn(reply(413), FINE);
	const berlin = { start: START + 11 * HOUR_MS - 50, latency: 100, store: fakeDedupeStore() };
	const { outcomes } = await startAll(rows, { ...berlin, script });
	expect(outcomes).toEqual(['accepted', 'accepted', 'notSent', 'notSent']);
});

describe('Maximum per Day', () => {
	const people = (from: number, count: number, options: object = {}) =>
		Array.from({ length: count }, (_, i) => row(from + i, { maximumPerDay: 5, ...options }));

	it('counts all executions of a day, and begins anew on the next', async () => {
		const entries = new Set<string>();
		const store = fakeDedupeStore(entries);
		expect((await startAll(people(0, 3), { store })).called).toHaveLength(3);
		const second = await startAll(people(10, 4), { store });
		expect(second.called).toHaveLength(2);
		expect(second.summary).toContain('2 over the limit of the day');
		expect(second.reasons[2]).toBe('Maximum per Day (5) is reached');
		expect(second.codes[2]).toBe('overDayLimit');
		for (const days of [1, 2]) {
			const next = { store, start: START + days * DAY_MS };
			expect((await startAll(people(20 * days, 7), next)).called).toHaveLength(5);
		}
		const start = START + 2 * DAY_MS;
		const elsewhere = { store, start, account: 'another workspace' };
		expect((await startAll(people(0, 7), elsewhere)).called).toHaveLength(5);
		expect([...entries].filter((entry) => entry.includes('2026-01-15'))).toEqual([]);
	});

	it('reaches everyone below it though some are rejected in the same run, whom the next may call', async () => {
		const store = fakeDedupeStore();
		const script = inTurn(reply(400), FINE, reply(400), FINE, FINE, FINE, reply(400));
		const first = await startAll(people(0, 7, { batchSize: 1 }), { store, script });
		expect(first.called).toHaveLength(7);
		expect((await startAll(people(20, 9), { store })).called).toHaveLength(1);
	});
});
