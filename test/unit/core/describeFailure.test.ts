import fc from 'fast-check';
import { describeFailure, problemLines } from '../../../src/core/describeFailure';
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
const silence = (code: string, sent: 'no' | 'unknown' = 'unknown'): ConnectionError => ({
	kind: 'connection',
	call: 'POST /conversations',
	sent,
	code,
});
const textOf = (failure: Failure) => {
	const { message, advice } = describeFailure(failure, label);
	return `${message} | ${advice ?? ''}`;
};

describe('an explanation', () => {
	it('of what was said already is that', () => {
		const said = { message: 'It is not there', advice: 'Look elsewhere' };
		const { message } = said;
		expect(describeFailure({ kind: 'held', message }, label)).toEqual({ message });
		for (const kind of ['notFound', 'notFinished'] as const)
			expect(describeFailure({ kind, ...said }, label)).toEqual(said);
	});

	const contract = {
		kind: 'contract',
		call: 'GET /conversations/{id}',
		status: 200,
		message: 'is not JSON',
	} as const;
	const SAID = '(400 SOME_CODE: some words)';
	const ARRIVED = 'Check in the service whether it arrived before sending it again';
	const CONTACT = 'Try again later. If it continues, contact the service';
	const REJECTED =
		'Check what you entered, and Workspace Slug in the credential, then run the node again';

	it.each<[failure: Failure, message: string, advice: string]>([
		[
			contract,
			'The service sent something unexpected: is not JSON (GET /conversations/{id}, status 200)',
			'Check that Base URL in the credential is the address of the service, not of a web page or a proxy',
		],
		[{ ...contract, advice: 'Remove the filter' }, 'is not JSON', 'Remove the filter'],
		...[300, 302, 307].map((status): [Failure, string, string] => [
			api(status, { location: 'elsewhere.example.com' }),
			`The service redirected to elsewhere.example.com (${status}). The redirect was not followed, because it would have sent your keys along`,
			'Enter the final address of the service as Base URL in the credential',
		]),
		[api(200), 'The service did not accept this row: some words', 'Check what you entered'],
		[api(399), 'redirected to another address (399)', 'Base URL'],
		[api(400), `The service rejected the request ${SAID}`, REJECTED],
		[api(400, { code: undefined }), '(400: some words)', REJECTED],
		[api(400, { message: '' }), '(400 SOME_CODE)', REJECTED],
		[api(422, { help: { rejectedAdvice: 'Enter it' } }), 'rejected the request', 'Enter it'],
		[api(401), 'The service did not accept the credential (401', 'Check API Key in the credential'],
		[api(401, { help: { credentialAdvice: 'Check both keys' } }), '401', 'Check both keys'],
		[api(403), 'The credential has no access (403', 'Check Workspace ID and Workspace Slug'],
		[api(403, { help: { rejectedAdvice: 'Enter it' } }), '403', 'Enter it'],
		[
			api(404),
			'The service does not know this request (404 SOME_CODE: some words, POST /tickets/search)',
			'Check Base URL in the credential. It usually ends with /api/v2',
		],
		[
			api(404, { help: { notFound: { message: 'There is none', advice: 'Check its ID' } } }),
			'There is none (404 SOME_CODE: some words)',
			'Check its ID',
		],
		[
			api(408, { help: readOnly }),
			'The service failed (408 SOME_CODE: some words, POST /tickets/search)',
			CONTACT,
		],
		[api(503, { help: readOnly }), 'The service failed (503', CONTACT],
		[api(503), 'The service failed (503', `${ARRIVED}. If it continues, contact the service`],
		[api(200, { message: '' }), 'The service did not accept this row', 'Check what you entered'],
		[api(413), 'The request was too large for the service (413', 'Lower Batch Size'],
		[api(413, { help: readOnly }), '413', 'Shorten the lists of values in the filters'],
		[api(429, { retryAfter: 0 }), '(429 SOME_CODE: some words)', 'lower Parallel Requests'],
		[api(429, { retryAfter: 7 }), '(429 SOME_CODE: some words). It asks to wait 7 seconds', ''],
		[
			silence('ECONNREFUSED', 'no'),
			'The service refused the connection (ECONNREFUSED). Nothing was sent',
			'Check the host and port of Base URL in the credential',
		],
		[{ ...silence('ECONNREFUSED', 'no'), help: readOnly }, '', 'Check the host and port'],
		[
			silence('ENOTFOUND', 'no'),
			'The host of the service was not found. Nothing was sent',
			'Check the spelling of Base URL in the credential, and the network of this n8n',
		],
		[
			silence('CERT_HAS_EXPIRED', 'no'),
			'The connection to the service is not trusted, because its certificate has expired (CERT_HAS_EXPIRED). Nothing was sent',
			'Check Base URL in the credential, or ask your administrator about its certificate',
		],
		[
			silence('EHOSTUNREACH', 'no'),
			'The service could not be reached (EHOSTUNREACH). Nothing was sent',
			'Check Base URL in the credential and the network of this n8n',
		],
		[silence('ECONNRESET'), 'The connection broke before a response came (ECONNRESET', ARRIVED],
		[silence('ECONNABORTED'), 'The service did not respond in time', ARRIVED],
		[{ ...silence('ECONNRESET'), help: readOnly }, '', 'Reading changes nothing'],
		[{ ...silence('ECONNABORTED'), help: readOnly }, '', 'Reading changes nothing'],
		[silence('CANCELED'), 'Not sent, because the workflow was stopped', 'Run the workflow again'],
		[silence('DEADLINE_EXCEEDED'), 'the service asked to wait longer', 'Try again later'],
		[silence('ABORTED'), 'stopped while this was in progress', 'Check in the service'],
		[silence('INTERRUPTED'), 'was interrupted before the response came', 'does not resend it'],
	])('of %j says what happened and what to do', (failure, message, advice) => {
		const described = describeFailure(failure, label);
		expect(described.message).toContain(message);
		expect(described.advice).toContain(advice);
	});

	it('names up to five of the issues of the service, as far as they can be read', () => {
		const read = [{ path: ['a', 0], message: 'm' }, { path: 'b.c', message: 'n' }, { message: 7 }];
		const { message } = describeFailure(api(400, { issues: [...read, 'x', null, 'y'] }), label);
		expect(message).toMatch(/: a\.0: m\. b\.c: n\. \{"message":7\}\. x\. null$/);
	});

	it('is text of bounded length, whatever issues the service names', () => {
		fc.assert(
			fc.property(fc.array(fc.jsonValue()), (issues) => {
				const { message } = describeFailure(api(400, { issues }), label);
				expect(message.length).toBeLessThan(1_200);
			}),
		);
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
		for (const code of ['EHOSTUNREACH', 'ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']) {
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
	const rejected = (issues: readonly unknown[], more: Partial<ApiError> = {}) =>
		textOf(api(400, { issues, help, ...more }));
	const issue = (path: unknown, message: unknown = 'Is wrong.') => ({ path, message });

	it.each<[unknown, string]>([
		[['customers', 3, 'email'], 'customer/email'],
		[['customers', 12, 'metadata', 'a'], 'customer/metadata.a'],
		['customers.3.email', 'customer/email'],
		['customers[12].email', 'customer/email'],
		[`customers.0.${'x'.repeat(90)}`, `customer/${'x'.repeat(80)}`],
	])('shows %j by the name of the field', (path, label) => {
		const advice = 'Correct it, then run the node again';
		expect(rejected([issue(path)])).toBe(
			`${label}: Is wrong. ${advice}. (400 SOME_CODE) | ${advice}`,
		);
	});

	it.each<unknown>([
		issue('email'),
		issue(['email']),
		issue('x customers.3.email'),
		issue(['customers', 3, 'email'], 5),
		null,
	])('shows %j as the service said it', (named) => {
		expect(rejected([issue(['customers', 3, 'email']), named])).toContain(
			'The service rejected the request (400 SOME_CODE: some words). It named: customers.3.email: Is wrong.',
		);
	});

	it('joins what it says of several, and says no more than five', () => {
		const issues = Array.from({ length: 6 }, (_, n) =>
			issue(['customers', n, `f${n}`], `M${n}.  `),
		);
		expect(rejected(issues)).toBe(
			'customer/f0: M0. customer/f1: M1. customer/f2: M2. customer/f3: M3. customer/f4: M4. Correct it, then run the node again. (400 SOME_CODE) | Correct it, then run the node again',
		);
		expect(rejected([issue(['customers', 0, 'a'], 'x'.repeat(300))])).toContain(
			`customer/a: ${'x'.repeat(200)}. Correct it`,
		);
		expect(rejected([issue(['customers', 0, 'a'], 'No. 5')])).toContain(
			'customer/a: No. 5. Correct',
		);
	});
});
