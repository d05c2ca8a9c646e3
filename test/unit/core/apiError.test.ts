import fc from 'fast-check';
import { findReportedError, toApiError } from '../../../src/core/apiError';
import { reply } from '../../support/fakeRuntime';

const NOW = Date.UTC(2026, 0, 15, 12);
const errorOf = (status: number, body: unknown, headers: Record<string, string> = {}) =>
	toApiError('POST /customers/batch', reply(status, body, headers), NOW);

describe('the error of a reply', () => {
	it('is read from the body that the customer batch documents', () => {
		const issues = [{ path: ['customers', 0, 'email'], message: 'Invalid email' }];
		const body = { code: 'BAD_REQUEST', message: 'Invalid input data', issues };
		expect(errorOf(400, body)).toEqual({
			kind: 'api',
			call: 'POST /customers/batch',
			status: 400,
			...body,
		});
	});

	it('is read from the body that the conversation read documents', () => {
		const message = 'Conversation not found or access denied';
		const zodError = { fieldErrors: { conversationId: ['Invalid uuid'] } };
		const data = { code: 'NOT_FOUND', httpStatus: 404, path: 'conversations.get', zodError: null };
		expect(errorOf(404, { message, code: 'NOT_FOUND', data })).toMatchObject({
			status: 404,
			code: 'NOT_FOUND',
			message,
			issues: [],
		});
		expect(errorOf(400, { message, data: { ...data, zodError } }).issues).toEqual([zodError]);
	});

	it.each([
		['text', 'Bad Gateway', 'Bad Gateway'],
		['an unknown object', { reason: 'full' }, '{"reason":"full"}'],
		[
			'a web page',
			'<!doctype html><html><head><style>p{color:red}</style><script>if (true) alert( 1 )</script></head><body><h1>502</h1>\n<p>Bad <b>Gateway</b></p></body></html>',
			'502 Bad Gateway',
		],
	])('quotes %s', (_, body, message) => {
		expect(errorOf(502, body)).toMatchObject({ status: 502, message, issues: [] });
	});

	it('is plain data with a short message, whatever the body is', () => {
		const long = fc.constantFrom('x'.repeat(1_000_000), '<script>'.repeat(200_000));
		fc.assert(
			fc.property(fc.oneof(fc.json(), fc.string(), fc.jsonValue(), long), (body) => {
				const error = errorOf(500, body);
				expect(error.message.length).toBeLessThanOrEqual(301);
				expect(error.message).not.toMatch(/undefined|\[object/);
				expect(Array.isArray(error.issues)).toBe(true);
				expect(['undefined', 'string']).toContain(typeof error.code);
			}),
		);
	});

	it('says in whole seconds how long the service wants to be left alone', () => {
		const date = 'Thu, 15 Jan 2026 12:01:00 GMT';
		expect(errorOf(429, '', { 'retry-after': '1.2' }).retryAfter).toBe(2);
		expect(errorOf(503, '', { 'retry-after': date }).retryAfter).toBe(60);
		expect(errorOf(429, '', { 'retry-after': '9'.repeat(400) })).not.toHaveProperty('retryAfter');
	});

	it.each([
		['https://elsewhere.example.com:8443/path?token=secret', 'elsewhere.example.com:8443'],
		['https://ana:p@secret@elsewhere.example.com/x', 'elsewhere.example.com'],
		['/login?next=secret', undefined],
		['javascript:alert(1)', undefined],
	])('names of the redirect %s only the host', (location, expected) => {
		expect(errorOf(302, '', { location }).location).toBe(expected);
	});
});

it.each<[unknown, string | undefined]>([
	...[
		{},
		{ error: '' },
		{ error: {} },
		{ error: ' ' },
		{ error: null },
		{ code: 'x' },
		'error',
		null,
	].map((body): [unknown, undefined] => [body, undefined]),
	[{ success: false }, '{"success":false}'],
	[{ success: false, message: ' ', error: 'broken' }, 'broken'],
	[{ error: { message: 'inner' }, message: 'outer' }, 'outer'],
	[{ error: { message: 'inner' } }, 'inner'],
	[{ error: true }, '{"error":true}'],
	[{ code: 'x', message: 'documented', issues: [] }, 'documented'],
	[{ code: 'x', message: 'documented', data: { httpStatus: 400 } }, 'documented'],
	[{ code: 'x', message: 'a ticket' }, undefined],
	[{ code: 'OK', message: 'Created', data: { id: 'x' } }, undefined],
	[{ errors: ['No credit'] }, undefined],
	[{ status: 'failed', message: 'Rejected' }, undefined],
	[{ success: 'false' }, undefined],
])('finds in the successful body %j the error %j', (body, message) => {
	expect(findReportedError(body)?.message).toBe(message);
});
