import { create } from '../../../src/conversations/create';
import { createClient } from '../../../src/core/client';
import { describeFailure } from '../../../src/core/describeFailure';
import type { DedupeStore } from '../../../src/core/dedupeStore';
import { fail, ok } from '../../../src/core/result';
import type { Script } from '../../support/fakeRuntime';
import { fakeDedupeStore, fakeRuntime, inTurn, lost, reply } from '../../support/fakeRuntime';
import { AGENT, listOf, members, phoneOf } from '../../support/samples';
import { runRows } from '../../support/runRows';

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
async function execute(script: Script, rows: ReturnType<typeof row>[], dedupeStore: DedupeStore) {
	const runtime = fakeRuntime(script);
	const run = await runRows(create, rows, runtime.context(undefined, dedupeStore));
	const called = runtime.sent.flatMap(({ body }) =>
		listOf(body, 'conversations').map((one) => members(one)['toPhoneNumber']),
	);
	return {
		called,
		requests: runtime.sent.length,
		outcomes: run.rows.map(({ items, details }) =>
			items.length > 0 ? 'accepted' : details?.['outcome'],
		),
		told: run.rows.map(({ failure }) => failure && describeFailure(failure, String).message),
	};
}

it('contacts no one again whom an earlier execution contacted', async () => {
	const dedupeStore = fakeDedupeStore();
	const first = await execute(inTurn(FINE), [row(1), row(2), row(3)], dedupeStore);
	expect(first.outcomes).toEqual(['accepted', 'accepted', 'accepted']);
	const second = await execute(inTurn(FINE), [row(3), row(4), row(1)], dedupeStore);
	expect([second.called, second.requests]).toEqual([[phoneOf(4)], 1]);
	expect(second.outcomes).toEqual(['notSent', 'accepted', 'notSent']);
	expect(second.told[0]).toBe('Not sent, because an earlier run already contacted this person');
});

it('keeps campaigns apart by their key', async () => {
	const dedupeStore = fakeDedupeStore();
	await execute(inTurn(FINE), [row(1, { campaignKey: 'spring' })], dedupeStore);
	const other = await execute(inTurn(FINE), [row(1, { campaignKey: 'autumn' })], dedupeStore);
	expect(other.called).toEqual([phoneOf(1)]);
	const again = await execute(inTurn(FINE), [row(1, { campaignKey: ' spring ' })], dedupeStore);
	expect(again.called).toEqual([]);
});

it('reports as unknown, and does not call, whom an execution was calling when it was killed', async () => {
	const entries = new Set<string>();
	await execute(inTurn(FINE), [row(1)], fakeDedupeStore(entries));
	const interrupted = new Set([...entries].map((entry) => entry.replace(':done:', ':sent:')));
	const again = await execute(inTurn(FINE), [row(1), row(2)], fakeDedupeStore(interrupted));
	expect(again.called).toEqual([phoneOf(2)]);
	expect(again.outcomes).toEqual(['unknown', 'accepted']);
	expect(again.told[0]).toContain(
		'another run of this node is contacting this person now, or was interrupted while it did',
	);
});

it('forgets who was certainly not called, and keeps whom it may have called', async () => {
	const dedupeStore = fakeDedupeStore();
	const refused = await execute(inTurn(reply(400)), [row(1), row(2)], dedupeStore);
	expect(refused.outcomes).toEqual(['rejected', 'rejected']);
	const broken = await execute(inTurn(lost()), [row(1), row(2)], dedupeStore);
	expect(broken.called).toEqual([phoneOf(1), phoneOf(2)]);
	const third = await execute(inTurn(FINE), [row(1), row(2)], dedupeStore);
	expect(third.called).toEqual([]);
	expect(third.outcomes).toEqual(['unknown', 'unknown']);
});

it('remembers all batches, however many are under way', async () => {
	const rows = Array.from({ length: 20 }, (_, n) => row(n, { batchSize: 1, parallelRequests: 8 }));
	const dedupeStore = fakeDedupeStore();
	const { outcomes } = await execute(inTurn(FINE), rows, dedupeStore);
	expect(outcomes).toEqual(rows.map(() => 'accepted'));
	expect((await execute(inTurn(FINE), rows, dedupeStore)).outcomes).toEqual(
		rows.map(() => 'notSent'),
	);
});

