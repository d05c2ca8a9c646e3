import { listSome } from '../core/words';
import type { SendSettings } from './operation';
import type { Failed } from './outcomes';
import { leftOut } from './outcomes';
import type { Entry, Guard } from './plan';
import { filterPending } from './plan';

/**
 * Keeps one entry of each identity, or stops the run, as the user chose.
 * `describe` names what two entries of one identity share: "phone number (+14155550100)".
 */
export const duplicatesGuard = <T>(
	duplicates: SendSettings['duplicates'],
	describe: (content: T) => string,
): Guard<T> => ({
	open: ({ entries }) => {
		if (duplicates === 'sendAll') return {};
		const leaveOut = new Map<Entry<T>, Failed>();
		const repeated: string[] = [];
		const kept = new Map<string, Entry<T>>();
		for (const entry of filterPending(entries)) {
			const earlier = kept.get(entry.identity);
			if (earlier === undefined || duplicates === 'keepLast') kept.set(entry.identity, entry);
			if (earlier === undefined) continue;
			const shared = describe(entry.content);
			repeated.push(`rows ${earlier.row + 1} and ${entry.row + 1} have the same ${shared}`);
			const [dropped, { row }] = duplicates === 'keepLast' ? [earlier, entry] : [entry, earlier];
			const reason = `Not sent, because row ${row + 1} has the same ${shared}`;
			leaveOut.set(dropped, leftOut(reason, 'left out as duplicates'));
		}
		if (duplicates !== 'stop') return { leaveOut };
		if (repeated.length === 0) return {};
		return { stop: `${listSome(repeated)}. Remove the duplicates, or keep the first` };
	},
});
