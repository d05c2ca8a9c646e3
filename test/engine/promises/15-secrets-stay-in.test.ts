import type { IHttpRequestOptions } from 'n8n-workflow';
import { ConversationDeskApi } from '../../../credentials/ConversationDeskApi.credentials';
import { ConversationDesk } from '../../../nodes/ConversationDesk/ConversationDesk.node';
import { connect } from '../../../nodes/ConversationDesk/transport';
import { good } from '../../support/credential';
import { nodeContext } from '../../support/nodeContext';
import { calls } from '../../support/panel';
import { runNode } from '../../support/runNode';
import { PHONE } from '../../support/samples';
import { forget, serve } from '../../support/service';

afterEach(forget);

const { authenticate } = new ConversationDeskApi();
const to = (url: string): IHttpRequestOptions => ({ url, headers: { Accept: 'application/json' } });

it('adds key, workspace and slug, and keeps the headers that are there', async () => {
	const { headers } = await authenticate(good, to('https://desk.test/api/v2/tickets/search'));
	expect(headers).toEqual({
		Accept: 'application/json',
		'x-api-key': good.apiKey,
		'x-workspace-id': good.workspaceId,
		'x-workspace-slug': good.workspaceSlug,
	});
});

it('adds the bearer token to customer calls only, unless it is wanted everywhere', async () => {
	const customers = await authenticate(good, to('https://desk.test/api/v2/customers/batch'));
	expect(customers.headers).toMatchObject({ Authorization: `Bearer ${good.accessToken}` });
	const conversations = await authenticate(good, to('https://desk.test/api/v2/conversations'));
	expect(conversations.headers).not.toHaveProperty('Authorization');
	const everywhere = await authenticate(
		{ ...good, bearerWithEveryRequest: true },
		to('https://desk.test/api/v2/conversations'),
	);
	expect(everywhere.headers).toMatchObject({ Authorization: `Bearer ${good.accessToken}` });
});

it.each([
	'https://evil.test/api/v2/tickets/search',
	'https://desk.test.evil.test/api/v2/tickets/search',
	'https://desk.test/api/v2.evil',
	'https://desk.test@evil.test/api/v2/tickets',
	'http://desk.test/api/v2/tickets/search',
	'https://desk.test/api/v2/../../other',
	'https://desk.test/api/v2/%2e%2e/other',
	'https://desk.test/api/v2/..\\other',
])('sends its keys to the base address only, not to %s', async (url) => {
	await expect(authenticate(good, to(url))).rejects.toThrow('Its keys are not sent anywhere else');
});

it.each([
	'//evil.test/api/v2/tickets',
	'\\\\evil.test/api/v2/tickets',
	' //evil.test/x',
	'\t//evil.test/x',
	'ftp://evil.test/x',
	'HTTPS:evil.test/x',
	'@evil.test/x',
	'.evil.test/x',
	'/..%2f..%2fother',
	'/%2e%2e%2fother',
	'/..%252fother',
	'/x%2f..%2f..%2f..%2fother',
	'/..%5cother',
	'/..;/other',
	'/../other',
])('resolves %s beside a base address before it compares', async (url) => {
	const options = { baseURL: 'https://desk.test/api/v2', url };
	const joined = [`${options.baseURL}${url}`, `${options.baseURL}/${url}`].map(
		(address) => new URL(address).href,
	);
	const sent = await authenticate(good, options).then(
		({ headers }) => headers,
		() => undefined,
	);
	// A URL that every parser resolves below the base URL may receive the keys.
	const isInside = ['@', '.evil'].some((start) => url.startsWith(start));
	expect(sent !== undefined).toBe(isInside);
	expect(joined).toHaveLength(2);
});

it('says which field is wrong, without its value', async () => {
	const broken = { ...good, workspaceId: 'secret-looking', apiKey: 'key\nx: y' };
	const attempt = authenticate(broken, to('https://desk.test/api/v2/tickets/search'));
	await expect(attempt).rejects.toThrow("'Workspace ID' is not a UUID");
	await expect(attempt).rejects.not.toThrow('secret-looking');
});

it.each(['', 'Bearer ', 'bearer '])(
	'hides a token pasted as %jtoken that the service echoes, in responses, errors and headers',
	async (prefix) => {
		const token = 'abc/def+ghi==';
		const echo = `{"message":"no abc\\/def\\u002Bghi=\\u003d","data":[]}`;
		serve((_, number) => ({
			status: [200, 400, 302][number - 1] ?? 200,
			body: echo,
			headers: { location: `https://x.test/${encodeURIComponent(token)}`, 'x-echo': token },
		}));
		const { description } = new ConversationDesk();
		const credential = { ...good, accessToken: prefix + token };
		const runtime = await connect(nodeContext({ description, credential }));
		if (!runtime.ok) throw new Error('There is no connection');
		for (let number = 0; number < 3; number++) {
			const answer = await runtime.value.send({ method: 'GET', path: '/x', idempotent: true });
			if (answer.kind !== 'response') throw new Error(answer.code);
			expect(JSON.parse(answer.text)).toEqual({ message: 'no ***', data: [] });
			expect(answer.headers).toMatchObject({ location: 'https://x.test/***', 'x-echo': '***' });
		}
	},
);

describe('a credential with an expression', () => {
	const other = '8b0c1f6e-2f4d-4c1a-9a53-1d2e3f405061';
	const rowsOf = (...workspaces: string[]) =>
		workspaces.map((workspace, i) => ({ phone: `+1415555010${i}`, workspace }));
	const credential = { ...good, workspaceId: '={{ $json.workspace }}' };

	it('that gives another workspace in a later row is refused before anything is sent', async () => {
		const received = serve(() => ({ status: 200 }));
		const rows = rowsOf(good.workspaceId, good.workspaceId, other);
		const { error } = await runNode({ rows, parameters: calls, credential });
		expect(error?.message).toContain(
			'is different in row 3, because a field of it is an expression',
		);
		expect(received).toEqual([]);
	});

	it.each([
		['baseUrl', '$json.host'],
		['baseUrl', '$input.first().json.host'],
		['baseUrl', '$json.host || "https://desk.test/api/v2"'],
		['baseUrl', "$fromAI('host')"],
		['workspaceId', '$json.workspace'],
	])(
		'is no way for the model of a tool to choose where the key goes: %s is %s',
		async (field, read) => {
			const received = serve(() => ({ status: 200 }));
			const evil = serve(() => ({ status: 200 }), 'https://evil.test');
			const { error } = await runNode({
				rows: [{ phone: PHONE, host: 'https://evil.test/api/v2', workspace: other }],
				parameters: calls,
				settings: { type: 'conversationDeskTool' },
				credential: { ...good, [field]: `={{ ${read} }}` },
			});
			expect(error?.message).toContain('depends on what the model fills in');
			expect([...received, ...evil]).toEqual([]);
		},
	);
});

it('asks n8n itself not to follow redirects, whatever the credential says', async () => {
	const { description } = new ConversationDesk();
	const requests: IHttpRequestOptions[] = [];
	const context = Object.assign(nodeContext({ description, credential: good }), {
		helpers: {
			httpRequestWithAuthentication: async (_: string, options: IHttpRequestOptions) => {
				requests.push(options);
				return { statusCode: 200, headers: {}, body: '' };
			},
		},
	});
	const runtime = await connect(context as unknown as Parameters<typeof connect>[0]);
	if (!runtime.ok) throw new Error('There is no connection');
	await runtime.value.send({ method: 'GET', path: '/x', idempotent: true });
	expect(requests).toEqual([expect.objectContaining({ disableFollowRedirect: true })]);
});
