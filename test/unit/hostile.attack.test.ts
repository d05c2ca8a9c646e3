import { readBaseUrl } from '../../src/core/credential';
import { createClient } from '../../src/core/client';
import { describeFailure, issueText } from '../../src/core/describeFailure';
import { toApiError } from '../../src/core/apiError';
import { path } from '../../src/core/http';
import { retryDelayMs } from '../../src/core/retry';
import { readPhoneNumber } from '../../src/core/phoneNumber';
import { jsonParameter } from '../../src/core/json';
import { z } from 'zod/v4';
import { compileConditions } from '../../src/tickets/filters/conditions';
import { utcTimestamp } from '../../src/tickets/filters/days';
import { filtersSchema } from '../../src/tickets/filters/schema';
import { search } from '../../src/tickets/search/search';
import { createBatch } from '../../src/customers/createBatch';
import { upsertBatch } from '../../src/customers/upsertBatch';
import { customerSchema } from '../../src/customers/customer';
import { create } from '../../src/conversations/create/create';
import { get } from '../../src/conversations/get/get';
import { conversationIdOf, judgeReply } from '../../src/conversations/create/responses';
import { variables } from '../../src/conversations/create/newConversation';
import { fakeRuntime, inTurn, reply } from '../support/fakeRuntime';
import { plannedChat } from '../support/plannedConversations';
import { AGENT, PHONE, uuidOf } from '../support/samples';
import { runRows } from '../support/runRows';

const FINE = reply(200, { jobId: 'j' });
const deep = '['.repeat(200000) + ']'.repeat(200000);
const page = (n: number, more = false) =>
	reply(200, {
		data: Array.from({ length: n }, (_, i) => ({ id: `t${i}`, ticketNumber: i })),
		metadata: { hasNextPage: more },
	});
