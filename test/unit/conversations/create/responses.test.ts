import fc from 'fast-check';
import type { Verdict } from '../../../../src/core/verdict';
import { conversationIdOf, judgeReply } from '../../../../src/conversations/create/responses';
import { plannedCall } from '../../../support/plannedConversations';
import { phoneOf, uuidOf } from '../../../support/samples';

const planned = (count: number) => Array.from({ length: count }, (_, n) => plannedCall(n));
const judge = (reply: unknown, count: number) => judgeReply(reply, planned(count));

const paired = (...replies: unknown[]): readonly Verdict[] =>
	replies.map((reply) => ({ kind: 'accepted', reply, paired: true }));
const together = (reply: unknown, count: number): readonly Verdict[] =>
	planned(count).map(() => ({ kind: 'accepted', reply, paired: false }));
const [a, b] = [{ id: '1' }, { id: '2' }];

describe('a response that accepts all conversations of its request', () => {
	it.each<[string, unknown, number, readonly Verdict[]]>([
		['a list of the same length', [a, b], 2, paired(a, b)],
		['an object that holds one', { conversations: [a, b], ok: true }, 2, paired(a, b)],
		['an object that holds one by another name', { calls: [a, b] }, 2, paired(a, b)],
		['an object that holds one by an unknown name', { list2: [a, b] }, 2, paired(a, b)],
		['a list in its data', { data: { conversations: [a, b] } }, 2, paired(a, b)],
		[
			'one by an unknown name without IDs',
			{ list2: [{ n: 1 }, { n: 2 }] },
			2,
			paired({ n: 1 }, { n: 2 }),
		],
		['IDs by an unknown name', { begun: [uuidOf(1), uuidOf(2)] }, 2, paired(uuidOf(1), uuidOf(2))],
		['a list of IDs', { ids: [uuidOf(1), uuidOf(2)] }, 2, paired(uuidOf(1), uuidOf(2))],
		['a list and an empty one of errors', { data: [a, b], errors: [] }, 2, paired(a, b)],
		['a list of one', [a], 1, paired(a)],
		['an object for one', a, 1, paired(a)],
		['text for one', 'x', 1, paired('x')],
		['an ID that holds a list', { id: '1', tags: ['x'] }, 1, paired({ id: '1', tags: ['x'] })],
		[
			'a conversation ID and a list',
			{ conversationId: '1', a: [b] },
			1,
			paired({ conversationId: '1', a: [b] }),
		],
		['an object for one that holds a list of one', { list: [a] }, 1, paired(a)],
		['nothing for one', undefined, 1, paired(undefined)],
		['an object', { ok: true }, 2, together({ ok: true }, 2)],
		['one in its data', { data: { id: '1' } }, 1, paired({ data: { id: '1' } })],
		[
			'a job with warnings',
			{ jobId: 'j', warnings: ['late'] },
			2,
			together({ jobId: 'j', warnings: ['late'] }, 2),
		],
		['a job', { jobId: 'j', status: 'queued' }, 2, together({ jobId: 'j', status: 'queued' }, 2)],
		[
			'a job without warnings',
			{ jobId: 'j', warnings: [] },
			1,
			paired({ jobId: 'j', warnings: [] }),
		],
		[
			'a job with a list of something else',
			{ jobId: 'j', steps: [{ id: '1' }, { n: 2 }, { n: 3 }] },
			2,
			together({ jobId: 'j', steps: [{ id: '1' }, { n: 2 }, { n: 3 }] }, 2),
		],
		[
			'words beside items without IDs',
			{ message: 'These', data: [{ status: 'ok' }, { status: 'ok' }] },
			2,
			paired({ status: 'ok' }, { status: 'ok' }),
		],
		[
			'a list with places counted from 1',
			[{ row: 1 }, { row: 2 }],
			2,
			paired({ row: 1 }, { row: 2 }),
		],
		['text', 'done', 2, together('done', 2)],
		['nothing', undefined, 3, together(undefined, 3)],
		['null', null, 2, together(null, 2)],
		['a number', 7, 2, together(7, 2)],
		['a count of all', { accepted: 2 }, 2, together({ accepted: 2 }, 2)],
		['an error of none', { error: null, ok: true }, 2, together({ error: null, ok: true }, 2)],
	])('is %s', (_, reply, count, expected) => {
		expect(judge(reply, count)).toEqual(expected);
	});
});

