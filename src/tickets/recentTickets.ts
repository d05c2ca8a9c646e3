import type { CallError, Client } from '../core/client';
import type { Result } from '../core/result';
import { fail, ok } from '../core/result';
import type { Column } from './columns';
import { listColumns } from './columns';
import type { Filters } from './filters/schema';
import { answerAll, FAST } from './search/answerAll';
import type { Ticket } from './ticket';

/** How many of the newest tickets fill a list. */
const MAX_RECENT = 1_000;

/** The columns that a list shows. */
const LISTED: readonly Column[] = [...listColumns('identifier'), 'ticketNumber', 'title'];

/** A list that takes longer is of no use in a panel. */
const LIST_TIMEOUT_MS = 15_000;

/** Reads the newest tickets of any kind, or those that match; after a failure a part is enough for a list. */
export async function readRecentTickets(
	client: Client,
	filters: Filters = {},
	limit = MAX_RECENT,
): Promise<Result<readonly Ticket[], CallError>> {
	const question = { query: { filters, sort: [], select: LISTED }, limit };
	const { answers } = await answerAll([question], { ...FAST, timeoutMs: LIST_TIMEOUT_MS }, client);
	const { rows, failure } = answers[0] ?? { rows: [] };
	return failure && rows.length === 0 ? fail(failure) : ok(rows);
}

const MAX_FOUND = 50;
const NUMBER = /^\s*#?(\d{1,9})\s*$/;

/** Whether a text is a ticket number, with or without its sign. */
export const isTicketNumber = (text: string): boolean => NUMBER.test(text);

/** Finds tickets of any age by their number or a part of their title. */
export async function findTickets(
	client: Client,
	text: string,
): ReturnType<typeof readRecentTickets> {
	const number = NUMBER.exec(text)?.[1];
	// It depends on the service whether a backslash escapes % and _.
	const title = { iLike: `%${text.trim().replace(/[\\%_]/g, '_')}%` };
	const filters = number === undefined ? { title } : { ticketNumber: { eq: Number(number) } };
	return await readRecentTickets(client, filters, MAX_FOUND);
}
