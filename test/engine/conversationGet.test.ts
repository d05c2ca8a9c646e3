import { runNode } from '../support/runNode';
import { forget, serve } from '../support/service';

const id = '0b6a6b7e-3c1f-4d2a-9f60-5a7d1c2e3f40';
const get = { resource: 'conversation', operation: 'get', conversationId: '={{ $json.id }}' };
const conversation = {
	id,
	agentId: id,
	conversationStatus: 'completed',
	callStartTime: '2026-05-01T10:00:00.000Z',
	callEndTime: '2026-05-01T10:01:30.000Z',
	recordingStatus: null,
	dynamicVariables: '{"firstName":"Ana"}',
	futureField: 1,
};

afterEach(forget);

it('reads the conversation of each row and simplifies it, once where rows share it', async () => {
	const received = serve(() => ({ status: 200, body: conversation }));
	const { main } = await runNode({
		rows: [{ id }, { id: `https://desk.test/app/calls/${id}?tab=1` }],
		parameters: get,
	});
	expect(received.map(({ method, path }) => `${method} ${path}`)).toEqual([
		`GET /api/v2/conversations/${id}`,
	]);
	expect(main[1]).toEqual({
		json: {
			conversationId: id,
			conversationStatus: 'completed',
			finished: true,
			reached: 'unknown',
			callAgain: false,
			agentId: expect.any(String) as string,
			callStartTime: '2026-05-01T10:00:00.000Z',
			durationSeconds: 90,
			dynamicVariables: { firstName: 'Ana' },
		},
		pairedItem: { item: 1 },
	});
});

it('returns every field as it is when not simplified', async () => {
	serve(() => ({ status: 200, body: conversation }));
	const { main } = await runNode({ rows: [{ id }], parameters: { ...get, output: 'raw' } });
	expect(main[0]?.json).toEqual(conversation);
});

it('says what to check when there is no such conversation', async () => {
	serve(() => ({
		status: 404,
		body: {
			message: 'Conversation not found or access denied',
			code: 'NOT_FOUND',
			data: { code: 'NOT_FOUND', httpStatus: 404, path: 'conversations.get', zodError: null },
		},
	}));
	const { error } = await runNode({ rows: [{ id }], parameters: get });
	expect(error?.message).toContain(
		'There is no such conversation, or the credential may not see it (404 NOT_FOUND',
	);
	expect(error?.description).toContain('Check the conversation ID');
});

it('gives one error item a row that failed, in the order of the rows', async () => {
	const received = serve(() => ({ status: 200, body: conversation }));
	const { main } = await runNode({
		rows: [{ id: '../tickets' }, { id }, {}],
		parameters: get,
		settings: { onError: 'continueRegularOutput' },
	});
	expect(received).toHaveLength(1);
	expect(main.map(({ json, pairedItem }) => [typeof json['error'], pairedItem])).toEqual([
		['string', { item: 0 }],
		['undefined', { item: 1 }],
		['string', { item: 2 }],
	]);
});

const PASSED = '1 row without a conversation passed on unchanged';

it.each([
	['{{ $json.conversationId }}', { conversationId: null }, PASSED],
	['{{ $json.conversation_id }}', { conversationId: id }, "'Conversation ID' is empty"],
	['{{ $json.conversationId }}', { conversations: [{ conversationId: id }] }, 'is empty'],
])(
	'passes on a row of Create only where it has no conversation: %s of %j',
	async (by, ids, told) => {
		const received = serve(() => ({ status: 200, body: conversation }));
		const row = { outcome: 'notSent', ...ids };
		const parameters = { ...get, conversationId: `=${by}`, waitUntilFinished: true };
		const { main, hints, error } = await runNode({ rows: [row], parameters });
		expect([received, error?.message ?? hints.join()]).toEqual([
			[],
			told === PASSED ? PASSED : (expect.stringContaining(told) as string),
		]);
		expect(main.map(({ json }) => json)).toEqual(told === PASSED ? [row] : []);
	},
);
