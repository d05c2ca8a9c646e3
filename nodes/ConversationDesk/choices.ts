import { groupBy, orderBy } from 'lodash';
import { isBlank } from '../../src/core/plainText';
import { plural, shorten } from '../../src/core/words';
import type { Column } from '../../src/tickets/columns';
import type { Ticket } from '../../src/tickets/ticket';

/** One choice of a list in the panel. */
interface ListChoice {
	readonly name: string;
	readonly value: string;
}

/** A ticket by its number and title: "#1042 Refund for order 2214". */
function ticketName({ ticketNumber, title }: Ticket): string {
	const text = typeof title === 'string' ? shorten(title.trim(), 60) : '';
	return `#${String(ticketNumber ?? '?')} ${text}`.trim();
}

/** Tickets with an ID as choices of a list. */
export const ticketChoices = (tickets: readonly Ticket[]): ListChoice[] =>
	tickets.flatMap((ticket) =>
		isBlank(ticket['id']) ? [] : [{ name: ticketName(ticket), value: String(ticket['id']) }],
	);

/** The IDs in a column of tickets (newest first), by frequency: "0b6a6b7e… · 37 tickets · newest #1042 Refund". */
export function idChoices(tickets: readonly Ticket[], column: Column): ListChoice[] {
	const filled = tickets.filter((ticket) => typeof ticket[column] === 'string' && ticket[column]);
	const groups = orderBy(
		Object.entries(groupBy(filled, column)),
		([, group]) => group.length,
		'desc',
	);
	return groups.map(([value, group]) => ({
		name: `${value.slice(0, 8)}… · ${plural(group.length, 'ticket')} · newest ${ticketName(group[0] ?? {})}`,
		value,
	}));
}

/** The choices whose name contains a text, or whose value begins with it. */
export function filterChoices(choices: readonly ListChoice[], text = ''): ListChoice[] {
	const wanted = text.trim().toLowerCase();
	return choices.filter(
		({ name, value }) =>
			name.toLowerCase().includes(wanted) || value.toLowerCase().startsWith(wanted),
	);
}
