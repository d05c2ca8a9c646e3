import { textOf } from '../core/text';
import type { Kind } from './columns';
import { columns } from './columns';
import type { SortRule } from './query';
import type { Ticket } from './ticket';

/** The kinds of which the order does not depend on the database: text and IDs follow its collation. */
const EXACT: readonly Kind[] = ['number', 'timestamp', 'boolean', 'source', 'priority'];

/** Whether rows can be brought into this order here, exactly as the service would. */
export const canOrderHere = (sort: readonly SortRule[]): boolean =>
	sort.every(({ column }) => EXACT.includes(columns[column].kind));

type Key = number | string | null;

/** Orders tickets by the rules; ties keep their order, and empty values are greater than all others. */
export function order(tickets: readonly Ticket[], sort: readonly SortRule[]): readonly Ticket[] {
	if (sort.length === 0) return tickets;
	const keyed = tickets.map((ticket) => ({
		ticket,
		keys: sort.map(({ column }) => keyOf(ticket[column], columns[column].kind)),
	}));
	const signs = sort.map(({ direction }) => (direction === 'asc' ? 1 : -1));
	keyed.sort((a, b) => {
		for (const [i, sign] of signs.entries()) {
			const compared = compare(a.keys[i] ?? null, b.keys[i] ?? null);
			if (compared !== 0) return compared * sign;
		}
		return 0;
	});
	return keyed.map(({ ticket }) => ticket);
}

function keyOf(value: unknown, kind: Kind): Key {
	if (value === null || value === undefined) return null;
	if (kind === 'timestamp') return Date.parse(textOf(value));
	return typeof value === 'number'
		? value
		: typeof value === 'boolean'
			? Number(value)
			: textOf(value);
}

function compare(a: Key, b: Key): number {
	if (a === b) return 0;
	if (a === null) return 1;
	if (b === null) return -1;
	return a < b ? -1 : 1;
}
