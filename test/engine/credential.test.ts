import type { IHttpRequestOptions } from 'n8n-workflow';
import { ConversationDeskApi } from '../../credentials/ConversationDeskApi.credentials';
import { good } from '../support/credential';

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
	// What is resolved below the base address by everyone may have the keys.
	const isInside = ['@', '.evil'].some((start) => url.startsWith(start));
	expect(sent !== undefined).toBe(isInside);
	expect(joined).toHaveLength(2);
});

it('serves requests with a base address', async () => {
	for (const url of ['/tickets/search', 'tickets/search']) {
		const options = { baseURL: 'https://desk.test/api/v2', url };
		const { headers } = await authenticate(good, options);
		expect(headers).toMatchObject({ 'x-api-key': good.apiKey });
	}
});

it('serves the HTTP Request node, which names its target differently', async () => {
	const options = { uri: 'https://desk.test/api/v2/tickets/search', url: '' };
	const { headers } = await authenticate(good, options);
	expect(headers).toMatchObject({ 'x-api-key': good.apiKey });
});

it('says which field is wrong, without its value', async () => {
	const broken = { ...good, workspaceId: 'secret-looking', apiKey: 'key\nx: y' };
	const attempt = authenticate(broken, to('https://desk.test/api/v2/tickets/search'));
	await expect(attempt).rejects.toThrow("'Workspace ID' is not a UUID");
	await expect(attempt).rejects.not.toThrow('secret-looking');
});