describe('a response as other services give it', () => {
	const u = uuidOf(1);

	it.each<[string, object]>([
		['Plivo', { message: 'call fired', request_uuid: u, api_id: u }],
		['Telnyx', { data: { record_type: 'call', call_control_id: 'v2:T02', is_alive: false } }],
		['Bandwidth', { callId: 'c-15', to: phoneOf(0), callTimeout: 30, state: 'queued' }],
		['Retell', { call_id: 'x', call_status: 'registered', disconnection_reason: null }],
		['Intercom', { id: '1', state: 'open', statistics: null, ai_agent_participated: false }],
		['Pipedrive', { success: true, data: { id: '1', done: false, deleted: false } }],
		['Daily', { callStarted: true, sessionId: u }],
		['Tencent', { result: 0, errmsg: 'OK', callid: 'x', ext: '' }],
		['SOAP', { Envelope: { Body: { CallResponse: { ResultCode: 0, CallId: 5 } } } }],
		['LiveKit', { participantId: 'PA_1', roomName: 'r', sipCallId: 'SCL_1' }],
		['Salesforce', { id: '750', state: 'Open', numberRecordsProcessed: 0, retries: 0 }],
		['one that waits', { id: u, conversationStatus: 'not_started', recordingStatus: 'disabled' }],
		['one with links', { id: u, webhooks: { failed: 'https://x.example/failed' } }],
		['HAL', { id: u, _links: { self: { href: '/c/1' }, cancel: { href: '/c/1/cancel' } } }],
		['one with actions', { id: u, actions: { cancel: '/c/1/cancel' } }],
		['one with limits', { id: u, rateLimit: { limit: 100, remaining: 0 }, credits: 0 }],
		['Infobip', { bulkId: '2', messages: [{ status: { name: 'PENDING' }, messageId: '2' }] }],
	])('is accepted: %s', (_, reply) => {
		expect(judge(reply, 1)).toMatchObject([{ kind: 'accepted' }]);
	});

	it.each<unknown>([
		...[
			{ code: 200, msg: '操作成功', data: null },
			{ statut: 'succès', message: 'Appel créé' },
		],
		...[{ erfolg: true }, { exito: true, errores: [] }, { sucesso: true }],
		...[
			{ jobId: u, total: 3, completed: 0 },
			{ jobId: u, started: false, done: false },
		],
		{ batch_call_id: 'x', name: 'First', scheduled_timestamp: 1735718400 },
		{ batchId: u, note: 'x', results: [0, 1, 2].map((n) => ({ to: phoneOf(n), status: 'ok' })) },
	])('is accepted for three: %j', (reply) => {
		expect(judge(reply, 3)).toMatchObject(planned(3).map(() => ({ kind: 'accepted' })));
	});
});