it('calls a number of several rows once, whatever is said about duplicates', async () => {
	const rows = [row(1, { duplicates: 'sendAll' }), row(1, { duplicates: 'sendAll' })];
	const { called, outcomes } = await execute(inTurn(FINE), rows, fakeDedupeStore());
	expect(called).toEqual([phoneOf(1)]);
	expect(outcomes).toEqual(['accepted', 'notSent']);
});

it('knows a person of several rows by any of them, whichever is kept', async () => {
	const dedupeStore = fakeDedupeStore();
	const last = { duplicates: 'keepLast' };
	const first = await execute(inTurn(FINE), [row(1, last), row(1, last)], dedupeStore);
	expect(first.outcomes).toEqual(['notSent', 'accepted']);
	expect((await execute(inTurn(FINE), [row(1)], dedupeStore)).called).toEqual([]);
});

it('calls no one when the memory cannot be written', async () => {
	const dedupeStore = { ...fakeDedupeStore(), size: async () => fail('no workflow ID') };
	const { called, outcomes, told } = await execute(inTurn(FINE), [row(1)], dedupeStore);
	expect(called).toEqual([]);
	expect(outcomes).toEqual(['notSent']);
	expect(told[0]).toContain(
		"n8n's list of people already contacted cannot be used (no workflow ID). Save the workflow",
	);
});

describe('where people are not skipped for good', () => {
	const off = { skipContacted: false };

	it('a run that ended well leaves nothing behind', async () => {
		const entries = new Set<string>();
		const runtime = fakeRuntime(inTurn(FINE));
		const run = await runRows(
			create,
			[row(1, off)],
			runtime.context(undefined, fakeDedupeStore(entries)),
		);
		expect(entries.size).toBeGreaterThan(0);
		await run.close?.();
		expect(entries.size).toBe(0);
	});

	it('a run after a crash calls no one twice, says so once, and calls the others', async () => {
		const dedupeStore = fakeDedupeStore();
		// Neither run ends well: the first is cut off after it called two people.
		await execute(inTurn(FINE), [row(1, off), row(2, off)], dedupeStore);
		const runtime = fakeRuntime(inTurn(FINE));
		const again = await runRows(
			create,
			[row(1, off), row(2, off), row(3, off)],
			runtime.context(undefined, dedupeStore),
		);
		expect(again.rows.map(({ details }) => details?.['outcome'])).toEqual([
			'notSent',
			'notSent',
			undefined,
		]);
		expect(again.rows[0]?.failure).toMatchObject({
			message: expect.stringContaining('within the last hour and did not end well') as string,
		});
		await again.close?.();
		const third = await execute(inTurn(FINE), [row(1, off)], dedupeStore);
		expect(third.called).toEqual([phoneOf(1)]);
	});

	it('what was in flight in a crash is unknown, and not sent again', async () => {
		const entries = new Set<string>();
		await execute(inTurn(lost()), [row(1, off)], fakeDedupeStore(entries));
		const again = await execute(inTurn(FINE), [row(1, off)], fakeDedupeStore(entries));
		expect([again.called, again.outcomes]).toEqual([[], ['unknown']]);
	});

	it('a crash is forgotten after two hours', async () => {
		const dedupeStore = fakeDedupeStore();
		await execute(inTurn(FINE), [row(1, off)], dedupeStore);
		const later = fakeRuntime(inTurn(FINE), { start: Date.UTC(2026, 0, 15, 14) });
		await runRows(create, [row(1, off)], later.context(undefined, dedupeStore));
		expect(later.sent).toHaveLength(1);
	});

	it('a workflow that is not saved calls, and says that it is not protected', async () => {
		const dedupeStore = {
			...fakeDedupeStore(),
			size: async () => fail('the workflow is not saved'),
		};
		const runtime = fakeRuntime(inTurn(FINE));
		const run = await runRows(create, [row(1, off)], runtime.context(undefined, dedupeStore));
		expect(runtime.sent).toHaveLength(1);
		expect(run.summary).toContain(
			'n8n cannot keep a list of people contacted (the workflow is not saved)',
		);
	});

	it('a store that fails in the middle keeps the rest from being called', async () => {
		const store = fakeDedupeStore();
		let calls = 0;
		const dedupeStore: DedupeStore = {
			...store,
			exchange: async (exchange) => {
				calls += 1;
				return calls > 2 ? fail('disk full') : await store.exchange(exchange);
			},
		};
		const rows = [1, 2, 3, 4].map((n) => row(n, off));
		const { called, outcomes } = await execute(inTurn(FINE), rows, dedupeStore);
		expect(called).toEqual([phoneOf(1), phoneOf(2)]);
		expect(outcomes).toEqual(['accepted', 'accepted', 'notSent', 'notSent']);
	});

	it('what another run has in flight is not struck out by a run that found it', async () => {
		const entries = new Set<string>();
		await execute(inTurn(lost()), [row(1, off)], fakeDedupeStore(entries));
		const runtime = fakeRuntime(inTurn(FINE));
		const second = await runRows(
			create,
			[row(1, off), row(2, off)],
			runtime.context(undefined, fakeDedupeStore(entries)),
		);
		await second.close?.();
		const third = await execute(inTurn(FINE), [row(1, off)], fakeDedupeStore(entries));
		expect([third.called, third.outcomes]).toEqual([[], ['unknown']]);
	});

	it('whom another worker called while this one waited for the lock is not called again', async () => {
		const store = fakeDedupeStore();
		await execute(inTurn(FINE), [row(1, off)], store);
		// The store was empty when this worker looked; the other one came between.
		const late: DedupeStore = { ...store, size: async () => ok(0) };
		const { called, outcomes } = await execute(inTurn(FINE), [row(1, off), row(2, off)], late);
		expect([called, outcomes]).toEqual([[phoneOf(2)], ['notSent', 'accepted']]);
	});
});

