import { inRange } from 'lodash';
import type { z } from 'zod/v4';
import type { ApiError, ConnectionError, ContractError, HeldError } from './failures';
import type { AdaptiveConcurrency } from './pacing';
import { findReportedError, toApiError } from './apiError';
import { createLimiter, type Pausing } from './concurrency';
import type { HttpResponse, HttpResult, NoResponse, Request, Send } from './http';
import { ACCESS_DENIED, CANCELED, DEADLINE_EXCEEDED, PAUSE_TOO_LONG, SERVICE_FAILED } from './http';
import { fail, ok, type Result } from './result';
import {
	isTemporaryStatus,
	MAX_FAILURES,
	MAX_RETRY_AFTER_MS,
	retryAfterMs,
	retryDelayMs,
} from './retry';
import { readBody } from './json';

/** The host of a client: connection, clock (ms), random numbers (0 to 1) and the user's stop signal. */
export interface Runtime extends Pausing {
	readonly send: Send;
	readonly random: () => number;
}

/** A request and its result after all attempts. */
export interface Delivery {
	readonly request: Request;
	readonly response: HttpResult;
	/** The end of the last attempt, in ms. */
	readonly endedMs: number;
	/** Whether an attempt before the last may have arrived. */
	readonly mayHaveArrived: boolean;
	readonly attempts: number;
}

/** Closed until three requests in a row have failed, or the service has returned 401 or 403. */
export interface Breaker {
	/** The result of every further request; undefined while the breaker is closed. */
	readonly openedBy: NoResponse | undefined;
	reset(): void;
}

/** Sends requests by one retry rule. */
export interface Client {
	/** Sends until the retry rule ends it, and returns the last response. */
	deliver(request: Request, concurrency?: AdaptiveConcurrency): Promise<Delivery>;
	/** Sends and checks the response against its schema; failures are returned as values. */
	call<T>(
		request: Request,
		schema: z.ZodType<T>,
		concurrency?: AdaptiveConcurrency,
	): Promise<Result<T, CallError>>;
	readonly breaker: Breaker;
}

/** The failures of a call. */
export type CallError = ApiError | ConnectionError | ContractError | HeldError;

/** Creates a client. The service's pauses apply to all requests. Requests with a 429 are retried one at a time. */
export function createClient({ send, sleep, random, now, signal }: Runtime): Client {
	let pausedUntilMs = 0;
	const breaker = createBreaker();
	const runAlone = createLimiter({ limit: 1 });

	/** Waits until the service's pause, which may grow, is over. Returns a result if the request must not be sent. */
	async function waitWhilePaused(request: Request): Promise<NoResponse | undefined> {
		const { deadlineMs = Infinity } = request;
		for (;;) {
			if (signal.aborted) return CANCELED;
			if (breaker.openedBy) return breaker.openedBy;
			const pauseMs = Math.max(0, pausedUntilMs - now());
			if (now() > deadlineMs) return DEADLINE_EXCEEDED;
			if (now() + pauseMs > deadlineMs || pauseMs > MAX_RETRY_AFTER_MS) return PAUSE_TOO_LONG;
			if (pauseMs === 0) return undefined;
			await sleep(pauseMs);
		}
	}

	/** Returns the ms to wait before sending again; undefined to give up. Records the pause that the service requests. */
	function planRetry({ request, response, endedMs, attempts }: Delivery): number | undefined {
		const pauseMs = response.kind === 'response' ? (retryAfterMs(response, endedMs) ?? 0) : 0;
		pausedUntilMs = Math.max(pausedUntilMs, endedMs + pauseMs); // All requests wait for it.
		return retryDelayMs({ request, response, number: attempts, random: random(), nowMs: endedMs });
	}

	/** Sends a request, if needed again, until the retry rule ends it. `previous` is its state before this attempt. */
	async function sendFrom(
		previous: Delivery,
		concurrency: AdaptiveConcurrency | undefined,
		isAlone = false,
	): Promise<Delivery> {
		const unsent = await waitWhilePaused(previous.request);
		const response = unsent ?? (await send(previous.request));
		// `send` returns CANCELED before it sends. If an earlier attempt may have arrived, its result is returned.
		if (unsent !== undefined || response === CANCELED)
			return previous.mayHaveArrived ? previous : { ...previous, response };
		const delivery = { ...previous, response, endedMs: now(), attempts: previous.attempts + 1 };
		if (response.kind === 'response') concurrency?.note(response.status);
		const delayMs = inRange(response.status ?? 0, 200, 300) ? undefined : planRetry(delivery);
		if (delayMs === undefined) {
			breaker.note(response);
			return delivery;
		}
		// Only a 429 or a failed connection proves that nothing was done.
		const isUndone = response.status === 429 || response.sent === 'no';
		const next = { ...delivery, mayHaveArrived: previous.mayHaveArrived || !isUndone };
		await sleep(delayMs);
		// After a 429 it continues alone, because parallel requests would use up each other's attempts.
		if (response.status === 429 && !isAlone)
			return await runAlone(async () => await sendFrom(next, concurrency, true));
		return await sendFrom(next, concurrency, isAlone);
	}

	const deliver: Client['deliver'] = async (request, concurrency) =>
		await sendFrom({ ...NO_ATTEMPT, request, endedMs: now() }, concurrency);

	return {
		deliver,
		call: async (request, schema, concurrency) =>
			readResponse(await deliver(request, concurrency), schema),
		breaker,
	};
}

