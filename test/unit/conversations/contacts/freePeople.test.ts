import { create } from '../../../../src/conversations/create/create';
import type { DedupeStore } from '../../../../src/core/dedupeStore';
import { cutStore } from '../../../support/cutStore';
import { fakeDedupeStore, fakeRuntime, inTurn, lost, reply } from '../../../support/fakeRuntime';
import type { Script } from '../../../support/fakeRuntime';
import { reasonOf, runRows } from '../../../support/runRows';
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
	const reasons = result.rows.map(reasonOf);
	return { ...result, called, reasons };
}

const FREE =
	'This person is free for the next run with these settings, because Not Called lists the number or person ID';
const ONLY_FREES = 'Not called, because a run with Not Called only frees the people listed there';

const SPRING = { maximumAttempts: 1, campaignKey: 'spring' };

describe.each([
	['the hours', {}],
	['a campaign', { ...SPRING, hoursBetweenCalls: 0 }],
	['a campaign with hours', SPRING],
])('people who are remembered by %s', (_, options) => {
	it('are called by the next run once the user says that they were not called', async () => {
		const store = fakeDedupeStore();
		await run(options, store, LOST);
		expect((await run(options, store)).called).toEqual([]);
		// The middle one is left; one is in another spelling.
		const notCalled = `${phoneOf(1).replace('+1', '+1 ')}\n ${phoneOf(3)}`;
		const freed = await run({ ...options, notCalled }, store);
		expect(freed.called).toEqual([]);
		expect(freed.reasons).toEqual([FREE, ONLY_FREES, FREE]);
		expect(freed.summary).toMatch(/Freed: 2 of 2 people under Not Called$/);
		const again = await run({ ...options, notCalled }, store);
		expect(again.reasons).toEqual([ONLY_FREES, ONLY_FREES, ONLY_FREES]);
		expect((await run(options, store)).called).toEqual([phoneOf(1), phoneOf(3)]);
	});

	it('are not touched by a dry run, nor by a list that names others', async () => {
		const store = fakeDedupeStore();
		await run(options, store, LOST);
		const dry = await run({ ...options, notCalled: phoneOf(1), dryRun: true }, store);
		expect(dry.summary).toMatch(/Would be freed: 1 of 1 people under Not Called$/);
		expect(dry.reasons[0]).toBe(FREE.replace('is free', 'would be free'));
		const other = await run({ ...options, notCalled: phoneOf(9) }, store);
		expect(other.summary).toContain(
			`Freed: 0 of 1 people under Not Called. Not in the rows, or free already: ${phoneOf(9)}`,
		);
		expect((await run(options, store)).called).toEqual([]);
	});
});

it('takes back one attempt, however often Not Called is run', async () => {
	const store = fakeDedupeStore();
	const campaign = { maximumAttempts: 3, campaignKey: 'spring', hoursBetweenCalls: 0 };
	const attempt = async () =>
		(await run(campaign, store, undefined, calls.slice(0, 1))).called.length;
	for (let made = 0; made < 3; made += 1) expect(await attempt()).toBe(1);
	for (let runs = 0; runs < 3; runs += 1) await run({ ...campaign, notCalled: phoneOf(1) }, store);
	expect([await attempt(), await attempt()]).toEqual([1, 0]);
});

it('frees no one where n8n cannot record it, and says so', async () => {
	const store = fakeDedupeStore();
	await run({}, store, LOST);
	const failed = await run({ notCalled: phoneOf(1) }, cutStore(store, { at: 1, isDone: false }));
	for (const reason of failed.reasons)
		expect(reason).toContain('n8n could not record who was not called (cut off)');
	expect((await run({}, store)).called).toEqual([]);
});
