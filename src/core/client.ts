import type { z } from 'zod/v4';
import type { ApiError, ConnectionError, ContractError } from './failures';
import type { AdaptiveConcurrency } from './pacing';
import { toApiError } from './apiError';
import type { HttpResult, Request, Send } from './http';
import { createLimiter } from './concurrency';
import { readBody } from './text';
import type { Result } from './result';
import { fail, ok } from './result';
import { createRequestSpacing } from './pacing';
import { MAX_ATTEMPTS, MAX_RETRY_AFTER_MS, retryAfterMs, retryDelayMs } from './retry';

/** What the client needs from outside: the wire, the clock (ms), random numbers (0 to 1) and the signal by which the user stops. */
export interface Runtime {
	readonly send: Send;
	readonly sleep: (ms: number) => Promise<void>;
	readonly random: () => number;
	readonly now: () => number;
	/** Aborted once the user stops the workflow; `sleep` returns at once then. */
	readonly signal: AbortSignal;
}

/** How a request ended after all its sendings. */
export interface Delivery {
	readonly response: HttpResult;
	/** Whether a sending before the last one may have arrived without a reply. */
	readonly mayHaveArrived: boolean;
	/** How often it was sent. */
	readonly attempts: number;
}

/** Sends requests by one retry rule. */
export interface Client {
	/** Sends until the retry rule says stop, and returns the last answer; the pace learns from each one. */
	deliver(request: Request, concurrency?: AdaptiveConcurrency): Promise<Delivery>;
	/** Sends and checks the reply against its schema; failures come back as values. */
	call<T>(
		request: Request,
		schema: z.ZodType<T>,
		concurrency?: AdaptiveConcurrency,
	): Promise<Result<T, CallError>>;
}

/** What a call can fail with. */
export type CallError = ApiError | ConnectionError | ContractError;

/** Makes a client; a pause that the service asks for holds back all its requests. */
export function createClient(runtime: Runtime): Client {
	let notBeforeMs = 0;
	const spacing = createRequestSpacing();
	let served = 0;
	let outage: Outage = { ...NONE };
	const alone = createLimiter(() => 1);

	/** Whether the turn of a request has come; not where it would come too late. A service with a limit gets reads apart. */
	async function waitForTurn({ isPaced, deadlineMs = Infinity }: Request): Promise<boolean> {
		while (!runtime.signal.aborted) {
			const nowMs = runtime.now();
			// A pause may be prolonged by another reply while this request waits.
			const askedMs = Math.max(0, notBeforeMs - nowMs);
			const pauseMs = askedMs || (isPaced && spacing.isOn() ? spacing.waitMs(nowMs) : 0);
			if (pauseMs === 0) break;
			if (nowMs + pauseMs > deadlineMs || askedMs > MAX_RETRY_AFTER_MS) return false;
			await runtime.sleep(pauseMs);
		}
		return true;
	}

	/** Learns the pace from a response; says whether a read was throttled only because others took its place. */
	function learn(response: HttpResult, { request, concurrency, sentAtMs, before }: Sent): boolean {
		if (response.kind !== 'response') return false;
		const nowMs = runtime.now();
		if (response.status < 300) {
			concurrency?.onSuccess(nowMs - sentAtMs);
			if (!request.isPaced) return false;
			served += 1;
			spacing.onSuccess(sentAtMs);
		}
		if (response.status !== 429) return false;
		concurrency?.onThrottled();
		if (!request.isPaced) return false;
		spacing.onThrottled({ sentAtMs, nowMs, askedMs: retryAfterMs(response, nowMs) });
		return served > before || spacing.isWaiting(nowMs);
	}

	/** While the service fails, one request asks again, and the others wait for what becomes of it. */
	async function deliver(request: Request, concurrency?: AdaptiveConcurrency): Promise<Delivery> {
		let mayHaveArrived = false;
		let [attempts, tries] = [0, 0];
		let before = served;
		let last = DEADLINE_EXCEEDED;
		/** The outage that this request met, and when it may go again by its own count. */
		let shared: Outage | undefined;
		let dueMs = 0;

		/** Sends once; undefined where it goes again. */
		const sendOnce = async (): Promise<Delivery | undefined> => {
			const isOpen = (shared?.failures ?? 0) < MAX_ATTEMPTS;
			const waitMs = Math.max(dueMs, shared?.untilMs ?? 0) - runtime.now();
			if (isOpen && waitMs > 0) await runtime.sleep(waitMs);
			const hasTurn = isOpen && (await waitForTurn(request));
			const sentAtMs = runtime.now();
			// A machine may have slept through a pause. A read is begun once all the same.
			const isBound = attempts > 0 || !request.idempotent;
			const isLate = !hasTurn || (isBound && sentAtMs > (request.deadlineMs ?? Infinity));
			if (isLate && !runtime.signal.aborted) return { response: last, mayHaveArrived, attempts };
			// The user may also stop the workflow while the wire holds the request back.
			const response = runtime.signal.aborted ? CANCELED : await runtime.send(request);
			if (response === CANCELED)
				return { response: mayHaveArrived ? last : CANCELED, mayHaveArrived, attempts };
			attempts += 1;
			last = response;
			const nowMs = runtime.now();
			const isLost = learn(response, { request, concurrency, sentAtMs, before });
			before = served;
			tries = isLost ? 1 : tries + 1;
			if (response.kind === 'response' && response.status < 300) {
				Object.assign(outage, NONE);
				return { response, mayHaveArrived, attempts };
			}
			shared = noteOutage(response, shared);
			// A pause that is asked for holds for all requests, whether this one is sent again or not.
			const askedMs = response.kind === 'response' ? retryAfterMs(response, nowMs) : undefined;
			if (askedMs !== undefined) notBeforeMs = Math.max(notBeforeMs, nowMs + askedMs);
			const number = Math.max(tries, shared?.failures ?? 0);
			const delayMs = retryDelayMs({ request, response, number, random: runtime.random(), nowMs });
			if (delayMs === undefined) return { response, mayHaveArrived, attempts };
			mayHaveArrived ||=
				response.kind === 'noResponse' ? response.sent === 'unknown' : response.status !== 429;
			dueMs = isLost || askedMs !== undefined ? 0 : nowMs + delayMs;
			if (askedMs !== undefined) notBeforeMs = Math.max(notBeforeMs, nowMs + delayMs);
			else if (shared) shared.untilMs = dueMs;
			return undefined;
		};

		for (;;) {
			const delivery = await (shared ? alone(sendOnce) : sendOnce());
			if (delivery) return delivery;
		}
	}

	/** The outage that a response belongs to, if any. Requests that were in progress when it began count once. */
	function noteOutage(response: HttpResult, met?: Outage): Outage | undefined {
		const status = response.kind === 'response' ? response.status : 500;
		if (outage.failures >= MAX_ATTEMPTS) outage = { ...NONE };
		if (status < 500 && status !== 408) return void Object.assign(outage, NONE);
		const one = met ?? outage;
		one.failures = met ? one.failures + 1 : Math.max(1, one.failures);
		return one;
	}

	async function call<T>(
		request: Request,
		schema: z.ZodType<T>,
		concurrency?: AdaptiveConcurrency,
	): Promise<Result<T, CallError>> {
		const { response } = await deliver(request, concurrency);
		return readResponse({ request, response, nowMs: runtime.now() }, schema);
	}

	return { deliver, call };
}

