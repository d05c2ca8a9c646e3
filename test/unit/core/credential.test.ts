import type { Access, CredentialField } from '../../../src/core/credential';
import { headersFor, isBelow, readBaseUrl, readCredential } from '../../../src/core/credential';
import { uuidOf } from '../../support/samples';

const WORKSPACE = uuidOf(0xa);
const KEY = 'sample-one';
const valid = { baseUrl: 'desk.example.com', apiKey: KEY, workspaceId: WORKSPACE };

function accessOf(data: Readonly<Record<string, unknown>>): Access {
	const read = readCredential({ ...valid, ...data });
	if (!read.ok) throw new Error(JSON.stringify(read.failure));
	return read.value;
}

function problemsOf(data: Readonly<Record<string, unknown>>): Array<[unknown, string]> {
	const read = readCredential({ ...valid, ...data });
	return read.ok ? [] : read.failure.map(({ path, reason: message }) => [path[1], message]);
}

describe('the credential', () => {
	it('makes the headers that the interface names', () => {
		const access = accessOf({ workspaceSlug: 'acme', accessToken: 'sample-two' });
		expect(access).toEqual({
			baseUrl: 'https://desk.example.com/api/v2',
			headers: { 'x-api-key': KEY, 'x-workspace-id': WORKSPACE, 'x-workspace-slug': 'acme' },
			authorization: 'Bearer sample-two',
			bearerEverywhere: false,
			account: ['https://desk.example.com/api/v2', WORKSPACE],
			secrets: [KEY, 'sample-two'],
		});
	});

	it.each([undefined, '  '])('has no bearer where the token is %j', (accessToken) => {
		expect(accessOf({ accessToken })).not.toHaveProperty('authorization');
	});

	it.each(['Bearer sample-two', 'BEARER sample-two', 'Bearer bearer sample-two', ' sample-two\n'])(
		"takes the word Bearer and the space around away from '%s'",
		(accessToken) => {
			expect(accessOf({ accessToken }).authorization).toBe('Bearer sample-two');
		},
	);

	it.each<[CredentialField, unknown, string]>([
		...(['apiKey', 'workspaceSlug', 'accessToken'] as const).flatMap((field) =>
			['one\r\nx-evil: 1', 'one\ntwo', 'one\u0000two', 'käse', 'one\u200btwo', '•••'].map(
				(value): [CredentialField, string, string] => [field, value, 'not allowed in a header'],
			),
		),
		['apiKey', '  ', 'is empty'],
		['apiKey', undefined, 'is empty'],
		...['', 'abc', '0b6a6b7e-3c1f-9d2a-9f60-5a7d1c2e3f40', `${WORKSPACE}x`].map(
			(id): [CredentialField, string, string] => ['workspaceId', id, 'is not a UUID'],
		),
		['baseUrl', 'http://desk.example.com', 'unencrypted'],
	])('refuses in %s what cannot be sent or cannot be right: %j', (field, value, message) => {
		expect(problemsOf({ [field]: value })).toEqual([[field, expect.stringContaining(message)]]);
	});

	it('never repeats a secret in a problem', () => {
		const secret = 'hunter2';
		const read = readCredential({
			baseUrl: `http://ana:${secret}@desk.example.com`,
			apiKey: `${secret}\nx`,
			accessToken: `Bearer ${secret}ü`,
			workspaceId: `${secret}`,
			workspaceSlug: `${secret}\u0000`,
		});
		expect(read.ok).toBe(false);
		expect(JSON.stringify(read)).not.toContain(secret);
	});
});

it.each([
	{ baseUrl: 'https://desk.example.com:8443' },
	{ baseUrl: 'https://desk.example.com/other/api/v2' },
	{ workspaceId: uuidOf(0xb) },
])('is another account with %j', (data) => {
	expect(accessOf(data).account).not.toEqual(accessOf({}).account);
});

