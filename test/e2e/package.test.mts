import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { owner } from '../../sandbox/host/session.mts';
import { desk } from './desk.mts';

interface NodeType {
	name: string;
	displayName: string;
	outputs: unknown[];
	credentials: Array<{ name: string }>;
}

/** The lists that the editor loads; they are for signed-in users. */
async function types<T>(file: string): Promise<T[]> {
	const { url } = desk.n8n;
	const login = await fetch(`${url}/rest/login`, {
		method: 'POST',
		headers: { 'content-type': 'application/json', 'browser-id': 'types' },
		body: JSON.stringify({ emailOrLdapLoginId: owner.email, password: owner.password }),
	});
	const cookie = login.headers.getSetCookie().join('; ');
	const headers = { cookie, 'browser-id': 'types' };
	const reply = await fetch(`${url}/types/${file}.json`, { headers });
	assert.equal(reply.status, 200);
	return (await reply.json()) as T[];
}

describe('the packed package', () => {
	test('n8n loads the nodes of the packed package', async () => {
		const names = ['conversationDesk', 'conversationDeskTrigger'];
		const nodeInfos = names.map((name) => ({
			name: `n8n-nodes-conversation-desk.${name}`,
			version: 1,
		}));
		const loaded = await desk.n8n.rest.session.call<NodeType[]>('POST', '/node-types', {
			nodeInfos,
		});
		assert.deepEqual(
			loaded.map(({ displayName }) => displayName),
			['Conversation Desk', 'Conversation Desk Trigger'],
		);
		for (const { credentials } of loaded)
			assert.deepEqual(
				credentials.map(({ name }) => name),
				['conversationDeskApi'],
			);
	});

	test('n8n offers the node to AI agents as a tool, too', async () => {
		const names = (await types<NodeType>('nodes')).map(({ name }) => name);
		for (const name of ['conversationDesk', 'conversationDeskTool']) {
			assert.ok(names.includes(`n8n-nodes-conversation-desk.${name}`), `${name} is missing`);
		}
	});

	test('n8n knows the credential and what it is for', async () => {
		const all = await types<{ name: string; supportedNodes?: string[] }>('credentials');
		const own = all.find(({ name }) => name === 'conversationDeskApi');
		assert.deepEqual(own?.supportedNodes, [
			'n8n-nodes-conversation-desk.conversationDesk',
			'n8n-nodes-conversation-desk.conversationDeskTrigger',
		]);
	});

	test('n8n says nothing bad about the package while it starts', () => {
		const lines = desk.n8n.log().split('\n');
		assert.deepEqual(
			lines.filter((line) => /conversation-?desk/i.test(line) && /error|warn|fail/i.test(line)),
			[],
		);
	});
});
