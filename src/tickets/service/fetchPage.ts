import get from 'lodash/get';
import isEmpty from 'lodash/isEmpty';
import { z } from 'zod/v4';
import type { CallError, Client } from '../../core/client';
import { isRecord } from '../../core/json';
import type { AdaptiveConcurrency } from '../../core/pacing';
import type { Result } from '../../core/result';
import { fail } from '../../core/result';
import { shorten } from '../../core/words';
import { toText } from '../../core/plainText';
import type { Query, Spelling } from '../search/query';
import { searchRequest } from '../search/query';
import type { Ticket } from '../ticket';
import { checkRows } from './checkRows';

/** The context in which the searches of one run read pages. */
export interface PageReader {
	readonly client: Client;
	readonly concurrency: AdaptiveConcurrency;
	readonly pageSize: number;
	readonly timeoutMs: number;
	/** The spelling of sort and select. The first accepted page decides it for the run. */
	readonly spelling: { current: Spelling; isSettled: boolean };
}

/** The response of a ticket search (interface: POST /tickets/search). */
export const pageSchema = z
	.looseObject({
		data: z.array(z.custom<Ticket>(isRecord, 'a row is not an object')),
		metadata: z.looseObject({ hasNextPage: z.boolean() }),
	})
	.superRefine(({ success, error }, context) => {
		if (success !== false && isEmpty(error)) return;
		const reason = shorten(toText(get(error, 'message', error ?? 'success is false')));
		context.addIssue({ code: 'custom', path: ['error'], message: reason });
	});

/** One page of tickets. */
export type Page = z.infer<typeof pageSchema>;

/** Requests one page, in the other spelling of sort and select if the service rejects the first. */
export async function fetchPage(
	query: Query,
	span: { readonly limit: number; readonly offset: number },
	{ client, timeoutMs, concurrency, spelling }: PageReader,
): Promise<Result<Page, CallError>> {
	const ask = async (written: Spelling): Promise<Result<Page, CallError>> =>
		await client.call(
			{ ...searchRequest(query, span, written), timeoutMs },
			pageSchema,
			concurrency,
		);
	const used = spelling.current;
	const other = used === 'formal' ? 'narrative' : 'formal';
	const hasSpelling = query.sort.length > 0 || query.select.length > 0;
	const first = await ask(used);
	const isOpen = !first.ok && hasSpelling && (!spelling.isSettled || spelling.current !== used);
	const second = isOpen && isRejected(first) ? await ask(other) : first;
	const page = !second.ok && isRejected(second) ? first : second;
	if (!page.ok) return page;
	if (hasSpelling)
		Object.assign(spelling, { current: page === first ? used : other, isSettled: true });
	const contradiction = checkRows(query, page.value.data);
	return contradiction ? fail(contradiction) : page;
}

/** Whether the service did not accept a request as it was written. */
const isRejected = (page: Result<Page, CallError>): boolean =>
	!page.ok && page.failure.kind === 'api' && [400, 422].includes(page.failure.status);
