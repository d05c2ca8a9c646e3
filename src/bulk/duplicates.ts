import { listSome } from '../core/words';
import type { SendSettings } from './operation';
import { toLeftOut } from './outcomes';
import { filterPending, type Entry, type Rule } from './plan';

/** Makes the rule that leaves out all but one entry per person or customer, or stops the run. */
export const duplicatesRule =
	<T>(duplicates: SendSettings['duplicates'], describeIdentity: (content: T) => string): Rule<T> =>
	({ entries, stop }) => {
		// A run that stops sends nothing, and its rows may be equal only because of the reason to stop.
		if (stop !== undefined) return {};
		const pending = filterPending(entries);
		const kept = new Map<string, Entry<T>>();
		for (const entry of pending)
			if (duplicates === 'keepLast' || !kept.has(entry.identity)) kept.set(entry.identity, entry);
		const dropped = pending.filter((entry) => kept.get(entry.identity) !== entry);
		if (dropped.length === 0) return {};
		// Users count rows from 1. Each identity has a kept entry, so 0 is only for the type.
		const keptRowNumber = ({ identity }: Entry<T>): number => (kept.get(identity)?.row ?? 0) + 1;
		if (duplicates === 'stop') {
			const pairs = dropped.map(
				(entry) =>
					`rows ${keptRowNumber(entry)} and ${entry.row + 1} have the same ${describeIdentity(entry.content)}`,
			);
			return { stop: `${listSome(pairs)}. Remove the duplicates, or keep the first` };
		}
		const outcomes = dropped.map((entry) => {
			const reason = `Row ${keptRowNumber(entry)} has the same ${describeIdentity(entry.content)}`;
			return [entry, toLeftOut('duplicate', reason)] as const;
		});
		return { leaveOut: new Map(outcomes) };
	};
