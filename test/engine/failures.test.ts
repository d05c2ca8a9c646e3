import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { good } from '../support/credential';
import { operations } from '../../src/operations';
import { calls, search } from '../support/panel';
import { runNode } from '../support/runNode';
import { PHONE } from '../support/samples';
import type { Scripted } from '../support/service';
import { forget, serve } from '../support/service';

afterEach(forget);

const broken: Array<[string, Partial<ICredentialDataDecryptedObject>, string]> = [
	[
		'a malformed workspace ID',
		{ workspaceId: 'acme' },
		"'Credential > Workspace ID' is not a UUID",
	],
	['an empty key', { apiKey: ' ' }, "'Credential > API Key' is empty"],
	[
		'a line break in the key',
		{ apiKey: 'key-0123456789\nx: y' },
		"'Credential > API Key' contains a line break",
	],
	[
		'plain http to another host',
		{ baseUrl: 'http://desk.test' },
		"'Credential > Base URL' starts with http://",
	],
	[
		'an address that is none',
		{ baseUrl: 'desk test' },
		"'Credential > Base URL' is not a web address",
	],
];

it.each(broken)(
	'refuses a credential with %s before anything is sent, for each row where it continues on errors',
	async (_, change, text) => {
		const received = serve(() => ({ status: 200 }));
		const setup = { parameters: search, credential: { ...good, ...change } };
		expect((await runNode(setup)).error?.message).toContain(text);
		const { main, errors, error } = await runNode({
			...setup,
			rows: [{ a: 1 }, { a: 2 }],
			settings: { onError: 'continueErrorOutput' },
		});
		expect([error, main, received]).toEqual([undefined, [], []]);
		expect(errors.map(({ json }) => json)).toMatchObject([
			{ a: 1, error: expect.stringContaining(text) },
			{ a: 2, error: expect.stringContaining(text) },
		]);
	},
);

it('never throws for a credential that cannot be read when it continues on errors', async () => {
	const { errors, error } = await runNode({
		rows: [{ a: 1 }],
		parameters: search,
		credential: new Error('the vault is closed'),
		settings: { onError: 'continueErrorOutput' },
	});
	expect(error).toBeUndefined();
	expect(errors.map(({ json }) => json)).toMatchObject([
		{ a: 1, error: expect.stringContaining('could not be read: the vault is closed') },
	]);
});

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

	it('of a tool may read another node', async () => {
		const received = serve(() => ({ status: 200 }));
		await runNode({
			rows: [{ phone: PHONE, workspace: other }],
			parameters: calls,
			settings: { type: 'conversationDeskTool' },
			credential: { ...good, workspaceId: "={{ $('Rows').first().json.workspace }}" },
		});
		expect(received[0]?.headers['x-workspace-id']).toBe(other);
	});

	it('that gives the same for all rows is used', async () => {
		const received = serve(() => ({ status: 200 }));
		const rows = rowsOf(other, other);
		const { main } = await runNode({ rows, parameters: calls, credential });
		expect(main).toHaveLength(2);
		expect(received[0]?.headers['x-workspace-id']).toBe(other);
	});
});

it('tells the jobs that were accepted in the error of a node that stops', async () => {
	serve((_, number) =>
		number === 1 ? { status: 200, body: { jobId: 'job-1' } } : { status: 500 },
	);
	const { error } = await runNode({
		rows: [{ identifier: 'a' }, { identifier: 'b' }],
		parameters: {
			resource: 'customer',
			operation: 'createBatch',
			dryRun: false,
			inputMode: 'json',
			customersJson: '={{ $json }}',
			options: { batching: { batch: { batchSize: 1, parallelRequests: 1 } } },
		},
	});
	expect(error?.message).toBe(
		'1 customer was sent. Row 2: The service failed (500, POST /customers/batch)',
	);
	expect(error?.description).toContain('Accepted as jobs: job-1');
});

const customers = (identifiers: string[]) => ({
	rows: identifiers.map((identifier) => ({ identifier })),
	parameters: {
		resource: 'customer',
		operation: 'createBatch',
		dryRun: false,
		inputMode: 'json',
		customersJson: '={{ $json }}',
		options: { batching: { batch: { batchSize: 2, parallelRequests: 1 } } },
	},
});

it('says once what is wrong with many rows, and what to do about it', async () => {
	serve(() => ({ status: 401 }));
	const { error } = await runNode(customers(['a', 'b', 'c']));
	expect(error?.message).toBe(
		'0 customers were sent. 2 rows: The service did not accept the credential (401) (rows 1 and 2)',
	);
	expect(error?.description?.split('<br>')).toEqual([
		'Check API Key and Access Token in the credential. Customer batches need both.',
		'3 rows, 1 request: 2 rejected by the service, 1 not sent',
		'The other rows: Not sent, because the service did not accept the credential. Correct it, then run the node again',
	]);
});

it('gives n8n the number of the item only where there is one: n8n counts from 0, we from 1', async () => {
	const contextOf = async (identifiers: string[]) => {
		serve(() => ({ status: 401 }));
		const { run } = await runNode(customers(identifiers));
		const { error } = JSON.parse(JSON.stringify(run.data.resultData)) as {
			error: { context: { itemIndex?: number } };
		};
		return error.context;
	};
	expect(await contextOf(['a'])).toHaveProperty('itemIndex', 0);
	expect(await contextOf(['a', 'b'])).not.toHaveProperty('itemIndex');
});

