import { countedVerdict, refusalIn, wholeVerdict } from '../../../src/bulk/verdict';

const SAYS_NO = 'The service says that it did not take this';

describe('an object of a response', () => {
	it.each<[unknown, string]>([
		...['failed', 'ERROR', false, 422, '500'].map((bare): [unknown, string] => [bare, SAYS_NO]),
		[{ success: false }, SAYS_NO],
		[{ success: 'false' }, SAYS_NO],
		[{ ok: false, message: '' }, SAYS_NO],
		[{ ok: false, message: 5 }, SAYS_NO],
		[{ accepted: false }, SAYS_NO],
		[{ ok: false, message: 'no line' }, 'no line'],
		[{ ok: false, error: 'busy', message: 'no line' }, 'busy'],
		[{ ok: false, error: '', message: 'no line' }, 'no line'],
		[{ ok: false, error: 5, message: 'no line' }, 'no line'],
		[{ ok: false, error: null, message: 'no line' }, 'no line'],
		[{ error: 'busy' }, 'busy'],
		[{ error: true }, SAYS_NO],
		[{ error: { message: 'blocked' } }, 'blocked'],
		[{ error: { code: 'X' } }, SAYS_NO],
		[{ errors: ['one', 'two'] }, 'one'],
		[{ errors: [{ message: 'blocked' }] }, 'blocked'],
		[{ errors: { phone: 'bad' } }, SAYS_NO],
		[{ id: 'a', error: { message: 'x' } }, 'x'],
		[{ id: 'a', status: 'FAILED' }, SAYS_NO],
		[{ id: 'a', status: 'rejected', message: 'x'.repeat(400) }, `${'x'.repeat(300)}…`],
		[{ status: 422 }, SAYS_NO],
		[{ status: '500' }, SAYS_NO],
		[{ statusCode: 400, message: 'no line' }, 'no line'],
		[{ code: 404 }, SAYS_NO],
		...['failure', 'error', 'errored', 'invalid', ' denied ', 'refused', 'blocked'].map(
			(status): [unknown, string] => [{ status }, SAYS_NO],
		),
		...['state', 'result', 'outcome'].map((name): [unknown, string] => [
			{ [name]: 'failed' },
			SAYS_NO,
		]),
	])('%j says that it was not done', (item, message) => {
		expect(refusalIn(item)?.message).toBe(message);
	});

	it.each<unknown>([
		...[undefined, null, 'queued', 'failed over', true, 5, 200, [], {}],
		{ success: true, ok: true },
		{ status: 'queued' },
		{ status: 'not failed' },
		{ status: 'failed over' },
		{ status: ['failed'] },
		...[200, 201, '202', 399, 600, NaN].map((status) => ({ status })),
		...['none', 'None', ' ', 'null', 'false', '0', null, false, 0, [], {}].map((error) => ({
			error,
		})),
		...[0, [], null].map((errors) => ({ errors })),
		{ code: 'CREATED', message: 'failed before, fine now' },
	])('%j does not', (item) => {
		expect(refusalIn(item)?.message).toBeUndefined();
	});
});

describe('the numbers of a response', () => {
	const none = { kind: 'rejected', message: 'The service says that it took none of its request' };
	const some = (taken: number, count: number) => ({
		kind: 'unknown',
		message: `The service says that it took ${taken} of ${count} in its request${taken > 0 ? ', and not which' : ''}`,
	});

	it.each<[unknown, number, object]>([
		[{ accepted: 0, rejected: 3 }, 3, none],
		[{ rejectedCount: 3 }, 3, none],
		[{ failed: 5 }, 3, none],
		[{ accepted: '0', rejected: '3' }, 3, none],
		[{ errors: 3 }, 3, none],
		[{ created: 0, invalid: 1 }, 3, none],
		[{ accepted: 2, rejected: 1 }, 3, some(2, 3)],
		[{ rejected: 1 }, 3, some(2, 3)],
		[{ createdCount: 1 }, 3, some(1, 3)],
		[{ accepted: 0 }, 3, some(0, 3)],
		[{ queued: 3, failures: 1 }, 3, some(2, 3)],
		...[
			'conversationsCreated',
			'calls_started',
			'numberOfCallsPlaced',
			'enqueued',
			'conversations',
		].map((name): [unknown, number, object] => [{ [name]: 0 }, 3, some(0, 3)]),
		[{ count: 0 }, 3, some(0, 3)],
		[{ createdConversations: 2 }, 3, some(2, 3)],
		[{ created: 1, updated: 1 }, 3, some(2, 3)],
		[{ callsNotStarted: 1 }, 3, some(2, 3)],
		...['failedConversations', 'dropped', 'unprocessed', 'notCalled'].map(
			(name): [unknown, number, object] => [{ [name]: 3 }, 3, none],
		),
	])('%j of %i', (reply, count, verdict) => {
		expect(countedVerdict(reply, count)).toEqual(verdict);
	});

	it.each<[unknown, number]>([
		[{ accepted: 3, rejected: 0 }, 3],
		[{ accepted: 5 }, 3],
		[{ created: 1, updated: 2 }, 3],
		[{ recordsInserted: 0, recordsUpdated: 2, unchanged: 1 }, 3],
		[{ total: 1, elapsed: 0 }, 3],
		[{ conversationsCreated: 3, calls: 0, requests: 1, count: 3 }, 3],
		[{ failed: 0 }, 3],
		[[1, 2], 3],
		[null, 3],
	])('say nothing against it in %j of %i', (reply, count) => {
		expect(countedVerdict(reply, count)).toBeUndefined();
	});
});

it('takes a whole request for accepted where nothing speaks against it', () => {
	expect(wholeVerdict({ jobId: 'j' }, 3)).toEqual({
		kind: 'accepted',
		reply: { jobId: 'j' },
		paired: false,
	});
	expect(wholeVerdict(undefined, 3)).toEqual({ kind: 'accepted', reply: undefined, paired: false });
	expect(wholeVerdict({ success: false, message: 'no' }, 3)).toEqual({
		kind: 'rejected',
		message: 'no',
	});
	expect(wholeVerdict({ accepted: 1, rejected: 2 }, 3)).toMatchObject({ kind: 'unknown' });
});
