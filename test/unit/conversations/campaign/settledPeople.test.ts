import {
	settledPeople,
	settledProblems,
} from '../../../../src/conversations/campaign/settledPeople';
import { create } from '../../../../src/conversations/create';
import type { DedupeStore } from '../../../../src/core/dedupeStore';
import { fail } from '../../../../src/core/result';
import { fakeDedupeStore, fakeRuntime, inTurn, lost, reply } from '../../../support/fakeRuntime';
import type { Script } from '../../../support/fakeRuntime';
import { runRows } from '../../../support/runRows';
import { AGENT, listOf, members, phoneOf } from '../../../support/samples';

const FINE = reply(200, '');
const people = [1, 2, 3];

async function run(options: object, store: DedupeStore, script: Script = inTurn(FINE)) {
	const runtime = fakeRuntime(script);
	const rows = people.map((n) => ({
		parameters: { inputMode: 'fields', agentId: AGENT, toPhoneNumber: phoneOf(n), options },
	}));
	const result = await runRows(create, rows, runtime.context(undefined, store));
	const unknown = result.rows.some(({ details }) => details?.['outcome'] === 'unknown');
	await (unknown ? result.leave?.() : result.close?.());
	const called = runtime.sent.flatMap(({ body }) =>
		listOf(body, 'conversations').map((one) => members(one)['toPhoneNumber']),
	);
	const reasons = result.rows.map(({ failure }) =>
		failure?.kind === 'skipped' ? failure.message : failure?.kind,
	);
	return { ...result, called, reasons };
}

/** How the people of a run are remembered. */
const journals: ReadonlyArray<readonly [string, object]> = [
	['for an hour', {}],
	['for good', { skipContacted: true }],
	['by attempts', { maximumAttempts: 3, campaignKey: 'spring', onePerDay: true }],
];

describe.each(journals)('unknown people who are remembered %s', (_, options) => {
	it('are called by the next run once the user says that they were not called', async () => {
		const store = fakeDedupeStore();
		await run(options, store, inTurn(lost()));
		expect((await run(options, store)).called).toEqual([]);
		// The middle one is left, in another spelling.
		const unknownNotCalled = `${phoneOf(1).replace('+1', '+1 ')}\n ${phoneOf(3)}`;
		const settled = await run({ ...options, unknownNotCalled }, store);
		expect(settled.called).toEqual([]);
		expect(settled.reasons).toEqual([
			expect.stringContaining('Released'),
			expect.stringContaining('still unknown'),
			expect.stringContaining('Released'),
		]);
		expect(settled.summary).toContain('2 of 2 named people were settled');
		expect((await run(options, store)).called).toEqual([phoneOf(1), phoneOf(3)]);
	});

	it('count as called once the user says so', async () => {
		const store = fakeDedupeStore();
		await run(options, store, inTurn(lost()));
		const settled = await run({ ...options, unknownCalled: [phoneOf(1)] }, store);
		expect(settled.reasons[0]).toContain('Settled as called');
		const next = await run(options, store);
		expect(next.called).toEqual([]);
		expect(next.rows.map(({ details }) => details?.['outcome'])).toEqual([
			'notSent',
			'unknown',
			'unknown',
		]);
	});

	it('are not touched by a dry run, nor by a list that names others', async () => {
		const store = fakeDedupeStore();
		await run(options, store, inTurn(lost()));
		const dry = { ...options, unknownNotCalled: phoneOf(1), dryRun: true };
		expect((await run(dry, store)).summary).toContain('1 of 1 named people would be settled');
		const other = await run({ ...options, unknownNotCalled: phoneOf(9) }, store);
		expect(other.summary).toContain(
			`0 of 1 named people were settled. Not unknown, or not among the rows: ${phoneOf(9)}`,
		);
		expect((await run(options, store)).called).toEqual([]);
	});
});

it('sends nothing to people who are not unknown, and forgets nothing of those who were called', async () => {
	const store = fakeDedupeStore();
	const kept = { skipContacted: true };
	await run(kept, store);
	const settled = await run({ ...kept, unknownNotCalled: phoneOf(1) }, store);
	expect(settled.called).toEqual([]);
	expect((await run(kept, store)).called).toEqual([]);
	const fresh = await run({ unknownNotCalled: phoneOf(1) }, fakeDedupeStore());
	expect(fresh.called).toEqual([]);
	expect(fresh.reasons[0]).toContain('only settles unknown people');
});

it.each([
	['an empty list', { unknownNotCalled: ' ' }, 'is empty'],
	['an expression without a value', { unknownCalled: null }, 'is empty'],
	[
		'someone in both lists',
		{ unknownCalled: phoneOf(1), unknownNotCalled: `${phoneOf(2)},${phoneOf(1)}` },
		'Remove it from one of them',
	],
])('refuses %s', async (_, options, message) => {
	const { called, rows } = await run(options, fakeDedupeStore());
	expect(called).toEqual([]);
	expect(JSON.stringify(rows[0]?.failure)).toContain(message);
});

