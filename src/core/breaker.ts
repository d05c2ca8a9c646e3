import type { HttpResult, NoResponse } from './http';
import { ACCESS_DENIED, SERVICE_FAILED } from './http';
import { MAX_FAILURES } from './retry';
import { readBody } from './json';

/** Closed until three requests in a row have failed, or the service has returned 401 or 403. */
export interface Breaker {
	/** Counts the final result of a request, after all its attempts. */
	note(result: HttpResult): void;
	/** The result of every further request; undefined while the breaker is closed. */
	readonly openedBy: NoResponse | undefined;
	reset(): void;
}

const REASONS: ReadonlyMap<HttpResult, string> = new Map([
	[
		SERVICE_FAILED,
		'Not sent, because three requests in a row failed. Run the node again when the service works',
	],
	[
		ACCESS_DENIED,
		'Not sent, because the service did not accept the credential. Correct it, then run the node again',
	],
]);

/** The reason why the breaker rejected a request, for users; undefined for any other result. */
export const reasonFor = (result: HttpResult): string | undefined => REASONS.get(result);

/** Creates a closed breaker. */
export function createBreaker(): Breaker {
	let failures = 0;
	let openedBy: NoResponse | undefined;
	return {
		note: (result) => {
			// A stop by the user is no failure of the service.
			if (result.kind === 'noResponse' && result.code === 'ABORTED') return;
			failures = isUsable(result) ? 0 : failures + 1;
			if (failures >= MAX_FAILURES) openedBy ??= SERVICE_FAILED;
			if (result.status === 401 || result.status === 403) openedBy ??= ACCESS_DENIED;
		},
		get openedBy() {
			return openedBy;
		},
		reset: () => {
			[failures, openedBy] = [0, undefined];
		},
	};
}

/** Whether the service works: it returned a 4xx, or a 2xx whose body is empty or starts and ends like JSON. */
function isUsable(result: HttpResult): boolean {
	if (result.kind === 'noResponse') return false;
	const { status, text } = result;
	if (status >= 300) return status >= 400 && status < 500 && status !== 408 && status !== 429;
	return /^\s*[{[]/.test(text)
		? /[}\]]\s*$/.test(text.slice(-100))
		: readBody(text).kind !== 'text';
}
