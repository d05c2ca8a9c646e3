import isEqual from 'lodash/isEqual';
import type { Sources } from '../../bulk/plan';
import { listSome } from '../../core/words';
import { customerFields } from '../customer';

/**
 * Asks about the fields whose column of the last run is gone, or that are read from another column now.
 * A column chosen under Columns to Use is the user's answer.
 */
export function describeLostSources(
	before: Sources['fields'] = {},
	now: Sources | undefined,
	choices: ReadonlyArray<{ readonly field: string }>,
): string | undefined {
	if (!now) return undefined;
	const lost = Object.entries(customerFields).flatMap(([field, { label }]) => {
		const last = before[field];
		const isAnswered = choices.some((choice) => choice.field === field);
		if (!last || isAnswered || isEqual(last, now.fields[field])) return [];
		const isGone = last.some((column) => !now.columns.has(column));
		return now.fields[field] || isGone ? [`${label} (${listSome(last, "'")})`] : [];
	});
	if (lost.length === 0) return undefined;
	return `the last run read other columns that are gone or not used now: ${lost.join(', ')}. Choose the columns under 'Columns to Use', or turn off 'Skip Unchanged Customers' for one run`;
}
