import { namedAs, refusalIn, showsBegun } from '../../../src/core/verdict';

const SAYS_NO = 'The service says that it did not take this';

describe('an object of a response', () => {
	it.each<[unknown, string]>([
		...['failed', 'ERROR', false, 422, '500'].map((bare): [unknown, string] => [bare, SAYS_NO]),
		...['success', 'ok', 'accepted', 'is_valid'].map((name): [unknown, string] => [
			{ [name]: false },
			SAYS_NO,
		]),
		...['failure', 'invalid', ' denied ', 'blocked'].map((state): [unknown, string] => [
			{ state },
			SAYS_NO,
		]),
		[{ success: 'false', message: '' }, SAYS_NO],
		[{ ok: false, error: 'blocked', message: 'no line' }, 'blocked'],
		[{ ok: false, error: '', message: 'no line' }, 'no line'],
		[{ error: true }, SAYS_NO],
		[{ error: { message: 'blocked' } }, 'blocked'],
		[{ error: { code: 'X' } }, SAYS_NO],
		[{ errors: ['one', 'two'] }, 'one'],
		[{ errors: [{ message: 'blocked' }] }, 'blocked'],
		[{ status: 'rejected', message: 'x'.repeat(400) }, `${'x'.repeat(300)}…`],
		[{ statusCode: 400, message: 'no line' }, 'no line'],
		...[400, 599, -1].map((status): [unknown, string] => [{ status }, SAYS_NO]),
		[{ statusText: 500 }, SAYS_NO],
		[{ code: -3 }, SAYS_NO],
		[{ callId: '', error: 'x' }, 'x'],
		[{ error: 'x', url: 'https://a.example' }, 'x'],
		[{ message: 'failed' }, 'failed'],
		[{ message: { text: 'failed' } }, 'failed'],
		[{ messages: ['failed'] }, 'failed'],
		[{ results: [{ status: 'failed' }] }, SAYS_NO],
		[{ '2': 'failed' }, SAYS_NO],
		[{ isValid: 'no' }, SAYS_NO],
		[{ no_error: false }, SAYS_NO],
		[{ valid: ' FALSE ' }, SAYS_NO],
		[{ not_accepted: true }, SAYS_NO],
		[{ failure_reason: 'no line', timestamp: 5, status: 'failed' }, 'no line'],
	])('%j says that it was not done', (item, message) => {
		expect(refusalIn(item, 1)).toEqual({ kind: 'rejected', message });
	});

	it.each<unknown>([
		...[undefined, null, 'queued', true, 5, 200, [], {}],
		...['queued', 200, '202', 399].map((status) => ({ status })),
		...['none', ' ', 'null', '0', null, false, 0, [], {}].map((error) => ({ error })),
		...[199, 600].map((status) => ({ status })),
		...[0, 7, 700].map((code) => ({ code })),
		...['', 0, 'accepted', 'no answer', {}].map((message) => ({ message })),
		...['', 'none', 'busy'].map((reason) => ({ reason })),
		...[0, null, []].map((skipped) => ({ skipped })),
		...['', 'ok', { ignored: false }, { url: 'https://a.example' }, { onError: 'continue' }],
		...[{ no_error: true }, { hasNoFailures: true }, { no_errors: 0 }],
		...[{ success: '' }, { success: { id: 'a' } }, { createdBy: 'x' }, { unknownThing: 'x' }],
		...[
			{ connected: true, delivered: false },
			{ state: 'whatever', id: 'a' },
		],
	])('%j does not', (item) => {
		expect(refusalIn(item, 1)).toBeUndefined();
	});

	it.each<unknown>([
		{ success: true, error: 'x' },
		{ id: 'a', status: 'FAILED' },
		{ status: 'the import may have failed in part' },
		{ data: { success: false }, status: 'partial' },
		{ success: false, jobId: 'j' },
		{ error: 'x', startedAt: '2026-01-01' },
		...[{ code: 'CREATED', message: 'failed before, fine now' }],
		...['failed over', { status: 'not failed' }, { ok: false, error: 'busy' }],
		...[
			{ success: false, data: { success: true } },
			{ success: true, data: { success: false } },
		],
		{ status: 'not_started' },
		...[null, 0, {}].map((success) => ({ success })),
		...[500, 700, 'maybe', 'not yet begun', '<html>', ' <p>busy</p>'].map((message) => ({
			message,
		})),
		...['fehlgeschlagen für alle', 'Accepted, then failed'].map((message) => ({ message })),
		...['Accepted', 'maybe later', { message: 'x', id: 'a' }].map((error) => ({ error })),
		...[{ a: false }, { a: null, b: false }].map((errors) => ({ errors })),
		...[{ created: null }, { answered: false }, { state: 'whatever' }, { state: 'partial' }],
		...[{ skipped: true }, { duplicates: 1 }, { callId: 'c', error: 'x' }, '<html></html>'],
		...[true, false].map((unknownThing) => ({ thing: { unknownThing } })),
	])('%j leaves it open', (item) => {
		expect(refusalIn(item, 1)?.kind).toBe('unknown');
	});
});

