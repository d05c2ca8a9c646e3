import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { good } from '../../support/credential';
import { operations } from '../../../src/operations';
import { calls, search } from '../../support/panel';
import { runNode } from '../../support/runNode';
import { PHONE } from '../../support/samples';
import { forget, serve } from '../../support/service';

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
		"'Credential > Base URL' is not the address of a service",
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

const customers = (identifiers: string[]) => ({
	rows: identifiers.map((identifier) => ({ identifier })),
	parameters: {
		resource: 'customer',
		operation: 'createBatch',
		dryRun: false,
		inputMode: 'json',
		customerJson: '={{ $json }}',
		options: { batching: { batch: { batchSize: 2, parallelRequests: 1 } } },
	},
});

it('tells the jobs that were accepted in the error of a node that stops', async () => {
	serve((_, number) => (number <= 1 ? { status: 200, body: { jobId: 'job-1' } } : { status: 500 }));
	const { error } = await runNode(customers(['a', 'b', 'c']));
	expect(error?.message).toMatch(/^2 customers were sent\. Row 3: The service failed \(500/);
	expect(error?.description).toContain('Accepted as jobs: job-1');
});

it('says once what is wrong with many rows, and what to do about it', async () => {
	serve(() => ({ status: 401 }));
	const { error } = await runNode(customers(['a', 'b', 'c']));
	expect(error?.message).toBe(
		'0 customers were sent. 2 rows: The service did not accept the credential (401) (rows 1 and 2)',
	);
	expect(error?.description?.split('<br>')).toEqual([
		'Check API Key and Access Token in the credential. Customer batches need both.',
		'3 rows, 1 request: 3 not sent, because access was denied',
		'Row 3: Not sent, because the service did not accept the credential. Correct it, then run the node again',
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

it.each([
	['continueRegularOutput', 'unknown', 'unknown'],
	['continueErrorOutput', 'unknown', 'unknown'],
	['continueRegularOutput', 'notSent', 'stopped'],
] as const)(
	'says of each row whether it may have been sent when the node itself fails (%s, %s)',
	async (onError, outcome, code) => {
		const get = operations['ticket']?.['get'];
		if (!get) throw new Error('There is no such operation');
		serve(() => ({ status: 200, body: { data: [] } }));
		const { run } = get;
		const spy = jest.spyOn(get, 'run').mockImplementation(async (input, context) => {
			if (outcome === 'unknown') await run(input, context);
			throw new Error('a mistake of ours');
		});
		const parameters = { resource: 'ticket', operation: 'get', output: 'raw', ticketId: '7' };
		const { main, errors, error } = await runNode({
			rows: [{ a: 1 }, { a: 2 }],
			parameters,
			settings: { onError },
		});
		spy.mockRestore();
		expect(error).toBeUndefined();
		const reported = onError === 'continueErrorOutput' ? errors : main;
		const reason = expect.stringContaining('a mistake of ours') as string;
		expect(reported.map(({ json }) => json['details'])).toEqual(
			[1, 2].map((row) => ({ row, kind: 'held', outcome, code, reason })),
		);
		expect(String((reported[0]?.json as { error?: unknown }).error)).toContain('a mistake of ours');
	},
);

it.each([
	['a broken credential', { credential: { ...good, apiKey: '' } }, 'settings'],
	['a setting', { parameters: { safeguards: { hoursBetweenCalls: 200 } } }, 'settings'],
	[
		'an empty agent',
		{ parameters: { agentId: "={{ $('Rows').first().json.agent }}" } },
		'settings',
	],
	['a wrong key', { status: 401 }, 'accessDenied'],
	['a wrong address', { status: 404 }, 'notFound'],
	['too many requests', { status: 429, headers: { 'retry-after': '86400' } }, 'serviceFailed'],
])('takes no row off a list because of %s', async (_, change, code) => {
	const { credential, parameters, ...reply } = { credential: good, parameters: {}, ...change };
	serve(() => ({ status: 200, body: { code: 'SOME_CODE', message: 'no' }, ...reply }));
	const setup = {
		rows: [{ phone: PHONE, agent: '' }],
		credential,
		parameters: { ...calls, ...parameters },
	};
	const { errors } = await runNode({ ...setup, settings: { onError: 'continueErrorOutput' } });
	expect(errors.map(({ json }) => json['details'])).toMatchObject([{ outcome: 'notSent', code }]);
});
