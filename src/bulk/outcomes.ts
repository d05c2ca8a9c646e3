import { toContractError, toFailure, type Delivery } from '../core/client';
import type { Failure } from '../core/failures';
import { readBody } from '../core/json';
import { isVerdict } from '../core/retry';

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
	readonly request?: number;
	readonly failure: Failure;
	/** The count of entries that a setting of the user leaves out, which is no error: "marked Do Not Call". */
	readonly countedAs?: string;
	/** Fields of its item, e.g. when the person can be called. */
	readonly facts?: Readonly<Record<string, unknown>>;
}

/** The outcome of one entry. Unchanged content was accepted in an earlier run. */
export type Outcome = Accepted | Failed | { readonly outcome: 'unchanged' };

/** Builds the outcome of an entry that a setting leaves out. `countedAs` names it in counts, `facts` go to its item. */
export const toLeftOut = (
	message: string,
	countedAs = 'left out',
	facts?: Failed['facts'],
): Failed => ({
	outcome: 'notSent',
	failure: { kind: 'leftOut', message },
	countedAs,
	...(facts && { facts }),
});

/** Builds the outcome of an entry that was not sent, for a reason outside its row. */
export const toHeld = (message: string): Failed => ({
	outcome: 'notSent',
	failure: { kind: 'held', message },
});

/** Builds the outcome of an entry when the run stops: "Not sent, because one row is invalid". */
export const toStopped = (reason: string): Failed => toHeld(`Not sent, because ${reason}`);

/** Builds the outcome of an entry that may have arrived. 'held' means that its row is not to blame. */
export const toUnknown = (message: string, request: number): Failed => ({
	outcome: 'unknown',
	request,
	failure: { kind: 'held', message },
});

/** Converts the result of a request to one outcome for all its entries. `number` counts the requests from 1. */
export function toOutcome(delivery: Delivery, number: number): Accepted | Failed {
	const { request, response, mayHaveArrived } = delivery;
	const failure = toFailure(delivery);
	if (response.kind === 'noResponse') {
		const outcome = response.sent === 'no' && !mayHaveArrived ? 'notSent' : 'unknown';
		const why = failure ?? toContractError(request, response, 'never came'); // For the type.
		return { outcome, request: number, failure: why };
	}
	if (failure) {
		// After a 408 or 303, the service may have carried out the request.
		const isRefusal = response.status < 500 && ![408, 303].includes(response.status);
		// An earlier attempt without a response may have succeeded, unless the service judged the content of the last one.
		const isRejected = isRefusal && (!mayHaveArrived || isVerdict(response.status));
		return { outcome: isRejected ? 'rejected' : 'unknown', request: number, failure };
	}
	const body = readBody(response.text);
	if (body.kind === 'text') {
		const notJson = toContractError(request, response, 'is not JSON');
		return { outcome: 'unknown', request: number, failure: notJson };
	}
	const reply = body.kind === 'json' ? body.value : undefined;
	return { outcome: 'accepted', request: number, reply, isPaired: false }; // `judge` pairs it.
}
