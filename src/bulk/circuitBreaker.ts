import { MAX_FAILURES } from '../core/retry';
import { held } from './outcomes';
import type { Guard } from './plan';

const FAILED =
	'Not sent, because three requests in a row failed. Run the node again when the service works';
const REFUSED =
	'Not sent, because the service did not accept the credential. Correct it, then run the node again';

/** Ends the sending of a run after three failed requests in a row, or after one that the service does not authorize. */
export function circuitBreaker<T>(): Guard<T> {
	let failures = 0;
	let reason: string | undefined;
	return {
		before: (batch) => {
			if (reason === undefined) return;
			for (const value of batch) value.outcome ??= held(reason);
		},
		after: (batch) => {
			const outcomes = batch.flatMap(({ outcome }) => outcome ?? []);
			const statuses = outcomes.map((each) =>
				'failure' in each && each.failure.kind === 'api' ? each.failure.status : 0,
			);
			// A request that was stopped by the user says nothing about the service.
			const hasFailed = outcomes.every(
				({ outcome }, i) =>
					outcome === 'unknown' || statuses[i] === 429 || (statuses[i] ?? 0) >= 500,
			);
			failures = hasFailed ? failures + 1 : 0;
			if (failures >= MAX_FAILURES) reason ??= FAILED;
			if (statuses.includes(401) || statuses.includes(403)) reason ??= REFUSED;
		},
	};
}
