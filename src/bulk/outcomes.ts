import type { Delivery } from '../core/client';
import { answerError, contractError } from '../core/client';
import type { Failure } from '../core/failures';
import type { Body, Request } from '../core/request';
import { readBody } from '../core/request';

/** What became of a row: the service took it, refused it, may have taken it, or never saw it. */
export type OutcomeName = 'accepted' | 'rejected' | 'unknown' | 'notSent';

/** What became of one value; `batch` counts the requests of a run from 1, in their order. */
export type Outcome =
	| {
			readonly outcome: 'accepted';
			readonly batch: number;
			readonly reply: unknown;
			/** Whether the reply is of this value alone, and not of its whole request. */
			readonly paired: boolean;
	  }
	| {
			readonly outcome: 'rejected' | 'unknown' | 'notSent';
			readonly batch?: number;
			readonly failure: Failure;
	  };

/** An outcome of a value that was accepted. */
export type Accepted = Extract<Outcome, { outcome: 'accepted' }>;

/** An outcome of a value that was not accepted. */
export type Missed = Exclude<Outcome, { outcome: 'accepted' }>;

/** Judges how a bulk request ended: one outcome for all values in it. */
export function judge(
	request: Request,
	delivery: Delivery,
	{ batch, now }: { batch: number; now: number },
): Outcome {
	const { answer, mayHaveArrived } = delivery;
	const failure = answerError(request, answer, now);
	if (answer.kind === 'noReply') {
		const outcome = answer.sent === 'no' && !mayHaveArrived ? 'notSent' : 'unknown';
		return { outcome, batch, failure: failure ?? contractError(request, answer, 'never came') };
	}
	if (failure) {
		const refused = answer.status < 500 && answer.status !== 408;
		// An earlier sending without a reply may have been taken, unless the last one was judged on its content.
		const outcome =
			refused && (!mayHaveArrived || isVerdict(answer.status)) ? 'rejected' : 'unknown';
		return { outcome, batch, failure };
	}
	const body: Body = readBody(answer.text);
	if (body.kind === 'text')
		return { outcome: 'unknown', batch, failure: contractError(request, answer, 'is not JSON') };
	const reply = body.kind === 'json' ? body.value : undefined;
	return { outcome: 'accepted', batch, reply, paired: false };
}

const isVerdict = (status: number): boolean => status === 400 || status === 422;