describe('a response that says no', () => {
	const no = (message: string, count: number): readonly Verdict[] =>
		planned(count).map(() => ({ kind: 'rejected', message }));
	const SAYS_NO = 'The service says that it did not take this';

	it.each<[string, unknown, number, readonly Verdict[]]>([
		['a switch', { success: false }, 3, no(SAYS_NO, 3)],
		['a switch for one', { success: false }, 1, no(SAYS_NO, 1)],
		['a switch as text', { ok: 'false' }, 3, no(SAYS_NO, 3)],
		['an error object', { error: { message: 'no credit' } }, 3, no('no credit', 3)],
		['an error text', { error: 'no credit' }, 3, no('no credit', 3)],
		['an error in its data', { data: { error: 'no credit' } }, 3, no('no credit', 3)],
		['counts', { accepted: 0, rejected: 3 }, 3, no(SAYS_NO, 3)],
		['counts in its data', { data: { rejected: 3 } }, 3, no(SAYS_NO, 3)],
		['a status word', { status: 'failed' }, 3, no(SAYS_NO, 3)],
		['a numeric status', { status: 422, message: 'no line' }, 3, no('no line', 3)],
		['a numeric status as text', { statusCode: '400' }, 3, no(SAYS_NO, 3)],
		['a list of errors for each', { errors: ['x', 'x'] }, 2, no('x', 2)],
		['a bare false', false, 2, no(SAYS_NO, 2)],
		['a bare word', 'failed', 2, no(SAYS_NO, 2)],
		['a no with an empty list', { success: false, conversations: [] }, 2, no(SAYS_NO, 2)],
		['a no in its data', { data: { success: false } }, 2, no(SAYS_NO, 2)],
		['counts in a summary', { summary: { accepted: 0, rejected: 3 } }, 3, no(SAYS_NO, 3)],
		['lists by another name', { failedConversations: ['x', 'x'] }, 2, no('x', 2)],
		['several errors for one', { success: false, errors: ['x', 'x'] }, 1, no(SAYS_NO, 1)],
		['bare words for each', { results: ['failed', false] }, 2, no(SAYS_NO, 2)],
		[
			'items that say so',
			[{ success: false }, { error: 'x' }],
			2,
			[
				{ kind: 'rejected', message: SAYS_NO },
				{ kind: 'rejected', message: 'x' },
			],
		],
	])('rejects everyone by %s', (_, reply, count, expected) => {
		expect(judge(reply, count)).toEqual(expected);
	});

	it.each<unknown>([
		{ status: 'failed' },
		{ success: false, message: 'blocked' },
		{ error: { message: 'not allowed' } },
		{ status: 422 },
		{ statusCode: 500 },
		{ code: '409' },
	])('rejects one by its item: %j', (failed) => {
		expect(judge([a, failed], 2)).toMatchObject([{ kind: 'accepted' }, { kind: 'rejected' }]);
		expect(judge({ results: [failed, a] }, 2)).toMatchObject([
			{ kind: 'rejected' },
			{ kind: 'accepted' },
		]);
		expect(judge(failed, 1)).toMatchObject([{ kind: 'rejected' }]);
	});

	it('accepts whom it names with an ID, whatever it says of the others', () => {
		const reply = { success: false, results: [a, { error: 'blocked' }, {}] };
		expect(judge(reply, 3).map(({ kind }) => kind)).toEqual(['accepted', 'rejected', 'unknown']);
	});

	it.each([{ success: false }, { failed: 1 }])(
		'leaves unknown whom it names with IDs beside a no that is about none of them: %j',
		(no) => {
			const reply = { ...no, conversations: [a, b, { id: '3' }] };
			expect(judge(reply, 3).map(({ kind }) => kind)).toEqual(['unknown', 'unknown', 'unknown']);
		},
	);

	it.each([
		{ id: 'x', error: 'blocked' },
		{ metadata: { id: 'x' }, error: 'blocked' },
	])('leaves unknown whom it names with an ID and an error: %j', (both) => {
		const verdict = { kind: 'unknown', message: expect.stringContaining('blocked') };
		expect(judge(both, 1)).toEqual([verdict]);
		expect(judge([a, both], 2)).toMatchObject([{ kind: 'accepted' }, verdict]);
	});

	it('leaves unknown whom it lists without an ID beside a no', () => {
		const echo = [0, 1].map((n) => ({ toPhoneNumber: phoneOf(n) }));
		for (const data of [[{}, {}], echo])
			expect(judge({ success: false, data }, 2).map(({ kind }) => kind)).toEqual([
				'unknown',
				'unknown',
			]);
	});

	it('names whom it did not take beside those that it took, by their numbers', () => {
		const reply = {
			conversations: [{ id: '2', toPhoneNumber: phoneOf(1) }],
			errors: [{ toPhoneNumber: phoneOf(0), message: 'blocked' }],
		};
		expect(judge(reply, 2)).toMatchObject([
			{ kind: 'rejected', message: 'blocked' },
			{ kind: 'accepted', reply: { id: '2' } },
		]);
	});

	it('leaves everyone unknown where it lists errors and not whose they are', () => {
		const reply = { conversations: [a], errors: ['blocked'] };
		expect(judge(reply, 2).map(({ kind }) => kind)).toEqual(['unknown', 'unknown']);
		expect(judge({ failed: ['blocked'] }, 2).map(({ kind }) => kind)).toEqual([
			'unknown',
			'unknown',
		]);
	});
});

