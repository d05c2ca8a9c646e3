import isEqual from 'lodash/isEqual';
import type { CallError, Client } from '../../core/client';
import type { Pace } from '../../core/pace';
import type { Result } from '../../core/result';
import type { Query } from '../query';
import { searchRequest } from '../query';
import type { Spelling } from '../spelling';
import { otherSpelling } from '../spelling';
import type { Page } from '../ticket';
import { pageSchema } from '../ticket';

/** What reading needs: the client, how fast it may go, and rows a page; it counts requests and learns the spelling. */
export interface Means {
	readonly client: Client;
	readonly pace: Pace;
	readonly pageSize: number;
	/** Whether another spelling may be tried where the service refuses the first. */
	readonly findSpelling: boolean;
	/** Ms after which the reply to a request counts as lost. */
	readonly timeout: number;
	/** When (ms) reading has to come to its end: nothing is waited for or sent again beyond it. */
	readonly until?: number;
	spelling: Spelling;
	requests: number;
}

/** Asks for one page; a refusal that points at sort or select is answered with the other spelling of that. */
export async function askPage(
	query: Query,
	page: { limit: number; offset: number },
	means: Means,
): Promise<Result<Page, CallError>> {
	const refused: Array<{ spelling: Spelling; reply: Result<Page, CallError> }> = [];
	let spelling = means.spelling;
	for (;;) {
		means.requests += 1;
		const { timeout, until } = means;
		const request = {
			...searchRequest(query, page, spelling),
			timeout,
			...(until !== undefined && { until }),
		};
		const reply = await means.client.call(request, pageSchema, means.pace);
		if (reply.ok) {
			means.spelling = spelling;
			return reply;
		}
		refused.push({ spelling, reply });
		const other = means.findSpelling ? otherSpelling(spelling, reply.failure) : undefined;
		if (!other || refused.some((before) => isEqual(before.spelling, other))) {
			return refused[0]?.reply ?? reply;
		}
		spelling = other;
	}
}
