import type { Steps } from '../../src/core/concurrency';

/** The result of work, without the pauses between its steps. */
export function finish<T>(steps: Steps<T>): T {
	for (;;) {
		const { done, value } = steps.next();
		if (done) return value;
	}
}
