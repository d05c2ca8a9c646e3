import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { runningN8n } from '../../tools/host/session.mts';
import { desk, ownType } from '../e2e/desk.mts';

interface Property {
	name: string;
	type?: string;
	options?: Property[];
	values?: Property[];
	value?: unknown;
}

/** Every parameter and choice of a panel by its path; n8n adds a choice of its own to some lists. */
function paths(properties: readonly Property[], at = ''): string[] {
	return properties.flatMap(({ name, type = '', options = [], values = [], value }) => {
		if (value === '__CUSTOM_API_CALL__') return [];
		const path = `${at}/${name} ${type}`;
		return [path, ...paths(options, path), ...paths(values, path)];
	});
}

/** The panel as it was built. */
function built(): Property[] {
	const require = createRequire(import.meta.url);
	const {
		ConversationDesk,
	} = require('../../dist/nodes/ConversationDesk/ConversationDesk.node.js');
	return new ConversationDesk().description.properties;
}

const skip = runningN8n ? 'its log is not known' : false;
test('n8n loads the package without a complaint', { skip }, () => {
	const lines = desk.n8n.log().split('\n');
	assert.deepEqual(
		lines.filter((line) => /conversation-?desk/i.test(line) && /error|warn|fail/i.test(line)),
		[],
	);
});

test('The editor gets every parameter of every operation', async () => {
	const types = await desk.n8n.rest.types<{ name: string; properties: Property[] }>('nodes');
	const ownNode = types.find(({ name }) => name === ownType);
	assert.ok(ownNode, 'the node is missing');
	const wanted = paths(built());
	assert.ok(wanted.length > 150, `${wanted.length} parameters and choices`);
	assert.deepEqual(paths(ownNode.properties), wanted);
});

test('AI agents get the node as a tool', async () => {
	const types = await desk.n8n.rest.types<{ name: string }>('nodes');
	assert.ok(types.some(({ name }) => name === `${ownType}Tool`));
});

test('The mapper gets the fields of a customer', async () => {
	const { fields } = await desk.n8n.rest.session.call<{ fields: Array<{ id: string }> }>(
		'POST',
		'/dynamic-node-parameters/resource-mapper-fields',
		{
			nodeTypeAndVersion: { name: ownType, version: 1 },
			path: 'parameters.customer',
			methodName: 'getCustomerFields',
			currentNodeParameters: {},
		},
	);
	const ids = fields.map(({ id }) => id);
	for (const id of ['identifier', 'phoneNumber', 'email']) assert.ok(ids.includes(id), id);
});

test('The credential test accepts what is right and says what is wrong', async () => {
	const type = 'conversationDeskApi';
	const tryOut = async (change: Record<string, string>) => {
		const data = { ...desk.target.access, ...change };
		const stored = await desk.n8n.rest.createCredential({ name: 'On trial', type, data });
		const result = await desk.n8n.rest.session.call<{ status: string; message: string }>(
			'POST',
			'/credentials/test',
			{ credentials: { ...stored, type, data } },
		);
		// Else the editor would choose it for new nodes.
		await desk.n8n.rest.session.call('DELETE', `/credentials/${stored.id}`);
		return result;
	};
	assert.equal((await tryOut({})).status, 'OK');
	const { status, message } = await tryOut({ apiKey: 'mistyped-key' });
	assert.equal(status, 'Error');
	assert.match(message, /did not accept the credential.*API Key|check your credentials/);
});
