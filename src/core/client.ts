import type { z } from 'zod/v4';
import type { ApiError, ConnectionError, ContractError } from './failures';
import type { Pace } from './pace';
import { replyError } from './replyError';
import type { Answer, Request, Send } from './request';
import { readBody } from './request';
import type { Result } from './result';
import { fail, ok } from './result';
import { retryAfter, retryPause } from './retry';

/** What the client needs from outside: the wire, the clock (ms), the dice (0 to 1) and the stop signal. */
export interface World {
	readonly send: Send;
	readonly sleep: (ms: number) => Promise<void>;
	readonly random: () => number;
	readonly now: () => number;
	readonly stopped: () => boolean;
}

/** How a request ended after all its sendings. */
export interface Delivery {
	readonly answer: Answer;
	/** Whether a sending before the last one may have arrived without a reply. */
	readonly mayHaveArrived: boolean;
	/** How often it was sent. */
	readonly sendings: number;
}

/** Sends requests by one retry rule. */
export interface Client {
	/** Sends until the retry rule says stop, and returns the last answer; the pace learns from each one. */
	deliver(request: Request, pace?: Pace): Promise<Delivery>;
	/** Sends and checks the reply against its schema; failures come back as values. */
	call<T>(request: Request, schema: z.ZodType<T>, pace?: Pace): Promise<Result<T, CallError>>;
}

/** What a call can fail with. */
export type CallError = ApiError | ConnectionError | ContractError;

/** Makes a client; a pause that the service asks for holds back all its requests. */
export function createClient(world: World): Client {
	let notBefore = 0;

	/** Whether the turn of a request has come; not where it would come too late. */
	async function waitForTurn(until = Infinity): Promise<boolean> {
		// A pause may be prolonged by another reply while this request waits.
		for (
			let pause = notBefore - world.now();
			pause > 0 && !world.stopped();
			pause = notBefore - world.now()
		) {
			if (notBefore > until) return false;
			await world.sleep(pause);
		}
		return true;
	}

	async function deliver(request: Request, pace?: Pace): Promise<Delivery> {
		let mayHaveArrived = false;
		let last = LATE;
		for (let number = 1; ; number++) {
			const hasTurn = await waitForTurn(request.until);
			if (!hasTurn && !world.stopped())
				return { answer: last, mayHaveArrived, sendings: number - 1 };
			const sentAt = world.now();
			// The user may also stop the workflow while the wire holds the request back.
			const answer = world.stopped() ? STOPPED : await world.send(request);
			if (answer === STOPPED)
				return { answer: mayHaveArrived ? last : STOPPED, mayHaveArrived, sendings: number - 1 };
			last = answer;
			const now = world.now();
			learn(answer, now - sentAt, pace);
			const pause = retryPause({ request, answer, number, random: world.random(), now });
			if (pause === undefined) return { answer, mayHaveArrived, sendings: number };
			mayHaveArrived ||=
				answer.kind === 'noReply' ? answer.sent === 'unknown' : answer.status !== 429;
			if (answer.kind === 'reply' && retryAfter(answer, now) !== undefined) {
				notBefore = Math.max(notBefore, now + pause);
			} else {
				await world.sleep(pause);
			}
		}
	}

	async function call<T>(
		request: Request,
		schema: z.ZodType<T>,
		pace?: Pace,
	): Promise<Result<T, CallError>> {
		const { answer } = await deliver(request, pace);
		return readAnswer({ request, answer, now: world.now() }, schema);
	}

	return { deliver, call };
}

/** A request and what it ended in; `now` is in ms. */
export interface Answered {
	readonly request: Request;
	readonly answer: Answer;
	readonly now: number;
}

/** Checks the body of a 2xx reply against its schema; anything else is a failure. */
export function readAnswer<T>(
	{ request, answer, now }: Answered,
	schema: z.ZodType<T>,
): Result<T, CallError> {
	const error = answerError(request, answer, now);
	if (error) return fail(error);
	const body = answer.kind === 'reply' ? readBody(answer.text) : { kind: 'empty' as const };
	if (body.kind !== 'json') return fail(contractError(request, answer, 'is not JSON'));
	const checked = schema.safeParse(body.value);
	if (checked.success) return ok(checked.data);
	const issue = checked.error.issues[0];
	return fail(
		contractError(
			request,
			answer,
			`at ${issue?.path.join('.') || 'its top'}: ${issue?.message ?? ''}`,
		),
	);
}

function learn(answer: Answer, ms: number, pace: Pace | undefined): void {
	if (answer.kind !== 'reply') return;
	if (answer.status === 429) pace?.slower();
	else if (answer.status < 300) pace?.faster(ms);
}

/** The answer to a request that was not sent because the user stopped the workflow. */
export const STOPPED: Answer = {
	kind: 'noReply',
	sent: 'no',
	code: 'STOPPED',
	message: 'the workflow was stopped',
};

/** The answer to a request that was not sent because its `until` would have passed before its turn. */
export const LATE: Answer = {
	kind: 'noReply',
	sent: 'no',
	code: 'LATE',
	message: 'the service asked to wait for longer than there was time',
};

/** Names a request as the interface does: `POST /customers/batch`. */
export const callName = (request: Request): string => `${request.method} ${request.path}`;

/** Whether a call, by its name, only reads. */
export const isRead = (call: string): boolean =>
	call.startsWith('GET ') || call === 'POST /tickets/search';

/** The error in an answer, or undefined where it is a 2xx reply; `now` is in ms. */
export function answerError(
	request: Request,
	answer: Answer,
	now: number,
): ApiError | ConnectionError | undefined {
	const call = callName(request);
	if (answer.kind === 'noReply') {
		return {
			kind: 'connection',
			call,
			sent: answer.sent,
			code: answer.code,
			message: answer.message,
		};
	}
	if (answer.status >= 200 && answer.status < 300) return undefined;
	return replyError(call, answer, now);
}

/** The error of a reply that is not what the interface describes. */
export function contractError(request: Request, answer: Answer, what: string): ContractError {
	const status = answer.kind === 'reply' ? answer.status : 0;
	return { kind: 'contract', call: callName(request), status, message: `The reply ${what}` };
}