describe('runs that overlap', () => {
	const off = { skipContacted: false };
	type Ended = Awaited<ReturnType<typeof runRows>>;

	/** An execution whose second request waits until `go` is called. */
	function held(rows: ReturnType<typeof row>[], dedupeStore: DedupeStore) {
		let go: () => void = () => undefined;
		const gate = new Promise<void>((open) => (go = open));
		const runtime = fakeRuntime(inTurn(FINE));
		let number = 0;
		const send: typeof runtime.runtime.send = async (request) => {
			const response = await runtime.runtime.send(request);
			number += 1;
			if (number === 2) await gate;
			return response;
		};
		const context = {
			...runtime.context(undefined, dedupeStore),
			client: createClient({ ...runtime.runtime, send }),
		};
		const done = runRows(create, rows, context);
		return { done, go, sent: runtime.sent };
	}

	const people = (sent: readonly { readonly body?: unknown }[]) =>
		sent.flatMap(({ body }) =>
			listOf(body, 'conversations').map((one) => members(one)['toPhoneNumber']),
		);

	const moments = async () => {
		for (let i = 0; i < 300; i++) await Promise.resolve();
	};

	const one = { ...off, batchSize: 1, parallelRequests: 1 };

	it('whom a run contacted that ended well is not contacted by one that was in progress meanwhile', async () => {
		const entries = new Set<string>();
		const slow = held([row(1, one), row(2, one), row(3, one)], fakeDedupeStore(entries));
		await moments();
		const quick = fakeRuntime(inTurn(FINE));
		const run: Ended = await runRows(
			create,
			[row(3, one), row(4, one)],
			quick.context(undefined, fakeDedupeStore(entries)),
		);
		await run.close?.();
		expect(people(quick.sent)).toEqual([phoneOf(3), phoneOf(4)]);
		slow.go();
		const ended = await slow.done;
		expect(people(slow.sent)).toEqual([phoneOf(1), phoneOf(2)]);
		expect(ended.rows.map(({ details }) => details?.['outcome'])).toEqual([
			undefined,
			undefined,
			'notSent',
		]);
		await ended.close?.();
		expect(entries.size).toBe(0);
	});

	it('one that begins afterwards contacts them again, also while another is still in progress', async () => {
		const entries = new Set<string>();
		const slow = held([row(1, one), row(2, one)], fakeDedupeStore(entries));
		await moments();
		for (let n = 0; n < 5; n++) {
			const runtime = fakeRuntime(inTurn(FINE));
			const run: Ended = await runRows(
				create,
				[row(7, one)],
				runtime.context(undefined, fakeDedupeStore(entries)),
			);
			await run.close?.();
			expect(people(runtime.sent)).toEqual([phoneOf(7)]);
		}
		slow.go();
		await (await slow.done).close?.();
		expect(entries.size).toBe(0);
	});

	it('one that found the people of another does not strike them out for a third', async () => {
		const entries = new Set<string>();
		const slow = held([row(1, one), row(2, one)], fakeDedupeStore(entries));
		await moments();
		const third = held([row(5, one), row(6, one), row(1, one)], fakeDedupeStore(entries));
		await moments();
		const second = fakeRuntime(inTurn(FINE));
		const run: Ended = await runRows(
			create,
			[row(1, one), row(4, one)],
			second.context(undefined, fakeDedupeStore(entries)),
		);
		await run.close?.();
		expect(people(second.sent)).toEqual([phoneOf(4)]);
		third.go();
		await (await third.done).close?.();
		expect(people(third.sent)).toEqual([phoneOf(5), phoneOf(6)]);
		slow.go();
		await (await slow.done).close?.();
		expect(entries.size).toBe(0);
	});
});