describe('a response about fewer conversations than it was sent', () => {
	const UNCLEAR =
		'The response does not show which conversations of its request the service took, so it is unknown';
	const MISSING =
		'The service did not mention this conversation in its response, so it is unknown whether it took it';

	it.each<[string, unknown, number]>([
		['a shorter list', [a], 2],
		['a longer list', [a, b, a], 2],
		['an empty list', [], 2],
		['an empty list for one', { conversations: [] }, 1],
		['a longer list for one', { conversations: [a, b] }, 1],
		['a wrapper with a shorter list', { data: [a], ok: true }, 3],
		['a shorter list by an unknown name', { begun: [a] }, 2],
		['a shorter list beside a no', { success: false, data: [a] }, 3],
		['two lists of the same one', { created: [{ n: 1 }], data: [{ n: 1 }] }, 2],
		['another order beside a no', { success: false, data: [{ row: 2 }, { row: 1 }] }, 2],
		['a longer list of numbers of others', [{ toPhoneNumber: '+1' }, a, b], 2],
		[
			'one number in two lists',
			{ created: [{ toPhoneNumber: phoneOf(0), ...a }], failed: [phoneOf(0)] },
			1,
		],
	])('leaves all unknown: %s', (_, reply, count) => {
		expect(judge(reply, count)).toEqual(
			planned(count).map(() => ({ kind: 'unknown', message: UNCLEAR })),
		);
	});

	it('leaves unknown whose number is not in it, and knows the others', () => {
		const item = { id: '1', toPhoneNumber: phoneOf(2) };
		expect(judge([item], 3)).toEqual([
			{ kind: 'unknown', message: MISSING },
			{ kind: 'unknown', message: MISSING },
			...paired(item),
		]);
		const [, second] = judge([{ id: '1', toPhoneNumber: phoneOf(0) }, { toPhoneNumber: '+2' }], 2);
		expect(second).toEqual({ kind: 'unknown', message: MISSING });
	});

	it('leaves all unknown where it only counts', () => {
		expect(judge({ accepted: 2, rejected: 1 }, 3)).toMatchObject(
			planned(3).map(() => ({ kind: 'unknown' })),
		);
	});
});

describe('items that name their numbers', () => {
	it.each<[string, (n: number) => object]>([
		['as the request does', (n) => ({ id: `${n}`, toPhoneNumber: phoneOf(n) })],
		['by another name', (n) => ({ id: `${n}`, phoneNumber: phoneOf(n) })],
		['beside that of another', (n) => ({ toPhoneNumber: phoneOf(n), next: phoneOf((n + 1) % 3) })],
		['in their conversation', (n) => ({ id: `${n}`, conversation: { toPhoneNumber: phoneOf(n) } })],
	])('are paired by them in any order: %s', (_, item) => {
		expect(judge([item(2), item(0), item(1)], 3)).toEqual(paired(item(0), item(1), item(2)));
	});

	it('keep their order where a number stands twice', () => {
		const item = (id: string, n: number) => ({ id, toPhoneNumber: phoneOf(n) });
		const reply = [item('x', 1), item('y', 0), item('z', 0)];
		expect(judgeReply(reply, [plannedCall(0), plannedCall(1), plannedCall(0)])).toEqual(
			paired(item('y', 0), item('x', 1), item('z', 0)),
		);
	});

	it('are the same numbers in another spelling', () => {
		const item = (n: number) => ({ id: `${n}`, toPhoneNumber: phoneOf(n).slice(1) });
		expect(judge([item(1), item(0)], 2)).toEqual(paired(item(0), item(1)));
	});

	it('are paired in order where they name only others, such as the line of the agent', () => {
		const line = [a, b].map((item) => ({ ...item, phoneNumber: '+19995550100' }));
		expect(judge(line, 2)).toEqual(paired(...line));
	});

	it.each([
		['none', { id: '2' }],
		['several', { id: '2', toPhoneNumber: [phoneOf(1), phoneOf(0)] }],
	])("are no one's where they name %s and others do", (_, other) => {
		const item = { id: '1', toPhoneNumber: phoneOf(0) };
		expect(judge([other, item], 2)).toMatchObject([paired(item)[0], { kind: 'unknown' }]);
	});
});

it('gives one verdict for each conversation, whatever the response is', () => {
	fc.assert(
		fc.property(fc.jsonValue(), fc.integer({ min: 1, max: 5 }), (reply, count) => {
			const verdicts = judge(reply, count);
			expect(verdicts).toHaveLength(count);
			for (const verdict of verdicts)
				if (verdict.kind === 'accepted')
					expect(['string', 'object']).toContain(typeof conversationIdOf(verdict.reply));
				else expect(verdict.message).not.toBe('');
		}),
	);
});

