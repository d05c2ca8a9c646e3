import { textOf } from '../../core/text';
import type { Kind } from '../columns';
import { columns } from '../columns';
import type { Ticket } from '../ticket';
import type { SortRule } from './query';
import { numberIn, timeOf } from './rowOrder';

/** The kinds whose order does not depend on the database: text and IDs follow its collation, enums its declaration. */
const KINDS_SORTED_ALIKE: readonly Kind[] = ['number', 'timestamp', 'boolean'];

/** Whether rows can be brought into this order here, as far as the columns say. */
export const canSortLocally = (sort: readonly SortRule[]): boolean =>
	sort.every(({ column }) => KINDS_SORTED_ALIKE.includes(columns[column].kind));

/** Whether these rows can be brought into this order exactly as the service would, by their values. */
export const areSortable = (tickets: readonly Ticket[], sort: readonly SortRule[]): boolean =>
	canSortLocally(sort) &&
	sort.every(({ column }) => {
		const values = tickets.map((ticket) => ticket[column]).filter(isSet);
		const keys = values.map((value) => keyOf(value, columns[column].kind));
		if (keys.includes(null)) return false;
		// The service may know a fraction of the second that it does not show.
		const isRounded = columns[column].kind === 'timestamp' && !values.some(hasFraction);
		return !isRounded || new Set(keys).size === keys.length;
	});

const isSet = (value: unknown): boolean => value !== null && value !== undefined;

const hasFraction = (value: unknown): boolean =>
	/[.,]\d/.test(textOf(value)) || /^-?\d{12,}$/.test(textOf(value));

/** The rules of a sort by whose columns some tickets have a value and others none. */
export const rulesWithGaps = (
	tickets: readonly Ticket[],
	sort: readonly SortRule[],
): readonly SortRule[] =>
	sort.filter(({ column }) => {
		const filled = tickets.filter((ticket) => isSet(ticket[column])).length;
		return filled > 0 && filled < tickets.length;
	});

/** Whether empty values come first, by the direction of a sort. */
export type NullsFirst = Partial<Record<SortRule['direction'], boolean>>;

/** Orders tickets by the rules; ties keep their order, and empty values are greater than all others unless it is known otherwise. */
export function sortTickets(
	tickets: readonly Ticket[],
	sort: readonly SortRule[],
	nullsFirst: NullsFirst = {},
): readonly Ticket[] {
	if (sort.length === 0) return tickets;
	const keyed = tickets.map((ticket) => ({
		ticket,
		keys: sort.map(({ column }) => keyOf(ticket[column], columns[column].kind)),
	}));
	const rules = sort.map(({ direction }) => ({
		sign: direction === 'asc' ? 1 : -1,
		nullSign: (nullsFirst[direction] ?? direction === 'desc') ? -1 : 1,
	}));
	keyed.sort((a, b) => {
		for (const [i, { sign, nullSign }] of rules.entries()) {
			const [left, right] = [a.keys[i] ?? null, b.keys[i] ?? null];
			if (left === right) continue;
			if (left === null) return nullSign;
			if (right === null) return -nullSign;
			return (left < right ? -1 : 1) * sign;
		}
		return 0;
	});
	return keyed.map(({ ticket }) => ticket);
}

function keyOf(value: unknown, kind: Kind): number | string | null {
	if (!isSet(value)) return null;
	if (kind === 'timestamp') return timeOf(value) ?? null;
	return (KINDS_SORTED_ALIKE.includes(kind) ? numberIn(value) : textOf(value)) ?? null;
}
