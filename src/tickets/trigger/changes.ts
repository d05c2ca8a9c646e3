import { hash } from 'crypto';
import { readPages, type TicketRange } from '../search/readPages';
import { parseTime, ticketKey, type Ticket } from '../ticket';
import type { Poll } from './input';

/** A change of a ticket: its time in ms, and a key "hash@time" of the ticket at that time. */
export interface Change {
	readonly atMs: number;
	readonly key: string;
	readonly ticket: Ticket;
}

/** Reads changes in the order of their times, until `max` tickets were read or the poll is late. `endMs` is the time of the last one, which may not apply. */
export async function readChanges(
	{ column, query, reader, isLate, applies }: Poll,
	{ max, ...bounds }: Omit<TicketRange, 'column'> & { readonly max: number },
) {
	const isEnough = (tickets: readonly Ticket[]): boolean => isLate() || tickets.length >= max;
	const pages = { range: { column, ...bounds }, isEnough };
	const { rows, ...read } = await readPages(query, pages, reader);
	const changes = rows.filter(applies).map((ticket): Change => {
		// `readPages` returns only tickets with a readable time.
		const atMs = parseTime(ticket[column]) ?? 0;
		// 48 bits of a hash, because a state keeps thousands.
		const digest = hash('sha256', String(ticketKey(ticket)), 'base64url');
		return { atMs, key: `${digest.slice(0, 8)}@${atMs.toString(36)}`, ticket };
	});
	return { ...read, changes, endMs: parseTime(rows.at(-1)?.[column]) };
}
