import { refusalIn } from '../../../src/core/verdict';

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
	])('%j says that it was not done', (item, message) => {
		expect(refusalIn(item, 1)).toEqual({ kind: 'rejected', message });
	});

	it.each<unknown>([
		...[undefined, null, 'queued', true, 5, 200, [], {}],
		...['queued', 200, '202', 399].map((status) => ({ status })),
		...['none', ' ', 'null', '0', null, false, 0, [], {}].map((error) => ({ error })),
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
	])('says nothing against them: %j', (reply) => {
		expect(refusalIn(reply, 3)).toBeUndefined();
	});
});