describe('a response to three values', () => {
	it.each<unknown>([
		{ accepted: 0, rejected: 3 },
		{ accepted: '0', failed: '3' },
		{ rejectedCount: 3 },
		{ summary: { failedConversations: 3 } },
		{ errors: ['x', 'x', 'x'] },
		...[3, '3', true, { field: 'email' }, { path: ['a'] }].map((error) => ({ error })),
		...[' failed ', { status: 'failed' }],
	])('says that none was taken: %j', (reply) => {
		expect(refusalIn(reply, 3)?.kind).toBe('rejected');
	});

	it.each<unknown>([
		{ accepted: 2, rejected: 1 },
		{ failed: 5 },
		{ calls_not_started: 1 },
		{ skipped: 3 },
		{ errors: ['x'] },
		{ error: { 'customers.2': 'x' } },
		{ error: { path: 'customers[2].email', message: 'x' } },
		{ error: '2 of 3 failed' },
		...['created 2 of 3', 'all 3 failed'].map((message) => ({ message })),
		...[{ error: 1 }, { error: { field: 'customers[2]' } }, { errors: [null, 'x', null] }],
		...[{ '2': 'failed' }, { messages: ['failed', 'failed'] }, { results: [{ status: 'failed' }] }],
		...[
			['failed', 'ok', 'ok'],
			['failed', 'failed', 'failed'],
			[null, 'ok', 'ok'],
		],
		...['created', 'conversationsCreated', 'numberOfCallsPlaced', 'conversations'].map((name) => ({
			[name]: 0,
		})),
	])('leaves open which were taken: %j', (reply) => {
		expect(refusalIn(reply, 3)?.kind).toBe('unknown');
	});

	it.each<unknown>([
		{ jobId: 'j', message: 'Customers queued' },
		{ accepted: 3, rejected: 0 },
		{ accepted: 5, elapsed: 0 },
		{ conversationsCreated: 3, requests: 1 },
		[1, 2],
		...[{ accepted: 4 }, { count: 3 }, { count: 2 }, { total: 2, status: 'ok' }, { errors: [] }],
	])('says nothing against them: %j', (reply) => {
		expect(refusalIn(reply, 3)).toBeUndefined();
	});
});

it.each(
	Object.entries({
		failed: ['failed', 'errors', 'rejectedRows', 'notAccepted'],
		skipped: ['skipped', 'duplicates', 'ignored', 'skippedRows'],
		taken: ['accepted', 'results', 'onErrors', 'customers'],
	}),
)('takes for %s what is in lists called %j', (what, lists) => {
	for (const list of lists) expect(namedAs(list)).toBe(what);
});

const ID = '0b6a6b7e-3c1f-4d2a-9f60-5a7d1c2e3f40';

it.each([
	...[{ created: 1 }, { created: 999_999 }, { created: '2' }, { data: { created: 2 } }],
	...[{ conversationId: 'a' }, [{ callId: 'c' }], { message: 'created 2 of 3' }, 'started 1 of 2'],
	...[{ created: [ID] }, { ids: [ID] }, { created: [{ id: 'a' }] }, { created: [{ ok: true }] }],
	...[{ results: [{ id: 'a' }] }, { accepted: true }],
])('a refusal with %j shows that something was begun', (reply) => {
	expect(showsBegun(JSON.stringify(reply))).toBe(true);
});

it.each([
	...[{ created: 0 }, { created: 1_000_000 }, { createdAt: 5 }, { conversationId: '' }],
	...[{ job_id: 0 }, { message: 'created 0 of 3' }, { limit: { created: 1 } }],
	...[{ maxConcurrentCalls: 3 }, { created: ['a'] }, { created: [{ id: '' }] }],
	...[{ created: [{ ok: true, failed: true }] }, { errors: [{ id: 'a' }] }],
])('a refusal with %j does not', (reply) => {
	expect(showsBegun(JSON.stringify(reply))).toBe(false);
});

it.each(['', 'created 2 of 3', '<p>created 2 of 3</p>'])(
	'text that is no JSON shows nothing begun: %j',
	(text) => {
		expect(showsBegun(text)).toBe(false);
	},
);
