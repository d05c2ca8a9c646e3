import type { HttpResult } from '../../../src/core/http';
import type { Operation } from '../../../src/core/operation';
import { create } from '../../../src/conversations/create/create';
import { createBatch, upsertBatch } from '../../../src/customers/batch';
import { fakeRuntime, jsonLedger, reply } from '../../support/fakeRuntime';
import { outcomeOf, reasonOf, runRows } from '../../support/runRows';
import { AGENT, listOf, phoneOf } from '../../support/samples';

const FINE = reply(200, { jobId: 'job' });
interface Customer {
	readonly id: string;
	readonly name?: string;
}

const customers = (all: readonly Customer[], more: object = {}, options: object = {}) =>
	all.map(({ id, name = 'x' }) => ({
		parameters: { inputMode: 'fields', customer: { identifier: id, name }, ...more, options },
	}));

const calls = (count: number, options: object = {}) =>
	Array.from({ length: count }, (_, n) => ({
		parameters: { inputMode: 'fields', agentId: AGENT, toPhoneNumber: phoneOf(n), options },
	}));

/** Attempts of one execution, each with the answers of the service. */
function attempts(operation: Operation, list: string, field: string) {
	let saved = '{}';
	return async (rows: Parameters<typeof runRows>[1], ...script: readonly HttpResult[]) => {
		const ledger = jsonLedger(saved);
		const runtime = fakeRuntime((_, number) => script[number - 1] ?? FINE);
		const { rows: results } = await runRows(operation, rows, runtime.context(ledger));
		saved = ledger.save();
		return {
			sent: runtime.sent.map(({ body }) =>
				listOf(body, list).map((value) => Reflect.get(value as object, field) as string),
			),
			outcomes: results.map(outcomeOf),
			reasons: results.map(reasonOf),
			ids: results.map(({ items: [item] }) => item?.['conversationId']),
		};
	};
}

it('sends no older row of a customer after a newer one', async () => {
	const attempt = attempts(upsertBatch, 'customers', 'name');
	const rows = customers(
		[
			{ id: 'a', name: 'Pat' },
			{ id: 'b', name: 'other' },
			{ id: 'a', name: 'Pat New' },
		],
		{},
		{ duplicates: 'sendAll', batchSize: 1, parallelRequests: 5 },
	);
	const first = await attempt(rows, reply(400), reply(400));
	expect(first.sent).toEqual([['Pat'], ['other'], ['Pat New']]);
	const second = await attempt(rows);
	expect(second.sent).toEqual([['other']]);
	expect(second.outcomes).toEqual(['notSent', 'accepted', 'accepted']);
	expect(second.reasons[0]).toContain('a newer row of the same customer');
});

it('sends one request at a time where an older row must not overtake a newer one', async () => {
	const at = async (operation: Operation, options: object) => {
		const runtime = fakeRuntime(() => FINE, { latency: 10 });
		const rows = customers(
			[{ id: 'a' }, { id: 'b' }, { id: 'c' }],
			{},
			{
				batchSize: 1,
				parallelRequests: 3,
				...options,
			},
		);
		await runRows(operation, rows, runtime.context());
		return runtime.sent.map((each) => each.at - (runtime.sent[0]?.at ?? 0));
	};
	expect(await at(upsertBatch, { duplicates: 'sendAll' })).toEqual([0, 10, 20]);
	expect(await at(upsertBatch, { duplicates: 'keepLast' })).toEqual([0, 0, 0]);
	expect(await at(createBatch, { duplicates: 'sendAll' })).toEqual([0, 0, 0]);
});

it('sends again only those of a response that failed by themselves', async () => {
	const attempt = attempts(create, 'conversations', 'toPhoneNumber');
	const rows = calls(3);
	const items = [{ id: 'x' }, { success: false, message: 'no line' }, { id: 'z' }];
	const first = await attempt(rows, reply(200, items));
	expect(first.outcomes).toEqual(['accepted', 'rejected', 'accepted']);
	expect(first.reasons[1]).toContain('no line');
	const second = await attempt(rows, reply(200, [{ id: 'y' }]));
	expect(second.sent).toEqual([[phoneOf(1)]]);
	expect(second.outcomes).toEqual(['accepted', 'accepted', 'accepted']);
	const third = await attempt(rows);
	expect([third.sent, third.ids]).toEqual([[], ['x', 'y', 'z']]);
});
