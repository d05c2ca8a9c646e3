import { groupBy, isEqual, lowerFirst, map, omit, sumBy } from 'lodash';
import { describeFailure, type Label } from '../../src/core/describeFailure';
import type { Failure } from '../../src/core/failures';
import type { Run } from '../../src/core/operation';
import { toSentence } from '../../src/core/problems';
import { formatRows, plural } from '../../src/core/words';

/** Rows that failed for the same reason. */
export interface Reason {
	readonly failure: Failure;
	/** The positions of the rows, in their order. */
	readonly positions: readonly number[];
	readonly isShown: boolean;
	/** "'Phone Number' has no country code". */
	readonly what: string;
	/** "Add it, or set Default Country". */
	readonly fix?: string | undefined;
	/** Further advice, for an error of the service. */
	readonly advice?: string | undefined;
}

/** Groups failed rows by reason, in row order. Rows that items show have groups of their own. Omits values that differ within a reason. */
export function groupReasons({ rows }: Run, label: Label): Reason[] {
	const failed = rows.flatMap(({ failure, isShown = false }, position) =>
		failure && failure.kind !== 'leftOut' ? [{ failure, isShown, position }] : [],
	);
	const groups = groupBy(failed, ({ failure, isShown }) =>
		JSON.stringify([isShown, explain(withoutValues(failure), label)]),
	);
	return Object.values(groups).flatMap((group) => {
		const [first] = group;
		if (!first) return [];
		const { failure, isShown } = first;
		const isSame = group.every((row) => isEqual(row.failure, failure));
		const explained = explain(isSame ? failure : withoutValues(failure), label);
		return [{ failure, isShown, positions: map(group, 'position'), ...explained }];
	});
}

/** Leaves out the values of problems, because rows with different values can have the same reason. */
const withoutValues = (failure: Failure): Failure =>
	failure.kind === 'input'
		? { ...failure, problems: failure.problems.map((problem) => omit(problem, 'value')) }
		: failure;

/** Describes a failure. The fix of a single problem is separate, because row numbers precede it. */
function explain(failure: Failure, label: Label): Pick<Reason, 'what' | 'fix' | 'advice'> {
	const [problem, ...more] = failure.kind === 'input' ? failure.problems : [];
	if (!problem || more.length > 0) {
		const { message, advice } = describeFailure(failure, label);
		return { what: message, advice };
	}
	const { path, fix, ...fault } = problem;
	return { what: `'${label(path)}' ${toSentence(fault)}`, fix };
}

/** "17 rows: 'Phone Number' has no country code (rows 3, 33, 63 and 14 more). Add it, or set Default Country". */
export function formatReason(
	{ positions, what, fix }: Reason,
	total: number,
	maxRanges: number,
): string {
	const rows = formatRows(positions, { total, max: maxRanges });
	const count = plural(positions.length, 'row');
	const line =
		positions.length === 1 ? `${rows}: ${what}` : `${count}: ${what} (${lowerFirst(rows)})`;
	// If all rows failed for this reason, row numbers add nothing.
	return joinSentences([positions.length === total ? what : line, fix]);
}

/** One line per reason with its ranges of row numbers, and the number of remaining rows. */
export function listReasons(
	all: readonly Reason[],
	total: number,
	max: { readonly reasons: number; readonly ranges: number },
): string[] {
	const lines = all
		.slice(0, max.reasons)
		.map((reason) => joinSentences([formatReason(reason, total, max.ranges), reason.advice]));
	const more = sumBy(all.slice(max.reasons), 'positions.length');
	const last = lines.at(-1);
	if (more === 0 || last === undefined) return lines;
	return [...lines.slice(0, -1), joinSentences([last, `And ${plural(more, 'more row')}`])];
}

/** Joins texts to sentences. A text may end in a period or in "...", to which no other is added. */
export const joinSentences = (texts: ReadonlyArray<string | undefined>): string =>
	texts
		.filter((text) => text !== undefined && text !== '')
		.join('. ')
		.replace(/(?<!\.)(\.|\.{3})\. /g, '$1 ');
