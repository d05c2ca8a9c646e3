import { create } from '../../../src/conversations/create';
import { explain } from '../../../src/core/explain';
import type { Known, Memory } from '../../../src/core/memory';
import { fail } from '../../../src/core/result';
import type { Script } from '../../support/fakeWorld';
import { fakeMemory, fakeWorld, inTurn, lost, reply } from '../../support/fakeWorld';
import { AGENT, listOf, members, phoneOf } from '../../support/samples';

const FINE = reply(200, '');

const row = (n: number, options: object = {}) => ({
	parameters: {
		inputMode: 'fields',
		agentId: AGENT,
		toPhoneNumber: phoneOf(n),
		options: { skipContacted: true, batchSize: 2, ...options },
	},
});

/** One execution of the node: its own ledger, but the memory of all. */
async function execute(script: Script, rows: ReturnType<typeof row>[], memory: Memory) {
	const world = fakeWorld(script);
	const run = await create.run(rows, world.desk(undefined, memory));
	const called = world.sent.flatMap(({ body }) =>
		listOf(body, 'conversations').map((one) => members(one)['toPhoneNumber']),
	);
	return {
		called,
		requests: world.sent.length,
		outcomes: run.rows.map(({ items, details }) =>
			items.length > 0 ? 'accepted' : details?.['outcome'],
		),
		told: run.rows.map(({ failure }) => failure && explain(failure, String).message),
	};
}

it('contacts nobody again whom an earlier execution contacted', async () => {
	const memory = fakeMemory();
	const first = await execute(inTurn(FINE), [row(1), row(2), row(3)], memory);
	expect(first.outcomes).toEqual(['accepted', 'accepted', 'accepted']);
	const second = await execute(inTurn(FINE), [row(3), row(4), row(1)], memory);
	expect([second.called, second.requests]).toEqual([[phoneOf(4)], 1]);
	expect(second.outcomes).toEqual(['notSent', 'accepted', 'notSent']);
	expect(second.told[0]).toBe('Not sent, because an earlier run contacted this person already');
});

it('keeps campaigns apart by their key', async () => {
	const memory = fakeMemory();
	await execute(inTurn(FINE), [row(1, { campaignKey: 'spring' })], memory);
	const other = await execute(inTurn(FINE), [row(1, { campaignKey: 'autumn' })], memory);
	expect(other.called).toEqual([phoneOf(1)]);
	const again = await execute(inTurn(FINE), [row(1, { campaignKey: ' spring ' })], memory);
	expect(again.called).toEqual([]);
});

it('reports as unknown, and does not call, whom an execution was calling when it was killed', async () => {
	const known = new Map<string, Known>();
	await execute(inTurn(FINE), [row(1)], fakeMemory(known));
	for (const key of known.keys()) known.set(key, 'sent');
	const again = await execute(inTurn(FINE), [row(1), row(2)], fakeMemory(known));
	expect(again.called).toEqual([phoneOf(2)]);
	expect(again.outcomes).toEqual(['unknown', 'accepted']);
	expect(again.told[0]).toContain(
		'another run of this node is contacting this person now, or was interrupted while it did',
	);
});

it('forgets who was certainly not called, and keeps whom it may have called', async () => {
	const memory = fakeMemory();
	const refused = await execute(inTurn(reply(400)), [row(1), row(2)], memory);
	expect(refused.outcomes).toEqual(['rejected', 'rejected']);
	const broken = await execute(inTurn(lost()), [row(1), row(2)], memory);
	expect(broken.called).toEqual([phoneOf(1), phoneOf(2)]);
	const third = await execute(inTurn(FINE), [row(1), row(2)], memory);
	expect(third.called).toEqual([]);
	expect(third.outcomes).toEqual(['unknown', 'unknown']);
});

it('remembers all batches, however many are under way', async () => {
	const rows = Array.from({ length: 20 }, (_, n) => row(n, { batchSize: 1, parallelRequests: 8 }));
	const memory = fakeMemory();
	const { outcomes } = await execute(inTurn(FINE), rows, memory);
	expect(outcomes).toEqual(rows.map(() => 'accepted'));
	expect((await execute(inTurn(FINE), rows, memory)).outcomes).toEqual(rows.map(() => 'notSent'));
});

it('calls a number of several rows once, whatever is said about duplicates', async () => {
	const rows = [row(1, { duplicates: 'callEvery' }), row(1, { duplicates: 'callEvery' })];
	const { called, outcomes } = await execute(inTurn(FINE), rows, fakeMemory());
	expect(called).toEqual([phoneOf(1)]);
	expect(outcomes).toEqual(['accepted', 'notSent']);
});

it('calls nobody when the memory cannot be written', async () => {
	const memory = { ...fakeMemory(), claim: async () => fail('no workflow ID') };
	const { called, outcomes, told } = await execute(inTurn(FINE), [row(1)], memory);
	expect(called).toEqual([]);
	expect(outcomes).toEqual(['notSent']);
	expect(told[0]).toContain(
		'the memory of people already contacted failed (no workflow ID). Save the workflow',
	);
});

it('is not asked at all where it is off', async () => {
	const known = new Map<string, Known>();
	await execute(inTurn(FINE), [row(1, { skipContacted: false })], fakeMemory(known));
	expect(known.size).toBe(0);
});