it('settles nothing when that cannot be written down', async () => {
	const store = fakeDedupeStore();
	await run({ skipContacted: true }, store, inTurn(lost()));
	let calls = 0;
	const failing: DedupeStore = {
		size: store.size,
		exchange: async (exchange) => {
			calls += 1;
			return calls === 3 ? { ok: false, failure: 'gone' } : await store.exchange(exchange);
		},
	};
	const { reasons } = await run({ skipContacted: true, unknownNotCalled: phoneOf(1) }, failing);
	expect(reasons).toEqual(['held', 'held', 'held']);
});

it('says of each person what became of them, and names those who were not settled', async () => {
	const store = fakeDedupeStore();
	const kept = { skipContacted: true };
	await run(kept, store, inTurn(lost()));
	const strangers = Array.from({ length: 12 }, (_, n) => phoneOf(20 + n));
	const settled = await run(
		{ ...kept, unknownCalled: phoneOf(1), unknownNotCalled: [phoneOf(2), ...strangers].join('\n') },
		store,
	);
	expect(settled.reasons).toEqual([
		'Settled as called, because it is listed under Unknown but Called',
		'Released, because it is listed under Unknown and Not Called. The next run may call it',
		'Not sent and still unknown, because this run settles only those you named',
	]);
	expect(settled.summary).toContain(
		`2 of 14 named people were settled. Not unknown, or not among the rows: ${strangers.slice(0, 10).join(', ')}`,
	);
	expect(settled.summary).not.toContain(strangers[10]);
});

it('settles no one where n8n cannot record it', async () => {
	const store = fakeDedupeStore();
	const kept = { skipContacted: true };
	await run(kept, store, inTurn(lost()));
	const broken: DedupeStore = {
		...store,
		exchange: async (exchange) =>
			exchange.tests.length > 0 ? await store.exchange(exchange) : fail('disk is full'),
	};
	const settled = await run({ ...kept, unknownNotCalled: phoneOf(1) }, broken);
	expect(settled.rows.map(({ failure }) => failure)).toEqual(
		people.map(() => ({
			kind: 'held',
			message:
				'Nothing was settled, because n8n could not record it (disk is full). Run the node again',
		})),
	);
	expect((await run(kept, store)).called).toEqual([]);
});

it('writes nothing down where no one was settled', async () => {
	const store = fakeDedupeStore();
	const kept = { skipContacted: true };
	await run(kept, store);
	let writes = 0;
	const watched: DedupeStore = {
		...store,
		exchange: async (exchange) => {
			if (exchange.tests.length === 0) writes += 1;
			return await store.exchange(exchange);
		},
	};
	const settled = await run({ ...kept, unknownNotCalled: phoneOf(1) }, watched);
	expect(settled.reasons.every((reason) => reason?.includes('already contacted'))).toBe(true);
	expect(writes).toBe(0);
});

describe('the lists of people to settle', () => {
	const read = (named: object) => settledPeople(named, { defaultCountry: 'US' });
	const problems = (named: object) =>
		settledProblems(read(named), named).map(({ path, message }) => [path.join('.'), message]);

	it('are read from text and lists, with numbers in any spelling', () => {
		expect(read({})).toBeUndefined();
		expect(read({ unknownCalled: '415 555-0178,, P-1 ;\n+1 415 555 0179\r\n ' })).toEqual({
			contacted: new Set(['+14155550178', 'P-1', '+14155550179']),
			notContacted: new Set(),
		});
		expect(read({ unknownNotCalled: [4155550178, ' ', null, 'P-2'] })).toEqual({
			contacted: new Set(),
			notContacted: new Set(['+14155550178', 'P-2']),
		});
		expect(read({ unknownNotCalled: 4155550178 })?.notContacted).toEqual(new Set(['+14155550178']));
	});

	it('are refused where they are empty', () => {
		const empty = 'is empty. Enter the numbers to settle, or remove it to send again';
		expect(problems({ unknownCalled: '' })).toEqual([['safeguards.unknownCalled', empty]]);
		expect(problems({ unknownNotCalled: ' ,' })).toEqual([['safeguards.unknownNotCalled', empty]]);
		expect(problems({ unknownCalled: '', unknownNotCalled: '' })).toEqual([
			['safeguards.unknownCalled', empty],
		]);
		expect(problems({ unknownCalled: '', unknownNotCalled: 'a' })).toEqual([]);
		expect(problems({ unknownCalled: 'a' })).toEqual([]);
		expect(problems({})).toEqual([]);
	});

	it('are refused where someone is in both', () => {
		const seven = Array.from({ length: 7 }, (_, n) => `P-${n}`).join('\n');
		expect(problems({ unknownCalled: seven, unknownNotCalled: seven })).toEqual([
			[
				'safeguards.unknownCalled',
				'contains P-0, P-1, P-2, P-3, P-4, as Unknown and Not Called does. Remove it from one of them',
			],
		]);
		expect(problems({ unknownCalled: 'a', unknownNotCalled: 'b\na' })).toEqual([
			[
				'safeguards.unknownCalled',
				'contains a, as Unknown and Not Called does. Remove it from one of them',
			],
		]);
	});
});
