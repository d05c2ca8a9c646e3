import type { CallError, Client } from '../../core/client';
import { LARGEST_PAGE, searchRequest } from '../query';
import type { Query } from '../query';
import { pageSchema } from '../ticket';
import type { Ticket } from '../ticket';

/** What to read: at most `limit` rows (all where undefined), from `offset` on, `pageSize` rows a request. */
export interface Span {
	readonly limit?: number;
	readonly offset: number;
	readonly pageSize: number;
}

/** The rows that were read; a failure leaves those before it, and `position` is the offset to go on from. */
export interface Reading {
	readonly rows: readonly Ticket[];
	readonly position: number;
	readonly failure?: CallError;
}

/** Reads pages one after the other by offset (interface: metadata.hasNextPage). */
export async function readByOffset(query: Query, span: Span, client: Client): Promise<Reading> {
	const rows: Ticket[] = [];
	let position = span.offset;
	for (;;) {
		const wanted = Math.min(span.pageSize, LARGEST_PAGE, (span.limit ?? Infinity) - rows.length);
		const page = await client.call(
			searchRequest(query, { limit: wanted, offset: position }),
			pageSchema,
		);
		if (!page.ok) return { rows, position, failure: page.failure };
		const { data, metadata } = page.value;
		for (const row of data.slice(0, wanted)) rows.push(row);
		position += wanted;
		const enough = span.limit !== undefined && rows.length >= span.limit;
		// A page without rows ends the loop, whatever it says about a next one.
		if (enough || !metadata.hasNextPage || data.length === 0) return { rows, position };
	}
}
