import {
	describeFailure,
	nameField,
	omitValues,
	problemLines,
} from '../../../src/core/describeFailure';
import type { ApiError, ConnectionError, Failure } from '../../../src/core/failures';
import type { FailureHelp } from '../../../src/core/http';

const label = (path: ReadonlyArray<string | number>) => path.join('/');
const readOnly: FailureHelp = { readOnly: true };
const api = (status: number, more: Partial<ApiError> = {}): ApiError => ({
	kind: 'api',
	call: 'POST /tickets/search',
	status,
	code: 'SOME_CODE',
	message: 'some words',
	issues: [],
	...more,
});
const silence = (code: string, sent: 'no' | 'unknown', help?: FailureHelp): ConnectionError => ({
	kind: 'connection',
	call: 'POST /conversations',
	sent,
	code,
	...(help && { help }),
});
const textOf = (failure: Failure) => {
	const { message, advice } = describeFailure(failure, label);
	return `${message} | ${advice ?? ''}`;
};

describe('an explanation', () => {
	it('is one text per kind and status', () => {
		const failures: Failure[] = [
			...[200, 302, 400, 401, 403, 404, 413, 429, 503].map((status) => api(status)),
			...[413, 503].map((status) => api(status, { help: readOnly })),
			api(302, { location: 'other.test' }),
			api(400, { code: undefined, message: '' }),
			api(401, { help: { credentialAdvice: 'Check both keys' } }),
			api(404, { help: { notFound: { message: 'There is none', advice: 'Check its ID' } } }),
			api(429, { retryAfter: 7 }),
			silence('ECONNRESET', 'unknown', readOnly),
			api(200, { message: '' }),
			api(400, { issues: [{ message: 'a' }, 'b'] }),
			{ kind: 'contract', call: 'GET /x', status: 200, message: 'The response is short' },
			{
				kind: 'input',
				problems: [
					{ path: ['a'], reason: 'is b', fix: 'Do c' },
					{ path: ['d'], reason: 'is e', value: 'f'.repeat(61) },
				],
			},
			{ kind: 'held', message: 'Not sent' },
			...['EHOSTUNREACH', 'ECONNREFUSED', 'CERT_HAS_EXPIRED'].map((code) => silence(code, 'no')),
			silence('ECONNRESET', 'unknown'),
			silence('CERT_HAS_EXPIRED', 'unknown'),
		];
		expect(failures.map(textOf)).toEqual([
			'The service did not accept this row: some words | Check what you entered, then run the node again',
			'The service redirected to another address (302). The redirect was not followed, because it would have sent your keys along | Enter the final address of the service as Base URL in the credential',
			'The service rejected the request (400 SOME_CODE: some words) | Check what you entered, and Workspace Slug in the credential, then run the node again',
			'The service did not accept the credential (401 SOME_CODE: some words) | Check API Key in the credential. It may be mistyped, revoked or from another workspace',
			'The credential has no access (403 SOME_CODE: some words) | Check Workspace ID and Workspace Slug in the credential, and what the API key is allowed to do',
			'The service does not know this request (404 SOME_CODE: some words, POST /tickets/search) | Check Base URL in the credential. It usually ends with /api/v2',
			'The request was too large for the service (413 SOME_CODE: some words) | Lower Batch Size in the options, or send less data per row',
			'The service is limiting requests (429 SOME_CODE: some words) | Run the workflow later or less often, or lower Parallel Requests if there are several',
			'The service failed (503 SOME_CODE: some words, POST /tickets/search) | Check in the service whether it arrived before sending it again. If it continues, contact the service',
			'The request was too large for the service (413 SOME_CODE: some words) | Shorten the lists of values in the filters',
			'The service failed (503 SOME_CODE: some words, POST /tickets/search) | Try again later. If it continues, contact the service',
			'The service redirected to other.test (302). The redirect was not followed, because it would have sent your keys along | Enter the final address of the service as Base URL in the credential',
			'The service rejected the request (400) | Check what you entered, and Workspace Slug in the credential, then run the node again',
			'The service did not accept the credential (401 SOME_CODE: some words) | Check both keys',
			'There is none (404 SOME_CODE: some words) | Check its ID',
			'The service is limiting requests (429 SOME_CODE: some words). It asks to wait 7 seconds | Run the workflow later or less often, or lower Parallel Requests if there are several',
			'The connection broke before a response came (ECONNRESET, POST /conversations). The service may have received the request | Try again later. Reading changes nothing',
			'The service did not accept this row | Check what you entered, then run the node again',
			'The service rejected the request (400 SOME_CODE: some words). It named: a. b | Correct what it names, then run the node again',
			'The service sent something unexpected: The response is short (GET /x, status 200) | Check that Base URL in the credential is the address of the service, not of a web page or a proxy',
			`'a' is b. Do c. 'd' "${'f'.repeat(60)}…" is e | `,
			'Not sent | ',
			'The service could not be reached (EHOSTUNREACH). Nothing was sent | Check Base URL in the credential and the network of this n8n',
			'The service refused the connection (ECONNREFUSED). Nothing was sent | Check the host and port of Base URL in the credential',
			'The connection to the service is not trusted, because of its certificate (CERT_HAS_EXPIRED). Nothing was sent | Check Base URL in the credential, or ask your administrator about its certificate',
			'The connection broke before a response came (ECONNRESET, POST /conversations). The service may have received the request | Check in the service whether it arrived before sending it again',
			'The connection to the service is not trusted, because of its certificate (CERT_HAS_EXPIRED) | Check Base URL in the credential, or ask your administrator about its certificate',
		]);
		expect([['toPhoneNumber'], ['a', 'ticketId'], [3], []].map(nameField)).toEqual([
			'To Phone Number',
			'Ticket ID',
			'Row',
			'Row',
		]);
	});

	it('names issues without the position of a row, which no user knows', () => {
		const named = (path: unknown, help?: FailureHelp) =>
			textOf(api(400, { issues: [{ path, message: 'bad.' }], ...(help && { help }) }));
		expect(named('conversations.1')).toContain('It named: bad |');
		expect(named(['conversations', 1])).toContain('It named: bad |');
		expect(named(['customers', 3, 'email'])).toContain('It named: email: bad |');
		expect(named('customers[12].email')).toContain('It named: email: bad |');
		expect(named(['sort', 0, 'field'], readOnly)).toContain('It named: sort.0.field: bad |');
	});

	it('never writes undefined or [object Object], whatever is missing', () => {
		for (let status = 300; status < 600; status++) {
			for (const message of ['', 'words']) {
				const error: ApiError = { kind: 'api', call: 'GET /x', status, message, issues: [] };
				expect(textOf(error)).not.toMatch(/undefined|\[object|null|NaN/);
				expect(textOf(error)).not.toMatch(/: *\)/);
			}
		}
	});

	it('never claims that nothing was sent where that is not known', () => {
		for (const code of ['ETIMEDOUT', 'ECONNABORTED', 'ECONNRESET', 'EPIPE', 'ABORTED', 'UNKNOWN']) {
			expect(textOf(silence(code, 'unknown'))).toContain('may have received');
			expect(textOf(silence(code, 'unknown'))).not.toContain('Nothing was sent');
		}
		for (const code of ['EHOSTUNREACH', 'ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT']) {
			expect(textOf(silence(code, 'no'))).toContain('Nothing was sent');
			expect(textOf(silence(code, 'no'))).not.toContain('may have received');
		}
	});
});

