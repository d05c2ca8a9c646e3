import fc from 'fast-check';
import { describeFailure, issueText, problemLines } from '../../../src/core/describeFailure';
import type { ApiError, ConnectionError, Failure } from '../../../src/core/failures';
import type { FailureHelp } from '../../../src/core/http';

const label = (path: ReadonlyArray<string | number>) => path.join('/');
const readOnly: FailureHelp = { readOnly: true };
const bothKeys: FailureHelp = { credentialAdvice: 'Check both keys' };
const noSuchThing: FailureHelp = {
	notFound: { message: 'There is no such thing', advice: 'Check its ID' },
};
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
	it('of several problems with the input names them all', () => {
		const problems = [
			{ path: ['limit'], message: 'must be 1 or more' },
			{ path: ['sort', 0], message: 'is empty' },
		];
		expect(describeFailure({ kind: 'input', problems }, label)).toEqual({
			message: "'limit' must be 1 or more. 'sort/0' is empty",
		});
	});

	it.each(['held', 'skipped'] as const)('of a row that was %s is what was said of it', (kind) => {
		expect(describeFailure({ kind, message: 'Not sent' }, label)).toEqual({ message: 'Not sent' });
	});

	it.each(['notFound', 'notFinished'] as const)(
		'of %s is what was said, with its way out',
		(kind) => {
			const said = { message: 'It is not there', advice: 'Look elsewhere' };
			expect(describeFailure({ kind, ...said }, label)).toEqual(said);
		},
	);

	it.each([
		[300, 'redirected', 'Base URL'],
		[302, 'redirected', 'Base URL'],
		[400, 'rejected the request', 'Workspace Slug'],
		[401, 'did not accept the credential', 'API Key'],
		[403, 'no access', 'Workspace'],
		[404, 'does not know this request', 'Base URL'],
		[408, 'service failed', 'Try again later'],
		[413, 'too large', 'Lower Batch Size'],
		[422, 'rejected the request', 'Workspace Slug'],
		[429, 'limiting requests', 'Parallel Requests'],
		[500, 'service failed', 'Try again later'],
		[503, 'service failed', 'Try again later'],
	])('of %s says what happened and what to do', (status, message, advice) => {
		const described = describeFailure(api(status, { location: 'elsewhere.example.com' }), label);
		expect(described.message).toContain(message);
		expect(described.message).toContain(String(status));
		expect(described.advice).toContain(advice);
	});

	it('is made of the status and of what else the service said, and of nothing more', () => {
		const message = (more: Partial<ApiError>) => describeFailure(api(403, more), label).message;
		expect(message({})).toBe('The credential has no access (403 SOME_CODE: some words)');
		expect(message({ code: undefined })).toBe('The credential has no access (403: some words)');
		expect(message({ message: '' })).toBe('The credential has no access (403 SOME_CODE)');
		expect(describeFailure(api(400), label).message).toBe(
			'The service rejected the request (400 SOME_CODE: some words)',
		);
	});

	it('of a 404 says what is not there, where the request knows it', () => {
		expect(describeFailure(api(404, { help: noSuchThing }), label)).toEqual({
			message: 'There is no such thing (404 SOME_CODE: some words)',
			advice: 'Check its ID',
		});
		expect(describeFailure(api(404), label)).toEqual({
			message:
				'The service does not know this request (404 SOME_CODE: some words, POST /tickets/search)',
			advice: 'Check Base URL in the credential. It usually ends with /api/v2',
		});
	});

	it('of what the schema of a reply refused points to the address, unless it says what to do', () => {
		const failure: Failure = {
			kind: 'contract',
			call: 'GET /conversations/{id}',
			status: 200,
			message: 'is not JSON',
		};
		const advice = 'Remove the filter';
		expect(describeFailure({ ...failure, advice }, label)).toMatchObject({ advice });
		expect(describeFailure(failure, label)).toEqual({
			message:
				'The service sent something unexpected: is not JSON (GET /conversations/{id}, status 200)',
			advice:
				'Check that Base URL in the credential is the address of the service, not of a web page or a proxy',
		});
	});

	it('says how long to wait only where the service said it', () => {
		const limited = (retryAfter?: number) =>
			describeFailure(api(429, { retryAfter }), label).message;
		expect([limited(), limited(0), limited(7)]).toEqual([
			'The service is limiting requests (429 SOME_CODE: some words)',
			'The service is limiting requests (429 SOME_CODE: some words)',
			'The service is limiting requests (429 SOME_CODE: some words). It asks to wait 7 seconds',
		]);
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

	it('names the service’s words, its code and up to five of its issues', () => {
		const issues = Array.from({ length: 9 }, (_, i) => ({ path: ['a', i], message: `m${i}` }));
		const { message } = describeFailure(api(400, { issues }), label);
		expect(message).toContain('400 SOME_CODE: some words');
		expect(message).toContain('a.0: m0. a.1: m1. a.2: m2. a.3: m3. a.4: m4');
		expect(message).not.toContain('m5');
	});

	it('names the host of a redirect and says why it was not followed', () => {
		const { message } = describeFailure(api(307, { location: 'elsewhere.example.com' }), label);
		expect(message).toContain('elsewhere.example.com');
		expect(message).toContain('your keys');
		expect(describeFailure(api(307), label).message).toContain(
			'redirected to another address (307)',
		);
	});

	it('gives other advice for what only reads than for what is written', () => {
		expect(textOf(api(413))).toContain('Batch Size');
		expect(textOf(api(413, { help: readOnly }))).toContain('Shorten the lists');
		for (const code of ['ECONNRESET', 'ECONNABORTED']) {
			expect(textOf({ ...silence(code), help: readOnly })).toContain('Reading changes nothing');
			expect(textOf(silence(code))).toContain('Check in the service whether it arrived');
		}
	});

	it('of what only reads keeps its own advice where the cause is known', () => {
		const refused = { ...silence('ECONNREFUSED', 'no'), help: readOnly };
		expect(describeFailure(refused, label).advice).toBe(
			'Check the host and port of Base URL in the credential',
		);
	});

	it.each([
		[
			'ECONNREFUSED',
			'The service refused the connection (ECONNREFUSED). Nothing was sent',
			'Check the host and port of Base URL in the credential',
		],
		[
			'ENOTFOUND',
			'The host of the service was not found. Nothing was sent',
			'Check the spelling of Base URL in the credential, and the network of this n8n',
		],
		[
			'CERT_HAS_EXPIRED',
			'The connection to the service is not trusted, because its certificate has expired (CERT_HAS_EXPIRED). Nothing was sent',
			'Check Base URL in the credential, or ask your administrator about its certificate',
		],
		[
			'EHOSTUNREACH',
			'The service could not be reached (EHOSTUNREACH). Nothing was sent',
			'Check Base URL in the credential and the network of this n8n',
		],
	])('of %s says what happened and where to look', (code, message, advice) => {
		expect(describeFailure(silence(code, 'no'), label)).toEqual({ message, advice });
	});

	it.each([
		['CANCELED', 'Not sent, because the workflow was stopped', 'Run the workflow again'],
		['DEADLINE_EXCEEDED', 'the service asked to wait longer', 'Try again later'],
		['ABORTED', 'stopped while this was in progress', 'Check in the service'],
		['INTERRUPTED', 'was interrupted before the response came', 'does not resend it'],
		['CLAIMED', 'is calling this person now, or was interrupted', 'Hours Between Calls'],
	])('of %s, which the node itself says, tells what to do', (code, message, advice) => {
		const described = describeFailure(silence(code), label);
		expect(described.message).toContain(message);
		expect(described.advice).toContain(advice);
	});

	it('names the keys that the request needs where the credential is not accepted', () => {
		expect(textOf(api(401, { help: bothKeys }))).toContain('Check both keys');
		expect(textOf(api(401))).toContain('Check API Key');
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

describe('the lines of problems', () => {
	it('name the field and then say what is wrong', () => {
		expect(problemLines([{ path: ['a', 0], message: 'is empty' }], label)).toEqual([
			"'a/0' is empty",
		]);
	});

	it('are at most twenty, and say how many are left out', () => {
		const problems = Array.from({ length: 25 }, (_, i) => ({ path: [i], message: 'is empty' }));
		const lines = problemLines(problems, label);
		expect(lines).toHaveLength(21);
		expect(lines[20]).toBe('and 5 more');
		expect(problemLines(problems.slice(0, 20), label)).toHaveLength(20);
	});
});

describe('the text of an issue', () => {
	it.each([
		[{ path: ['a', 0, 'b'], message: 'no' }, 'a.0.b: no'],
		[{ path: 'a.b', message: 'no' }, 'a.b: no'],
		[{ path: [], message: 'no' }, 'no'],
		[{ path: 7, message: 'no' }, 'no'],
		[{ message: 'no' }, 'no'],
		[{ message: 7 }, '{"message":7}'],
		[{ field: 'a' }, '{"field":"a"}'],
		[{ toJSON: () => undefined }, ''],
		['words', 'words'],
		[7, '7'],
		[null, 'null'],
		[['a'], '["a"]'],
		[{ path: [{ key: 'a' }, 'b'], message: 'no' }, '{"key":"a"}.b: no'],
		['x'.repeat(300), 'x'.repeat(200)],
		[{ path: ['a'], message: 'x'.repeat(300) }, `a: ${'x'.repeat(197)}`],
	])('of %j is %j', (issue, expected) => {
		expect(issueText(issue)).toBe(expected);
	});

	it('that is nested too deeply says so', () => {
		let deep: unknown = 'no';
		for (let level = 0; level < 100_000; level++) deep = { deep };
		expect(issueText(deep)).toBe('(nested too deeply to show)');
	});

	it('is short text, whatever the service sends', () => {
		fc.assert(
			fc.property(fc.jsonValue(), (issue) => {
				const text = issueText(issue);
				expect(typeof text).toBe('string');
				expect(text.length).toBeLessThanOrEqual(200);
			}),
		);
	});
});

describe('a rejection that names fields', () => {
	const help: FailureHelp = { fieldsIn: ['customer'], existsAdvice: 'Update it instead' };
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
		issue('customers.x.email'),
		issue('customers.3.'),
		issue(5),
		issue(['customers', 3, 'email'], 5),
		'words',
		null,
		5,
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

	it.each(['This already exists', 'DUPLICATE key'])('says what to do about %j', (message) => {
		const issues = [issue(['customers', 0, 'a'], 'Bad'), issue(['customers', 0, 'id'], message)];
		expect(rejected(issues)).toMatch(
			/\. Update it instead\. \(400 SOME_CODE\) \| Update it instead$/,
		);
		const without = { fieldsIn: ['customer'] };
		expect(rejected(issues, { help: without })).toContain('Correct it');
	});

	it('does so for 422 and without a code too, not for others', () => {
		const issues = [issue(['customers', 3, 'email'])];
		const without: Failure = {
			kind: 'api',
			call: 'POST /customers/batch',
			status: 422,
			message: 'some words',
			issues,
			help,
		};
		expect(textOf(without)).toContain(
			'customer/email: Is wrong. Correct it, then run the node again. (422)',
		);
		for (const status of [404, 409, 500])
			expect(rejected(issues, { status })).not.toContain('customer/');
		expect(rejected(issues, { help: {} })).not.toContain('customer/');
		expect(rejected([])).toContain('The service rejected the request (400 SOME_CODE: some words)');
	});
});
