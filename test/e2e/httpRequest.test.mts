import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { itemsOf } from '../../tools/host/execution.mts';
import type { WorkflowNode } from '../../tools/host/workflow.mts';
import { control, desk, n8nNode, run } from './desk.mts';
import { startListener } from '../support/listener.mts';

describe('the HTTP Request node', () => {
	beforeEach(() => control.reset({ keepTickets: true }));

	const httpRequest = (url: string): WorkflowNode => ({
		...n8nNode('httpRequest', 4.2, {
			method: 'POST',
			url,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: 'conversationDeskApi',
			sendBody: true,
			specifyBody: 'json',
			jsonBody: '{ "pagination": { "limit": 3 } }',
			options: {},
		}),
		credentials: { conversationDeskApi: { id: null, name: 'Conversation Desk' } },
	});

	test('the HTTP Request node can use the credential for calls this node does not have', async () => {
		const url = `${desk.target.access['baseUrl']}/tickets/search`;
		const execution = await run('HTTP Request', [httpRequest(url)]);
		const [page] = itemsOf(execution, 'httpRequest');
		assert.equal((page?.['data'] as unknown[]).length, 3);
		assert.equal(control.received()[0]?.headers['x-api-key'], 'correct');
		assert.equal(control.received()[0]?.headers['authorization'], 'missing');
	});

	test('the HTTP Request node does not take the keys along to where the service redirects', async () => {
		const other = await startListener();
		control.setFaults([{ kind: 'redirect', location: `${other.url}/tickets/search`, status: 307 }]);
		const url = `${desk.target.access['baseUrl']}/tickets/search`;
		const node = httpRequest(url);
		const following = {
			...node,
			parameters: {
				...node.parameters,
				options: { redirect: { redirect: { followRedirects: true, maxRedirects: 5 } } },
			},
		};
		const execution = await run('HTTP Request redirected', [following]);
		await other.close();
		assert.equal(execution.status, 'error');
		assert.deepEqual(other.received, []);
	});
});