it('the lines of problems are at most twenty, and say how many are left out', () => {
	const problems = Array.from({ length: 25 }, (_, i) => ({ path: ['a', i], reason: 'is empty' }));
	const lines = problemLines(problems, label);
	expect([lines.length, lines[0], lines[20]]).toEqual([21, "'a/0' is empty", 'and 5 more']);
	expect(problemLines(problems.slice(0, 20), label)).toHaveLength(20);
});

describe('a rejection that names fields', () => {
	const help: FailureHelp = { fieldsParameter: ['customer'] };
	const rejected = (...issues: readonly unknown[]) => textOf(api(400, { issues, help }));
	const issue = (path: unknown, message: unknown = 'Is wrong.') => ({ path, message });

	it.each<[unknown, string]>([
		[['customers', 3, 'email'], 'customer/email'],
		[['customers', 12, 'metadata', 'a'], 'customer/metadata.a'],
		['customers[12].email', 'customer/email'],
	])('shows %j by the name of the field', (path, field) => {
		expect(rejected(issue(path))).toMatch(
			new RegExp(`^${field}: Is wrong \\(400 SOME_CODE\\)\\. Correct`),
		);
	});

	it.each<unknown>([issue('email'), issue(['customers', 3, 'email'], 5), null])(
		'shows %j as the service said it',
		(named) => {
			expect(rejected(issue(['customers', 3, 'email']), named)).toContain(
				'(400 SOME_CODE: some words). It named: email: Is wrong.',
			);
		},
	);
});

it.each([
	[400, true],
	[402, false],
	[407, false],
	[418, true],
	[499, true],
])('doubts the base URL where %i may not be of the service', (status, isForeign) => {
	const { advice } = describeFailure(api(status, { isForeign }), label);
	expect(advice).toContain('Base URL');
});

it.each([302, 500, 503])('does not doubt the base URL for a page with %i', (status) => {
	const page = describeFailure(api(status, { isForeign: true }), label);
	expect(page).toEqual(describeFailure(api(status), label));
});

it('omits the values of problems, and changes no other failure', () => {
	const problem = { path: ['a'], reason: 'is b', fix: 'Do c' };
	const input = (value?: string) => ({ kind: 'input' as const, problems: [{ ...problem, value }] });
	expect(omitValues(input('12'))).toEqual({ kind: 'input', problems: [problem] });
	expect(omitValues(api(400))).toEqual(api(400));
});
