import type { SendSettings } from './operation';
import { leftOut } from './outcomes';
import type { Guard, Plan, Value } from './plan';

interface DuplicateSettings<T> {
	readonly duplicates: SendSettings['duplicates'];
	/** What two values of one identity have in common, in a sentence. */
	readonly describe: (content: T) => string;
	/** The parameter that says who a value is for. */
	readonly parameter: string;
}

const COUNTED_AS = 'left out as duplicates';
const TWICE = 'appears twice';
const STOPPED =
	'Not sent, because some rows appear twice. Remove the duplicates, or keep the first';

/** Leaves out all but one value of each identity, or makes their rows invalid, as the user chose. */
export const duplicatesGuard = <T>(settings: DuplicateSettings<T>): Guard<T> => ({
	open: (plan) => {
		if (settings.duplicates === 'sendAll') return {};
		withholdDuplicates(plan, settings);
		const count = plan.rows.filter(({ problems }) => problems?.[0]?.message.startsWith(TWICE));
		return settings.duplicates === 'stop' && count.length > 0 ? { stop: STOPPED } : {};
	},
});

function withholdDuplicates<T>(
	{ rows, values }: Plan<T>,
	{ duplicates, describe, parameter }: DuplicateSettings<T>,
): void {
	const kept = new Map<string, Value<T>>();
	for (const value of values) {
		if (value.outcome) continue;
		const before = kept.get(value.identity);
		const same = (other: Value<T>): string =>
			`Row ${other.row + 1} has the same ${describe(value.content)}`;
		if (before === undefined) kept.set(value.identity, value);
		else if (duplicates === 'keepFirst')
			value.outcome = leftOut(`Not sent, because ${same(before)}`, COUNTED_AS);
		else if (duplicates === 'keepLast') {
			before.outcome = leftOut(`Not sent, because ${same(value)} and comes later`, COUNTED_AS);
			kept.set(value.identity, value);
		} else {
			const row = rows[value.row];
			const message = `${TWICE}: ${same(before)}. Remove one`;
			if (row) row.problems = [{ path: [parameter], message }];
		}
	}
}
