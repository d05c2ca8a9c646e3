import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { call, goodHeaders, open, send } from './client.mts';

type Name = 'x-api-key' | 'x-workspace-id' | 'x-workspace-slug' | 'authorization';
type Statuses = [missing: number, wrong: number];

const otherWorkspace = '11111111-2222-4333-8444-555555555555';
const id = '11111111-2222-4333-8444-555555555555';

const operations = {
	searchTickets: { method: 'POST', path: '/tickets/search', body: {}, good: 200 },
	createCustomers: { method: 'POST', path: '/customers/batch', body: { customers: [] }, good: 200 },
	createConversations: {
		method: 'POST',
		path: '/conversations',
		body: { conversations: [call('+14155550100')] },
		good: 200,
	},
	getConversation: { method: 'GET', path: `/conversations/${id}`, body: undefined, good: 404 },
} as const;

const kept: Statuses = [200, 200];
const expected: Record<keyof typeof operations, Record<Name, Statuses>> = {
	searchTickets: {
		'x-api-key': [401, 401],
		'x-workspace-id': [400, 403],
		'x-workspace-slug': [400, 403],
		authorization: kept,
	},
	createCustomers: {
		'x-api-key': [401, 401],
		'x-workspace-id': [400, 403],
		'x-workspace-slug': [400, 403],
		authorization: [401, 401],
	},
	createConversations: {
		'x-api-key': [401, 401],
		'x-workspace-id': [400, 403],
		'x-workspace-slug': kept,
		authorization: kept,
	},
	getConversation: {
		'x-api-key': [401, 401],
		'x-workspace-id': [400, 404],
		'x-workspace-slug': [404, 404],
		authorization: [404, 404],
	},
};

function without(name: string): Record<string, string> {
	return Object.fromEntries(Object.entries(goodHeaders).filter(([key]) => key !== name));
}

describe('credentials', () => {
	let sandbox: Awaited<ReturnType<typeof open>>;
	before(async () => {
		sandbox = await open();
	});
	after(() => sandbox.close());

	for (const [name, { method, path, body, good }] of Object.entries(operations)) {
		const status = async (headers: Readonly<Record<string, string>>) =>
			(await send(sandbox.url + path, { method, headers, body: JSON.stringify(body) })).status;

		it(`${name} answers as documented without a header, and with a wrong one`, async () => {
			assert.equal(await status(goodHeaders), good);
			assert.equal(await status({ ...goodHeaders, 'x-workspace-id': 'desk' }), 400);
			const rows = Object.entries(expected[name as keyof typeof operations]);
			for (const [header, [missing, wrong]] of rows) {
				assert.equal(await status(without(header)), missing, header);
				const value = header === 'x-workspace-id' ? otherWorkspace : 'wrong';
				assert.equal(await status({ ...goodHeaders, [header]: value }), wrong, header);
			}
		});
	}

	it('refuses in the documented words', async () => {
		const refused = await sandbox.post('/customers/batch', {}, without('x-api-key'));
		const message = 'Authorization not provided';
		assert.deepEqual(refused.json, { code: 'UNAUTHORIZED', message, issues: [] });
		const headers = { ...goodHeaders, 'x-workspace-id': otherWorkspace };
		const forbidden = await sandbox.post('/customers/batch', {}, headers);
		const words = { code: 'FORBIDDEN', message: 'Insufficient access', issues: [] };
		assert.deepEqual(forbidden.json, words);
	});

	it('refuses a conversation read in its own error body', async () => {
		const path = `/api/v2/conversations/${id}`;
		const unknown = await sandbox.read(id, without('x-api-key'));
		assert.deepEqual(unknown.json, {
			message: 'User Not Found',
			code: 'UNAUTHORIZED',
			data: { code: 'UNAUTHORIZED', httpStatus: 401, path, zodError: null },
		});
		assert.deepEqual((await sandbox.read(id)).json, {
			message: 'Conversation not found or access denied',
			code: 'NOT_FOUND',
			data: { code: 'NOT_FOUND', httpStatus: 404, path, zodError: null },
		});
		assert.equal((await sandbox.read('no-uuid')).status, 404);
	});

	it('needs the media type, JSON, a known route and its method', async () => {
		const url = `${sandbox.url}/tickets/search`;
		const text = { ...goodHeaders, 'content-type': 'text/plain' };
		assert.equal((await send(url, { method: 'POST', headers: text, body: '{}' })).status, 400);
		const broken = await send(url, { method: 'POST', headers: goodHeaders, body: '{"filters":' });
		assert.equal(broken.status, 400);
		assert.equal(broken.json['message'], 'Invalid input data');
		assert.equal((await send(url, { headers: goodHeaders })).status, 405);
		assert.equal((await sandbox.post('/tickets', {})).status, 404);
		assert.equal((await sandbox.post('/../v1/tickets/search', {})).status, 404);
	});
});
