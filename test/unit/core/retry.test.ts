import type { HttpResult, Request } from '../../../src/core/http';
import { toFailure } from '../../../src/core/client';
import { mayRecover, MAX_ATTEMPTS, retryDelayMs } from '../../../src/core/retry';
import { lost, neverSent, reply } from '../../support/fakeRuntime';

const NOW = Date.UTC(2026, 0, 15, 12);
const requestOf = (idempotent: boolean): Request => ({
	method: 'POST',
	path: '/conversations',
	idempotent,
});
const pauseOf = (idempotent: boolean, response: HttpResult, number = 1, random = 1) =>
	retryDelayMs({ request: requestOf(idempotent), response, number, random, nowMs: NOW });

/** Whether a request may be sent again: [response, if repeatable, if not]. */
const TABLE: ReadonlyArray<readonly [string, HttpResult, boolean, boolean]> = [
	...[200, 201, 202, 204, 206].map((s) => [`${s}`, reply(s), false, false] as const),
	...[301, 302, 303, 304, 307, 308].map((s) => [`${s}`, reply(s), false, false] as const),
	...[400, 401, 402, 403, 404, 405, 406, 407, 409, 410, 411, 412, 413, 415, 418, 422, 423, 426].map(
		(s) => [`${s}`, reply(s), false, false] as const,
	),
	['408', reply(408), true, false],
	['425', reply(425), true, false],
	['429', reply(429), true, true],
	...[500, 501, 502, 503, 504, 507, 520, 522, 599].map(
		(s) => [`${s}`, reply(s), true, false] as const,
	),
	...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'].map(
		(code) => [`never sent, ${code}`, neverSent(code), true, true] as const,
	),
	...[
		'CANCELED',
		'CERT_HAS_EXPIRED',
		'DEPTH_ZERO_SELF_SIGNED_CERT',
		'ERR_TLS_CERT_ALTNAME_INVALID',
		'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
	].map((code) => [`never sent, ${code}`, neverSent(code), false, false] as const),
	...['ECONNRESET', 'ETIMEDOUT', 'EPIPE', 'ECONNABORTED', 'UNKNOWN', 'ECONNREFUSED'].map(
		(code) => [`unknown, ${code}`, lost(code), true, false] as const,
	),
];

describe('the retry rule', () => {
	it.each(TABLE)('after %s sends again only what cannot happen twice', (_, response, yes, no) => {
		for (let number = 1; number <= MAX_ATTEMPTS + 2; number++) {
			const left = number < MAX_ATTEMPTS;
			expect([number, pauseOf(true, response, number) !== undefined]).toEqual([
				number,
				yes && left,
			]);
			expect([number, pauseOf(false, response, number) !== undefined]).toEqual([
				number,
				no && left,
			]);
		}
	});

	it.each(TABLE)('after %s says whether the failure of a read may pass', (_, response, yes) => {
		const delivery = { request: requestOf(true), response, endedMs: NOW };
		const failure = toFailure({ ...delivery, mayHaveArrived: false, attempts: 1 });
		expect(failure !== undefined && mayRecover(failure)).toBe(yes);
	});

	it('spreads its own pause by the dice', () => {
		const pauses = [0, 0.5, 1].map((random) => pauseOf(true, reply(503), 2, random));
		expect(pauses).toEqual([500, 750, 1000]);
	});

	it('waits as long as the service asks, in seconds or until a date', () => {
		const asks = (value: string) => pauseOf(false, reply(429, '', { 'retry-after': value }));
		expect(asks('0')).toBe(500);
		expect(asks('1.25')).toBe(1250);
		expect(asks(' 120 ')).toBe(120_000);
		expect(asks('Thu, 15 Jan 2026 12:00:42 GMT')).toBe(42_000);
		expect(asks('2026-01-15T12:00:42Z')).toBe(42_000);
		expect(asks('Thu, 15 Jan 2026 11:00:00 GMT')).toBe(500);
	});

	it('gives up rather than wait longer than two minutes', () => {
		for (const value of ['121', '86400', '9'.repeat(400), 'Fri, 16 Jan 2026 12:00:00 GMT']) {
			expect(pauseOf(true, reply(429, '', { 'retry-after': value }))).toBeUndefined();
		}
	});
});
