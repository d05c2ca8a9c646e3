import type { INodeParameters } from 'n8n-workflow';
import type { Setup } from '../support/runNode';
import { runNode } from '../support/runNode';
import { uuidOf } from '../support/samples';
import type { Scripted } from '../support/service';
import { forget, serve } from '../support/service';

// Some wait in real time, on machines that may be busy.
jest.setTimeout(30_000);

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

const PASSED = '1 row without a conversation kept as they were';

it.each([
	['{{ $json.conversationId }}', { conversationId: null }, PASSED],
	['{{ $json.conversation_id }}', { conversationId: id }, "'Conversation ID' is empty"],
	['{{ $json.conversationId }}', { outcome: 'interested' }, 'is empty'],
])(
	'passes on a row of Create only where it has no conversation: %s of %j',
	async (by, ids, told) => {
		const received = serve(() => ({ status: 200, body: conversation }));
		const row = { row: 1, outcome: 'notSent', reason: '', ...ids };
		const parameters = { ...get, conversationId: `=${by}`, waitUntilFinished: true };
		const { main, hints, error } = await runNode({ rows: [row], parameters });
		expect([received, error?.message ?? hints.join()]).toEqual([
			[],
			told === PASSED ? PASSED : (expect.stringContaining(told) as string),
		]);
		expect(main.map(({ json }) => json)).toEqual(told === PASSED ? [row] : []);
	},
);

it('passes on a row of Create that came as an error, with its outcome and reason', async () => {
	const details = { row: 2, outcome: 'unknown', reason: 'The connection broke', request: 1 };
	serve(() => ({ status: 200, body: conversation }));
	const { main, hints } = await runNode({
		rows: [{ error: 'Row 2: The connection broke', message: '', details }],
		parameters: { ...get, conversationId: '={{ $json.conversationId }}' },
		settings: { onError: 'continueRegularOutput' },
	});
	expect([main.map(({ json }) => json), hints]).toEqual([[details], [PASSED]]);
});

const quick = { firstPause: 0.1, longestPause: 0.1, maximumWait: 0.03 };
const state = (path: string, conversationStatus: string): Scripted => ({
	status: 200,
	body: { id: path.split('/').at(-1), conversationStatus },
});

const three = [1, 2, 3].map((n) => ({ id: uuidOf(n) }));

/** The second of three conversations never finishes. */
const serveThree = () =>
	serve(({ path }, number) =>
		state(path, path.endsWith('2') || number <= 3 ? 'in_progress' : 'completed'),
	);

const wait = async (options: INodeParameters, setup: Partial<Setup> = {}) =>
	await runNode({
		rows: three,
		parameters: { ...get, waitUntilFinished: true, options: { ...quick, ...options } },
		...setup,
	});

it('waits for no conversation where an invalid row fails the run anyway', async () => {
	const received = serveThree();
	const { error } = await wait({}, { rows: [...three, { id: 'x' }] });
	expect(error?.message).toContain(`Row 4: 'Conversation ID' "x" is not a UUID`);
	expect(received).toEqual([]);
});

it('waits for all rows and gives each its state', async () => {
	const received = serveThree();
	const { main, error, hints } = await wait({});
	expect(error).toBeUndefined();
	expect(main).toEqual(
		[true, false, true].map((finished, item) => ({
			json: {
				conversationId: uuidOf(item + 1),
				conversationStatus: finished ? 'completed' : 'in_progress',
				finished,
				reached: 'unknown',
				callAgain: false,
			},
			pairedItem: { item },
		})),
	);
	expect(hints).toEqual([
		`3 conversations, ${received.length} requests: 2 finished, 1 not finished after 1.8 seconds`,
	]);
});

it('fails with the status, how long it waited and the way out, where it has to be finished', async () => {
	serveThree();
	const { error } = await wait({ ifNotFinished: 'fail' });
	expect(error?.message).toMatch(
		/^Row 2: The conversation was not finished after [1-9](\.\d)? seconds, its status is 'in_progress'$/,
	);
	expect(error?.description).toMatch(
		/^Raise Maximum Wait, or come back later.*<br>3 conversations, \d+ requests: 2 finished, 1 not finished after 1.8 seconds$/,
	);
});

it('gives a conversation that is not finished as an error item', async () => {
	serveThree();
	const { main, errors, error } = await wait(
		{ ifNotFinished: 'fail' },
		{ settings: { onError: 'continueErrorOutput' } },
	);
	expect(error).toBeUndefined();
	expect(main).toHaveLength(2);
	expect(errors).toMatchObject([
		{
			json: {
				error: expect.stringMatching(
					/^Row 2: The conversation was not finished after [1-9](\.\d)? seconds/,
				),
				message: expect.stringContaining('Raise Maximum Wait'),
				details: {
					row: 2,
					kind: 'notFinished',
					conversationStatus: 'in_progress',
					waitedSeconds: expect.closeTo(2.5, -1) as number,
				},
			},
			pairedItem: { item: 1 },
		},
	]);
});

it('waits again when n8n runs the node again', async () => {
	const received = serve(({ path }, number) => state(path, number < 3 ? 'queued' : 'completed'));
	const { main, error } = await wait(
		// A first look and one at the deadline, or, on a slow machine, only the first.
		{ ifNotFinished: 'fail', firstPause: 3600, maximumWait: 0.003 },
		{
			rows: three.slice(0, 1),
			settings: { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 },
		},
	);
	expect(error).toBeUndefined();
	expect(main.map(({ json }) => json['finished'])).toEqual([true]);
	expect(received).toHaveLength(3);
});

it('gives the rows of Create, read or not, the same first columns', async () => {
	serve(() => ({ status: 200, body: conversation }));
	const rows = [
		{ row: 1, outcome: 'notSent', reason: 'marked', toPhoneNumber: '+14155550101', request: '' },
		{ row: 2, outcome: 'accepted', reason: '', toPhoneNumber: '+14155550102', request: 1 },
	].map((row, i) => ({ ...row, conversationId: i === 0 ? '' : id }));
	const parameters = { ...get, conversationId: '={{ $json.conversationId }}' };
	const { main, hints } = await runNode({ rows, parameters });
	const [left, read] = main.map(({ json }) => json);
	expect(left).toEqual(rows[0]);
	expect(Object.keys(read ?? {}).slice(0, 7)).toEqual([
		...['row', 'outcome', 'reason', 'toPhoneNumber', 'conversationId', 'request'],
		'conversationStatus',
	]);
	expect(read).toMatchObject({ row: 2, outcome: 'accepted', conversationStatus: 'completed' });
	expect(hints).toEqual(['1 conversation read. 1 row without a conversation kept as they were']);
});
