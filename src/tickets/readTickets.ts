import type { Client } from '../core/client';
import { createPace } from '../core/pace';
import type { Column } from './columns';
import { canOrderHere, order } from './order';
import type { Query, SortRule } from './query';
import type { Means } from './readers/askPage';
import { readByNumber } from './readers/byNumber';
import { readByOffset } from './readers/byOffset';
import type { Reading } from './readers/reading';
import type { Spelling } from './spelling';
import { formal, narrative } from './spelling';
import type { Ticket } from './ticket';

/** How many tickets are wanted (all without a limit), from where on, and how to ask for them. */
export interface Wanted {
	readonly limit?: number;
	readonly offset: number;
	readonly pageSize: number;
	readonly parallelRequests: number;
	readonly spelling: 'auto' | 'formal' | 'narrative';
	/** Ms after which the reply to a request counts as lost. */
	readonly timeout: number;
}

const FIRST_PARALLEL = 8;

/** What a run has found out about the service. */
export interface Found {
	spelling?: Spelling;
}

/** Reads the tickets of a query, all of them by number where that is exact, and says which way was taken. */
export async function readTickets(
	query: Query,
	wanted: Wanted,
	{ client, found = {} }: { client: Client; found?: Found },
): Promise<Reading & { readonly note: string }> {
	const means: Means = {
		client,
		pace: createPace({ start: FIRST_PARALLEL, most: wanted.parallelRequests }),
		pageSize: wanted.pageSize,
		timeout: wanted.timeout,
		findSpelling: wanted.spelling === 'auto',
		spelling:
			wanted.spelling === 'narrative'
				? narrative
				: wanted.spelling === 'auto'
					? (found.spelling ?? formal)
					: formal,
		requests: 0,
	};
	const { reading, way } = await readSomeWay(query, wanted, means);
	found.spelling = means.spelling;
	const { rows, shifts = 0, repeated = 0 } = reading;
	const repaired = shifts > 0 ? `, ${count(shifts, 'shifted page')} read again` : '';
	const dropped = repeated > 0 ? `, ${count(repeated, 'repeated ticket')} dropped` : '';
	const note = `${count(rows.length, 'ticket')}, ${count(means.requests, 'request')}${way}${repaired}${dropped}`;
	return { ...reading, rows: stripped(rows, query.select), note };
}

async function readSomeWay(
	query: Query,
	wanted: Wanted,
	means: Means,
): Promise<{ reading: Reading; way: string }> {
	const onePage = wanted.limit !== undefined && wanted.limit <= wanted.pageSize;
	if (onePage) return { reading: await readByOffset(query, wanted, means), way: '' };
	const whole = wanted.limit === undefined && wanted.offset === 0;
	if (!whole || !canOrderHere(query.sort)) {
		const why = whole ? ' (the order of this sort is known to the service only)' : '';
		return { reading: await readPages(query, wanted, means), way: `, read by offset${why}` };
	}
	const reading = await readByNumber(selecting(query), means);
	if ('unfit' in reading) {
		const why = ` (by ticket number: ${reading.unfit})`;
		return { reading: await readPages(query, wanted, means), way: `, read by offset${why}` };
	}
	return {
		reading: { ...reading, rows: order(reading.rows, query.sort) },
		way: ', read by ticket number',
	};
}

/** Several pages need an order in which no two tickets tie. */
async function readPages(query: Query, wanted: Wanted, means: Means): Promise<Reading> {
	const named = query.sort.map(({ column }) => column);
	const ties = (['ticketNumber', 'id'] as const).filter((column) => !named.includes(column));
	const sort: SortRule[] = [
		...query.sort,
		...ties.map((column) => ({ column, direction: 'asc' as const })),
	];
	return await readByOffset(selecting({ ...query, sort }), wanted, means);
}

/** What a reader needs to see: ID and number to tell tickets apart, and what they are sorted by. */
const needed = (sort: readonly SortRule[]): Column[] => [
	'id',
	'ticketNumber',
	...sort.map(({ column }) => column),
];

const selecting = (query: Query): Query =>
	query.select.length === 0
		? query
		: { ...query, select: [...new Set([...query.select, ...needed(query.sort)])] };

/** Takes away the columns that were selected for the reader only. */
function stripped(rows: readonly Ticket[], select: readonly Column[]): readonly Ticket[] {
	if (select.length === 0) return rows;
	const wanted = new Set<string>(select);
	const extra = Object.keys(rows[0] ?? {}).filter((name) => !wanted.has(name));
	return extra.length === 0 ? rows : rows.map((row) => without(row, extra));
}

function without(row: Ticket, names: readonly string[]): Ticket {
	const rest = { ...row };
	for (const name of names) delete rest[name];
	return rest;
}

const count = (number: number, word: string): string =>
	`${number.toLocaleString('en-US')} ${word}${number === 1 ? '' : 's'}`;
