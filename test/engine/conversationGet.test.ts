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
	expect(main[1]).toMatchObject({
		json: {
			conversationId: id,
			conversationStatus: 'completed',
			finished: true,
			reached: 'unknown',
			callAgain: false,
			agentId: expect.any(String) as string,
			callStartTime: '2026-05-01T10:00:00.000Z',
			durationSeconds: 90,
			summary: null,
			dynamicVariables: { firstName: 'Ana' },
		},
		pairedItem: { item: 1 },
	});
});

const PASSED = 'Kept as they were: 1 row without a conversation';

it.each([
	['{{ $json.conversationId }}', { conversationId: null }, PASSED],
	['{{ $json.conversation_id }}', { conversationId: id }, "'Conversation ID' is empty"],
	['{{ $json.conversationId }}', { outcome: 'interested' }, 'is empty'],
])(
	'passes on a row of Create only where it has no conversation: %s of %j',
	async (by, ids, reported) => {
		const received = serve(() => ({ status: 200, body: conversation }));
		const row = { row: 1, outcome: 'notSent', reason: '', ...ids };
		const parameters = { ...get, conversationId: `=${by}`, waitUntilFinished: true };
		const { main, hints, error } = await runNode({ rows: [row], parameters });
		expect([received, error?.message ?? hints.join()]).toEqual([
			[],
			reported === PASSED ? PASSED : (expect.stringContaining(reported) as string),
		]);
		expect(main).toMatchObject(reported === PASSED ? [{ json: row }] : []);
	},
);

const quick = { firstPause: 0.1, maximumWait: 0.03 };
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

it('waits for all rows and gives each its state', async () => {
	const received = serveThree();
	const { main, error, hints } = await wait({});
	expect(error).toBeUndefined();
	expect(main).toMatchObject(
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
		`3 conversations, ${received.length} requests: 2 finished, 1 not finished after 0.03 minutes`,
	]);
});

it('gives the rows of Create, read or not, the same columns', async () => {
	serve(() => ({ status: 200, body: conversation }));
	const rows = [
		{ row: 1, outcome: 'notSent', reason: 'marked', toPhoneNumber: '+14155550101', request: '' },
		{ row: 2, outcome: 'accepted', reason: '', toPhoneNumber: '+14155550102', request: 1 },
	].map((row, i) => ({ ...row, conversationId: i === 0 ? '' : id }));
	const parameters = { ...get, conversationId: '={{ $json.conversationId }}' };
	const { main, hints } = await runNode({ rows, parameters });
	const [left, read] = main.map(({ json }) => json);
	expect(left).toMatchObject(rows[0] ?? {});
	expect(Object.keys(left ?? {})).toEqual(Object.keys(read ?? {}));
	expect(Object.keys(read ?? {}).slice(0, 7)).toEqual([
		...['row', 'outcome', 'reason', 'toPhoneNumber', 'conversationId', 'request'],
		'conversationStatus',
	]);
	expect(read).toMatchObject({ row: 2, outcome: 'accepted', conversationStatus: 'completed' });
	expect(hints).toEqual(['Kept as they were: 1 row without a conversation']);
});
