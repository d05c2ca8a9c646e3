import partition from 'lodash/partition';
import sortBy from 'lodash/sortBy';
import sumBy from 'lodash/sumBy';
import type { Label } from '../../src/core/describeFailure';
import { describeFailure } from '../../src/core/describeFailure';
import type { Failure } from '../../src/core/failures';
import type { RowResult, Run } from '../../src/core/operation';
import { toSentence } from '../../src/core/problems';
import { formatRows, plural } from '../../src/core/words';

/** Max reasons in a text, and max ranges of row numbers per reason. */
interface ReasonLimits {
	readonly reasons: number;
	readonly stretches: number;
}

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

type LabelOf = (row: number) => Label;

/** Groups the failed rows by reason, in the order of their first rows, without differing values. */
export function groupReasons(run: Run, labelOf: LabelOf): Reason[] {
	const groups = new Map<string, { positions: number[]; first: RowResult; values: Set<string> }>();
	for (const [position, row] of run.rows.entries()) {
		const { failure, isShown = false } = row;
		if (!failure || failure.kind === 'leftOut') continue;
		const key = JSON.stringify([isShown, explain(failure, labelOf(position), false)]);
		const group = groups.get(key) ?? { positions: [], first: row, values: new Set() };
		group.positions.push(position);
		if (group.values.size < 2) group.values.add(listValues(failure));
		groups.set(key, group);
	}
	return [...groups.values()].flatMap(({ positions, first, values }) => {
		const { failure, isShown = false } = first;
		if (!failure) return [];
		const label = labelOf(positions[0] ?? 0);
		return [{ failure, positions, isShown, ...explain(failure, label, values.size === 1) }];
	});
}

const listValues = (failure: Failure): string =>
	failure.kind === 'input' ? JSON.stringify(failure.problems.map(({ value }) => value)) : '';

/** Describes a failure. The fix of a single problem is separate, because row numbers precede it. */
function explain(
	failure: Failure,
	label: Label,
	withValues: boolean,
): Pick<Reason, 'what' | 'fix' | 'advice'> {
	if (failure.kind !== 'input') {
		const { message, advice } = describeFailure(failure, label);
		return { what: message, advice };
	}
	const problems = failure.problems.map((problem) =>
		withValues ? problem : { ...problem, value: undefined },
	);
	const [problem] = problems;
	if (!problem || problems.length > 1)
		return { what: describeFailure({ ...failure, problems }, label).message };
	const { path, fix, ...fault } = problem;
	return { what: `'${label(path)}' ${toSentence(fault)}`, fix };
}

/** "17 rows: 'Phone Number' has no country code (rows 3, 33, 63 and 14 more). Add it, or set Default Country". */
export function formatReason(
	{ positions, what, fix }: Reason,
	total: number,
	stretches: number,
): string {
	const rows = formatRows(positions, { total, max: stretches });
	const isSimple = positions.length === 1 || positions.length === total;
	const line = isSimple
		? `${rows}: ${what}`
		: `${plural(positions.length, 'row')}: ${what} (${rows.charAt(0).toLowerCase()}${rows.slice(1)})`;
	return joinSentences([line, fix]);
}

/** One line per reason, and the number of remaining rows. */
export function listReasons(all: readonly Reason[], total: number, size: ReasonLimits): string[] {
	const lines = all
		.slice(0, size.reasons)
		.map((reason) => joinSentences([formatReason(reason, total, size.stretches), reason.advice]));
	const more = sumBy(all.slice(size.reasons), 'positions.length');
	const last = lines.at(-1);
	if (more === 0 || last === undefined) return lines;
	return [...lines.slice(0, -1), joinSentences([last, `And ${plural(more, 'more row')}`])];
}

/** Sorts reasons, the commonest first. */
export const sortReasons = (reasons: readonly Reason[]): Reason[] =>
	sortBy(reasons, ({ positions }) => -positions.length);

/** Separates the reasons of rows that were not sent from the reasons that caused this. */
export const splitHeld = (reasons: readonly Reason[]): [Reason[], Reason[]] =>
	partition(reasons, ({ failure }) => failure.kind === 'held');

/** Joins texts that may end in a period already. */
export const joinSentences = (texts: ReadonlyArray<string | undefined>): string =>
	texts
		.filter((text) => text !== undefined && text !== '')
		.join('. ')
		.replaceAll('.. ', '. ');
