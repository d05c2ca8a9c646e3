import type { Failure } from './failures';
import type { HttpResult, HttpResponse, Request } from './http';

/** Sendings of one request, the first included. */
export const MAX_ATTEMPTS = 5;
/** So many requests in a row that failed end the sending of a run. */
export const MAX_FAILURES = 3;
/** Longest pause in ms that is waited because the service asks for it; a longer one ends the attempts. */
export const MAX_RETRY_AFTER_MS = 120_000;
const INITIAL_DELAY_MS = 500;
const MAX_DELAY_MS = 15_000;

/** What a decision about sending again rests on; `random` is 0 to 1, `now` is in ms. */
export interface Attempt {
	readonly request: Request;
	readonly response: HttpResult;
	/** 1 for the first sending. */
	readonly number: number;
	readonly random: number;
	readonly nowMs: number;
}

/**
 * Says how long to wait in ms before the request is sent again, or undefined where it must not be.
 * Not repeatable requests go again only where it is certain that nothing was done: 429, or never sent.
 */
export function retryDelayMs({
	request,
	response,
	number,
	random,
	nowMs,
}: Attempt): number | undefined {
	if (number >= MAX_ATTEMPTS || !mayRetry(request, response)) return undefined;
	const askedMs = response.kind === 'response' ? retryAfterMs(response, nowMs) : undefined;
	const delayMs =
		askedMs !== undefined && askedMs > 0
			? askedMs
			: Math.min(MAX_DELAY_MS, INITIAL_DELAY_MS * 2 ** (number - 1)) * (0.5 + random / 2);
	const isTooLong =
		delayMs > MAX_RETRY_AFTER_MS || nowMs + delayMs > (request.deadlineMs ?? Infinity);
	return isTooLong ? undefined : delayMs;
}

function mayRetry(request: Request, response: HttpResult): boolean {
	if (response.kind === 'noResponse')
		return response.sent === 'no' ? isPassing(response.code) : request.idempotent;
	return response.status === 429 || (request.idempotent && isPassingStatus(response.status));
}

const isPassing = (code: string): boolean =>
	code !== 'CANCELED' && !/CERT|TLS|SSL|UNABLE_TO/.test(code);

const isPassingStatus = (status: number): boolean =>
	status === 408 || status === 425 || status === 429 || status >= 500;

/** Whether what a read failed with may be gone when it is sent again later. */
export function mayPass(failure: Failure): boolean {
	if (failure.kind === 'connection') return isPassing(failure.code);
	return failure.kind === 'api' && isPassingStatus(failure.status);
}

/** Whether the service failed, rather than what it was asked for. */
export function isOutage(failure: Failure): boolean {
	if (failure.kind === 'connection')
		return failure.code !== 'CANCELED' && failure.code !== 'DEADLINE_EXCEEDED';
	const isRedirect = failure.kind === 'api' && failure.status >= 300 && failure.status < 400;
	return isRedirect || mayPass(failure);
}

/** The pause in ms that a reply asks for in Retry-After, given in seconds or as a date. */
export function retryAfterMs(reply: HttpResponse, nowMs: number): number | undefined {
	const value = reply.headers['retry-after']?.trim() ?? '';
	if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
	// Date.parse takes almost any text for some date.
	const date = /^([A-Z][a-z]+,? |\d{4}-\d\d-\d\dT)/.test(value) ? Date.parse(value) : NaN;
	return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}
