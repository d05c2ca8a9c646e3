import type { Failure } from './failures';
import type { HttpResult, HttpResponse, Request } from './http';

/** Attempts of one request, the first included. */
export const MAX_ATTEMPTS = 5;
/** Attempts of a read while the service limits requests, long enough for a window of a minute. */
export const MAX_LIMITED_READS = 12;
/** Failed requests in a row that open the breaker. */
export const MAX_FAILURES = 3;
/** Max ms to wait for a Retry-After. */
export const MAX_RETRY_AFTER_MS = 120_000;
const INITIAL_DELAY_MS = 500;
const MAX_RETRY_DELAY_MS = 15_000;

/** The facts that decide about a retry. `random` is 0 to 1. */
export interface Attempt {
	readonly request: Request;
	readonly response: HttpResult;
	/** 1 for the first attempt. */
	readonly number: number;
	readonly random: number;
	readonly nowMs: number;
}

/** Returns the ms to wait before a retry: partly random, doubled per attempt, at least Retry-After. Undefined for no retry. */
export function retryDelayMs(attempt: Attempt): number | undefined {
	const { request, response, number, random, nowMs } = attempt;
	if (!mayRetry(request, response)) return undefined;
	// The service limits requests, often for a minute, and a read can wait.
	const isLimitedRead = request.help?.readOnly === true && response.status === 429;
	if (number >= (isLimitedRead ? MAX_LIMITED_READS : MAX_ATTEMPTS)) return undefined;
	const grownMs = Math.min(MAX_RETRY_DELAY_MS, INITIAL_DELAY_MS * 2 ** (number - 1));
	const requestedMs = response.kind === 'response' ? (retryAfterMs(response, nowMs) ?? 0) : 0;
	const delayMs = Math.max(requestedMs, grownMs * (0.5 + random / 2));
	const leftMs = (request.deadlineMs ?? Infinity) - nowMs;
	return delayMs > Math.min(MAX_RETRY_AFTER_MS, leftMs) ? undefined : delayMs;
}

/** Whether a retry may succeed without doing work twice: no work was done, or the request is idempotent. */
function mayRetry({ idempotent }: Request, response: HttpResult): boolean {
	if (response.kind === 'response')
		return response.status === 429 || (idempotent && isTemporaryStatus(response.status));
	return response.sent === 'no' ? isTemporaryCode(response.code) : idempotent;
}

/** Whether an error may be temporary: no stop by the user (CANCELED), and no fault of TLS or a certificate. */
const isTemporaryCode = (code: string): boolean => !/^CANCELED$|CERT|TLS|SSL|UNABLE_TO/.test(code);

/** Whether the service may accept the same request later. */
export const isTemporaryStatus = (status: number): boolean =>
	status === 408 || status === 425 || status === 429 || status >= 500;

/** Whether a failed read may succeed later. */
export function mayRecover(failure: Failure): boolean {
	if (failure.kind === 'connection') return isTemporaryCode(failure.code);
	return failure.kind === 'api' && isTemporaryStatus(failure.status);
}

/** Whether the service rejected the content of a request: 400 Bad Request or 422 Unprocessable Content. */
export const isContentRejection = (status: number): boolean => status === 400 || status === 422;

/** The pause in ms that a response requests in Retry-After, as seconds or a date; undefined without a valid one. */
export function retryAfterMs(reply: HttpResponse, nowMs: number): number | undefined {
	const value = reply.headers['retry-after']?.trim() ?? '';
	if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
	// The pattern is checked first, because Date.parse reads almost any text as a date.
	const date = /^([A-Z][a-z]+,? |\d{4}-\d\d-\d\dT)/.test(value) ? Date.parse(value) : NaN;
	return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}
