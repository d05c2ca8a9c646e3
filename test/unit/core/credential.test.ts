import type { Access } from '../../../src/core/credential';
import {
	accountOf,
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

	it.each(['Bearer sample-two', 'bearer sample-two', 'BEARER sample-two', ' sample-two\n'])(
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

/** What people enter, with what is read from it, or with the field and what its text says. */
const URL_READ = { baseUrl: 'https://desk.example.com/api/v2' };
const mistakes: Array<
	[
		what: string,
		entered: Record<string, string>,
		read: Partial<Access> | [field: string, fix: string],
	]
> = [
	['a slash at the end', { baseUrl: 'https://desk.example.com/' }, URL_READ],
	['two slashes', { baseUrl: 'https://desk.example.com//api//v2//' }, URL_READ],
	['/api', { baseUrl: 'https://desk.example.com/api' }, URL_READ],
	['/api/v2', { baseUrl: 'https://desk.example.com/api/v2' }, URL_READ],
	[
		'/api/v1, which is respected',
		{ baseUrl: 'https://desk.example.com/api/v1' },
		{ baseUrl: 'https://desk.example.com/api/v1' },
	],
	[
		'the address of one request',
		{ baseUrl: 'https://desk.example.com/api/v2/tickets/search' },
		['baseUrl', 'continues after /api/v2. Remove everything after it'],
	],
	[
		'a query',
		{ baseUrl: 'https://desk.example.com/api/v2?workspace=acme' },
		['baseUrl', "contains '?'. Remove it and everything after it"],
	],
	[
		'a fragment',
		{ baseUrl: 'https://desk.example.com/#/settings' },
		['baseUrl', "contains '#'. Remove it and everything after it"],
	],
	['spaces around', { baseUrl: ' https://desk.example.com\t', apiKey: ` ${KEY} ` }, URL_READ],
	[
		'a space inside',
		{ baseUrl: 'https://desk. example.com' },
		['baseUrl', 'It should look like https://desk.example.com/api/v2'],
	],
	['no scheme', { baseUrl: 'desk.example.com' }, URL_READ],
	[
		'http on a foreign host',
		{ baseUrl: 'http://desk.example.com' },
		['baseUrl', 'unencrypted. Use https://desk.example.com'],
	],
	...['https://desk.example.com:', 'desk.example.com: 443', 'desk.example.com:https'].map(
		(baseUrl): [string, Record<string, string>, [string, string]] => [
			`the port in ${baseUrl}`,
			{ baseUrl },
			['baseUrl', /\s/.test(baseUrl) ? 'It should look like' : 'Its port is a number'],
		],
	),
	[
		'a login in the address',
		{ baseUrl: 'https://ana@desk.example.com' },
		['baseUrl', 'Enter only the address. Keys have their own fields'],
	],
	...['""', "''", '``', '“”', '‘’', '„“', '«»'].flatMap((marks) =>
		(['baseUrl', 'apiKey', 'accessToken', 'workspaceSlug'] as const).map(
			(field): [string, Record<string, string>, [string, string]] => [
				`${marks} around ${credentialLabels[field]}`,
				{ [field]: `${marks.charAt(0)}desk.example.com${marks.charAt(1)}` },
				[field, 'is in quotation marks. Remove them'],
			],
		),
	),
	[
		'Bearer in the key',
		{ apiKey: `Bearer ${KEY}` },
		['apiKey', "begins with 'Bearer'. Enter only the key. A bearer token is an 'Access Token'"],
	],
	[
		'Bearer twice in the token',
		{ accessToken: 'Bearer bearer sample-two' },
		{ authorization: 'Bearer sample-two' },
	],
	[
		'the name of the header in the key',
		{ apiKey: `x-api-key: ${KEY}` },
		['apiKey', 'begins with the name of a header. Enter only what comes after it'],
	],
	[
		'the name of the header in the token',
		{ accessToken: 'Authorization: Bearer sample-two' },
		['accessToken', 'begins with the name of a header. Enter only what comes after it'],
	],
	['a line break in the key', { apiKey: 'sample\none-two' }, ['apiKey', 'line break']],
	[
		'characters of no width in the key',
		{ apiKey: 'sample\u200bone-two' },
		['apiKey', 'invisible character, not allowed in a header. Copy it as plain text'],
	],
	[
		'characters of no width in the address',
		{ baseUrl: 'https://desk.example.com\u200b' },
		['baseUrl', 'invisible character. Delete the field, then type the address'],
	],
	[
		'the slug as an address',
		{ workspaceSlug: 'https://desk.example.com/acme' },
		['workspaceSlug', 'is not a short name. Enter it alone, e.g. my-workspace'],
	],
	[
		'the name of the workspace as its slug',
		{ workspaceSlug: 'My Workspace' },
		['workspaceSlug', 'is not a short name. Enter it alone, e.g. my-workspace'],
	],
	...[`https://desk.example.com/w/${WORKSPACE}`, WORKSPACE.replace('-', ' - '), 'acme'].map(
		(workspaceId): [string, Record<string, string>, [string, string]] => [
			`the workspace ID ${workspaceId}`,
			{ workspaceId },
			['workspaceId', 'is not a UUID. It should look like'],
		],
	),
	[
		'the workspace ID of the example',
		{ workspaceId: '0b6a6b7e-3c1f-4d2a-9f60-5a7d1c2e3f40' },
		['workspaceId', 'is only an example. Copy the ID of your workspace'],
	],
	...['<API key>', '[your key]', '{{API_KEY}}', 'your-api-key', 'YOUR_ACCESS_TOKEN'].flatMap(
		(left) =>
			(['apiKey', 'accessToken'] as const).map(
				(field): [string, Record<string, string>, [string, string]] => [
					`${left} in ${credentialLabels[field]}`,
					{ [field]: left },
					[field, 'is a placeholder. Replace it with your own'],
				],
			),
	),
	...['sk-1234****5678', 'sample-on...'].map(
		(apiKey): [string, Record<string, string>, [string, string]] => [
			`the key as a list shows it: ${apiKey}`,
			{ apiKey },
			['apiKey', 'is not shown in full where you copied it. Copy all of it'],
		],
	),
	['a part of the key', { apiKey: 'sample' }, ['apiKey', 'shorter than 8 characters. Copy all']],
	['no key', { apiKey: '' }, ['apiKey', 'is empty. Copy it from your workspace settings']],
];

it.each(mistakes)('understands %s, or says how to correct it', (_, entered, read) => {
	if (Array.isArray(read)) {
		const [field, fix] = read;
		expect(problemsOf(entered)).toEqual([[field, expect.stringContaining(fix)]]);
	} else {
		expect(accessOf(entered)).toMatchObject(read);
	}
});
