import { listSome } from '../core/words';
import type { SendSettings } from './operation';
import type { Failed } from './outcomes';
import { leftOut } from './outcomes';
import type { Entry, Guard } from './plan';

interface DuplicateSettings<T> {
	readonly duplicates: SendSettings['duplicates'];
	/** Names what two entries of one identity share: "phone number (+14155550100)". */
	readonly describe: (content: T) => string;
}

/** Keeps one entry of each identity, or stops the run, as the user chose. */
export const duplicatesGuard = <T>({ duplicates, describe }: DuplicateSettings<T>): Guard<T> => ({
	open: ({ entries }) => {
		if (duplicates === 'sendAll') return {};
		const leaveOut = new Map<Entry<T>, Failed>();
		const repeated: string[] = [];
		const kept = new Map<string, Entry<T>>();
		for (const entry of entries) {
			if (entry.outcome) continue;
			const earlier = kept.get(entry.identity);
			if (earlier === undefined || duplicates === 'keepLast') kept.set(entry.identity, entry);
			if (earlier === undefined) continue;
			const shared = describe(entry.content);
			if (duplicates === 'stop')
				repeated.push(`rows ${earlier.row + 1} and ${entry.row + 1} have the same ${shared}`);
			else if (duplicates === 'keepFirst') leaveOut.set(entry, leaveOutFor(earlier, shared));
			else leaveOut.set(earlier, leaveOutFor(entry, shared, ' and comes later'));
		}
		if (repeated.length > 0)
			return { stop: `${listSome(repeated)}. Remove the duplicates, or keep the first` };
		return { leaveOut };
	},
});

const leaveOutFor = ({ row }: Entry<unknown>, shared: string, order = ''): Failed =>
	leftOut(
		`Not sent, because row ${row + 1} has the same ${shared}${order}`,
		'left out as duplicates',
	);
