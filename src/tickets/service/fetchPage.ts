import get from 'lodash/get';
import isEmpty from 'lodash/isEmpty';
import { z } from 'zod/v4';
import type { CallError, Client } from '../../core/client';
import { isRecord } from '../../core/json';
import type { AdaptiveConcurrency } from '../../core/pacing';
import type { Result } from '../../core/result';
import { fail } from '../../core/result';
import { shorten, textOf } from '../../core/text';
import type { Query, Spelling } from '../search/query';
import { searchRequest } from '../search/query';
import type { Ticket } from '../ticket';
import { checkRows } from './checkRows';

/** What the searches of one run read their pages with. */
export interface PageReader {
	readonly client: Client;
	readonly concurrency: AdaptiveConcurrency;
	readonly pageSize: number;
	readonly timeoutMs: number;
	/** How this run writes sort and select; the first page that the service accepts settles it. */
	readonly spelling: { current: Spelling; isSettled: boolean };
}

/** A run starts with the spelling of the formal schema. */
export const unsettledSpelling = (current: Spelling = 'formal'): PageReader['spelling'] => ({
	current,
	isSettled: false,
});

/** The response of a ticket search (interface: POST /tickets/search). */
export const pageSchema = z
	.looseObject({
		data: z.array(z.custom<Ticket>(isRecord, 'a row is not an object')),
		metadata: z.looseObject({ hasNextPage: z.boolean() }),
	})
	.superRefine(({ success, error }, context) => {
		if (success !== false && isEmpty(error)) return;
		const reason = shorten(textOf(get(error, 'message', error ?? 'success is false')));
		context.addIssue({ code: 'custom', path: ['error'], message: reason });
	});

/** One page of tickets. */
export type Page = z.infer<typeof pageSchema>;

/** The offset of a page, and the number of tickets wanted. */
export interface PageSpan {
	readonly limit: number;
	readonly offset: number;
}

/** Requests one page, in the other spelling of sort and select if the service rejects the first. */
export async function fetchPage(
	query: Query,
	span: PageSpan,
	reader: PageReader,
): Promise<Result<Page, CallError>> {
	const { spelling } = reader;
	const used = spelling.current;
	const hasSpelling = query.sort.length > 0 || query.select.length > 0;
	const first = await send(query, { span, spelling: used }, reader);
	const mayBeSpelling = hasSpelling && (!spelling.isSettled || spelling.current !== used);
	if (first.ok || !mayBeSpelling || !isRefusal(first.failure)) {
		if (first.ok && hasSpelling) spelling.isSettled = true;
		return checked(first, query);
	}
	const other = used === 'formal' ? 'narrative' : 'formal';
	const second = await send(query, { span, spelling: other }, reader);
	if (!second.ok) return isRefusal(second.failure) ? first : second;
	Object.assign(spelling, { current: other, isSettled: true });
	return checked(second, query);
}

/** Whether the service did not accept a request as it was written. */
export const isRefusal = (failure: CallError): boolean =>
	failure.kind === 'api' && (failure.status === 400 || failure.status === 422);

async function send(
	query: Query,
	{ span, spelling }: { readonly span: PageSpan; readonly spelling: Spelling },
	{ client, timeoutMs, concurrency }: PageReader,
): Promise<Result<Page, CallError>> {
	const request = { ...searchRequest(query, span, spelling), timeoutMs };
	return await client.call(request, pageSchema, concurrency);
}

function checked(page: Result<Page, CallError>, query: Query): Result<Page, CallError> {
	const contradiction = page.ok ? checkRows(query, page.value.data) : undefined;
	return contradiction ? fail(contradiction) : page;
}