it('says first which rows failed and why, then the account, then the invalid rows, which no item shows', async () => {
	serve(() => ({ status: 500 }));
	const { error } = await runNode(customers(['', 'a', 'b', '', 'c']));
	expect(error?.message).toMatch(/^3 rows: The service failed \(500.*\(rows 2, 3 and 5\)$/);
	expect(error?.description?.split('<br>')).toEqual([
		expect.stringContaining('Check in the service whether it arrived'),
		'5 rows, 2 requests: 2 rejected before sending, 3 unknown (may have arrived)',
		expect.stringMatching(/^2 rows: .*Identifier&#39; is empty \(rows 1 and 4\)/),
	]);
});

it('says what happened, and names the first of many rows', async () => {
	serve((_, number) => ({ status: number % 2 === 1 ? 400 : 200, body: { jobId: 'job-1' } }));
	const rows = customers(Array.from({ length: 10 }, (_, i) => `c-${i}`));
	const { error } = await runNode({
		...rows,
		parameters: {
			...rows.parameters,
			options: { batching: { batch: { batchSize: 1, parallelRequests: 1 } } },
		},
	});
	expect(error?.message).toMatch(
		/^5 customers were sent\. 5 rows: The service rejected the request .*\(rows 1, 3, 5 and 2 more\)$/,
	);
});

it('makes an expression that fails an error item of its row when it continues on errors', async () => {
	serve(() => ({
		status: 200,
		body: { data: [{ id: 'x', ticketNumber: 1 }], metadata: { hasNextPage: false } },
	}));
	const { main, errors } = await runNode({
		rows: [{ bad: true }, { bad: false }],
		parameters: { ...search, limit: '={{ $json.bad ? $("Nowhere").item : 5 }}' },
		settings: { onError: 'continueErrorOutput' },
	});
	expect(main.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }]);
	expect(errors.map(({ json }) => json)).toMatchObject([
		{ bad: true, error: expect.stringContaining('Row 1:') },
	]);
});

const replies: Array<[string, Scripted, string, string]> = [
	[
		'a wrong key',
		{ status: 401, body: { code: 'UNAUTHORIZED', message: 'no' } },
		'did not accept the credential',
		'Check API Key',
	],
	[
		'missing access',
		{ status: 403, body: { code: 'FORBIDDEN', message: 'no' } },
		'has no access',
		'Check Workspace ID',
	],
	[
		'a redirect',
		{ status: 302, headers: { location: 'https://evil.test/x' } },
		'redirected to evil.test',
		'Enter the final address',
	],
	[
		'an unknown address',
		{ status: 404, body: '<html><h1>Nope</h1></html>' },
		'does not know this request (404: Nope',
		'Check Base URL',
	],
	[
		'a web page',
		{ status: 200, body: '<html></html>' },
		'The response is not JSON',
		'Check that Base URL',
	],
	[
		'another shape',
		{ status: 200, body: { rows: [] } },
		'The response at data',
		'Check that Base URL',
	],
	[
		'a host that refuses',
		{ broken: 'ECONNREFUSED', syscall: 'connect' },
		'The service refused the connection',
		'Check the host',
	],
];

it.each(replies)(
	'explains %s, and what to do',
	async (_, reply, message, advice) => {
		const other = serve(() => ({ status: 200 }), 'https://evil.test');
		serve(() => reply);
		const { error } = await runNode({ parameters: search });
		expect(error?.message).toContain(message);
		expect(error?.description).toContain(advice);
		expect(other).toEqual([]);
	},
	30_000,
);

it('lets no secret out, even if the service echoes it', async () => {
	serve(({ headers }) => ({
		status: 400,
		body: { message: `bad key ${headers['x-api-key']}`, issues: [headers] },
	}));
	const { main, run } = await runNode({
		parameters: search,
		settings: { onError: 'continueRegularOutput' },
	});
	expect(main).toHaveLength(1);
	expect(JSON.stringify(run)).not.toContain(good.apiKey);
	expect(JSON.stringify(run)).toContain('bad key ***');
});

it('loses no row to an operation that there is not', async () => {
	const received = serve(() => ({ status: 200 }));
	const parameters = { resource: 'ticket', operation: 'constructor' };
	const stopped = await runNode({ rows: [{}, {}], parameters });
	expect(stopped.error?.message).toBe(
		"'operation' is not known. Choose a resource and an operation",
	);
	const { main } = await runNode({
		rows: [{}, {}],
		parameters: { resource: '__proto__', operation: 'search' },
		settings: { onError: 'continueRegularOutput' },
	});
	expect(main.map(({ json }) => json['error'])).toEqual([
		"Row 1: 'operation' is not known. Choose a resource and an operation",
		"Row 2: 'operation' is not known. Choose a resource and an operation",
	]);
	expect(received).toEqual([]);
});

it.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
	'says of each row that it may have been sent when the node itself fails (%s)',
	async (onError) => {
		const get = operations['ticket']?.['get'];
		if (!get) throw new Error('There is no such operation');
		const run = jest.spyOn(get, 'run').mockRejectedValue(new Error('a mistake of ours'));
		const parameters = { resource: 'ticket', operation: 'get', output: 'raw', ticketId: '7' };
		const { main, errors, error } = await runNode({
			rows: [{ a: 1 }, { a: 2 }],
			parameters,
			settings: { onError },
		});
		run.mockRestore();
		expect(error).toBeUndefined();
		const told = onError === 'continueErrorOutput' ? errors : main;
		expect(told.map(({ json }) => json['details'])).toEqual(
			[1, 2].map((row) => ({
				...{ row, kind: 'held', outcome: 'unknown' },
				reason: expect.stringContaining('a mistake of ours') as string,
			})),
		);
		expect(String((told[0]?.json as { error?: unknown }).error)).toContain('a mistake of ours');
	},
);
