import { z } from 'zod/v4';
import { create } from '../../src/conversations/create/create';
import { conversationIdOf, judgeReply } from '../../src/conversations/create/responses';
import { get } from '../../src/conversations/get/get';
import { createClient } from '../../src/core/client';
import { describeFailure } from '../../src/core/describeFailure';
import type { Operation } from '../../src/core/operation';
import { createBatch } from '../../src/customers/createBatch';
import { customerSchema } from '../../src/customers/customer';
import { upsertBatch } from '../../src/customers/upsertBatch';
import { compileConditions } from '../../src/tickets/filters/conditions';
import { utcTimestamp } from '../../src/tickets/filters/days';
import { filtersSchema } from '../../src/tickets/filters/schema';
import { search } from '../../src/tickets/search/search';
import type { FakeRuntime } from '../support/fakeRuntime';
import { fakeRuntime, inTurn, reply } from '../support/fakeRuntime';
import { plannedChat } from '../support/plannedConversations';
import { runRows } from '../support/runRows';
import { AGENT, PHONE, uuidOf } from '../support/samples';

const customer = { inputMode: 'fields', customer: { identifier: 'A' } };
const deep = '['.repeat(200_000) + ']'.repeat(200_000);
const page = (count: number, hasNextPage = false) => {
	const data = Array.from({ length: count }, (_, i) => ({ id: `t${i}`, ticketNumber: i }));
	return reply(200, { data, metadata: { hasNextPage } });
};
const world = (...replies: Parameters<typeof inTurn>) => fakeRuntime(inTurn(...replies));
const runOne = async (operation: Operation, parameters: unknown, { context }: FakeRuntime) => {
	const { rows, summary } = await runRows(operation, [{ parameters }], context());
	return { row: rows[0], summary };
};

it.each([null, 'null', undefined, '{"priority":{"eq":"low"},"priority":{"ne":"high"}}'])(
	'asks for no tickets with the filters in JSON %j, of which a part or all would count for nothing',
	async (filtersJson) => {
		const desk = world(page(1));
		const { row } = await runOne(search, { limit: 5, filterMode: 'json', filtersJson }, desk);
		expect([desk.sent.length, row?.failure?.kind]).toEqual([0, 'input']);
	},
);

it('ends when the service sends the same page forever', async () => {
	const desk = fakeRuntime((_, number) => (number > 500 ? reply(400) : page(100, true)));
	await runOne(search, { returnAll: true }, desk);
	// The same page forever is unsorted, too, so each spelling of the sort gets its 50 pages.
	expect(desk.sent.length).toBeLessThan(2 * 60);
});

it('reads 50 tickets where no limit is given', async () => {
	const desk = world(page(100, true), page(100, true), page(0));
	await runOne(search, { sort: { rules: [{ column: 'ticketNumber' }] } }, desk);
	expect(desk.sent).toHaveLength(1);
});

describe('a condition', () => {
	const zone = { zone: 'UTC', nowMs: 0, emptyValue: 'stop' as const };

	it.each([
		['priority', {}],
		['title', { valueList: {} }],
	] as const)('of %s is refused once where a list belongs and %j was given', (column, given) => {
		const compiled = compileConditions([{ column, operator: 'in', ...given }], zone);
		expect(!compiled.ok && compiled.failure.problems).toHaveLength(1);
	});

	it('in JSON with a wrong operand is refused once', () => {
		expect(filtersSchema('UTC').safeParse({ title: { eq: '' } }).error?.issues).toHaveLength(1);
	});

	it.each([
		['2026-01-31T09:00:00 +02:00', '2026-01-31T07:00:00.000Z'],
		['2026-01-31t09:00:00z', '2026-01-31T09:00:00.000Z'],
		['9999-12-31T23:00-05:00', undefined],
	])('with the time %s means %s', (entered, expected) => {
		expect(utcTimestamp(entered, 'UTC')).toBe(expected);
	});
});

describe('a customer', () => {
	it('is judged without failing, though its metadata is nested too deeply', () => {
		const metadata = `{"a":${deep}}`;
		expect(() => customerSchema.safeParse({ identifier: 'C', metadata })).not.toThrow();
	});

	it.each([{ identifier: Number('12345678901234567890') }, { identifier: 'C', priority: {} }])(
		'is refused with %j, in words',
		(entered) => {
			const [issue] = customerSchema.safeParse(entered).error?.issues ?? [];
			expect(issue?.message).toEqual(expect.not.stringContaining('[object'));
		},
	);

	it('is never said to be unsent where its request was stopped under way', async () => {
		const settings = { latency: 100, stopAfter: 50 };
		const desk = fakeRuntime(inTurn(reply(200, { jobId: 'j' })), settings);
		const { row } = await runOne(upsertBatch, customer, desk);
		expect(row?.details).toMatchObject({ outcome: 'unknown' });
		expect(row?.failure && describeFailure(row.failure, String).message).toEqual(
			expect.not.stringContaining('Not sent'),
		);
	});

	it('counts only requests that were sent', async () => {
		const desk = world(reply(200, { jobId: 'j' }));
		desk.stop();
		const { summary } = await runOne(createBatch, customer, desk);
		expect([desk.sent.length, summary]).toEqual([0, expect.stringContaining('0 requests')]);
	});
});

describe('a conversation', () => {
	it('is accepted, though the response is nested too deeply', async () => {
		const parameters = { inputMode: 'fields', agentId: AGENT, toPhoneNumber: PHONE };
		const { row } = await runOne(create, parameters, world(reply(200, deep)));
		expect(row?.items).toHaveLength(1);
	});

	it('is found by its own ID in an address that holds other IDs too', async () => {
		const desk = world(reply(200, { id: 'x' }));
		const address = `https://app.example.com/workspaces/${uuidOf(1)}/conversations/${uuidOf(2)}`;
		await runOne(get, { conversationId: address }, desk);
		expect(desk.sent[0]?.path).toBe(`/conversations/${uuidOf(2)}`);
	});

	it('has the ID of a response rather than a list in it, and no text for an ID', () => {
		const said = { id: uuidOf(1), warnings: ['late'] };
		const accepted = { kind: 'accepted', reply: said, paired: true };
		expect(judgeReply(said, [plannedChat()])).toEqual([accepted]);
		expect(conversationIdOf('Conversations queued')).toBeNull();
	});
});

it('never throws, whatever the service sends', async () => {
	const client = createClient(world(reply(400, deep)).runtime);
	const request = { method: 'GET', path: '/', idempotent: true } as const;
	await expect(client.call(request, z.unknown())).resolves.toBeTruthy();
});
