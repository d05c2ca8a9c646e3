import { toContractError, toFailure, type Delivery } from '../core/client';
import type { Failure } from '../core/failures';
import { readBody } from '../core/json';
import { isContentRejection } from '../core/retry';
import type { Code } from './codes';

/** The service accepted the entry. `request` counts the requests of an execution from 1. */
export interface Accepted {
	readonly outcome: 'accepted';
	readonly request: number;
	readonly reply: unknown;
	/** Whether the response belongs to this entry alone. */
	readonly isPaired: boolean;
}

/** The entry was not sent, was rejected, or may have arrived. */
export interface Failed {
	readonly outcome: 'rejected' | 'unknown' | 'notSent';
	readonly code: Code;
	readonly request?: number;
	readonly failure: Failure;
	/** Fields of its item, e.g. when the person can be called. */
	readonly facts?: Readonly<Record<string, unknown>>;
}

/** The outcome of one entry. */
export type Outcome = Accepted | Failed;

/** Builds the outcome of an entry that a setting leaves out, which is no error. Its item shows the `facts`. */
export const toLeftOut = (code: Code, message: string, facts?: Failed['facts']): Failed => ({
	outcome: 'notSent',
	code,
	failure: { kind: 'leftOut', message },
	...(facts && { facts }),
});

/** Builds the outcome of an entry that was not sent, for a reason outside its row. */
export const toHeld = (code: Code, message: string): Failed => ({
	outcome: 'notSent',
	code,
	failure: { kind: 'held', message },
});

/** Builds the outcome of an entry of a run that sends nothing. `stop` is the reason. */
export const toStopped = (stop: string): Failed => toHeld('stopped', `Not sent, because ${stop}`);

/** Builds the outcome of an entry that may have arrived, for a reason outside its row. */
export const toUnknown = (message: string, request: number): Failed => ({
	outcome: 'unknown',
	code: 'unknown',
	request,
	failure: { kind: 'held', message },
});

/** Builds the outcome of an entry that a 2xx response reports as failed. */
export const toRejected = (message: string, request: number): Failed => ({
	outcome: 'rejected',
	code: 'rejected',
	request,
	// An item has no call and no status of its own. 200 selects the description of a 2xx.
	failure: { kind: 'api', call: 'an item of the response', status: 200, issues: [], message },
});

/** The causes for which a request was not sent, apart from a failing service. */
const UNSENT_CODES: Readonly<Record<string, Code>> = {
	CANCELED: 'canceled',
	ACCESS_DENIED: 'accessDenied',
};

/** The codes of statuses that concern a request as a whole, not its rows. 3 means every redirect. */
const WHOLE_REQUEST_CODES: Readonly<Record<number, Code>> = {
	3: 'notFound',
	401: 'accessDenied',
	402: 'notFound',
	403: 'accessDenied',
	404: 'notFound',
	407: 'notFound',
	429: 'serviceFailed',
};

/** Converts the result of a request to one outcome for all its entries. `number` counts the requests from 1. */
export function toOutcome(delivery: Delivery, number: number): Outcome {
	const failure = toFailure(delivery);
	if (failure) return { ...classify(delivery, failure), request: number, failure };
	const body = readBody(delivery.response.text ?? ''); // A result without a failure has a text.
	// The service returns JSON or nothing. Other text is from a proxy, so the request may not have arrived.
	if (body.kind === 'text') {
		const noJson = toContractError(delivery, 'is not JSON');
		return { outcome: 'unknown', code: 'unknown', request: number, failure: noJson };
	}
	const reply = body.kind === 'json' ? body.value : undefined;
	return { outcome: 'accepted', request: number, reply, isPaired: false }; // `readOutcomes` decides per entry.
}

/** Decides whether a request without a 2xx was rejected, was certainly not carried out, or may have arrived. */
function classify(
	{ response, mayHaveArrived }: Delivery,
	failure: Failure,
): Pick<Failed, 'outcome' | 'code'> {
	const unknown = { outcome: 'unknown', code: 'unknown' } as const;
	if (response.kind === 'noResponse') {
		if (response.sent !== 'no' || mayHaveArrived) return unknown;
		return { outcome: 'notSent', code: UNSENT_CODES[response.code] ?? 'serviceFailed' };
	}
	const { status } = response;
	// After a 408 or 303, the service may have carried out the request.
	if (status >= 500 || status === 408 || status === 303) return unknown;
	// A lost earlier attempt may have succeeded. Only a documented 400 or 422 proves that the service stored nothing.
	const isDocumented =
		isContentRejection(status) && failure.kind === 'api' && failure.code !== undefined;
	if (mayHaveArrived && !isDocumented) return unknown;
	// A service that rejects the whole request, e.g. with a 401 or any 3xx, has done nothing for its rows.
	const code = WHOLE_REQUEST_CODES[status] ?? WHOLE_REQUEST_CODES[Math.floor(status / 100)];
	return code ? { outcome: 'notSent', code } : { outcome: 'rejected', code: 'rejected' };
}
