import type { CallError, Client } from '../core/client';
import { fail, ok, type Result } from '../core/result';
import { listColumns, type Column } from './columns';
import { answerAll, FAST } from './search/answerAll';
import type { Ticket } from './ticket';

/** How many of the newest tickets fill a list. */
const MAX_RECENT = 1_000;

/** The columns that a list shows. */
const LISTED: readonly Column[] = [...listColumns('identifier'), 'ticketNumber', 'title'];

/** A list that takes longer is of no use in a panel. */
const LIST_TIMEOUT_MS = 15_000;

/** Reads the newest tickets, with which a search without a sort begins. After a failure, returns those read so far, if any. */
export async function readRecentTickets(
	client: Client,
): Promise<Result<readonly Ticket[], CallError>> {
	const question = { query: { filters: {}, sort: [], select: LISTED }, limit: MAX_RECENT };
	const { answers } = await answerAll([question], { ...FAST, timeoutMs: LIST_TIMEOUT_MS }, client);
	const { rows, failure } = answers[0] ?? { rows: [] };
	return failure && rows.length === 0 ? fail(failure) : ok(rows);
}