it('names all problems at once, also the fields that an operation cannot do without', () => {
	const broken = { ...valid, baseUrl: '', accessToken: '  ' };
	const read = readCredential(broken, ['accessToken', 'apiKey']);
	const paths = read.ok ? [] : read.failure.map(({ path }) => path);
	expect(paths).toEqual([
		['credential', 'baseUrl'],
		['credential', 'accessToken'],
	]);
});

describe('keys', () => {
	const BASE = 'https://desk.example.com/api/v2';
	const keys = { 'x-api-key': KEY, 'x-workspace-id': WORKSPACE };
	const Authorization = 'Bearer sample-two';

	it.each<[Readonly<Record<string, unknown>>, string, object]>([
		[{ accessToken: 'sample-two' }, '/customers/batch', { ...keys, Authorization }],
		[{ accessToken: 'sample-two' }, '/conversations', keys],
		[
			{ accessToken: 'a', bearerWithEveryRequest: true },
			'/x',
			{ ...keys, Authorization: 'Bearer a' },
		],
		[{ bearerWithEveryRequest: true }, '/customers/batch', keys],
	])('of %j are sent to %s as the interface says', (data, path, headers) => {
		expect(headersFor(accessOf(data), BASE + path)).toEqual(headers);
	});

	it.each([
		...['', '/', '/a', '/a?b=..', '/a%20b'].map((path) => [BASE + path, true] as const),
		...['x', '/../v1', '/a%2e%2e', '/a%252fb', '/a%5cb'].map(
			(path) => [BASE + path, false] as const,
		),
		...['https://desk.example.com/api', 'https://other.example.com/api/v2/a', 'no address'].map(
			(url) => [url, false] as const,
		),
	])('may be sent to %s: %j', (url, expected) => {
		expect(isBelow(url, BASE)).toBe(expected);
	});
});

const NO_ADDRESSES = [
	'',
	'"https://desk.example.com"',
	'https://desk.test\r\nx: y',
	'https://',
	'https://ana:hunter2@desk.example.com',
	'https://desk.example.com/api/v2?k=hunter2',
	'https://localhost\\@desk.test',
	'https://a:b:c',
	'ftp://desk.test',
	'desk.test:https',
];

describe('the base address', () => {
	it.each([
		['desk.example.com', 'https://desk.example.com/api/v2'],
		['desk.example.com:8443/', 'https://desk.example.com:8443/api/v2'],
		['HTTPS://DESK.Example.COM////', 'https://desk.example.com/api/v2'],
		['https://desk.example.com/api//v2//', 'https://desk.example.com/api/v2'],
		['https://desk.example.com/api/v12', 'https://desk.example.com/api/v12'],
		['https://proxy.example.com/v1/Desk', 'https://proxy.example.com/v1/Desk/api/v2'],
		['http://localhost:3000', 'http://localhost:3000/api/v2'],
		['http://127.8.9.10:80/api/v2', 'http://127.8.9.10/api/v2'],
		['http://[::1]:3000', 'http://[::1]:3000/api/v2'],
	])('is read from %j as %s', (entered, expected) => {
		expect(readBaseUrl(entered)).toEqual({ ok: true, value: expected });
		expect(readBaseUrl(expected)).toEqual({ ok: true, value: expected });
	});

	it.each<[string, string]>([
		...['desk.example.com', 'localhost.example.com', '127.0.0.1.example.com', '10.0.0.1'].map(
			(host): [string, string] => [`http://${host}`, `unencrypted. Use https://${host}`],
		),
		['http://[::ffff:10.0.0.1]', 'unencrypted'],
		...NO_ADDRESSES.map((text): [string, string] => [text, 'is not the address of a service']),
	])('is refused as %j, without its password', (entered, message) => {
		const read = readBaseUrl(entered);
		const problem = {
			path: ['credential', 'baseUrl'],
			reason: expect.stringContaining(message) as string,
		};
		expect(read).toEqual({ ok: false, failure: problem });
		expect(JSON.stringify(read)).not.toContain('hunter2');
	});
});