describe('a sub-workflow', () => {
	const off = { skipContacted: false };
	const inParent = async (
		parent: string | undefined,
		rows: ReturnType<typeof row>[],
		store: DedupeStore,
	) => {
		const runtime = fakeRuntime(inTurn(FINE));
		const run = await runRows(create, rows, { ...runtime.context(undefined, store), parent });
		await run.close?.();
		return { calls: runtime.sent.length, run };
	};

	it('that its parent runs again contacts no one again, though it ended well', async () => {
		const store = fakeDedupeStore();
		expect((await inParent('11', [row(1, off)], store)).calls).toBe(1);
		const again = await inParent('11', [row(1, off), row(2, off)], store);
		expect(again.calls).toBe(1);
		expect(again.run.rows[0]?.failure).toMatchObject({
			message: expect.stringContaining('in the same execution') as string,
		});
		expect((await inParent('12', [row(1, off)], store)).calls).toBe(1);
		expect((await inParent(undefined, [row(1, off)], store)).calls).toBe(1);
	});

	it('sends duplicates again where that is chosen', async () => {
		const store = fakeDedupeStore();
		const all = row(1, { ...off, duplicates: 'sendAll' });
		expect((await inParent('11', [all], store)).calls).toBe(1);
		expect((await inParent('11', [all], store)).calls).toBe(1);
	});
});

it('finds after a crash whom a long run contacted in its last minutes', async () => {
	const off = { skipContacted: false, batchSize: 1, parallelRequests: 1, pause: 3600 };
	const dedupeStore = fakeDedupeStore();
	const long = fakeRuntime(inTurn(FINE));
	await runRows(
		create,
		[row(1, off), row(2, off), row(3, off)],
		long.context(undefined, dedupeStore),
	);
	const again = fakeRuntime(inTurn(FINE), { start: long.runtime.now() + 60_000 });
	const run = await runRows(create, [row(3, off)], again.context(undefined, dedupeStore));
	expect(again.sent).toHaveLength(0);
	expect(run.rows[0]?.details?.['outcome']).toBe('notSent');
});

it('empties a store that holds nothing but what is too old to count', async () => {
	const off = { skipContacted: false };
	const entries = new Set<string>();
	await execute(inTurn(FINE), [row(1, off), row(2, off)], fakeDedupeStore(entries));
	const later = fakeRuntime(inTurn(FINE), { start: Date.UTC(2026, 0, 16) });
	const run = await runRows(
		create,
		[row(3, off)],
		later.context(undefined, fakeDedupeStore(entries)),
	);
	await run.close?.();
	expect(entries.size).toBe(0);
});

it('never empties a store that is kept', async () => {
	const entries = new Set<string>();
	await execute(inTurn(FINE), [row(1)], fakeDedupeStore(entries));
	const later = fakeRuntime(inTurn(FINE), { start: Date.UTC(2027, 0, 16) });
	const run = await runRows(
		create,
		[row(2, { skipContacted: false })],
		later.context(undefined, fakeDedupeStore(entries)),
	);
	await run.close?.();
	expect((await execute(inTurn(FINE), [row(1)], fakeDedupeStore(entries))).called).toEqual([]);
});
