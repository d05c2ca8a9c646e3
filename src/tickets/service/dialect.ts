import type { CallError } from '../../core/client';
import { issueText } from '../../core/describeFailure';
import type { ApiError } from '../../core/failures';
import type { Column } from '../columns';
import { columnNames, columns } from '../columns';
import type { Dialect, Query, SortRule } from '../search/query';
import { formal } from '../search/query';
import type { Ticket } from '../ticket';
import { sameKey } from './disproofs';
import { isZoned, orderKey } from './values';

/** The members of a search that a service may write in two ways. */
export const members = ['sort', 'select'] as const satisfies ReadonlyArray<keyof Dialect>;
export type Member = (typeof members)[number];

const dialects: readonly Dialect[] = [
	formal,
	{ sort: 'column', select: 'list' },
	{ sort: 'field', select: 'list' },
	{ sort: 'column', select: 'object' },
];

/** The dialects in which no other members than these are written in another way. */
export const otherDialects = (dialect: Dialect, wrong: readonly Member[]): Dialect[] =>
	dialects.filter((one) =>
		members.every((name) => wrong.includes(name) || one[name] === dialect[name]),
	);

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
	const all = members.filter((member) => query[member].length > 0);
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

/** Whether rows show that the service ignores which columns were selected, or gives none of them. */
export const showUnselected = (rows: readonly Ticket[], select: readonly Column[]): boolean => {
	const others = columnNames.filter((name) => !select.includes(name));
	return (
		rows.some((row) => others.filter((name) => name in row).length >= UNSELECTED) ||
		(rows.length > 0 && !rows.some((row) => select.some((name) => name in row)))
	);
};

/** So many tickets in order show that the service sorts; fewer may be in order by chance. */
export const ENOUGH_TO_SHOW = 5;

/** Whether rows are certainly not in this order. The order of text and empty values is the service's, so it counts as right. */
export const isOutOfOrder = (rows: readonly Ticket[], sort: readonly SortRule[]): boolean =>
	rows.some((row, i) => isWrongPair(rows[i - 1] ?? row, row, sort));

/** Whether all that rows show leaves their order open, though they differ: only the service knows that of text, IDs, choices and empty values. */
export function isOrderOpen(rows: readonly Ticket[], [first]: readonly SortRule[]): boolean {
	if (!first) return false;
	const { kind } = columns[first.column];
	const values = rows.map((row) => row[first.column]);
	const keys = values.map((value) => sameKey(value, kind)).filter((key) => key !== undefined);
	return new Set(keys).size > 1 && values.some((value) => orderKey(value, kind) === undefined);
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

/** What a rejection says, with all that it names. */
const wordsOf = ({ issues, message }: ApiError): string =>
	[...issues.map(issueText), message].join(' ');

/** Whether a search was rejected, and not for its filters. */
export const isRejection = (failure: CallError | undefined): boolean =>
	isRefusal(failure) && !/\bfilters?\b/i.test(wordsOf(failure));
