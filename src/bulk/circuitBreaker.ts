import type { SentOutcome } from './outcomes';

/** Ends the sending of a run when the service fails. */
export interface CircuitBreaker {
	note(outcome: SentOutcome): void;
	/** Why nothing more is sent, or undefined where it is. */
	reason(): string | undefined;
}

const MAX_FAILURES = 3;

/** Makes a breaker that opens after three failed requests in a row, or after one that the service does not authorize. */
export function createCircuitBreaker(): CircuitBreaker {
	let failures = 0;
	let why: string | undefined;
	return {
		note: (outcome) => {
			failures = hasFailed(outcome) ? failures + 1 : 0;
			if (failures >= MAX_FAILURES)
				why ??=
					'Not sent, because three requests in a row failed. Run the node again when the service works';
			if (isUnauthorized(outcome))
				why ??=
					'Not sent, because the service did not accept the credential. Correct it, then run the node again';
		},
		reason: () => why,
	};
}

const hasFailed = (outcome: SentOutcome): boolean =>
	outcome.outcome === 'unknown' ||
	(outcome.outcome !== 'accepted' &&
		outcome.failure.kind === 'api' &&
		outcome.failure.status >= 500);

const isUnauthorized = (outcome: SentOutcome): boolean =>
	outcome.outcome !== 'accepted' &&
	outcome.failure.kind === 'api' &&
	(outcome.failure.status === 401 || outcome.failure.status === 403);
