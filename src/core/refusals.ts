import { omit } from 'lodash';
import type { Failure, HeldError } from './failures';

/** Requests refused for one reason end a run in which nothing was accepted, because it concerns all rows. */
export const MAX_EQUAL_REFUSALS = 3;

/** Counts reads in a row that were refused for the same reason. After the third, all others fail with `stop`. */
export function createRefusedReads() {
	let reason = '';
	let equal = 0;
	const refused = {
		stop: undefined as HeldError | undefined,
		count: (failure: Failure | undefined): void => {
			// The client stops by itself if the service does not respond.
			if (!failure || !('status' in failure)) return;
			const { status, message } = failure;
			// A call may name its own row.
			const current = JSON.stringify(omit(failure, 'call'));
			equal = reason === current ? equal + 1 : 1;
			reason = current;
			if (equal < MAX_EQUAL_REFUSALS) return;
			const text = `Not sent, because three requests failed for the same reason (${status}: ${message})`;
			refused.stop = { kind: 'held', message: text };
		},
	};
	return refused;
}