/** How often in a row a service has failed, whichever request asked it, and when it may be asked again (ms). */
interface Outage {
	failures: number;
	untilMs: number;
}

const NONE: Outage = { failures: 0, untilMs: 0 };

/** A request that was sent; `before` is how many reads had been served until then. */
interface Sent {
	readonly request: Request;
	readonly concurrency: AdaptiveConcurrency | undefined;
	readonly sentAtMs: number;
	readonly before: number;
}

/** A request and what it ended in; `now` is in ms. */
interface Exchange {
	readonly request: Request;
	readonly response: HttpResult;
	readonly nowMs: number;
}

/** Checks the body of a 2xx reply against its schema; anything else is a failure. */
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
	const issue = checked.error.issues[0];
	return fail(
		contractError(
			request,
			response,
			`at ${issue?.path.join('.') || 'its top'}: ${issue?.message ?? ''}`,
		),
	);
}

/** The answer to a request that was not sent because the user stopped the workflow. */
export const CANCELED: HttpResult = {
	kind: 'noResponse',
	sent: 'no',
	code: 'CANCELED',
};

/** The answer to a request that was not sent because its `until` would have passed before its turn. */
export const DEADLINE_EXCEEDED: HttpResult = {
	kind: 'noResponse',
	sent: 'no',
	code: 'DEADLINE_EXCEEDED',
};

/** Names a request by its method and path, as an API reference does. */
export const callName = ({ method, path }: Pick<Request, 'method' | 'path'>): string =>
	`${method} ${path}`;

/** The error in an answer, or undefined where it is a 2xx reply; `now` is in ms. */
export function toFailure(
	request: Request,
	response: HttpResult,
	nowMs: number,
): ApiError | ConnectionError | undefined {
	if (response.kind === 'response' && response.status >= 200 && response.status < 300)
		return undefined;
	const call = callName(request);
	const help = request.help && { help: request.help };
	if (response.kind === 'response') return { ...toApiError(call, response, nowMs), ...help };
	return { kind: 'connection', call, sent: response.sent, code: response.code, ...help };
}

/** The error of a reply that is not what the interface describes. */
export function contractError(request: Request, response: HttpResult, what: string): ContractError {
	const status = response.kind === 'response' ? response.status : 0;
	return { kind: 'contract', call: callName(request), status, message: `The response ${what}` };
}
