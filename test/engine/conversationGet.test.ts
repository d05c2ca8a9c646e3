import { runNode } from '../support/runNode';
import { uuidOf } from '../support/samples';
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
		rows: [{ id }, { id: ` ${id.toUpperCase()}` }],
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

const byAddress = (value: string) => ({
	...get,
	conversationId: { __rl: true, mode: 'url', value },
});

it.each([
	`https://desk.test/app/calls/${id}?tab=1`,
	` http://localhost:3000/workspaces/${uuidOf(2)}/calls/${id}/transcript?from=${uuidOf(3)}#x`,
])('reads the conversation of the web address %j, pasted or in a column', async (address) => {
	for (const value of [address, '={{ $json.address }}', "={{ $('Rows').item.json.address }}"]) {
		const received = serve(() => ({ status: 200, body: conversation }));
		const { main } = await runNode({ rows: [{ address }], parameters: byAddress(value) });
		expect(received.map(({ path }) => path)).toEqual([`/api/v2/conversations/${id}`]);
		expect(main[0]?.json['conversationId']).toBe(id);
		forget();
	}
});

it('reads no other ID of an address whose last part is empty', async () => {
	const received = serve(() => ({ status: 200, body: conversation }));
	const parameters = byAddress(`=https://desk.test/${uuidOf(2)}/{{ $json.id }}`);
	const { error } = await runNode({ rows: [{ id: null }], parameters });
	expect(received).toEqual([]);
	expect(error?.message).toContain("'Conversation ID' is empty");
});

it.each([
	`https://desk.test/?id=${id}`,
	`see https://desk.test/conversations/${id}`,
	'https://desk.test/conversations/',
	`https://desk.test/${id}1`,
	null,
])('refuses the web address %j, and names the row', async (address) => {
	const received = serve(() => ({ status: 200, body: conversation }));
	const rows = [{ address: `https://desk.test/${id}` }, { address }];
	const { error } = await runNode({ rows, parameters: byAddress('={{ $json.address }}') });
	expect(received).toEqual([]);
	expect(error?.message).toMatch(/^Row 2: 'Conversation ID' could not be read: /);
});

const PASSED = 'Passed on: 1 row without a conversation';

it.each([
	['{{ $json.conversationId }}', { conversationId: null }, PASSED],
	['{{ $json.conversation_id }}', { conversationId: id }, "'Conversation ID' is empty"],
	['{{ $json.conversationId }}', { outcome: 'interested' }, PASSED],
	['{{ $json.conversationId }}', { outcome: null }, 'is empty'],
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

it('passes on a row of Create without a web address', async () => {
	const received = serve(() => ({ status: 200, body: conversation }));
	const rows = [null, ''].map((link) => ({ outcome: 'notSent', link }));
	const { main } = await runNode({ rows, parameters: byAddress('={{ $json.link }}') });
	expect([received, main]).toMatchObject([[], rows.map((json) => ({ json }))]);
});

/** Rows as Create returns them, for one person who was not called and one who was. */
const created = [
	{ outcome: 'notSent', reason: 'Marked do not call', name: 'Ana', conversationId: null },
	{ outcome: 'accepted', reason: 'Called', name: 'Bo', conversationId: id },
].map((row, i) => ({ ...row, code: i === 0 ? 'doNotCall' : null, row: i + 1 }));
const byId = { ...get, conversationId: '={{ $json.conversationId }}' };

it('keeps the details of a row that Create returned as an error', async () => {
	serve(() => ({ status: 200, body: conversation }));
	const failed = { name: 'Cy', error: 'Row 3: ...', details: { row: 3, outcome: 'rejected' } };
	const { main } = await runNode({ rows: [...created, failed], parameters: byId });
	expect(main.map(({ json }) => [json['name'], json['outcome'], json['row']])).toEqual([
		['Ana', 'notSent', 1],
		['Bo', 'accepted', 2],
		['Cy', 'rejected', 3],
	]);
});