/** The state of a request before its first attempt. Its result is CANCELED until it is sent. */
const NO_ATTEMPT = { response: CANCELED, mayHaveArrived: false, attempts: 0 };

/** Creates a closed circuit breaker. MAX_FAILURES failures in a row, or one 401 or 403, set `openedBy`, which ends sending. */
function createBreaker() {
	let failures = 0;
	const breaker = {
		openedBy: undefined as NoResponse | undefined,
		reset: () => {
			failures = 0;
			breaker.openedBy = undefined;
		},
		/** Notes the final result of a request. A response of a working service, even a 400, resets the count. */
		note: (result: HttpResult): void => {
			// ABORTED is a stop by the user during a request, which is no failure of the service.
			if (result.kind === 'noResponse' && result.code === 'ABORTED') return;
			if (result.status === 401 || result.status === 403) breaker.openedBy ??= ACCESS_DENIED;
			failures = result.kind === 'response' && isWorking(result) ? 0 : failures + 1;
			if (failures >= MAX_FAILURES) breaker.openedBy ??= SERVICE_FAILED;
		},
	};
	return breaker;
}

/** Whether a response shows a working service: a lasting 4xx, or a 2xx with JSON or no body. */
function isWorking({ status, text }: HttpResponse): boolean {
	if (!inRange(status, 200, 300)) return inRange(status, 400, 500) && !isTemporaryStatus(status);
	const body = text.trim();
	// JSON is recognized by its ends, because the caller parses it anyway.
	if (/^[{[]/.test(body)) return /^[}\]]/.test(body.slice(-1));
	return readBody(text).kind !== 'text';
}

/** Checks the body of a 2xx response against its schema. Any other response is a failure. */
export function readResponse<T>(delivery: Delivery, schema: z.ZodType<T>): Result<T, CallError> {
	const error = toFailure(delivery);
	if (error) return fail(error);
	const body = readBody(delivery.response.text ?? ''); // A 2xx has a text.
	if (body.kind !== 'json') return fail(toContractError(delivery, 'is not JSON'));
	const checked = schema.safeParse(body.value);
	if (checked.success) return ok(checked.data);
	const [{ path, message } = { path: [], message: '' }] = checked.error.issues;
	const reported = findReportedError(body.value);
	const what = reported
		? `reports an error: ${reported.message}`
		: `is not as documented (${[...path, message].join(': ')})`;
	return fail(toContractError(delivery, what));
}

/** Names a request by its method and path, as an API reference does. */
export const callName = ({ method, path }: Pick<Request, 'method' | 'path'>): string =>
	`${method} ${path}`;

/** Builds the failure of a request, with its help for users; undefined for a 2xx. */
export function toFailure(delivery: Delivery): Exclude<CallError, ContractError> | undefined {
	const { request, response, endedMs } = delivery;
	if (inRange(response.status ?? 0, 200, 300)) return undefined;
	const call = callName(request);
	const help = request.help && { help: request.help };
	if (response.kind === 'response') return { ...toApiError(call, response, endedMs), ...help };
	// Only an open breaker has a reason for users.
	if (response.reason !== undefined) return { kind: 'held', message: response.reason };
	return { kind: 'connection', call, sent: response.sent, code: response.code, ...help };
}

/** Builds the error of a response that differs from the interface. `what` continues "The response", e.g. "is not JSON". */
export function toContractError({ request, response }: Delivery, what: string): ContractError {
	const { status = 0 } = response; // Only a response can differ, so 0 is for the type.
	return { kind: 'contract', call: callName(request), status, message: `The response ${what}` };
}
