import { map, uniq } from 'lodash';
import { z } from 'zod/v4';
import { findReportedError } from '../../core/apiError';
import type { CallError, Client } from '../../core/client';
import { createLimiter, type RunInTurn } from '../../core/concurrency';
import { isRecord } from '../../core/json';
import { createAdaptiveConcurrency, type AdaptiveConcurrency } from '../../core/pacing';
import { fail, type Result } from '../../core/result';
import { isVerdict } from '../../core/retry';
import { columnNames } from '../columns';
import { SEARCH_ENDPOINT, type Query } from '../search/query';
import type { Ticket } from '../ticket';
import { checkRows } from './checkRows';

/** The two ways in which the interface writes sort and select: its schema and its narrative. */
type Spelling = 'formal' | 'narrative';

/** How searches read pages: rows per page, parallel requests, and ms to wait for a response. */
export interface PageSettings {
	readonly pageSize: number;
	readonly parallelRequests: number;
	readonly timeoutMs: number;
}

/** The context in which the searches of one run read pages. */
export interface PageReader extends PageSettings {
	readonly client: Client;
	readonly concurrency: AdaptiveConcurrency;
	readonly runLimited: RunInTurn;
	/** The requests of the run, and the spelling that the service accepted first. */
	readonly run: { requests: number; spelling?: Spelling };
}

const INITIAL_REQUESTS = 8;
/** Creates the reader of a run. Its searches share parallel requests, and in `run` their count and the spelling of sort once accepted. */
export function createReader(client: Client, settings: PageSettings): PageReader {
	const max = settings.parallelRequests;
	const concurrency = createAdaptiveConcurrency(INITIAL_REQUESTS, max);
	const runLimited = createLimiter(concurrency);
	return { ...settings, client, concurrency, runLimited, run: { requests: 0 } };
}

/** The response of a ticket search (interface: POST /tickets/search). */
export const pageSchema = z
	.looseObject({
		data: z.array(z.custom<Ticket>(isRecord, 'a row is not an object')),
		metadata: z.looseObject({ hasNextPage: z.boolean() }),
	})
	.superRefine((body, context) => {
		const reported = findReportedError(body);
		if (reported) context.addIssue({ code: 'custom', path: ['error'], message: reported.message });
	});

/** One page of tickets. */
export type Page = z.infer<typeof pageSchema>;

type Span = Readonly<Record<'limit' | 'offset', number>>;

/**
 * Requests one page and checks its rows. The interface writes sort and select in two ways: formal in its schema, narrative in
 * its text. If the service rejects the formal spelling with a 400 or 422, this tries the narrative one.
 */
export async function fetchPage(
	query: Query,
	span: Span,
	reader: PageReader,
): Promise<Result<Page, CallError>> {
	const { spelling } = reader.run;
	const first = await requestPage(query, span, { ...reader, spelling: spelling ?? 'formal' });
	const status = !first.ok && first.failure.kind === 'api' ? first.failure.status : 0;
	const mayBeSpelling = spelling === undefined && isVerdict(status);
	const second = mayBeSpelling
		? await requestPage(query, span, { ...reader, spelling: 'narrative' })
		: first;
	// If the service rejects both, its first answer names the cause.
	const page = second.ok ? second : first;
	if (!page.ok) return page;
	reader.run.spelling ??= page === first ? 'formal' : 'narrative';
	const contradiction = checkRows(query, page.value.data);
	return contradiction ? fail(contradiction) : page;
}

/** Sends a search in one of the two spellings that the interface shows for sort and select. It also selects the columns that `checkRows` needs. */
async function requestPage(
	{ filters, sort, select }: Query,
	pagination: Span,
	{ spelling, ...reader }: PageReader & { readonly spelling: Spelling },
): Promise<Result<Page, CallError>> {
	const isFormal = spelling === 'formal';
	const filtered = columnNames.filter((name) => filters[name] !== undefined);
	const needed = uniq([...select, 'id', 'ticketNumber', ...map(sort, 'column'), ...filtered]);
	const columns = isFormal ? Object.fromEntries(needed.map((name) => [name, true])) : needed;
	const body = {
		...(filtered.length > 0 && { filters }),
		pagination,
		sort: sort.map(({ column, direction }) => ({
			[isFormal ? 'field' : 'column']: column,
			direction,
		})),
		...(select.length > 0 && { select: columns }),
	};
	reader.run.requests += 1;
	// A search changes nothing, so it is idempotent, and its errors advise to try again (`help`).
	const rules = { idempotent: true, help: { readOnly: true }, timeoutMs: reader.timeoutMs };
	const request = { ...SEARCH_ENDPOINT, body, ...rules };
	return await reader.runLimited(
		async () => await reader.client.call(request, pageSchema, reader.concurrency),
	);
}
