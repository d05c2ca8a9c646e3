import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Json } from '../../tools/host/execution.mts';
import { freePorts } from '../../tools/host/ports.mts';
import { control, desk } from './desk.mts';
import { startListener } from '../support/listener.mts';

const type = 'conversationDeskApi';
const wrong = {
	apiKey: 'mistyped-key-4711',
	workspace: '11111111-1111-4111-8111-111111111111',
};

/** Stores a credential and presses "Test", as a user does by saving it. */
async function tryOut(change: Json): Promise<{ status: string; message: string }> {
	const data = { ...desk.target.access, ...change };
	const { id, name } = await desk.n8n.rest.createCredential({ name: 'On trial', type, data });
	const result = await desk.n8n.rest.testCredential({ id, name, type, data });
	await desk.n8n.rest.session.call('DELETE', `/credentials/${id}`);
	return result;
}

function holdsNoSecret(text: string): void {
	for (const secret of ['sandbox-key', 'sandbox-token', wrong.apiKey]) {
		assert.ok(!text.includes(secret), `"${text}" holds ${secret}`);
	}
}

const cases: Array<[what: string, change: () => Json | Promise<Json>, text: RegExp]> = [
	[
		'a wrong key',
		() => ({ apiKey: `Bearer "${wrong.apiKey}"` }),
		/did not accept the credential.*'API Key' without quotes and without Bearer/,
	],
	['an empty key', () => ({ apiKey: '' }), /API Key' is empty/],
	['a malformed workspace ID', () => ({ workspaceId: 'my-desk' }), /Workspace ID' is not a UUID/],
	['another workspace', () => ({ workspaceId: wrong.workspace }), /no access.*'Workspace ID'/],
	[
		'the address of one request',
		() => ({ baseUrl: `${String(desk.target.access['baseUrl'])}/tickets/search` }),
		/no ticket search at this address.*'Base URL'/,
	],
	['plain http to another host', () => ({ baseUrl: 'http://desk.example' }), /unencrypted/],
	// Here n8n has words of its own.
	['a host that does not exist', () => ({ baseUrl: 'https://desk.invalid' }), /ENOTFOUND/],
	[
		'a port where nothing listens',
		async () => ({ baseUrl: `http://127.0.0.1:${(await freePorts(1))[0]}` }),
		/ECONNREFUSED/,
	],
];

test('n8n knows the credential and what it is for', async () => {
	const all = await desk.n8n.rest.types<{ name: string; supportedNodes?: string[] }>('credentials');
	const own = all.find(({ name }) => name === 'conversationDeskApi');
	assert.deepEqual(own?.supportedNodes, [
		'n8n-nodes-conversation-desk.conversationDesk',
		'n8n-nodes-conversation-desk.conversationDeskTrigger',
	]);
});

describe('the test of a credential', () => {
	let other: Awaited<ReturnType<typeof startListener>>;
	before(async () => {
		other = await startListener();
		control.reset({ keepTickets: true });
	});
	after(() => other.close());

	test('is satisfied with the right data', async () => {
		assert.equal((await tryOut({})).status, 'OK');
		assert.equal(control.counts().total, 1);
	});

	const texts = new Set<string>();
	for (const [what, change, text] of cases) {
		test(`has its own words for ${what}`, async () => {
			const { status, message } = await tryOut(await change());
			assert.equal(status, 'Error');
			assert.match(message, text);
			holdsNoSecret(message);
			assert.ok(!texts.has(message), `"${message}" is also said of something else`);
			texts.add(message);
		});
	}

	test('names the slug, too, where the service only says that there is no access', async () => {
		const { message } = await tryOut({ workspaceSlug: 'not-ours' });
		assert.match(message, /no access.*'Workspace ID' and 'Workspace Slug'/);
	});

	test('says that the slug is missing where the search is refused without one', async () => {
		const { status, message } = await tryOut({ workspaceSlug: '' });
		assert.equal(status, 'Error');
		assert.match(message, /Enter 'Workspace Slug'/);
	});

	test('does not follow a redirect, and the other host receives nothing', async () => {
		control.setFaults([{ kind: 'redirect', location: `${other.url}/api/v2/tickets/search` }]);
		const { status, message } = await tryOut({});
		control.setFaults([]);
		assert.equal(status, 'Error');
		assert.match(message, /redirected to .*not followed/);
		holdsNoSecret(message);
		assert.deepEqual(other.received, []);
	});

	test('notices a web page that says 200', async () => {
		control.setFaults([{ kind: 'html', status: 200 }]);
		const { status, message } = await tryOut({});
		control.setFaults([]);
		assert.equal(status, 'Error');
		assert.match(message, /unexpected.*Base URL/);
	});

	test('passes on no secret that a service echoes', async () => {
		control.setFaults([{ kind: 'status', status: 400, body: { message: 'bad key sandbox-key' } }]);
		const { message } = await tryOut({});
		control.setFaults([]);
		assert.match(message, /rejected the search/);
		holdsNoSecret(message);
	});
});