describe('the conversation ID', () => {
	it.each([
		[{ id: 'x' }, 'x'],
		[{ conversationId: 'x' }, 'x'],
		[{ id: 'x', conversationId: 'y' }, 'x'],
		[{ id: 5 }, null],
		[{ id: 'x', data: { id: 'y' } }, null],
		[{ conversation: uuidOf(1) }, uuidOf(1)],
		[{ status: 'started', request: uuidOf(1) }, null],
		[{ ID: 'x' }, null],
		[uuidOf(1), uuidOf(1)],
		['started', null],
		[null, null],
		[[], null],
		[5, null],
	])('in %j is %j', (reply, expected) => {
		expect(conversationIdOf(reply)).toBe(expected);
	});
});

describe('no one is accepted', () => {
	const u = uuidOf(1);
	it.each<unknown>([
		...['False', 'NO', 0].map((success) => ({ success })),
		...[{ error: 1 }, { error: 500 }, { errorCode: 1001 }, { fault: { code: 'x' } }],
		...[{ problem: 'x' }, { violations: ['a', 'b'] }, { kind: 'error' }, { msg: 'No line' }],
		...[{ code: 'INVALID_NUMBER' }, { code: 'INSUFFICIENT_CREDIT' }, { responseCode: 400 }],
		...['not_created', 'canceled', 'skipped', 'expired', 'quota_exceeded', 'timeout'].map(
			(status) => ({ status }),
		),
		...[
			'aborted',
			'dropped',
			'do_not_call',
			'opted-out',
			'rate_limited',
			'no credit',
			'mocked',
		].map((status) => ({ status })),
		...['declined', 'KO', 'fail', false, 0, -1, '400 Bad Request', { code: 422 }].map((status) => ({
			status,
		})),
		...[{ statusText: 'Bad Request' }, { result: false }, { outcome: { success: false } }],
		...[{ failed: '3' }, { failureCount: 3 }, { errorCount: 3 }, { skipped: 3 }, { sent: 0 }],
		...[
			{ batch: { accepted: 0 } },
			{ conversation: { error: 'x' } },
			{ data: { data: { ok: false } } },
		],
		...[{ scheduled: false }, { authorized: false }, { called: false }, { dryRun: true }],
		...[{ err: 'no quota' }, { errno: 5, errmsg: 'x' }, { response: 'error' }, { data: 'failed' }],
		...[{ data: false }, { blocked: true }, { denied: true }, { rateLimited: true }],
		...[{ rejectReason: 'blocked' }, { header: { status: 500 } }],
		...[{ testMode: true }, { conversationsCreated: 0 }, { callsFailed: 3 }],
		...['Error: no credit', 'Invalid API key', 'Quota exceeded', 'no', '<html>Back soon</html>'],
		...['{"success":false}', { results: { 0: 'failed', 1: 'failed', 2: 'failed' } }],
		...[[null, null, null], [{ result: { success: false } }], { ok: true, notCalled: [u] }],
	])('by %j', (reply) => {
		for (const count of [1, 3])
			expect(judge(reply, count).filter(({ kind }) => kind === 'accepted')).toEqual([]);
	});

	it.each<unknown>([
		...['prohibited', 'out_of_credit', 'payment_required', 'gone', 'unknown', 'no such word'].map(
			(status) => ({ status }),
		),
		...['Fehler', 'abgelehnt', 'échec', '失败', 'ошибка'].map((status) => ({ status })),
		...[{ erfolg: false }, { exito: false }, { estado: 'error' }],
		...[],
		...[{ denialReason: 'x' }, { notCreatedReason: 'x' }, { notCreated: 1, jobId: u }],
		...[{ toPhoneNumber: ['This field is required.'] }, { scheduled: [] }, { succeeded: [] }],
		...[
			{ jobId: u, invalid_numbers: [phoneOf(1)] },
			{ jobId: u, dncNumbers: [phoneOf(1)] },
		],
		...[{ jobId: u, warnings: [{ toPhoneNumber: phoneOf(1), message: 'invalid, skipped' }] }],
		...['1 call failed', 'Created. 1 number was invalid and skipped', 'Not created'].map(
			(message) => ({ jobId: u, message }),
		),
		{ returnCode: '0200001', resultDesc: 'Failed' },
	])('by %j', (reply) => {
		for (const count of [1, 3])
			expect(judge(reply, count).filter(({ kind }) => kind === 'accepted')).toEqual([]);
	});

	it.each(['2 of 3 calls were created', '2 von 3 Anrufen angelegt'])(
		'of three by "%s"',
		(message) => {
			expect(judge({ jobId: u, message }, 3)).toMatchObject(
				planned(3).map(() => ({ kind: 'unknown' })),
			);
		},
	);

	it('whose answer stands under a number or a position', () => {
		const [p = '', q = '', r = ''] = [0, 1, 2].map(phoneOf);
		const replies = [
			{ results: { [p]: 'ok', [q]: 'failed', [r]: 'ok' } },
			{ calls: { [r]: { ok: true }, [q]: { ok: false }, [p]: { ok: true } } },
			{ 0: 'ok', 1: { error: 'x' }, 2: 'ok' },
		];
		for (const reply of replies)
			expect(judge(reply, 3)).toMatchObject(planned(3).map(() => ({ kind: 'unknown' })));
	});
});

