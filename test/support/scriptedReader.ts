import { createAdaptiveConcurrency } from '../../src/core/adaptiveConcurrency';
import type { CallError, Client } from '../../src/core/client';
import type { Request } from '../../src/core/http';
import { fail, ok } from '../../src/core/result';
import type { PageReader } from '../../src/tickets/search/fetchPage';
import { formal } from '../../src/tickets/search/fetchPage';
import type { Ticket } from '../../src/tickets/ticket';

/** A page of a script, which says whether one follows, or an error. */
export type Scripted =
	readonly [rows: readonly object[], hasNextPage?: boolean] | { readonly failure: CallError };

/** A reader of pages of 3 tickets that gets these answers in turn, then empty pages, and what it asked for. */
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
	const reader: PageReader = {
		client,
		concurrency: createAdaptiveConcurrency({ start: 1, max: 1 }),
		pageSize: 3,
		findDialect: false,
		timeoutMs: 5_000,
		dialect: formal,
		requests: 0,
		...more,
	};
	return { reader, asked };
}
