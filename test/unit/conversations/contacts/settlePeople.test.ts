import { settledPeople, settledProblem } from '../../../../src/conversations/create/settings';
import { create } from '../../../../src/conversations/create/create';
import type { DedupeStore } from '../../../../src/core/dedupeStore';
import { cutStore } from '../../../support/cutStore';
import { fakeDedupeStore, fakeRuntime, inTurn, lost, reply } from '../../../support/fakeRuntime';
import type { Script } from '../../../support/fakeRuntime';
import { outcomeOf, reasonOf, runRows } from '../../../support/runRows';
import { AGENT, listOf, members, phoneOf } from '../../../support/samples';

const FINE = reply(200, '');
const LOST = inTurn(lost());
const people = [1, 2, 3];

const calls = people.map((n): object => ({ toPhoneNumber: phoneOf(n) }));

async function run(
	options: object,
	store: DedupeStore,
	script: Script = inTurn(FINE),
	whom: readonly object[] = calls,
) {
	const runtime = fakeRuntime(script);
	const rows = whom.map((who) => ({
		parameters: {
			inputMode: 'fields',
			agentId: AGENT,
			options: { defaultCountry: 'US', ...options },
			...who,
		},
	}));
	const result = await runRows(create, rows, runtime.context(undefined, store));
	const called = runtime.sent.flatMap(({ body }) =>
		listOf(body, 'conversations').map((one) => members(one)['toPhoneNumber']),
	);
	const reasons = result.rows.map((row) => (row.failure ? outcomeOf(row) : reasonOf(row)));
	return { ...result, called, reasons };
}

const CALLED = 'Settled as called, because it is listed under Settle Unknown People';
const FREE =
	'Settled as not called, because it is listed under Settle Unknown People. The next run with these safeguards may call this person';
const ONLY_SETTLES = 'Not called, because this run only settles unknown people';

const SPRING = { maximumAttempts: 3, campaignKey: 'spring' };
const CHAT = [{ conversationType: 'chat' }];

/** How the people of a run are remembered. */
const rules: ReadonlyArray<readonly [string, object]> = [
	['the hours', {}],
	['a campaign', { maximumAttempts: 3, campaignKey: 'spring', hoursBetweenCalls: 0 }],
	['a campaign with hours', SPRING],
];

describe.each(rules)('unknown people who are remembered by %s', (name, options) => {
	it('are called by the next run once the user says that they were not called', async () => {
		const store = fakeDedupeStore();
		await run(options, store, LOST);
		expect((await run(options, store)).called).toEqual([]);
		// The middle one is left; one is in another spelling.
		const notCalled = `${phoneOf(1).replace('+1', '+1 ')}\n ${phoneOf(3)}`;
		const settled = await run({ ...options, notCalled }, store);
		expect(settled.called).toEqual([]);
		expect(settled.reasons).toEqual([FREE, 'unknown', FREE]);
		expect(settled.summary).toContain('2 of 2 named people were settled');
		expect((await run(options, store)).called).toEqual([phoneOf(1), phoneOf(3)]);
	});

	it('count as called once the user says so', async () => {
		const store = fakeDedupeStore();
		await run(options, store, LOST);
		const settled = await run({ ...options, called: [phoneOf(1)] }, store);
		expect([settled.called, settled.reasons]).toEqual([[], [CALLED, 'unknown', 'unknown']]);
		const next = await run(options, store);
		// Without hours, the campaign goes on with the next attempt.
		const isFree = name === 'a campaign';
		expect(next.called).toEqual(isFree ? [phoneOf(1)] : []);
		expect(next.rows.map(outcomeOf)).toEqual([
			isFree ? 'accepted' : 'notSent',
			...['unknown', 'unknown'],
		]);
	});

	it('are not touched by a dry run, nor by a list that names others', async () => {
		const store = fakeDedupeStore();
		await run(options, store, LOST);
		const dry = { ...options, notCalled: phoneOf(1), dryRun: true };
		expect((await run(dry, store)).summary).toContain('1 of 1 named people would be settled');
		const other = await run({ ...options, notCalled: phoneOf(9) }, store);
		expect(other.summary).toContain(
			`0 of 1 named people were settled. Not unknown, or not among the rows: ${phoneOf(9)}`,
		);
		expect((await run(options, store)).called).toEqual([]);
	});

	it('stay unknown, or are settled, wherever the settling is cut off', async () => {
		for (const isDone of [false, true])
			for (let at = 1; at < 6; at++) {
				const entries = new Set<string>();
				await run(options, fakeDedupeStore(entries), LOST);
				const cut = cutStore(fakeDedupeStore(entries), { at, isDone });
				await run({ ...options, called: phoneOf(1), notCalled: phoneOf(3) }, cut);
				const next = await run({ ...options, dryRun: true }, fakeDedupeStore(new Set(entries)));
				const [first, second, third] = next.rows.map(({ items }) => members(items[0])['reason']);
				expect(second).toContain('is calling this person now');
				expect(third).toMatch(/^Would be called$|is calling this person now/);
				expect(first).toMatch(
					name === 'a campaign'
						? /^Would be called$|calling this person now/
						: /last 12 hours|calling this person now/,
				);
			}
	});
});

