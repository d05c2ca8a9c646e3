import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { desk } from './desk.mts';

interface NodeType {
	name: string;
	displayName: string;
	outputs: unknown[];
	credentials: Array<{ name: string }>;
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
		const names = (await desk.n8n.rest.types<NodeType>('nodes')).map(({ name }) => name);
		for (const name of ['conversationDesk', 'conversationDeskTool']) {
			assert.ok(names.includes(`n8n-nodes-conversation-desk.${name}`), `${name} is missing`);
		}
	});

	test('n8n knows the credential and what it is for', async () => {
		const all = await desk.n8n.rest.types<{ name: string; supportedNodes?: string[] }>(
			'credentials',
		);
		const own = all.find(({ name }) => name === 'conversationDeskApi');
		assert.deepEqual(own?.supportedNodes, [
			'n8n-nodes-conversation-desk.conversationDesk',
			'n8n-nodes-conversation-desk.conversationDeskTrigger',
		]);
	});

	test('n8n says nothing bad about the package while it starts', () => {
		const [start = ''] = desk.n8n.log().split('Editor is now accessible');
		const lines = start.split('\n');
		assert.ok(lines.length > 5);
		assert.deepEqual(
			lines.filter((line) => /conversation-?desk/i.test(line) && /error|warn|fail/i.test(line)),
			[],
		);
	});
});
