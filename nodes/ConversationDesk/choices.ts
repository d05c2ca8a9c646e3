import groupBy from 'lodash/groupBy';
import { isBlank } from '../../src/core/plainText';
import { plural } from '../../src/core/words';
import type { Column } from '../../src/tickets/columns';
import type { Ticket } from '../../src/tickets/ticket';

/** A choice in a list: what it is called, and what is taken. */
export interface ListChoice {
	readonly name: string;
	readonly value: string;
}

const MAX_TITLE = 60;

/** A ticket as people know it: "#1042 Refund for order 2214". */
function ticketName({ ticketNumber, title }: Ticket): string {
	const text = typeof title === 'string' ? title.trim() : '';
	const shown = text.length > MAX_TITLE ? `${text.slice(0, MAX_TITLE)}…` : text;
	return `#${String(ticketNumber ?? '?')} ${shown}`.trim();
}

/** The tickets to choose from. */
export const ticketChoices = (tickets: readonly Ticket[]): ListChoice[] =>
	tickets.flatMap((ticket) => {
		const value = ticket['id'] ?? ticket['ticketNumber'];
		return isBlank(value) ? [] : [{ name: ticketName(ticket), value: String(value) }];
	});

/**
 * The values of a column of IDs, most frequent first: "0b6a6b7e… · 37 tickets · newest #1042 Refund for order 2214". An ID tells
 * little, its tickets much.
 */
export function idChoices(tickets: readonly Ticket[], column: Column): ListChoice[] {
	const having = tickets.filter((ticket) => typeof ticket[column] === 'string' && ticket[column]);
	return Object.entries(groupBy(having, column))
		.sort(([, a], [, b]) => b.length - a.length)
		.map(([value, [newest = {}, ...others]]) => ({
			name: `${value.slice(0, 8)}… · ${plural(others.length + 1, 'ticket')} · newest ${ticketName(newest)}`,
			value,
		}));
}

/** The choices that a text is found in, by their names or values. */
export function matching(choices: readonly ListChoice[], text = ''): ListChoice[] {
	const wanted = text.trim().toLowerCase();
	return choices.filter(
		({ name, value }) =>
			name.toLowerCase().includes(wanted) || value.toLowerCase().startsWith(wanted),
	);
}
