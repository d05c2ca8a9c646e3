import type { SendSettings } from './operation';
import { leftOut } from './outcomes';
import type { Guard, Value } from './plan';

interface DuplicateSettings<T> {
	readonly duplicates: SendSettings['duplicates'];
	/** What two values of one identity have in common, in a sentence. */
	readonly describe: (content: T) => string;
	/** The parameter that says who a value is for. */
	readonly parameter: string;
}

const COUNTED_AS = 'left out as duplicates';
const STOPPED = 'some rows appear twice. Remove the duplicates, or keep the first';

/** Leaves out all but one value of each identity, or makes their rows invalid, as the user chose. */
export const duplicatesGuard = <T>({
	duplicates,
	describe,
	parameter,
}: DuplicateSettings<T>): Guard<T> => ({
	open: (plan) => {
		const { rows, values } = plan;
		if (duplicates === 'sendAll') return {};
		const kept = new Map<string, Value<T>>();
		let stop: string | undefined;
		for (const value of values) {
			if (value.outcome) continue;
			const before = kept.get(value.identity);
			if (before === undefined || duplicates === 'keepLast') kept.set(value.identity, value);
			if (before === undefined) continue;
			const named = duplicates === 'keepLast' ? value : before;
			const same = `Row ${named.row + 1} has the same ${describe(value.content)}`;
			const row = rows[value.row];
			if (duplicates === 'keepFirst')
				value.outcome = leftOut(`Not sent, because ${same}`, COUNTED_AS);
			else if (duplicates === 'keepLast')
				before.outcome = leftOut(`Not sent, because ${same} and comes later`, COUNTED_AS);
			else if (row) {
				row.problems = [{ path: [parameter], reason: `appears twice: ${same}. Remove one` }];
				stop = STOPPED;
			}
		}
		if (stop !== undefined) plan.values = values.filter(({ row }) => !rows[row]?.problems);
		return { stop };
	},
});
