import type { CallError } from '../../core/client';
import { issueText } from '../../core/describeFailure';
import type { ApiError } from '../../core/failures';
import { columnNames, columns } from '../columns';
import type { Dialect, Query, SortRule } from '../search/query';
import type { Ticket } from '../ticket';
import { isZoned, orderKey } from './values';

/** A member of a search that a service may write in two ways. */
export type Member = keyof Dialect;

/** The members that a query has. */
export const membersOf = ({ sort, select }: Query): Member[] => [
	...(sort.length > 0 ? (['sort'] as const) : []),
	...(select.length > 0 ? (['select'] as const) : []),
];

/** The dialects in which these members are written the other way: all of them, then each alone. */
export function otherDialects(dialect: Dialect, members: readonly Member[]): Dialect[] {
	const changes = members.length > 1 ? [members, ...members.map((one) => [one])] : [members];
	return changes.filter((change) => change.length > 0).map((change) => flipped(dialect, change));
}

const flipped = ({ sort, select }: Dialect, members: readonly Member[]): Dialect => ({
	sort: members.includes('sort') ? (sort === 'field' ? 'column' : 'field') : sort,
	select: members.includes('select') ? (select === 'object' ? 'list' : 'object') : select,
});

/** Whether the service does not take a request as it is. */
export const isRefusal = (failure: CallError | undefined): failure is ApiError =>
	failure?.kind === 'api' && (failure.status === 400 || failure.status === 422);

/** The members whose rejection may be about the dialect: those it names, or all that were not taken before. */
export function rejectedMembers(
	failure: CallError,
	query: Query,
	taken: ReadonlySet<Member>,
): Member[] {
	if (!isRefusal(failure)) return [];
	const named = wordsOf(failure);
	const all = membersOf(query);
	const found = all.filter((member) => namedBy[member].test(named));
	if (found.length > 0) return found;
	const isOther = /\b(filters?|pagination)\b/i.test(named);
	return isOther ? [] : all.filter((member) => !taken.has(member));
}

const namedBy = { sort: /\bsort\b/i, select: /\bselect\b/i } as const satisfies Record<
	Member,
	RegExp
>;

/** So many columns that were not selected come because selection is ignored; a few may always come. */
const UNSELECTED = 4;

/** The members of a search that its rows show to be ignored. */
export function ignoredMembers({ sort, select }: Query, rows: readonly Ticket[]): Member[] {
	const others = columnNames.filter((name) => !select.includes(name));
	const isUnselected =
		select.length > 0 &&
		rows.some((row) => others.filter((name) => name in row).length >= UNSELECTED);
	return [
		...(isOutOfOrder(rows, sort) ? (['sort'] as const) : []),
		...(isUnselected ? (['select'] as const) : []),
	];
}

/** Whether rows are certainly not in this order. The order of text and empty values is the service's, so it counts as right. */
function isOutOfOrder(rows: readonly Ticket[], sort: readonly SortRule[]): boolean {
	const [first] = sort;
	if (!first || rows.length < 2) return false;
	const isWrong = rows.some((row, i) => i > 0 && isWrongPair(rows[i - 1] ?? row, row, sort));
	return isWrong || isScattered(rows, first);
}

const FOLD_MS = 2 * 3_600_000;

function isWrongPair(before: Ticket, after: Ticket, sort: readonly SortRule[]): boolean {
	for (const { column, direction } of sort) {
		const { kind } = columns[column];
		const [left, right] = [before[column], after[column]].map((value) => orderKey(value, kind));
		if (left === undefined || right === undefined) return false;
		// Without a zone an hour may come twice.
		if (kind === 'timestamp' && !isZoned(before[column]) && Math.abs(left - right) <= FOLD_MS)
			return false;
		if (left !== right) return left > right === (direction === 'asc');
		// Equal times may differ in a fraction that is not shown.
		if (kind === 'timestamp') return false;
	}
	return false;
}

/** Equal IDs and choices stand together in any order. */
function isScattered(rows: readonly Ticket[], { column }: SortRule): boolean {
	if (!['identifier', 'source', 'priority'].includes(columns[column].kind)) return false;
	const values = rows.map((row) => JSON.stringify(row[column] ?? null).toLowerCase());
	const stretches = values.filter((value, i) => value !== values[i - 1]);
	return stretches.length > new Set(values).size;
}

/** What a rejection says, with all that it names. */
const wordsOf = ({ issues, message }: ApiError): string =>
	[...issues.map(issueText), message].join(' ');

/** Whether a search was rejected, and not for its filters. */
export const isRejection = (failure: CallError | undefined): boolean =>
	isRefusal(failure) && !/\bfilters?\b/i.test(wordsOf(failure));
