import type { z } from 'zod/v4';
import type { ApiError, ConnectionError, ContractError, HeldError } from './failures';
import type { AdaptiveConcurrency } from './pacing';
import { toApiError } from './apiError';
import type { Breaker } from './breaker';
import { createBreaker, reasonFor } from './breaker';
import { createLimiter } from './concurrency';
import type { HttpResult, NoResponse, Request, Send } from './http';
import { CANCELED, DEADLINE_EXCEEDED } from './http';
import type { Result } from './result';
import { fail, ok } from './result';
import { MAX_RETRY_AFTER_MS, retryAfterMs, retryDelayMs } from './retry';
import { readBody } from './json';

/** The host of a client: connection, clock (ms), random numbers (0 to 1) and the user's stop signal. */
export interface Runtime {
	readonly send: Send;
	readonly sleep: (ms: number) => Promise<void>;
	readonly random: () => number;
	readonly now: () => number;
	/** Aborted once the user stops the workflow; `sleep` returns at once then. */
	readonly signal: AbortSignal;
}

/** The result of a request after all its attempts. */
export interface Delivery {
	readonly response: HttpResult;
	/** Whether an attempt before the last one may have arrived without a response. */
	readonly mayHaveArrived: boolean;
	readonly attempts: number;
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

/** Creates a client. A pause that the service requests applies to all requests, and throttled requests take turns. */
export function createClient(runtime: Runtime, breaker = createBreaker()): Client {
	let pausedUntilMs = 0;
	const takeTurns = createLimiter(() => 1);

	/** Waits until the request may be sent. Returns the reason if it must not be. */
	async function waitForTurn({ deadlineMs = Infinity }: Request): Promise<NoResponse | undefined> {
		for (;;) {
			if (runtime.signal.aborted) return CANCELED;
			if (breaker.openedBy) return breaker.openedBy;
			const nowMs = runtime.now();
			const pauseMs = Math.max(0, pausedUntilMs - nowMs);
			if (nowMs + pauseMs > deadlineMs || pauseMs > MAX_RETRY_AFTER_MS) return DEADLINE_EXCEEDED;
			if (pauseMs === 0) return undefined;
			await runtime.sleep(pauseMs);
		}
	}

	/** The ms to wait before sending again; undefined to give up. All requests keep the pause of the service. */
	function planRetry(
		request: Request,
		{ response, attempts }: Delivery,
		concurrency?: AdaptiveConcurrency,
	): number | undefined {
		const nowMs = runtime.now();
		if (response.status === 429) concurrency?.onThrottled();
		if (response.kind === 'response')
			pausedUntilMs = Math.max(pausedUntilMs, nowMs + (retryAfterMs(response, nowMs) ?? 0));
		const random = runtime.random();
		return retryDelayMs({ request, response, number: attempts, random, nowMs });
	}

	async function deliver(request: Request, concurrency?: AdaptiveConcurrency): Promise<Delivery> {
		let last: Delivery = { response: CANCELED, mayHaveArrived: false, attempts: 0 };
		/** Sends once; returns whether to send again, after the wait. */
		const send = async (): Promise<boolean> => {
			const { mayHaveArrived, attempts } = last;
			const held = await waitForTurn(request);
			const response = held ?? (await runtime.send(request));
			if (held !== undefined || response === CANCELED) {
				if (!mayHaveArrived) last = { ...last, response };
				return false;
			}
			last = { response, mayHaveArrived, attempts: attempts + 1 };
			if (isSuccess(response)) concurrency?.onSuccess();
			const delayMs = isSuccess(response) ? undefined : planRetry(request, last, concurrency);
			if (delayMs === undefined) {
				breaker.note(response);
				return false;
			}
			// Only a 429 or a failed connection proves that nothing was done.
			const isUndone = response.status === 429 || response.sent === 'no';
			last = { ...last, mayHaveArrived: mayHaveArrived || !isUndone };
			await runtime.sleep(delayMs);
			return true;
		};
		let isOpen = await send();
		while (isOpen && last.response.status !== 429) isOpen = await send();
		// One at a time, because parallel throttled requests would use up each other's attempts.
		if (isOpen)
			await takeTurns(async () => {
				while (await send());
			});
		return last;
	}

	async function call<T>(
		request: Request,
		schema: z.ZodType<T>,
		concurrency?: AdaptiveConcurrency,
	): Promise<Result<T, CallError>> {
		const { response } = await deliver(request, concurrency);
		return readResponse({ request, response, nowMs: runtime.now() }, schema);
	}

	return { deliver, call, breaker };
}

const isSuccess = ({ status = 0 }: HttpResult): boolean => status >= 200 && status < 300;

/** A request and its result. */
interface Exchange {
	readonly request: Request;
	readonly response: HttpResult;
	readonly nowMs: number;
}

/** Checks the body of a 2xx response against its schema. Any other response is a failure. */
export function readResponse<T>(
	{ request, response, nowMs }: Exchange,
	schema: z.ZodType<T>,
): Result<T, CallError> {
	const error = toFailure(request, response, nowMs);
	if (error) return fail(error);
	const body = response.kind === 'response' ? readBody(response.text) : { kind: 'empty' as const };
	if (body.kind !== 'json') return fail(contractError(request, response, 'is not JSON'));
	const checked = schema.safeParse(body.value);
	if (checked.success) return ok(checked.data);
	const [{ path, message } = { path: [], message: '' }] = checked.error.issues;
	const what = `at ${path.join('.') || 'its top'}: ${message}`;
	return fail(contractError(request, response, what));
}

/** Names a request by its method and path, as an API reference does. */
export const callName = ({ method, path }: Pick<Request, 'method' | 'path'>): string =>
	`${method} ${path}`;

/** The failure of a response; undefined for a 2xx. */
export function toFailure(
	request: Request,
	response: HttpResult,
	nowMs: number,
): Exclude<CallError, ContractError> | undefined {
	if (isSuccess(response)) return undefined;
	const call = callName(request);
	const help = request.help && { help: request.help };
	if (response.kind === 'response') return { ...toApiError(call, response, nowMs), ...help };
	const reason = reasonFor(response);
	if (reason !== undefined) return { kind: 'held', message: reason };
	return { kind: 'connection', call, sent: response.sent, code: response.code, ...help };
}

/** The error of a response that differs from the interface. */
export function contractError(request: Request, response: HttpResult, what: string): ContractError {
	const status = response.kind === 'response' ? response.status : 0;
	return { kind: 'contract', call: callName(request), status, message: `The response ${what}` };
}
