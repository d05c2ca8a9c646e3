import type { Client } from '../../src/core/client';
import type { ReadSettings } from '../../src/tickets/search/answerAll';
import { answerAll } from '../../src/tickets/search/answerAll';
import type { Query } from '../../src/tickets/search/query';
import type { ReadResult } from '../../src/tickets/search/readPages';

/** How a search of its own is read, and how many tickets are wanted (all without a limit). */
export interface ReadAlone extends ReadSettings {
	readonly limit?: number;
}

/** Reads one search as a run with one row does. */
export async function readAlone(
	query: Query,
	{ limit, ...settings }: ReadAlone,
	client: Client,
): Promise<ReadResult & { readonly requests: number }> {
	const question = { query, ...(limit !== undefined && { limit }) };
	const { answers, requests } = await answerAll([question], settings, client);
	return { rows: [], requests, ...answers[0] };
}