it('takes no word for a no that says something else', () => {
	for (const [kind, ...words] of [
		['accepted', 'queued', 'ringing', 'in-progress', 'new'],
		['unknown', 'not_started', 'not failed', 'failed over'],
	])
		for (const status of words)
			expect(judge({ status }, 3)).toMatchObject(planned(3).map(() => ({ kind })));
});

it('leaves a conversation as it is whose variables have numbers for names', () => {
	const reply = { id: uuidOf(1), dynamicVariables: { 0: 'failed' } };
	expect(judge(reply, 1)).toEqual(paired(reply));
	expect(judge({ data: reply }, 1)).toEqual(paired({ data: reply }));
});

describe('who is not said to be refused is not free', () => {
	const kinds = (reply: unknown) => judge(reply, 3).map(({ kind }) => kind);
	const ids = [a, b, { id: '3' }];

	it.each<[unknown, readonly string[]]>([
		[{ errors: [null, null, 'blocked'] }, ['unknown', 'unknown', 'rejected']],
		[{ failed: [false, 0, {}] }, ['unknown', 'unknown', 'unknown']],
		[{ conversations: ids, errors: [null, null, null] }, ['unknown', 'unknown', 'unknown']],
		[{ conversations: ids, errors: [null, null, 'x'] }, ['unknown', 'unknown', 'unknown']],
		[{ errors: { 'conversations.2': 'x' } }, ['unknown', 'unknown', 'unknown']],
		[{ error: { conversations: { 2: 'x' } } }, ['unknown', 'unknown', 'unknown']],
		[{ error: { index: 2, message: 'x' } }, ['unknown', 'unknown', 'unknown']],
		[{ ids: ['1', '2'], errors: [{ index: 2 }] }, ['unknown', 'unknown', 'unknown']],
		[{ errors: [{ id: '1', toPhoneNumber: phoneOf(0) }] }, ['unknown', 'unknown', 'unknown']],
		[{ success: true, defaults: ['a', 'b', 'c'] }, ['accepted', 'accepted', 'accepted']],
		[{ conversations: ids, failoverRegions: ['eu'] }, ['accepted', 'accepted', 'accepted']],
		[{ success: true, errorCodes: [0, 0, 0] }, ['unknown', 'unknown', 'unknown']],
		[{ accepted: 0 }, ['unknown', 'unknown', 'unknown']],
	])('in %j', (reply, expected) => {
		expect(kinds(reply)).toEqual(expected);
	});

	it('and who is refused by its number is told beside the others', () => {
		const reply = { accepted: [phoneOf(2), phoneOf(0)], rejected: [phoneOf(1)] };
		expect(kinds(reply)).toEqual(['accepted', 'rejected', 'accepted']);
	});

	it.each<unknown>([
		{ created: [{ ...b, index: 2 }], errors: [{ index: 1 }] },
		{ errors: [null, 'x', null], conversations: [a, b] },
		[a, { id: '3', index: 2 }, { id: '2', index: 1 }].map((item) => ({ ...item, error: 'x' })),
	])('nor is anyone where it is not plain whose an item is: %j', (reply) => {
		expect(kinds(reply)).toEqual(['unknown', 'unknown', 'unknown']);
	});

	it('but for whoever failed by its number, where no other does', () => {
		const reply = { created: [a, b], failed: [{ toPhoneNumber: phoneOf(1), message: 'x' }] };
		expect(kinds(reply)).toEqual(['unknown', 'rejected', 'unknown']);
	});

	it.each([
		[2, 1],
		[1, 20],
	])('and items that tell of other places have no one: %d, %d', (...places) => {
		const items = places.map((row) => ({ id: `${row}`, row }));
		expect(judge(items, 2)).toEqual(together(items, 2));
	});
});

