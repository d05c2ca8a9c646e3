import type { LeftOut } from './outcomes';
import { leftOut } from './outcomes';
import type { Entry, Guard } from './plan';

const OLDER = leftOut('Not sent, because a newer row of the same customer was already sent');

/** Skips an older entry after a newer one of the same identity, which a retry would resend. */
export const newestOnlyGuard = <T>(): Guard<T> => ({
	open: ({ entries }) => {
		const leaveOut = new Map<Entry<T>, LeftOut>();
		const sent = new Set<string>();
		for (const entry of entries.toReversed()) {
			if (entry.outcome) sent.add(entry.identity);
			else if (sent.has(entry.identity)) leaveOut.set(entry, OLDER);
		}
		return { leaveOut };
	},
});