it('refuses filters in JSON that are nothing, which would match everything', async () => {
	for (const filtersJson of [null, 'null', undefined]) {
		const w = fakeRuntime(inTurn(page(1)));
		const r = await runRows(
			search,
			[{ parameters: { limit: 5, filterMode: 'json', filtersJson } }],
			w.context(),
		);
		expect([filtersJson, w.sent.length, r.rows[0]?.failure?.kind]).toEqual([
			filtersJson,
			0,
			'input',
		]);
	}
});
it('quotes a body that is nested too deeply', () => {
	expect(typeof toApiError('x', reply(500, deep), 0).message).toBe('string');
});
it('quotes an issue that is nested too deeply', () => {
	expect(typeof issueText(JSON.parse(deep))).toBe('string');
});
it('takes a reply that is nested too deeply as accepted', async () => {
	const w = fakeRuntime(inTurn(reply(200, deep)));
	const r = await runRows(
		create,
		[{ parameters: { inputMode: 'fields', agentId: AGENT, toPhoneNumber: PHONE } }],
		{ ...w.context(), ledger: { recall: () => undefined, record: () => undefined } },
	);
	expect(r.rows[0]?.items).toHaveLength(1);
});
it('judges metadata that is nested too deeply without failing', () => {
	expect(() =>
		customerSchema.safeParse({ identifier: 'C', metadata: '{"a":' + deep + '}' }),
	).not.toThrow();
});
it('never says that an upsert was not sent which was stopped under way', async () => {
	const w = fakeRuntime(inTurn(FINE), { latency: 100, stopAfter: 50 });
	const r = await runRows(
		upsertBatch,
		[{ parameters: { inputMode: 'fields', customer: { identifier: 'A' } } }],
		w.context(),
	);
	const f = r.rows[0]?.failure;
	if (!f) throw new Error('none');
	expect([r.rows[0]?.details?.['outcome'], describeFailure(f, String).message]).toEqual([
		'unknown',
		expect.not.stringContaining('Not sent'),
	]);
});
it('names malformed JSON once', async () => {
	const w = fakeRuntime(inTurn(FINE));
	const r = await runRows(
		createBatch,
		[{ parameters: { inputMode: 'json', customersJson: '{' } }],
		w.context(),
	);
	const f = r.rows[0]?.failure;
	expect(f?.kind === 'input' && f.problems.map((p) => p.message)).toHaveLength(1);
});
it('names a wrong operand once', () => {
	expect(filtersSchema('UTC').safeParse({ title: { eq: '' } }).error?.issues).toHaveLength(1);
});
it('names a missing list once', () => {
	const r = compileConditions([{ column: 'priority', operator: 'in' }], {
		zone: 'UTC',
		nowMs: 0,
		emptyValue: 'stop',
	});
	expect(!r.ok && r.failure.problems.map((p) => p.message)).toHaveLength(1);
});
it('refuses an object where a list belongs', () => {
	expect(
		compileConditions([{ column: 'title', operator: 'in', valueList: {} }], {
			zone: 'UTC',
			nowMs: 0,
			emptyValue: 'stop',
		}),
	).toMatchObject({ ok: false });
});
it('takes the conversation ID out of an address that holds other IDs too', async () => {
	const w = fakeRuntime(inTurn(reply(200, { id: 'x' })));
	await runRows(
		get,
		[
			{
				parameters: {
					conversationId: `https://app.example.com/workspaces/${uuidOf(1)}/conversations/${uuidOf(2)}`,
				},
			},
		],
		w.context(),
	);
	expect(w.sent[0]?.path).toBe(`/conversations/${uuidOf(2)}`);
});
it('prefers the ID of a reply to a list in it', () => {
	const reply = { id: uuidOf(1), warnings: ['late'] };
	expect(judgeReply(reply, [plannedChat()])).toEqual([{ kind: 'accepted', reply, paired: true }]);
});
it('takes a text for an ID only where it is a UUID', () => {
	expect(conversationIdOf('Conversations queued')).toBeNull();
});
it('keeps a variable named __proto__', () => {
	expect(JSON.stringify(variables.parse(JSON.parse('{"__proto__":"x","a":1}')))).toContain(
		'__proto__',
	);
});
it('keeps metadata named __proto__', () => {
	expect(
		JSON.stringify(customerSchema.parse({ identifier: 'C', metadata: '{"__proto__":"x","a":1}' })),
	).toContain('__proto__');
});
it('refuses an identifier that was rounded', () => {
	expect(customerSchema.safeParse({ identifier: Number('12345678901234567890') }).success).toBe(
		false,
	);
});
it('refuses a number with (0), which would be dialed wrongly', () => {
	expect(readPhoneNumber('+44 (0)20 7946 0958')).not.toEqual({ number: '+4402079460958' });
});
it('reads a time with a space before its offset', () => {
	expect(utcTimestamp('2026-01-31T09:00:00 +02:00', 'UTC')).toBe('2026-01-31T07:00:00.000Z');
});
it('reads a time in lower case', () => {
	expect(utcTimestamp('2026-01-31t09:00:00z', 'UTC')).toBe('2026-01-31T09:00:00.000Z');
});
it('keeps its own pause where Retry-After says nothing useful', () => {
	for (const v of ['-5', '1,5', 'soon 5', 'Thu, 15 Jan 2020 12:00:00 GMT'])
		expect([
			v,
			retryDelayMs({
				request: { method: 'GET', path: '/', idempotent: true },
				response: reply(429, '', { 'retry-after': v }),
				number: 1,
				random: 1,
				nowMs: Date.UTC(2026, 0, 1),
			}),
		]).toEqual([v, 500]);
});
it('never tells to wait forever', () => {
	expect(
		toApiError('x', reply(429, '', { 'retry-after': '9'.repeat(400) }), 0).retryAfter,
	).not.toBe(Infinity);
});
it('names the host of a redirect without a scheme', () => {
	expect(toApiError('x', reply(302, '', { location: '//evil.example.com/x' }), 0).location).toBe(
		'evil.example.com',
	);
});
it('names the host of a redirect without the password in it', () => {
	expect(
		toApiError('x', reply(302, '', { location: 'https://ana:p@ss@evil.example.com/x' }), 0)
			.location,
	).toBe('evil.example.com');
});
it('keeps dots in their place', () => {
	expect(new URL('https://h/api/v2' + path`/conversations/${'..'}`).pathname).toContain(
		'/conversations',
	);
});
it('encodes half a character', () => {
	expect(() => path`/c/${'\ud800'}`).not.toThrow();
});
it.each([
	'https:/desk.example.com',
	'http:localhost',
	'https://:8080',
	'https://h:99999',
	'https://desk.example.com/%2e%2e/x',
	'desk_example..com',
	'https://a:b:c',
])('refuses the address %s', (t) => {
	expect(readBaseUrl(t)).toMatchObject({ ok: false });
});
it('counts only requests that were sent', async () => {
	const w = fakeRuntime(inTurn(FINE));
	w.stop();
	const r = await runRows(
		createBatch,
		[{ parameters: { inputMode: 'fields', customer: { identifier: 'A' } } }],
		w.context(),
	);
	expect([w.sent.length, r.summary]).toEqual([0, expect.stringContaining('0 requests')]);
});
it('shows a path that holds an object', () => {
	expect(issueText({ path: ['a', { key: 'b' }], message: 'no' })).not.toContain('[object');
});
it('shows a priority that is an object', () => {
	expect(
		customerSchema.safeParse({ identifier: 'C', priority: {} }).error?.issues[0]?.message,
	).not.toContain('[object');
});
it('ends when the service sends the same page forever', async () => {
	let n = 0;
	const w = fakeRuntime(() => (++n > 500 ? reply(400) : page(100, true)));
	await runRows(search, [{ parameters: { returnAll: true } }], w.context());
	// The same page forever is unsorted, too, so each spelling of the sort gets its 50 pages.
	expect(w.sent.length).toBeLessThan(2 * 60);
});
it('reads 50 tickets where no limit is given', async () => {
	const w = fakeRuntime(inTurn(page(100, true), page(100, true), page(0)));
	const sort = { rules: [{ column: 'ticketNumber' }] };
	await runRows(search, [{ parameters: { sort } }], w.context());
	expect(w.sent).toHaveLength(1);
});
it('refuses a column that stands twice in JSON, of which only one would count', async () => {
	const w = fakeRuntime(inTurn(page(1)));
	await runRows(
		search,
		[
			{
				parameters: {
					limit: 1,
					filterMode: 'json',
					filtersJson: '{"priority":{"eq":"low"},"priority":{"ne":"high"}}',
				},
			},
		],
		w.context(),
	);
	expect(w.sent).toHaveLength(0);
});
it('judges nothing further where JSON is malformed', () => {
	expect(jsonParameter.pipe(z.object({ a: z.string() })).safeParse('').error?.issues).toHaveLength(
		1,
	);
});
it('does not try again where the certificate is wrong', () => {
	expect(
		retryDelayMs({
			request: { method: 'GET', path: '/', idempotent: true },
			response: {
				kind: 'noResponse',
				sent: 'no',
				code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
			},
			number: 1,
			random: 1,
			nowMs: 0,
		}),
	).toBeUndefined();
});
it('refuses a time whose year has five digits in UTC', () => {
	expect(utcTimestamp('9999-12-31T23:00-05:00', 'UTC')).toBeUndefined();
});
it('never throws, whatever the service sends', async () => {
	const w = fakeRuntime(inTurn(reply(400, deep)));
	await expect(
		createClient(w.runtime).call({ method: 'GET', path: '/', idempotent: true }, z.unknown()),
	).resolves.toBeTruthy();
});
