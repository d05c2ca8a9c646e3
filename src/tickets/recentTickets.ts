import uniqBy from 'lodash/uniqBy';
import type { CallError, Client } from '../core/client';
import type { Result } from '../core/result';
import { ok } from '../core/result';
import { formatCount, plural, isBlank } from '../core/text';
import type { Column } from './columns';
import { columnsOf } from './columns';
import type { Filters } from './filters/schema';
import type { PageReader } from './service/fetchPage';
import { createReader, fetchPage } from './service/fetchPage';
import type { Query } from './search/query';
import { MAX_PAGE_SIZE } from './search/query';
import type { Ticket } from './ticket';

/** How many of the newest tickets fill a list. */
const MAX_RECENT = 1_000;

/** A list that takes longer is of no use in a panel. */
const TIMEOUT_MS = 15_000;

const LISTED: readonly Column[] = [...columnsOf('identifier'), 'ticketNumber', 'title'];

const newestFirst = (filters: Filters): Query => ({
	filters,
	sort: [{ column: 'ticketNumber', direction: 'desc' }],
	select: LISTED,
});

const readerOf = (client: Client, filters: Filters = {}): PageReader =>
	createReader({ client, parallel: MAX_RECENT / MAX_PAGE_SIZE, timeoutMs: TIMEOUT_MS }, filters);

/** Reads the newest tickets, with their IDs, numbers and titles: the first page alone, the others at once. */
export async function readRecentTickets(
	client: Client,
): Promise<Result<readonly Ticket[], CallError>> {
	const reader = readerOf(client);
	const query = newestFirst({});
	const first = await fetchPage(query, { limit: MAX_PAGE_SIZE, offset: 0 }, reader);
	if (!first.ok) return first;
	// A service may cap its pages: the next one begins where this one ended.
	const size = first.value.data.length || MAX_PAGE_SIZE;
	const offsets = first.value.metadata.hasNextPage
		? Array.from(
				{ length: Math.min(Math.ceil(MAX_RECENT / size), 40) - 1 },
				(_, i) => (i + 1) * size,
			)
		: [];
	const others = await Promise.all(
		offsets.map(async (offset) => await fetchPage(query, { limit: size, offset }, reader)),
	);
	// What could be read is enough for a list.
	const rows = [first, ...others].flatMap((page) => (page.ok ? page.value.data : []));
	// Pages shift while tickets are created.
	return ok(
		uniqBy(rows, ({ id, ticketNumber }) => id || (ticketNumber ?? {})).slice(0, MAX_RECENT),
	);
}

const MAX_FOUND = 50;
const NUMBER = /^\s*#?(\d{1,9})\s*$/;

/** Whether a text is a ticket number, with or without its sign. */
export const isTicketNumber = (text: string): boolean => NUMBER.test(text);

/** Finds tickets of any age by their number or a part of their title. */
export async function findTickets(
	client: Client,
	text: string,
): Promise<Result<readonly Ticket[], CallError>> {
	const number = NUMBER.exec(text)?.[1];
	const filters: Filters =
		number === undefined
			? { title: { iLike: `%${text.trim().replace(/[\\%_]/g, '\\$&')}%` } }
			: { ticketNumber: { eq: Number(number) } };
	const page = await fetchPage(
		newestFirst(filters),
		{ limit: MAX_FOUND, offset: 0 },
		readerOf(client, filters),
	);
	return page.ok ? ok(page.value.data) : page;
}

/** A choice in a list: what it is called, and what is taken. */
export interface ListChoice {
	readonly name: string;
	readonly value: string;
}

const MAX_TITLE = 60;

/** A ticket as people know it: "#1042 Refund for order 2214". */
function nameOf({ ticketNumber, title }: Ticket): string {
	const text = typeof title === 'string' ? title.trim() : '';
	const shown = text.length > MAX_TITLE ? `${text.slice(0, MAX_TITLE)}…` : text;
	return `#${String(ticketNumber ?? '?')} ${shown}`.trim();
}

/** The tickets to choose from. */
export const ticketChoices = (tickets: readonly Ticket[]): ListChoice[] =>
	tickets.flatMap((ticket) => {
		const value = ticket['id'] ?? ticket['ticketNumber'];
		return isBlank(value) ? [] : [{ name: nameOf(ticket), value: String(value) }];
	});

/** The values of a column of IDs: most frequent first, each with how many tickets have it, and the newest of them. */
export function idChoices(tickets: readonly Ticket[], column: Column): ListChoice[] {
	const found = new Map<string, { count: number; newest: Ticket }>();
	for (const ticket of tickets) {
		const value = ticket[column];
		if (typeof value !== 'string' || value === '') continue;
		const known = found.get(value);
		if (known) known.count += 1;
		else found.set(value, { count: 1, newest: ticket });
	}
	return [...found]
		.sort(([, a], [, b]) => b.count - a.count)
		.map(([value, { count, newest }]) => ({
			name:
				column === 'agentId' ? agentName(value, count, newest) : choiceName(value, count, newest),
			value,
		}));
}

/** "37 tickets (0b6a6b7e…), newest #1042 Refund for order 2214": an ID tells little, its tickets much. A panel cuts off the end. */
function choiceName(value: string, count: number, newest: Ticket): string {
	const id = `(${value.slice(0, 8)}…)`;
	return count === 1
		? `${nameOf(newest)} ${id}`
		: `${formatCount(count)} tickets ${id}, newest ${nameOf(newest)}`;
}

/** "0b6a6b7e… · 37 tickets · last 2026-11-20": what an agent has done, and when last. */
function agentName(value: string, count: number, newest: Ticket): string {
	const last = typeof newest['createdAt'] === 'string' ? newest['createdAt'].slice(0, 10) : '';
	return [
		`${value.slice(0, 8)}…`,
		plural(count, 'ticket'),
		...(last === '' ? [] : [`last ${last}`]),
	].join(' · ');
}

/** The choices that a text is found in, by their names or values. */
export function matching(choices: readonly ListChoice[], text = ''): ListChoice[] {
	const wanted = text.trim().toLowerCase();
	return choices.filter(
		({ name, value }) =>
			name.toLowerCase().includes(wanted) || value.toLowerCase().startsWith(wanted),
	);
}
