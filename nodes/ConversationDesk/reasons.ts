import { isEqual, lowerFirst, memoize, sumBy } from 'lodash';
import { describeFailure, omitValues, type Label } from '../../src/core/describeFailure';
import type { Failure } from '../../src/core/failures';
import type { Run } from '../../src/core/operation';
import { toSentence } from '../../src/core/problems';
import { formatRows, joinSentences, plural } from '../../src/core/words';

/** Rows that failed for the same reason. */
export interface Reason {
	readonly failure: Failure;
	/** The positions of the rows, in their order, and the number of all rows. */
	readonly positions: readonly number[];
	readonly total: number;
	/** Whether normal items show the failure, so the node does not fail because of it. */
	readonly isShown: boolean;
	/** "'Phone Number' has no country code". */
	readonly what: string;
	/** "Add it, or set Default Country". */
	readonly fix?: string | undefined;
	/** Further advice, for an error of the service. */
	readonly advice?: string | undefined;
}

/** Groups failed rows by reason and `isShown`, in the order of their first rows. Left-out rows are omitted. */
export function groupReasons({ rows }: Run, label: Label): Reason[] {
	// Without the values of rows, equal reasons have equal texts. Memoized, because many rows may share one failure.
	const toKey = memoize((failure: Failure) =>
		JSON.stringify(describeReason(omitValues(failure), label)),
	);
	const groups = new Map<string, { failure: Failure; isShown: boolean; positions: number[] }>();
	for (const [position, { failure, isShown = false }] of rows.entries()) {
		if (!failure || failure.kind === 'leftOut') continue;
		const key = isShown ? `shown ${toKey(failure)}` : toKey(failure);
		const group = groups.get(key) ?? { failure, isShown, positions: [] };
		group.positions.push(position);
		groups.set(key, group);
	}
	return Array.from(groups.values(), ({ failure, isShown, positions }) => {
		const haveEqualValues = positions.every((at) => isEqual(rows[at]?.failure, failure));
		const described = describeReason(haveEqualValues ? failure : omitValues(failure), label);
		return { failure, positions, total: rows.length, isShown, ...described };
	});
}

/** Describes a failure as parts of a reason. Only a single problem has a fix; other failures may have advice. */
function describeReason(failure: Failure, label: Label): Pick<Reason, 'what' | 'fix' | 'advice'> {
	const [problem, ...more] = failure.kind === 'input' ? failure.problems : [];
	if (!problem || more.length > 0) {
		const { message, advice } = describeFailure(failure, label);
		return { what: message, advice };
	}
	const { path, fix, ...fault } = problem;
	return { what: `'${label(path)}' ${toSentence(fault)}`, fix };
}

/** Formats a reason: "2 rows: 'Phone Number' has no country code (rows 3 and 33). Add it". Without `maxRanges`, several rows are only counted. */
export function formatReason(
	{ failure, positions, total, what, fix }: Reason,
	maxRanges?: number,
): string {
	// If all rows failed for this reason, row numbers add nothing.
	if (positions.length === total) return joinSentences(what, fix);
	const rows = formatRows(positions, { total, max: maxRanges ?? 1 }); // A single row needs one range.
	if (positions.length === 1) return joinSentences(`${rows}: ${what}`, fix);
	// Held rows have no fault of their own, so they are only counted.
	const isCounted = maxRanges === undefined || failure.kind === 'held';
	const where = isCounted ? '' : ` (${lowerFirst(rows)})`;
	return joinSentences(`${plural(positions.length, 'row')}: ${what}${where}`, fix);
}

/** Formats the first `max` reasons with their advice. The last one also counts the rows of all other reasons. */
export function listReasons(
	reasons: readonly Reason[],
	{ max, maxRanges }: { readonly max: number; readonly maxRanges?: number },
): string[] {
	const more = sumBy(reasons.slice(max), 'positions.length');
	return reasons.slice(0, max).map((reason, i) => {
		const ending = more > 0 && i === max - 1 && `And ${plural(more, 'more row')}`;
		return joinSentences(formatReason(reason, maxRanges), reason.advice, ending);
	});
}
