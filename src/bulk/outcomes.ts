import type { Delivery } from '../core/client';
import { contractError, toFailure } from '../core/client';
import type { ApiError, Failure } from '../core/failures';
import type { Request } from '../core/http';
import { readBody } from '../core/json';
import { toText } from '../core/plainText';

/** A value that the service took; `batch` counts the requests of a run from 1, in their order. */
export interface AcceptedOutcome {
	readonly outcome: 'accepted';
	readonly batch: number;
	readonly reply: unknown;
	/** Whether the reply is of this value alone, and not of its whole request. */
	readonly paired: boolean;
}

/** A value that the service did not take for certain, and why. */
export interface NotAccepted {
	readonly outcome: 'rejected' | 'unknown' | 'notSent';
	readonly batch?: number;
	readonly failure: Failure;
}

/** What became of one value: `unchanged` was not sent, because the service took it with the same content in an earlier run. */
export type Outcome = AcceptedOutcome | NotAccepted | { readonly outcome: 'unchanged' };

/** What a 2xx response says of one value; `paired` is a reply of this value alone. */
export type Verdict =
	| { readonly kind: 'accepted'; readonly reply: unknown; readonly paired: boolean }
	| { readonly kind: 'rejected' | 'unknown'; readonly message: string };

/** The outcome of a value that is left out by the wish of the user; `countedAs` names such rows in a count, `facts` go into its item. */
export const leftOut = (
	message: string,
	countedAs?: string,
	facts?: Readonly<Record<string, unknown>>,
): NotAccepted => ({
	outcome: 'notSent',
	failure: {
		kind: 'skipped',
		message,
		...(facts && { facts }),
		...(countedAs !== undefined && { countedAs }),
	},
});

/** The outcome of a value that is held back because of something else. */
export const held = (message: string): NotAccepted => ({
	outcome: 'notSent',
	failure: { kind: 'held', message },
});

/** The outcome of a value that a reason to stop the run keeps back: "Not sent, because one row is invalid." */
export const stoppedBy = (reason: string): NotAccepted => held(`Not sent, because ${reason}`);

/** The outcome of a value that may have been sent, and why no one knows. */
export const unknown = (message: string, batch?: number): NotAccepted => ({
	outcome: 'unknown',
	...(batch !== undefined && { batch }),
	failure: { kind: 'held', message },
});

/** Judges how a bulk request ended: one outcome for all values in it. */
export function toOutcome(
	request: Request,
	delivery: Delivery,
	{ batch, nowMs }: { batch: number; nowMs: number },
): AcceptedOutcome | NotAccepted {
	const { response, mayHaveArrived } = delivery;
	const failure = toFailure(request, response, nowMs);
	if (response.kind === 'noResponse') {
		const outcome = response.sent === 'no' && !mayHaveArrived ? 'notSent' : 'unknown';
		return { outcome, batch, failure: failure ?? contractError(request, response, 'never came') };
	}
	if (failure) {
		// A 303 is the response to a request that was carried out.
		const rejected = response.status < 500 && ![408, 303].includes(response.status);
		// An earlier attempt without a response may have been taken, unless the last one was judged on its content.
		const outcome =
			rejected && (!mayHaveArrived || isVerdict(response.status)) ? 'rejected' : 'unknown';
		return { outcome, batch, failure };
	}
	const body = readBody(response.text);
	if (body.kind === 'text')
		return { outcome: 'unknown', batch, failure: contractError(request, response, 'is not JSON') };
	const reply = body.kind === 'json' ? body.value : undefined;
	return { outcome: 'accepted', batch, reply, paired: false };
}

/** Whether the service judged what a request says. */
export const isVerdict = (status: number): boolean => status === 400 || status === 422;

/** What the service said about single values of a request: the issues by the position of the value. */
export function issuesByRow(error: ApiError, count: number): Map<number, unknown[]> {
	const named = new Map<number, unknown[]>();
	for (const issue of error.issues) {
		const row = rowOf(issue);
		if (row === undefined || row >= count) continue;
		named.set(row, [...(named.get(row) ?? []), issue]);
	}
	return named;
}

/** The position in a path such as ['customers', 3, 'email'], 'customers.3.email' or 'customers[3].email'. */
function rowOf(issue: unknown): number | undefined {
	const { path } = Object(issue) as { readonly path?: unknown };
	const text = [path].flat().map(toText).join('.');
	const position = /^[^.[\]]+[.[](\d{1,9})(?=[.\]]|$)/.exec(text)?.[1];
	return position === undefined ? undefined : Number(position);
}