it.each<[string, (n: number) => object]>([
	['as a number', (n) => ({ toPhoneNumber: Number(phoneOf(n)) })],
	['in its request', (n) => ({ request: { to: phoneOf(n) } })],
	['in a list', (n) => ({ customer: { phones: [phoneOf(n)] } })],
])('is the answer of the one whose number it holds: %s', (_, item) => {
	const [failed, begun] = [
		{ ...item(1), status: 'failed' },
		{ ...item(0), id: '1' },
	];
	expect(judge([failed, begun], 2)).toMatchObject([
		{ kind: 'accepted', reply: begun },
		{ kind: 'rejected' },
	]);
});

it.each<[string, (n: number) => unknown]>([
	['an object', (n) => ({ spouse: phoneOf(n) })],
	['JSON text', (n) => JSON.stringify({ spouse: phoneOf(n) })],
])('takes no number among the variables for that of the call: %s', (_, variables) => {
	for (const name of ['dynamicVariables', 'metadata']) {
		const begun = { id: uuidOf(1), [name]: variables(1) };
		const failed = { success: false, [name]: variables(0) };
		const other = { id: uuidOf(2), [name]: variables(0) };
		expect(judge([begun, failed], 2)).toMatchObject([{ kind: 'accepted' }, { kind: 'rejected' }]);
		expect(judge([begun, other], 2)).toEqual(paired(begun, other));
	}
});

describe('a no frees whom it is about, and only where it is the whole message', () => {
	const [p0, u] = [phoneOf(0), uuidOf(1)];
	const path = ['conversations', 0, 'x'];

	it.each<unknown>([
		...[
			{ status: 'failed', toPhoneNumber: p0 },
			{ success: false, index: 1 },
		],
		...[{ error: { toPhoneNumber: p0, message: 'x' } }, { error: { path, message: 'x' } }],
		...[{ success: false, issues: [{ path, message: 'x' }] }, { error: 'row 2 is bad' }],
		...[{ errors: [1, 2, 3].map(() => ({ path, message: 'x' })) }],
		...[{ errors: { conversations: [{}, { to: ['bad'] }, {}] } }],
		...[{ error: 'x', errors: [{ index: 1, message: 'x' }] }, { error: 'The second one failed' }],
		...[{ success: false, message: '2 of 3 created' }, { error: 'Partially failed' }],
	])('of three not by what is about some: %j', (reply) => {
		expect(judge(reply, 3)).toMatchObject(planned(3).map(() => ({ kind: 'unknown' })));
	});

	it.each<unknown>([
		...[{ error: { message: 'x', started: 2 } }, { success: false, callIds: ['CA1', 'CA2'] }],
		...[
			{ success: false, data: [], sent: ['a'] },
			{ success: false, result: u },
		],
		...[
			{ success: false, status: 'ringing' },
			{ error: 'x', callId: 'CA1' },
		],
		...[
			{ error: 'x', conversation: u },
			{ status: 'failed', endReason: 'user_did_not_answer' },
		],
		...[{ error: 'no answer' }, { error: { code: 'TIMEOUT' } }, { success: false, code: 200 }],
		...[
			{ success: false, message: 'already called' },
			{ error: 'x', recordingUrl: 'y' },
		],
		...[{ status: 'rejected', reason: 'user rejected the call' }],
		{ error: 'x', location: `/conversations/${u}` },
		...[{ error: 'x', more: ['y'] }, { error: { details: [{ id: u }] } }],
		...[
			{ status: 'error', transcript: 'Hello' },
			{ status: 'declined', message: 'User declined the call' },
		],
		...[{ error: { code: 'ECONNRESET' } }, { error: 'Busy. Will be called in an hour' }],
		...[
			{ success: false, message: 'Anruf läuft bereits' },
			{ code: 500, msg: '部分失败' },
		],
		{ status: 'failed', answered: false },
		...[{ status: 'failed', callStartTime: '2026-01-01T00:00:00Z' }, { error: `not ${u}` }],
	])('not by one with a sign that something began: %j', (reply) => {
		for (const count of [1, 3])
			expect(judge(reply, count)).toMatchObject(planned(count).map(() => ({ kind: 'unknown' })));
	});

	it.each<unknown>([
		{ success: false, message: 'Conversation could not be created', timestamp: 5, requestId: u },
		{ statusCode: 400, error: 'Bad Request', message: 'Invalid agent', path: '/api/v1/calls' },
		{ error: { type: 'invalid_request_error', code: 'no_agent', message: 'No such agent' } },
		{ status: 'error', code: 21211, data: null, accepted: 0, rejected: 3, total: 3 },
		{ error: { code: 400, status: 'FAILED', details: [], agentId: u } },
	])('by one with what says nothing beside it: %j', (reply) => {
		expect(judge(reply, 3)).toMatchObject(planned(3).map(() => ({ kind: 'rejected' })));
	});

	it.each<unknown>([
		{ error: 'x', toPhoneNumber: p0, agentId: u, dynamicVariables: { order: u } },
		{ success: false, errors: [{ path, message: 'Row 1 is bad' }], index: 0 },
		{ request: { to: p0 }, status: 'failed', errors: { toPhoneNumber: ['bad'] } },
	])('by one about the only one: %j', (reply) => {
		expect(judge(reply, 1)).toMatchObject([{ kind: 'rejected' }]);
	});
});

