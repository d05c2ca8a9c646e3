import { get } from '../../../../src/conversations/get/get';
import type { HttpResult } from '../../../../src/core/http';
import type { Script } from '../../../support/fakeRuntime';
import { fakeRuntime, inTurn, lost, neverSent, reply } from '../../../support/fakeRuntime';
import { uuidOf } from '../../../support/samples';
import { runRows } from '../../../support/runRows';

const ID = uuidOf(1);
const conversation = { id: ID, conversationStatus: 'completed', wsUrl: null, summary: '' };

async function run(script: Script, ...parameters: object[]) {
	const { sent, context } = fakeRuntime(script, { latency: 10 });
	const { rows, summary } = await runRows(
		get,
		parameters.map((each) => ({ parameters: each })),
		context(),
	);
	return { sent, rows, summary };
}

describe('reading a conversation', () => {
	it.each([` ${ID}\n`, ID.toUpperCase()])('takes the ID %j', async (conversationId) => {
		const { sent, rows } = await run(inTurn(reply(200, conversation)), { conversationId });
		expect(sent.map(({ method, path, body }) => [method, path.toLowerCase(), body])).toEqual([
			['GET', `/conversations/${ID}`, undefined],
		]);
		expect(rows[0]?.items).toMatchObject([{ conversationId: ID, conversationStatus: 'completed' }]);
	});

	it.each([5, '../customers/batch', `${ID}/..`, `https://app.example.com/conversations/${ID}`])(
		'refuses the ID %j and sends nothing',
		async (conversationId) => {
			const { sent, rows } = await run(inTurn(reply(200, conversation)), { conversationId });
			expect(sent).toEqual([]);
			expect(rows[0]).toMatchObject({
				items: [],
				failure: { kind: 'input', problems: [{ path: ['conversationId'] }] },
			});
		},
	);

	it('gives the selected columns in their order, worked out ones too, and null where there is none', async () => {
		const { rows } = await run(inTurn(reply(200, { ...conversation, colour: 'red' })), {
			conversationId: ID,
			output: 'selected',
			columns: ['finished', 'endReason', 'conversationId', 'finished'],
		});
		expect(rows[0]?.items).toEqual([{ finished: true, endReason: null, conversationId: ID }]);
		expect(Object.keys(rows[0]?.items[0] ?? {})).toEqual([
			'finished',
			'endReason',
			'conversationId',
		]);
		const selected = { conversationId: ID, output: 'selected' };
		const added = await run(inTurn(reply(200, conversation)), {
			...selected,
			columns: ['finished'],
		});
		expect(Object.keys(added.rows[0]?.items[0] ?? {})).toEqual(['conversationId', 'finished']);
		expect((await run(inTurn(reply(200)), { ...selected, columns: [] })).sent).toEqual([]);
	});

	it.each([
		[false, {}],
		[true, { finished: true }],
	])(
		'gives the whole conversation as raw output, waited for or not: %j',
		async (isWaiting, more) => {
			const whole = { ...conversation, colour: 'red' };
			const { rows } = await run(inTurn(reply(200, whole)), {
				conversationId: ID,
				output: 'raw',
				waitUntilFinished: isWaiting,
			});
			expect(rows[0]?.items).toEqual([{ ...whole, ...more }]);
		},
	);

	it('tries again after a reset, and not after a 404', async () => {
		const again = await run(inTurn(lost(), reply(503), reply(200, conversation)), {
			conversationId: ID,
		});
		expect([again.sent.length, again.rows[0]?.items.length]).toEqual([3, 1]);
		const body = { message: 'Conversation not found or access denied', code: 'NOT_FOUND' };
		const never = await run(inTurn(reply(404, body)), { conversationId: ID });
		expect(never.sent).toHaveLength(1);
		expect(never.rows[0]?.failure).toMatchObject({ kind: 'api', status: 404, code: 'NOT_FOUND' });
	});

	it('takes at most 60 requests to learn that 1,000 rows are refused', async () => {
		const rows = Array.from({ length: 1000 }, (_, n) => ({ conversationId: uuidOf(n) }));
		const refused = await run(() => reply(400, { code: 'BAD_REQUEST', message: 'No' }), ...rows);
		expect(refused.sent.length).toBeLessThanOrEqual(60);
		const failed = refused.rows.filter(({ failure }) => failure !== undefined);
		expect(failed).toHaveLength(1000);
		const missing = await run(() => reply(404), ...rows.slice(0, 100));
		expect(missing.sent).toHaveLength(100);
	});

	it.each([
		[{ row: 7, outcome: 'rejected', reason: '', conversationId: null }, ''],
		[{ row: 2, outcome: 'wouldSend', reason: '', toPhoneNumber: '+14155550178' }, undefined],
	])('passes on a row that started no conversation, and counts it: %j', async (inputRow, id) => {
		const rows = [
			{ conversationId: id, inputRow, waitUntilFinished: true },
			{ conversationId: ID, inputRow },
		];
		const read = await run(inTurn(reply(200, conversation)), ...rows);
		expect(read.rows[0]).toEqual({ items: [inputRow], isPassedOn: true });
		expect(read.rows[1]?.items).toMatchObject([{ conversationId: ID }]);
		expect([read.sent.length, read.summary]).toEqual([
			1,
			'Passed on: 1 row without a conversation. 1 conversation, 1 request: 1 finished',
		]);
	});

	it('passes on the details of an error item, too', async () => {
		const details = { row: 1, outcome: 'rejected', code: 'invalid' };
		const { sent, rows } = await run(inTurn(reply(200)), { inputRow: { error: 'x', details } });
		expect([sent, rows]).toMatchObject([[], [{ items: [details] }]]);
	});

	it.each([
		{},
		{ row: 3, reason: 'moved' },
		{ outcome: 5 },
		{ outcome: 'rejected', conversationId: ID },
	])('refuses a row without an ID that may have one: %j', async (inputRow) => {
		const { rows, summary } = await run(inTurn(reply(200)), { inputRow });
		expect([rows[0]?.failure?.kind, summary]).toEqual(['input', undefined]);
	});

	it.each(['', '{', '[]', '{"id":5}', `{"id":"${uuidOf(2)}"}`])(
		'calls the reply %j a breach of contract',
		async (text) => {
			const { rows } = await run(inTurn(reply(200, text)), { conversationId: ID });
			expect(rows[0]).toMatchObject({ items: [], failure: { kind: 'contract', status: 200 } });
		},
	);

	it.each<[string, HttpResult, number]>([
		['a 403', reply(403), 8],
		['a certificate', neverSent('CERT_HAS_EXPIRED'), 30],
		['a reset', lost(), 45],
	])('leaves a service alone that answers all with %s, in each round', async (_, response, max) => {
		for (const waitUntilFinished of [false, true]) {
			const all = Array.from({ length: 60 }, (__, i) => ({
				conversationId: uuidOf(i + 1),
				waitUntilFinished,
				options: { maximumWait: 0.1 },
			}));
			const { sent, rows } = await run(() => response, ...all);
			expect(sent.length).toBeLessThanOrEqual(max);
			expect(rows.filter(({ failure }) => failure)).toHaveLength(60);
		}
	});

	it('says of each row that the credential is not accepted, also if requests are parallel', async () => {
		const all = Array.from({ length: 20 }, (_, i) => ({ conversationId: uuidOf(i + 1) }));
		const { rows } = await run(() => reply(401), ...all);
		const { failure } = rows.at(-1) ?? {};
		expect(failure).toMatchObject({ message: expect.stringContaining('credential') as string });
	});

	it('reads nothing where one invalid row fails the whole node', async () => {
		const { sent, context } = fakeRuntime(inTurn(reply(200, conversation)));
		const rows = [ID, 'mistyped'].map((conversationId) => ({ parameters: { conversationId } }));
		await runRows(get, rows, { ...context(), failsAsWhole: true });
		expect(sent).toEqual([]);
	});
});

it.each([
	['finishedStates', ''],
	['finishedStates', ['completed', ' ']],
	['callAgainReasons', []],
	['maximumWait', 1441],
	['maximumWait', 0.09],
	['firstPause', 3601],
	['parallelRequests', 21],
])('a bad option is refused before anything is sent: %s %j', async (name, value) => {
	const { sent, rows } = await run(inTurn(reply(200, conversation)), {
		conversationId: ID,
		waitUntilFinished: true,
		options: { [name]: value },
	});
	expect(sent).toEqual([]);
	expect(rows[0]?.failure).toMatchObject({
		kind: 'input',
		problems: [{ path: ['options', name], reason: expect.stringMatching(/must be/) as string }],
	});
});
