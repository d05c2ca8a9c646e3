import { createAdaptiveConcurrency } from '../../src/core/pacing';
import type { CallError, Client } from '../../src/core/client';
import type { Request } from '../../src/core/http';
import { fail, ok } from '../../src/core/result';
import type { PageReader } from '../../src/tickets/service/fetchPage';
import { unknownService } from '../../src/tickets/service/fetchPage';
import type { Ticket } from '../../src/tickets/ticket';

/** A reader of pages of 3 tickets, one at a time, unless it says otherwise. */
export const pageReader = (client: Client, more: Partial<PageReader> = {}): PageReader => ({
	client,
	concurrency: createAdaptiveConcurrency({ start: 1, max: 1 }),
	pageSize: 3,
	timeoutMs: 5_000,
	known: unknownService(),
	filters: {},
	requests: 0,
	...more,
});

/** A page of a script, which says whether one follows, or an error. */
export type Scripted =
	readonly [rows: readonly object[], hasNextPage?: boolean] | { readonly failure: CallError };

/** A reader that gets these answers in turn, then empty pages, and what it asked for. */
export function scriptedReader(answers: readonly Scripted[], more: Partial<PageReader> = {}) {
	const asked: object[] = [];
	const client = {
		call: async ({ body }: Request) => {
			asked.push(body as object);
			const answer = answers[asked.length - 1] ?? [[]];
			if ('failure' in answer) return fail(answer.failure);
			const [data, hasNextPage = false] = answer;
			return ok({ data: data as readonly Ticket[], metadata: { hasNextPage } });
		},
	} as unknown as Client;
	return { reader: pageReader(client, more), asked };
}
