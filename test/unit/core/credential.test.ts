import type { Access, CredentialField } from '../../../src/core/credential';
import {
	accountOf,
	credentialLabelOf,
	credentialLabels,
	headersFor,
	isBelow,
	readCredential,
} from '../../../src/core/credential';
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
	return read.ok ? [] : read.failure.map(({ path, message }) => [path[0], message]);
}

describe('the credential', () => {
	it('makes the headers that the interface names', () => {
		const access = accessOf({ workspaceSlug: 'acme', accessToken: 'sample-two' });
		expect(access).toEqual({
			baseUrl: 'https://desk.example.com/api/v2',
			headers: { 'x-api-key': KEY, 'x-workspace-id': WORKSPACE, 'x-workspace-slug': 'acme' },
			authorization: 'Bearer sample-two',
			bearerEverywhere: false,
		});
	});

	it.each([undefined, null, '', '  '])('leaves the slug out where it is %j', (workspaceSlug) => {
		expect(accessOf({ workspaceSlug }).headers).toEqual({
			'x-api-key': KEY,
			'x-workspace-id': WORKSPACE,
		});
	});

	it.each([undefined, null, '', '  '])('sends no bearer where the token is %j', (accessToken) => {
		const access = accessOf({ accessToken, bearerWithEveryRequest: true });
		expect(access).not.toHaveProperty('authorization');
		expect(headersFor(access, `${access.baseUrl}/customers/batch`)).not.toHaveProperty(
			'Authorization',
		);
	});

	it.each(['Bearer sample-two', 'BEARER sample-two', 'Bearer bearer sample-two', ' sample-two\n'])(
		"takes the word Bearer and the space around away from '%s'",
		(accessToken) => {
			expect(accessOf({ accessToken }).authorization).toBe('Bearer sample-two');
		},
	);

	it('leaves the word Bearer inside a token', () => {
		const accessToken = 'the-bearer two';
		expect(accessOf({ accessToken }).authorization).toBe('Bearer the-bearer two');
	});

	it('trims what was copied with space or a line break around it', () => {
		const { headers } = accessOf({ apiKey: ` ${KEY}\r\n`, workspaceId: `\t${WORKSPACE} ` });
		expect(headers).toEqual({ 'x-api-key': KEY, 'x-workspace-id': WORKSPACE });
	});

	it.each(['apiKey', 'workspaceSlug', 'accessToken'])(
		'refuses what a header cannot carry in %s',
		(field) => {
			for (const value of [
				'one\r\nx-evil: 1',
				'one\ntwo',
				'one\rtwo',
				'one\ttwo',
				'one\u0000two',
				'one\u007ftwo',
				'käse',
				'ключ',
				'on\u2028e',
				'one\u200btwo',
				'one\u00a0two',
				'•••',
				'😀',
			]) {
				expect(problemsOf({ [field]: value })).toEqual([
					[field, expect.stringContaining('not allowed in a header')],
				]);
			}
		},
	);

	it.each([
		'',
		'abc',
		'0b6a6b7e-3c1f-9d2a-9f60-5a7d1c2e3f40',
		`${WORKSPACE}x`,
		`${WORKSPACE}\n\nx`,
	])('refuses the workspace ID %j', (workspaceId) => {
		expect(problemsOf({ workspaceId })).toEqual([
			['workspaceId', expect.stringContaining('is not a UUID')],
		]);
	});

	it.each(['', '  ', undefined, null])('refuses the API key %j', (apiKey) => {
		expect(problemsOf({ apiKey })).toEqual([
			['apiKey', 'is empty. Copy it from your workspace settings'],
		]);
	});

	it('names all problems at once', () => {
		expect(
			problemsOf({ baseUrl: '', apiKey: '', workspaceId: 'x' }).map(([field]) => field),
		).toEqual(['baseUrl', 'apiKey', 'workspaceId']);
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

	it('has a label for every field it can complain about', () => {
		const fields = problemsOf({ baseUrl: '', apiKey: '', workspaceId: '', accessToken: 'ü' });
		for (const [field] of fields) expect(Object.keys(credentialLabels)).toContain(field);
		expect(['apiKey', 'accessToken', 'agentId', undefined].map(credentialLabelOf)).toEqual([
			...['API Key', 'Access Token', undefined, undefined],
		]);
	});

	it.each([
		...['sk-12*4567', 'sk-1...4567', 'sk-123456.', '<sk>1234567', 'sk-1234<567>', 'my-your-key'],
		...['your-key-1234', 'sk_x-api-key: 12', 'x-api-key1234'],
	])('takes %j for a key, though it has signs of a placeholder', (apiKey) => {
		expect(problemsOf({ apiKey })).toEqual([]);
	});
});

describe('the headers of a request', () => {
	const at = (path: string) => `https://desk.example.com/api/v2${path}`;

	it('carry the bearer token to customer calls', () => {
		const access = accessOf({ workspaceSlug: 'acme', accessToken: 'sample-two' });
		expect(headersFor(access, at('/customers/batch'))).toEqual({
			...access.headers,
			Authorization: 'Bearer sample-two',
		});
	});

	it.each([
		at('/tickets/search'),
		at('/conversations'),
		at(`/conversations/${WORKSPACE}`),
		at('/customersX/batch'),
		at('/tickets/customers/'),
		'https://elsewhere.example.com/api/v2/customers/batch',
	])('leave the bearer token out for %s', (url) => {
		const access = accessOf({ workspaceSlug: 'acme', accessToken: 'sample-two' });
		expect(headersFor(access, url)).toEqual(access.headers);
	});

	it.each([
		'https://desk.example.com:443/api/v2/customers/batch',
		'https://DESK.Example.com/api/v2/customers/batch',
		'HTTPS://desk.example.com/api/v2/customers/batch?x=1',
	])('carry the token to %s, which is the same address', (url) => {
		expect(headersFor(accessOf({ accessToken: 'sample-two' }), url)).toHaveProperty(
			'Authorization',
		);
	});

	it('carry it everywhere where the option asks for it', () => {
		const everywhere = accessOf({ accessToken: 'sample-two', bearerWithEveryRequest: true });
		expect(headersFor(everywhere, at('/tickets/search'))).toHaveProperty(
			'Authorization',
			'Bearer sample-two',
		);
	});
});

it.each([
	{ baseUrl: 'https://DESK.example.com' },
	{ baseUrl: 'https://desk.example.com:443/API/v2/' },
	{ workspaceId: WORKSPACE.toUpperCase() },
	{ workspaceId: ` ${WORKSPACE}` },
	{ apiKey: 'sample-other', workspaceSlug: 'other' },
])('is the same account with %j', (data) => {
	expect(accountOf(accessOf(data))).toEqual(accountOf(accessOf({})));
});

it.each([
	{ baseUrl: 'https://desk.example.com:8443' },
	{ baseUrl: 'https://desk.example.com/other/api/v2' },
	{ workspaceId: uuidOf(0xb) },
])('is another account with %j', (data) => {
	expect(accountOf(accessOf(data))).not.toEqual(accountOf(accessOf({})));
});

describe('a request below the base address', () => {
	const base = 'https://desk.example.com/api/v2';

	it.each([base, `${base}/`, `${base}/tickets/search`, `${base}/a/../b`, `${base}?x=1`])(
		'is one to %s',
		(url) => {
			expect(isBelow(base, url)).toBe(true);
		},
	);

	it.each([
		'https://desk.example.com/api/v2x',
		'https://desk.example.com/api/v2/../v3',
		'https://desk.example.com/api/v2/%2e%2e/v3',
		'https://desk.example.com/api/v2/..',
		'https://desk.example.com:8443/api/v2',
		'http://desk.example.com/api/v2',
		'https://desk.example.com.evil.example.com/api/v2',
		'https://desk.example.com@evil.example.com/api/v2',
		'https://evil.example.com/https://desk.example.com/api/v2',
		'/api/v2',
		'',
	])('is not one to %j', (url) => {
		expect(isBelow(base, url)).toBe(false);
	});
});

it('names the fields that an operation cannot do without, beside what else is wrong', () => {
	const message = 'is empty. Customer batches need it, so enter it in the credential';
	const data = { ...valid, accessToken: '  ', workspaceSlug: 'acme' };
	const missing = { path: ['accessToken'], message };
	expect(readCredential(data, ['accessToken', 'workspaceSlug'])).toEqual({
		ok: false,
		failure: [missing],
	});
	const broken = readCredential({ ...data, baseUrl: '' }, ['accessToken']);
	expect(broken).toMatchObject({ failure: [{ path: ['baseUrl'] }, missing] });
	expect(readCredential(data).ok).toBe(true);
});

it.each(['apiKey', 'accessToken'] as const)(
	'refuses a %s that is too short to be kept out of texts, and says so',
	(field) => {
		for (const value of ['data', 'Bearer 1234567', '1234567']) {
			const read = readCredential({ ...valid, [field]: value });
			expect(read).toMatchObject({
				failure: [{ path: [field], message: expect.stringContaining('shorter than 8 characters') }],
			});
		}
		expect(readCredential({ ...valid, [field]: '12345678' }).ok).toBe(true);
	},
);

const NAME = 'is not a short name. Enter it alone, e.g. my-workspace';
const HEADER = 'begins with the name of a header. Enter only what comes after it';
const PLACEHOLDER = 'is a placeholder. Replace it with your own';
const UNSHOWN = 'is not shown in full where you copied it. Copy all of it';
const MARKS = ['""', "''", '``', '“”', '‘’', '„“', '«»'];
const PLACEHOLDERS = [
	'<API key>',
	'[your key]',
	'{{API_KEY}}',
	'your-api-key',
	'YOUR_ACCESS_TOKEN',
];

it.each<[field: CredentialField, entered: string, fix: string]>([
	...MARKS.flatMap((marks) =>
		(['baseUrl', 'apiKey', 'accessToken', 'workspaceSlug'] as const).map(
			(field): [CredentialField, string, string] => [
				field,
				`${marks.charAt(0)}desk.example.com${marks.charAt(1)}`,
				'is in quotation marks. Remove them',
			],
		),
	),
	...PLACEHOLDERS.flatMap((left): Array<[CredentialField, string, string]> => [
		['apiKey', left, PLACEHOLDER],
		['accessToken', left, PLACEHOLDER],
	]),
	['apiKey', `Bearer ${KEY}`, "begins with 'Bearer'. Enter only the key."],
	['apiKey', `x-api-key: ${KEY}`, HEADER],
	['accessToken', 'Authorization: Bearer sample-two', HEADER],
	['apiKey', 'sample\u200bone-two', 'invisible character, not allowed in a header. Copy it as'],
	['baseUrl', 'https://desk.example.com\u200b', 'invisible character. Delete the field, then type'],
	['workspaceSlug', 'https://desk.example.com/acme', NAME],
	['workspaceSlug', 'My Workspace', NAME],
	['workspaceId', `https://desk.example.com/w/${WORKSPACE}`, 'is not a UUID. It should look like'],
	['workspaceId', WORKSPACE.replace('-', ' - '), 'is not a UUID. It should look like'],
	[
		'workspaceId',
		'0b6a6b7e-3c1f-4d2a-9f60-5a7d1c2e3f40',
		'is only an example. Copy the ID of your',
	],
	['apiKey', 'sk-1234****5678', UNSHOWN],
	['apiKey', 'sample-on...', UNSHOWN],
])('says of %s how to correct %j', (field, entered, fix) => {
	expect(problemsOf({ [field]: entered })).toEqual([[field, expect.stringContaining(fix)]]);
});
