import { map, uniq, uniqBy } from 'lodash';
import { z } from 'zod/v4';
import { findReportedError } from '../../core/apiError';
import type { CallError, Client } from '../../core/client';
import { createLimiter, type RunInTurn } from '../../core/concurrency';
import { isRecord } from '../../core/json';
import { createAdaptiveConcurrency, type AdaptiveConcurrency } from '../../core/pacing';
import { fail, type Result } from '../../core/result';
import { isContentRejection } from '../../core/retry';
import { columnNames } from '../columns';
import { NEWEST_FIRST, SEARCH_ENDPOINT, type Query, type SortRule } from './query';
import type { Ticket } from '../ticket';
import { checkRows } from './checkRows';

/** The two formats of sort and select that the interface shows: one in its schema, one in its narrative. */
type QueryFormat = 'formal' | 'narrative';

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
	/** The number of requests so far, and the format of the first page that the service accepted. */
	readonly progress: { requests: number; acceptedFormat?: QueryFormat };
}

const INITIAL_REQUESTS = 8;

/** Creates the reader of a run. Its searches share a limit of parallel requests and the `progress`. */
export function createPageReader(client: Client, settings: PageSettings): PageReader {
	const concurrency = createAdaptiveConcurrency(INITIAL_REQUESTS, settings.parallelRequests);
	const runLimited = createLimiter(concurrency);
	const progress: PageReader['progress'] = { requests: 0 };
	return { ...settings, client, concurrency, runLimited, progress };
}

const isListOfRecords = (data: unknown): boolean => Array.isArray(data) && data.every(isRecord);

/** The response of a ticket search (interface: POST /tickets/search). */
export const pageSchema = z
	.looseObject({
		data: z.custom<readonly Ticket[]>(isListOfRecords, 'must be a list of objects'),
		metadata: z.looseObject({ hasNextPage: z.boolean() }),
	})
	.superRefine((body, context) => {
		const reported = findReportedError(body);
		if (reported) context.addIssue({ code: 'custom', path: ['error'], message: reported.message });
	});

/** One page of tickets. */
export type Page = z.infer<typeof pageSchema>;

type Span = Readonly<Record<'limit' | 'offset', number>>;

/** The order of tickets with equal values, so no ticket is on two pages. */
const TIES: readonly SortRule[] = [
	{ column: 'ticketNumber', direction: 'asc' },
	{ column: 'id', direction: 'asc' },
];

/** Requests one page in an order without ties, by default the newest first, and checks its rows against the query. */
export async function fetchPage(
	query: Query,
	span: Span,
	reader: PageReader,
): Promise<Result<Page, CallError>> {
	const rules = query.sort.length > 0 ? query.sort : [NEWEST_FIRST];
	const ordered = { ...query, sort: uniqBy([...rules, ...TIES], 'column') };
	const page = await requestInFormat(ordered, span, reader);
	if (!page.ok) return page;
	const contradiction = checkRows(ordered, page.value.data);
	return contradiction ? fail(contradiction) : page;
}

/** Requests a page in the accepted format. Until one is accepted, a page rejected as formal is tried as narrative. */
async function requestInFormat(
	query: Query,
	span: Span,
	reader: PageReader,
): Promise<Result<Page, CallError>> {
	const { progress } = reader;
	const format = progress.acceptedFormat ?? 'formal';
	const page = await requestPage(query, span, { ...reader, format });
	if (!isRejected(page) || format === 'narrative') return page;
	// Meanwhile another page may have been accepted as formal, so the rejection is not about the format.
	if (progress.acceptedFormat === 'formal') return page;
	const narrative = await requestPage(query, span, { ...reader, format: 'narrative' });
	// If the service rejects both, its first answer names the cause.
	return isRejected(narrative) ? page : narrative;
}

/** Whether the service rejected the content of a request. */
const isRejected = (page: Result<Page, CallError>): boolean =>
	!page.ok && page.failure.kind === 'api' && isContentRejection(page.failure.status);

/** Builds the body of a search in one of two formats. A selection also gets the columns that `checkRows` compares. */
function toBody({ filters, sort, select }: Query, pagination: Span, format: QueryFormat): object {
	const isFormal = format === 'formal';
	const filtered = columnNames.filter((name) => filters[name] !== undefined);
	const needed = uniq([...select, 'id', 'ticketNumber', ...map(sort, 'column'), ...filtered]);
	const columns = isFormal ? Object.fromEntries(needed.map((name) => [name, true])) : needed;
	return {
		...(filtered.length > 0 && { filters }),
		pagination,
		sort: sort.map(({ column, direction }) => ({
			[isFormal ? 'field' : 'column']: column,
			direction,
		})),
		// Without a selection, the service returns all columns.
		...(select.length > 0 && { select: columns }),
	};
}

/** Sends one request for a page, counts it, and records its format once it is accepted. */
async function requestPage(
	query: Query,
	pagination: Span,
	{ format, timeoutMs, ...reader }: PageReader & { readonly format: QueryFormat },
): Promise<Result<Page, CallError>> {
	const body = toBody(query, pagination, format);
	reader.progress.requests += 1;
	// A search changes nothing, so it is idempotent, and its errors advise to try again (`help`).
	const help = { readOnly: true } as const;
	const request = { ...SEARCH_ENDPOINT, body, timeoutMs, idempotent: true, help };
	const page = await reader.runLimited(
		async () => await reader.client.call(request, pageSchema, reader.concurrency),
	);
	if (page.ok) reader.progress.acceptedFormat ??= format;
	return page;
}