describe('accepts no one by a no that stands somewhere else', () => {
	it.each<unknown>([
		...['ERR', 'not ok', 'unable to start'].map((status) => ({ status })),
		...[{ validation_error: 'x' }, { requestError: { text: 'x' } }, { errorType: 'X' }],
		...[{ errorText: 'x' }, { callStatus: 'failed' }, { creationStatus: 'failed' }],
		...[{ resultCode: 400 }, { result_code: 'FAILED' }, { callStarted: false }, { success: null }],
		...[{ output: { success: false } }, { row0: { deep: [{ success: false }] } }],
		...[{ placed: ['ok'], unplaced: [{ created: false }] }, { foo: [{ success: true }, 'failed'] }],
		...[{ responses: ['ok', { status: 422 }] }, { ok: true, doNotCall: [uuidOf(1)] }],
	])('%j', (reply) => {
		for (const count of [1, 2])
			expect(judge(reply, count).filter(({ kind }) => kind === 'accepted')).toEqual([]);
	});

	it('nor an item that holds one, nor a list beside those that are read', () => {
		expect(judge([a, { ...b, call: { state: 'failed' } }], 2)).toMatchObject([
			{ kind: 'accepted' },
			{ kind: 'unknown' },
		]);
		const reply = { conversations: [{ x: 1 }, { x: 2 }], more: [{ error: 'x' }] };
		expect(judge(reply, 2)).toMatchObject([{ kind: 'unknown' }, { kind: 'unknown' }]);
	});

	it.each<object>([
		...[{ onError: 'hangup' }, { defaults: { isDefault: true }, errorHandling: 'continue' }],
		...[{ tags: ['failed payment'] }, { customer: { status: 'blocked' } }, { doNotCall: false }],
	])('but takes what was set or sent for no answer: %j', (more) => {
		const reply = { ...a, ...more };
		expect(judge(reply, 1)).toEqual(paired(reply));
	});
});

describe('a yes, or a number that may be anything, is no rejection', () => {
	it.each<unknown>([
		...['No error', 'N/A', 'no_errors', '0 errors', '[]', { code: 0, message: 'Success' }].map(
			(error) => ({ error }),
		),
		...[{ errors: { count: 0, items: [] } }, { error: { code: null, message: null } }],
		{ success: true, error: { code: 0 } },
	])('but an acceptance: %j', (reply) => {
		expect(judge(reply, 2)).toEqual(together(reply, 2));
	});

	it.each<unknown>([
		...['created, no errors', 'Success: 2, failed: 0', '0 errors', 'without error'].map(
			(result) => ({
				result,
			}),
		),
		...['450 queued', 'queued at position 512', 'Created. 0 errors'].map((status) => ({ status })),
		...[{ data: 'job 505' }, { data: 450 }, { result: '404' }, { code: 'Q-430' }, 'job 505'],
		...[{ error: { retryable: false } }, { error: { ok: false } }],
		{ error: 'x', conversation: { status: 'success' } },
	])('and unknown: %j', (reply) => {
		for (const count of [1, 2])
			expect(judge(reply, count)).toMatchObject(planned(count).map(() => ({ kind: 'unknown' })));
	});

	it.each<unknown>([
		...[{ status: 'HTTP 503' }, { statusCode: -1 }, { code: '-7' }],
		...[{ error: { code: 0, message: 'bad' } }, { status: 'Error 422' }],
	])('unless it is the whole of a status: %j', (reply) => {
		expect(judge(reply, 2)).toMatchObject([{ kind: 'rejected' }, { kind: 'rejected' }]);
	});
});
