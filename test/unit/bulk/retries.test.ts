import type { HttpResult } from '../../../src/core/http';
import type { Operation } from '../../../src/core/operation';
import { create } from '../../../src/conversations/create/create';
import { createBatch } from '../../../src/customers/createBatch';
import { upsertBatch } from '../../../src/customers/upsertBatch';
import { fakeRuntime, jsonLedger, lost, reply } from '../../support/fakeRuntime';
import { runRows } from '../../support/runRows';
import { AGENT, listOf, phoneOf } from '../../support/samples';

const FINE = reply(200, { jobId: 'job' });
const named = (...positions: number[]) =>
	reply(400, {
		code: 'BAD_REQUEST',
		message: 'no',
		issues: positions.map((n) => ({ path: ['customers', n, 'name'], message: 'Is taken' })),
	});

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
		const { rows: results, summary } = await runRows(operation, rows, runtime.context(ledger));
		saved = ledger.save();
		return {
			sent: runtime.sent.map(({ body }) =>
				listOf(body, list).map((value) => Reflect.get(value as object, field) as string),
			),
			outcomes: results.map(({ items, details }) => (items[0] ?? details)?.['outcome']),
			said: results.map(({ failure }) => failure && 'message' in failure && failure.message),
			summary,
		};
	};
}

const STORED =
	'The service rejected other rows of this request and may have stored this one. Check in the service before you send it again';

it('never sends again what a partial insert may have stored', async () => {
	const attempt = attempts(createBatch, 'customers', 'identifier');
	const rows = customers([{ id: 'a' }, { id: 'b' }, { id: 'c' }], { partial: true });
	const first = await attempt(rows, named(1));
	expect(first.outcomes).toEqual(['unknown', 'rejected', 'unknown']);
	expect(first.said).toEqual([STORED, 'no', STORED]);
	const second = await attempt(rows);
	expect(second.sent).toEqual([['b']]);
	expect(second.outcomes).toEqual(['unknown', 'accepted', 'unknown']);
	expect(second.said).toEqual([STORED, undefined, STORED]);
	expect((await attempt(rows)).sent).toEqual([]);
});

it('sends all of a plain insert again, of which nothing was stored', async () => {
	const attempt = attempts(createBatch, 'customers', 'identifier');
	const rows = customers([{ id: 'a' }, { id: 'b' }, { id: 'c' }]);
	const first = await attempt(rows, named(1));
	expect(first.outcomes).toEqual(['rejected', 'rejected', 'rejected']);
	expect(first.said).toEqual([
		'Rejected together with another row of its request, which the service named (400). Correct those, then run the node again',
		'no',
		'Rejected together with another row of its request, which the service named (400). Correct those, then run the node again',
	]);
	expect((await attempt(rows)).sent).toEqual([['a', 'b', 'c']]);
});

it('sends what was not named again at once where that is wanted', async () => {
	const attempt = attempts(createBatch, 'customers', 'identifier');
	const options = { isolateBadRows: true };
	const all = [{ id: 'a' }, { id: 'b' }, { id: 'c' }];
	const first = await attempt(customers(all, {}, options), named(0, 2));
	expect(first.sent).toEqual([['a', 'b', 'c'], ['b']]);
	expect(first.outcomes).toEqual(['rejected', 'accepted', 'rejected']);
	const whole = attempts(createBatch, 'customers', 'identifier');
	expect((await whole(customers(all, {}, options), named(0, 1, 2))).sent).toEqual([
		['a', 'b', 'c'],
	]);
	const two = attempts(createBatch, 'customers', 'identifier');
	expect((await two(customers(all), named(0, 2))).said[1]).toContain('together with 2 other rows');
});

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
	expect(second.said).toEqual([
		'Not sent, because a newer row of the same customer was already sent',
		undefined,
		undefined,
	]);
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
	expect(first.said[1]).toBe('no line');
	const second = await attempt(rows, reply(200, [{ id: 'y' }]));
	expect(second.sent).toEqual([[phoneOf(1)]]);
	expect(second.outcomes).toEqual(['accepted', 'accepted', 'accepted']);
	expect((await attempt(rows)).sent).toEqual([]);
});

it('sends in halves what is too large, whatever else is said', async () => {
	const attempt = attempts(createBatch, 'customers', 'identifier');
	const all = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id }));
	const first = await attempt(customers(all), reply(413), reply(413), FINE, FINE, reply(413));
	expect(first.sent).toEqual([
		['a', 'b', 'c', 'd', 'e'],
		['a', 'b', 'c'],
		['a', 'b'],
		['c'],
		['d', 'e'],
		['d'],
		['e'],
	]);
	expect(first.outcomes).toEqual(Array.from({ length: 5 }, () => 'accepted'));
	expect((await attempt(customers([{ id: 'f' }]), reply(413))).outcomes).toEqual(['rejected']);
});

it('pauses between requests, not before the first one nor after the last', async () => {
	const pausesOf = async (options: object) => {
		const runtime = fakeRuntime(() => FINE);
		const rows = customers(
			[{ id: 'a' }, { id: 'b' }, { id: 'c' }],
			{},
			{ batchSize: 1, parallelRequests: 1, ...options },
		);
		await runRows(createBatch, rows, runtime.context());
		return runtime.pauses.filter((ms) => ms >= 100);
	};
	expect(await pausesOf({ pause: 2 })).toEqual([2_000, 2_000]);
	expect(await pausesOf({})).toEqual([]);
});

it('says which attempt was interrupted, and lets the others go on', async () => {
	const attempt = attempts(create, 'conversations', 'toPhoneNumber');
	const first = await attempt(calls(3, { batchSize: 1 }), FINE, lost(), FINE);
	expect(first.outcomes).toEqual(['accepted', 'unknown', 'accepted']);
	const second = await attempt(calls(4, { batchSize: 1 }));
	expect(second.sent).toEqual([[phoneOf(3)]]);
	expect(second.outcomes).toEqual(['accepted', 'unknown', 'accepted', 'accepted']);
});
