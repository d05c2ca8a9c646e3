import { compact, omit } from 'lodash';
import type { ApiError, ContractError, Failure, HeldError } from './failures';

/** Requests refused for one reason that end a run in which nothing was accepted. The reason concerns all rows. */
export const MAX_EQUAL_REFUSALS = 3;

/** Requests refused for any reasons that end a run in which nothing was accepted. */
export const MAX_REFUSALS = 30;

/** Names a refusal by its status and the words of the service, if it has any: "400: Invalid agent". */
export const nameRefusal = ({ status, message }: ApiError | ContractError): string =>
	compact([status, message]).join(': ');

/** Creates a counter of refused requests. Equal refusals in a row set `stop`, the failure of the requests that follow. */
export function createRefusalCounter() {
	let lastReason = '';
	let equalCount = 0;
	const counter = {
		stop: undefined as HeldError | undefined,
		count: (failure: Failure | undefined): void => {
			// A failure without a status is no refusal. The client's circuit breaker counts it.
			if (!failure || !('status' in failure)) return;
			// The circuit breaker ends the run after one of these.
			if (failure.status === 401 || failure.status === 403) return;
			// The address of a call may contain the ID of its row.
			const reason = JSON.stringify(omit(failure, 'call'));
			equalCount = reason === lastReason ? equalCount + 1 : 1;
			lastReason = reason;
			if (equalCount < MAX_EQUAL_REFUSALS) return;
			const text = `Not sent, because three requests failed for the same reason (${nameRefusal(failure)})`;
			counter.stop = { kind: 'held', message: text };
		},
	};
	return counter;
}