it.each([
	['+14155550178', '+14155550178'],
	['X2', 'X2\u200b'],
])('finds %s as %s, the same person as everywhere else', async (person, named) => {
	const store = fakeDedupeStore();
	const options = { ...SPRING, personId: person };
	await run(options, store, LOST, CHAT);
	const settled = await run({ ...options, notCalled: named }, store, inTurn(FINE), CHAT);
	expect(settled.reasons).toEqual([FREE]);
});

it('says that the place of the day stays taken', async () => {
	const store = fakeDedupeStore();
	await run({ maximumPerDay: 3 }, store, LOST);
	const { reasons } = await run({ maximumPerDay: 3, notCalled: phoneOf(1) }, store);
	expect(reasons[0]).toBe(`${FREE}, whose place in Maximum per Day stays taken`);
});

it('sends nothing to people who are not unknown, and forgets nothing of those who were called', async () => {
	const store = fakeDedupeStore();
	await run({}, store);
	const settled = await run({ notCalled: phoneOf(1) }, store);
	expect([settled.called, settled.reasons]).toEqual([[], people.map(() => ONLY_SETTLES)]);
	expect((await run({}, store)).called).toEqual([]);
	const fresh = await run({ notCalled: phoneOf(1) }, fakeDedupeStore());
	expect([fresh.called, fresh.reasons]).toEqual([[], people.map(() => ONLY_SETTLES)]);
});

it.each([
	['empty lists', { notCalled: ' ', called: '' }, 'is empty'],
	['an expression without a value', { called: null }, 'is empty'],
	[
		'someone in both lists',
		{ called: phoneOf(1), notCalled: `${phoneOf(2)},${phoneOf(1)}` },
		'Remove it from one of them',
	],
])('refuses %s', async (_, options, message) => {
	const { called, rows } = await run(options, fakeDedupeStore());
	expect(called).toEqual([]);
	expect(JSON.stringify(rows[0]?.failure)).toContain(message);
});

it('says of each person what became of them, and names those who were not settled', async () => {
	const store = fakeDedupeStore();
	await run({}, store, LOST);
	const strangers = Array.from({ length: 12 }, (_, n) => phoneOf(20 + n));
	const notCalled = [phoneOf(2), ...strangers].join('\n');
	const settled = await run({ called: phoneOf(1), notCalled }, store);
	expect(settled.reasons).toEqual([CALLED, FREE, 'unknown']);
	expect(settled.summary).toContain(
		`2 of 14 named people were settled. Not unknown, or not among the rows: ${strangers.slice(0, 10).join(', ')}`,
	);
	expect(settled.summary).not.toContain(strangers[10]);
});

it('settles no one where n8n cannot record it', async () => {
	const store = fakeDedupeStore();
	await run({}, store, LOST);
	const settled = await run({ notCalled: phoneOf(1) }, cutStore(store, { at: 1, isDone: false }));
	expect(settled.rows.map(({ failure }) => failure)).toEqual(
		people.map(() => ({
			kind: 'held',
			message: 'Nothing was settled, because n8n could not record it (cut off). Run the node again',
		})),
	);
	expect((await run({}, store)).called).toEqual([]);
});

describe('the lists of people to settle', () => {
	const read = (named: object) => settledPeople(named, { defaultCountry: 'US' });
	const problem = (named: object) => settledProblem(read(named));

	it('are read from text and lists, with numbers in any spelling', () => {
		const named = (list: unknown) => [...new Set(read({ called: list }).called.values())];
		expect(named('415 555-0178,, P-1 ;\n+1 415 555 0179\r\n ')).toEqual([
			...['+14155550178', 'P-1', '+14155550179'],
		]);
		expect(named([4155550178, ' ', null, 'P-2'])).toEqual(['+14155550178', 'P-2']);
		expect(named(4155550178)).toEqual(['+14155550178']);
	});

	it('are refused where both are empty', () => {
		const empty = 'is empty. Enter the numbers that were called or not called, or remove it';
		for (const named of [{}, { called: '' }, { notCalled: ' ,' }, { called: [], notCalled: '' }])
			expect(problem(named)).toBe(empty);
		expect(problem({ called: '', notCalled: 'a' })).toBeUndefined();
		expect(problem({ called: 'a' })).toBeUndefined();
	});

	it('are refused where someone is in both', () => {
		const seven = Array.from({ length: 7 }, (_, n) => `P-${n}`).join('\n');
		expect(problem({ called: seven, notCalled: seven })).toBe(
			'contains P-0, P-1, P-2, P-3, P-4 under both Called and Not Called. Remove it from one of them',
		);
		expect(problem({ called: 'a', notCalled: 'b\na' })).toBe(
			'contains a under both Called and Not Called. Remove it from one of them',
		);
	});
});
