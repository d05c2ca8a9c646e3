import { map, orderBy } from 'lodash';
import type { Column } from '../columns';
import type { PageReader } from '../service/fetchPage';
import { toComparable, type Ticket } from '../ticket';
import type { Question } from './query';
import { readByNumber } from './readByNumber';
import { readPages, type ReadResult } from './readPages';

/** Columns with a number, time or boolean in every ticket. The order of other values depends on the service. */
const ALWAYS_SET: readonly Column[] = ['createdAt', 'isShared', 'ticketNumber', 'updatedAt'];

/** Reads the tickets of a query, each once, after `offset` tickets. Return All reads by number and sorts the tickets itself. */
export async function readTickets(
	{ query, limit }: Question,
	offset: number,
	reader: PageReader,
): Promise<ReadResult> {
	const { sort } = query;
	const isReturnAll = limit === undefined && offset === 0;
	if (isReturnAll && sort.every(({ column }) => ALWAYS_SET.includes(column))) {
		const read = await readByNumber(query, reader);
		// Without a sort, the newest tickets come first.
		if (sort.length === 0) return { ...read, rows: read.rows.toReversed() };
		const values = sort.map(
			({ column }) =>
				(ticket: Ticket) =>
					toComparable(ticket[column], column),
		);
		// A ticket without a value cannot be sorted here, so pages are read in the order of the service.
		if (read.rows.every((ticket) => values.every((value) => value(ticket) !== undefined)))
			return { ...read, rows: orderBy(read.rows, values, map(sort, 'direction')) };
	}
	// In a range by number, new tickets move no other ones. An offset needs the order of the service.
	const isNewest = offset === 0 && sort.length === 0;
	const range = { column: 'ticketNumber', direction: 'desc' } as const;
	return await readPages(query, { ...(isNewest ? { range } : { offset }), limit }, reader);
}
