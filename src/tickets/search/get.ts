import { z } from 'zod/v4';
import { DEFAULT_TIMEOUT_SECONDS } from '../../core/http';
import type { NotFoundError } from '../../core/failures';
import { chosenValue, timeout, UUID } from '../../core/schemas';
import type { OperationContext, Operation, RowResult } from '../../core/operation';
import { eachRow } from '../../core/operation';
import { outputParameters, pickFields, returnedFields, someSelected } from '../../core/output';
import { columnNames, ticketNumberRange } from '../columns';
import type { Filters } from '../filters/schema';
import { formal, fetchPage } from './fetchPage';
import { createAdaptiveConcurrency } from '../../core/adaptiveConcurrency';
import { simplifiedColumns, simplifiedTicketSchema } from '../ticket';
import type { Ticket } from '../ticket';

const MAX_PARALLEL = 5;

const NEITHER =
	'is neither a ticket number, e.g. 1042, nor a ticket ID, e.g. 0b6a6b7e-3c1f-4d2a-9f60-5a7d1c2e3f40';

/** The filter that finds a ticket by its number or its ID. */
const ticketId = z.unknown().transform((entered, context): Filters => {
	const value = chosenValue(entered);
	const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
	if (UUID.test(text)) return { id: { eq: text } };
	const number = /^#?(-?\d+)$/.exec(text)?.[1];
	const { min, max } = ticketNumberRange;
	if (number !== undefined && Number(number) >= min && Number(number) <= max) {
		return { ticketNumber: { eq: Number(number) } };
	}
	const message =
		text === '' ? 'is empty. Enter a ticket number or ID' : `'${text.slice(0, 60)}' ${NEITHER}`;
	context.addIssue({ code: 'custom', message });
	return z.NEVER;
});

const row = z.looseObject({ ticketId });

const settingsSchema = z.looseObject({
	...outputParameters(columnNames, 'ticket column'),
	options: z.looseObject({ timeout: timeout.prefault(DEFAULT_TIMEOUT_SECONDS) }).prefault({}),
});

const settings = settingsSchema.refine(...someSelected);

/** Reads single tickets by number or ID, with a search for each (interface: POST /tickets/search). */
export const get: Operation<Ticket> = {
	output: simplifiedTicketSchema,
	settings,
	rowParameters: ['ticketId'],
	run: eachRow({ settings, row, parallel: MAX_PARALLEL, start }),
};

/** What one row discovered about the service holds for the next ones. */
function start({ options, ...shown }: z.infer<typeof settings>, { client }: OperationContext) {
	const select = returnedFields(shown, simplifiedColumns);
	const reader = {
		client,
		concurrency: createAdaptiveConcurrency({ start: 1, max: 1 }),
		pageSize: 2,
		findDialect: true,
		timeoutMs: options.timeout,
		dialect: formal,
		requests: 0,
	};
	return async (input: z.infer<typeof row>): Promise<RowResult<Ticket>> => {
		const query = { filters: input.ticketId, sort: [], select };
		const page = await fetchPage(query, { limit: 2, offset: 0 }, reader);
		if (!page.ok) return { items: [], failure: page.failure };
		const { data } = page.value;
		return data.length === 1
			? { items: select.length === 0 ? data : data.map((row) => pickFields(row, select)) }
			: { items: [], failure: notOne(input.ticketId, data.length) };
	};
}

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
