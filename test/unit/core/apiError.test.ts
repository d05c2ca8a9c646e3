import fc from 'fast-check';
import { toApiError } from '../../../src/core/apiError';
import { reply } from '../../support/fakeRuntime';

const NOW = Date.UTC(2026, 0, 15, 12);
const errorOf = (status: number, body: unknown, headers: Record<string, string> = {}) =>
	toApiError('POST /customers/batch', reply(status, body, headers), NOW);

describe('the error of a reply', () => {
	it('is read from the body that the customer batch documents', () => {
		const issues = [{ path: ['customers', 0, 'email'], message: 'Invalid email' }];
		expect(errorOf(400, { code: 'BAD_REQUEST', message: 'Invalid input data', issues })).toEqual({
			kind: 'api',
			call: 'POST /customers/batch',
			status: 400,
			code: 'BAD_REQUEST',
			message: 'Invalid input data',
			issues,
		});
	});

	it('is read from the body that the conversation read documents', () => {
		const body = {
			message: 'Conversation not found or access denied',
			code: 'NOT_FOUND',
			data: { code: 'NOT_FOUND', httpStatus: 404, path: 'conversations.get', zodError: null },
		};
		expect(errorOf(404, body)).toEqual({
			kind: 'api',
			call: 'POST /customers/batch',
			status: 404,
			code: 'NOT_FOUND',
			message: 'Conversation not found or access denied',
			issues: [],
		});
	});

	it('takes the validation detail of the conversation read as an issue', () => {
		const zodError = { fieldErrors: { conversationId: ['Invalid uuid'] } };
		expect(errorOf(400, { message: 'no', code: 'X', data: { zodError } }).issues).toEqual([
			zodError,
		]);
	});

	it.each([
		['text', 'Bad Gateway', 'Bad Gateway'],
		['nothing', '', ''],
		['a JSON string', '"no such thing"', '"no such thing"'],
		['null', 'null', 'null'],
		['an unknown object', { reason: 'full' }, '{"reason":"full"}'],
		['a list', '[1,2]', '[1,2]'],
		[
			'a web page',
			'<!doctype html><html><head><style>p{color:red}</style><script>if (true) alert( 1 )</script></head><body><h1>502</h1>\n<p>Bad <b>Gateway</b></p></body></html>',
			'502 Bad Gateway',
		],
		['cells of a page', '<td>502</td><td>Bad</td>Gate<style>p {}</style>way', '502 Bad Gate way'],
	])('quotes %s', (_, body, message) => {
		expect(errorOf(502, body)).toEqual({
			kind: 'api',
			call: 'POST /customers/batch',
			status: 502,
			message,
			issues: [],
		});
	});

	it.each([
		['text', 'x'.repeat(5_000_000)],
		['a message', { message: 'x'.repeat(1_000_000) }],
		['an unknown object', { x: 'x'.repeat(1_000_000) }],
		['open tags', '<'.repeat(1_000_000)],
		['scripts', '<script>'.repeat(200_000)],
	])('is short, however long %s is', (_, body) => {
		expect(errorOf(500, body).message.length).toBeLessThanOrEqual(301);
	});

	it('keeps at most a hundred issues and a hundred characters of the code', () => {
		const error = errorOf(400, {
			message: 'no',
			code: 'C'.repeat(5000),
			issues: Array.from({ length: 5000 }, (_, i) => ({ message: `${i}` })),
		});
		expect(error.issues).toHaveLength(100);
		expect(error.code).toHaveLength(100);
	});

	it('keeps of an issue that is too large its place and its words only', () => {
		const path = ['customers', 3, 'metadata'];
		const large = { path, message: 'no '.repeat(500), received: 'x'.repeat(5000) };
		const small = { path, message: 'no', received: 'x' };
		expect(errorOf(400, { message: 'no', issues: [large, small] }).issues).toEqual([
			{ path, message: `${'no '.repeat(100)}…` },
			small,
		]);
	});

	it.each([
		['a number as message', { message: 5, code: 'X' }, { code: 'X', issues: [] }],
		['text as issues', { message: 'no', issues: 'x' }, { message: 'no', issues: [] }],
		['an object as issues', { message: 'no', issues: { 0: 'a' } }, { message: 'no', issues: [] }],
		['null everywhere', { message: null, code: null, issues: null, data: null }, { issues: [] }],
		['a number as code', { message: 'no', code: 17 }, { message: 'no', issues: [] }],
		['text as data', { message: 'no', data: 'x' }, { message: 'no', issues: [] }],
		['odd issues', { message: 'no', issues: [null, 1, 'x'] }, { issues: [null, 1, 'x'] }],
	])('stands %s', (_, body, expected) => {
		const error = errorOf(400, body);
		expect(error).toMatchObject(expected);
		expect(typeof error.message).toBe('string');
		expect(error.message).not.toMatch(/undefined|\[object/);
	});

	it('is plain data, whatever the body is', () => {
		fc.assert(
			fc.property(fc.oneof(fc.json(), fc.string(), fc.jsonValue()), (body) => {
				const error = errorOf(500, body);
				expect(typeof error.message).toBe('string');
				expect(error.message.length).toBeLessThanOrEqual(301);
				expect(Array.isArray(error.issues)).toBe(true);
				expect(['undefined', 'string']).toContain(typeof error.code);
			}),
			{ numRuns: 500 },
		);
	});

	it('does not let a body set its prototype', () => {
		const error = errorOf(400, '{"__proto__":{"location":"evil"},"constructor":{"x":1}}');
		expect(error.location).toBeUndefined();
		expect(Object.getPrototypeOf(error)).toBe(Object.prototype);
	});

	it('says in whole seconds how long the service wants to be left alone', () => {
		expect(errorOf(429, '', { 'retry-after': '1.2' }).retryAfter).toBe(2);
		expect(errorOf(503, '', { 'retry-after': 'Thu, 15 Jan 2026 12:01:00 GMT' }).retryAfter).toBe(
			60,
		);
		expect(errorOf(429, '')).not.toHaveProperty('retryAfter');
		expect(errorOf(429, '', { 'retry-after': '9'.repeat(400) })).not.toHaveProperty('retryAfter');
	});

	it.each([
		['https://elsewhere.example.com/path?token=secret', 'elsewhere.example.com'],
		['http://elsewhere.example.com:8080', 'elsewhere.example.com:8080'],
		['https://ana:secret@elsewhere.example.com/x', 'elsewhere.example.com'],
		['https://elsewhere.example.com#secret', 'elsewhere.example.com'],
		['https://ana:p@secret@elsewhere.example.com/x', 'elsewhere.example.com'],
		['//elsewhere.example.com/x', 'elsewhere.example.com'],
		['/login?next=secret', 'another path on the same host'],
		[undefined, 'another address'],
		['javascript:alert(1)', 'another address'],
	])('names of the redirect %s only the host', (location, expected) => {
		const headers: Record<string, string> = location === undefined ? {} : { location };
		const error = errorOf(302, '', headers);
		expect(error.location).toBe(expected);
		expect(JSON.stringify(error)).not.toContain('secret');
	});

	it('has a location only for a redirect', () => {
		const headers = { location: 'https://elsewhere.example.com' };
		expect(errorOf(201 + 199, '', headers)).not.toHaveProperty('location');
		expect(errorOf(300, '', headers)).toHaveProperty('location');
		expect(errorOf(308, '', headers)).toHaveProperty('location');
	});
});
