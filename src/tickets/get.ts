import { z } from 'zod/v4';
import type { NotFoundError } from '../core/failures';
import { listOf, timeout } from '../core/fields';
import type { Desk, Operation, RowResult } from '../core/operation';
import { eachRow } from '../core/operation';
import { UUID } from '../core/uuid';
import { columnNames, ticketNumberRange } from './columns';
import type { Filters } from './filters';
import { formal } from './spelling';
import { askPage } from './readers/askPage';
import type { Found } from './readTickets';
import { createPace } from '../core/pace';
import { ticketSchema } from './ticket';
import type { Ticket } from './ticket';

const PARALLEL = 5;

const NEITHER =
	'is neither a ticket number, e.g. 1042, nor a ticket ID, e.g. 0b6a6b7e-3c1f-4d2a-9f60-5a7d1c2e3f40';

/** The filter that finds a ticket by its number or its ID. */
const ticketId = z.unknown().transform((value, context): Filters => {
	const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
	if (UUID.test(text)) return { id: { eq: text } };
	const number = /^#?(-?\d+)$/.exec(text)?.[1];
	const { least, greatest } = ticketNumberRange;
	if (number !== undefined && Number(number) >= least && Number(number) <= greatest) {
		return { ticketNumber: { eq: Number(number) } };
	}
	const message =
		text === '' ? 'is empty. Enter a ticket number or ID' : `'${text.slice(0, 60)}' ${NEITHER}`;
	context.addIssue({ code: 'custom', message });
	return z.NEVER;
});

const input = z.looseObject({
	ticketId,
	options: z
		.looseObject({
			columns: listOf(columnNames, 'ticket column').default([]),
			timeout: timeout.prefault(120),
		})
		.prefault({}),
});

/** Reads single tickets by number or ID, with a search for each (interface: POST /tickets/search). */
export const get: Operation<Ticket> = {
	output: ticketSchema,
	run: eachRow(input, PARALLEL, () => getRows({})),
};

const getRows =
	(found: Found) =>
	async (row: z.infer<typeof input>, { client }: Desk): Promise<RowResult<Ticket>> => {
		const query = { filters: row.ticketId, sort: [], select: row.options.columns };
		const means = {
			client,
			pace: createPace({ start: 1, most: 1 }),
			pageSize: 2,
			findSpelling: true,
			timeout: row.options.timeout,
			spelling: found.spelling ?? formal,
			requests: 0,
		};
		const page = await askPage(query, { limit: 2, offset: 0 }, means);
		found.spelling = means.spelling;
		if (!page.ok) return { items: [], failure: page.failure };
		const { data } = page.value;
		return data.length === 1
			? { items: data }
			: { items: [], failure: notOne(row.ticketId, data.length) };
	};

function notOne({ ticketNumber, id }: Filters, found: number): NotFoundError {
	const name = ticketNumber ? `the number ${String(ticketNumber.eq)}` : `the ID ${String(id?.eq)}`;
	return found === 0
		? {
				kind: 'notFound',
				message: `There is no ticket with ${name}, or the credential may not see it`,
				advice: 'Check it, and that the credential is of the workspace it belongs to',
			}
		: {
				kind: 'notFound',
				message: `There is more than one ticket with ${name}`,
				advice: 'Enter the ID of the ticket instead of its number',
			};
}
