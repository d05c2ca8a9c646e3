import { leftOut } from './outcomes';
import type { Guard } from './plan';

const OLDER = leftOut('Not sent, because a newer row of the same customer was already sent');

/** Keeps an older value from being sent after a newer one of the same identity, as a retry would. */
export const newestOnly = <T>(): Guard<T> => ({
	open: ({ values }) => {
		const newer = new Set<string>();
		for (const value of values.toReversed()) {
			if (value.outcome) newer.add(value.identity);
			else if (newer.has(value.identity)) value.outcome = OLDER;
		}
		return {};
	},
});
