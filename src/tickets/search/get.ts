import { z } from 'zod/v4';
import type { NotFoundError } from '../../core/failures';
import { DEFAULT_TIMEOUT_SECONDS } from '../../core/http';
import {
	workOnAllRows,
	type Operation,
	type OperationContext,
	type PlacedInput,
	type RowResult,
	type Worked,
} from '../../core/operation';
import { requireSelectedColumns } from '../../core/output';
import { isBlank, toText, cleanText } from '../../core/plainText';
import { addFault, IS_EMPTY } from '../../core/problems';
import { chosenValue, collectionOf, timeout, UUID, rejectGaps } from '../../core/schemas';
import { ticketNumberRange } from '../columns';
import type { Filters } from '../filters/schema';
import { listReturned, outputSettings, simplifiedTicketSchema, type Ticket } from '../ticket';
import { FAST, runSearches } from './runSearches';

const NEITHER =
	'is neither a ticket number, e.g. 1042, nor a ticket ID, e.g. 0b6a6b7e-3c1f-4d2a-9f60-5a7d1c2e3f40';

/** The filter that finds a ticket by its number or its ID. */
const ticketId = z.unknown().transform((entered, context): Filters => {
	const value = chosenValue(entered);
	const text = cleanText(toText(value));
	if (UUID.test(text)) return { id: { eq: text.toLowerCase() } };
	const number = Number(/^#?(-?\d+)$/.exec(text)?.[1]);
	const { min, max } = ticketNumberRange;
	if (number >= min && number <= max) return { ticketNumber: { eq: number } };
	if (isBlank(value))
		return addFault(context, { reason: IS_EMPTY, fix: 'Enter a ticket number or ID' });
	return addFault(context, { value: toText(value), reason: NEITHER });
});

const ticketRowSchema = z.looseObject({ ticketId });

const options = z.looseObject({ timeout: timeout.prefault(DEFAULT_TIMEOUT_SECONDS) });

const ticketSettingsSchema = z
	.looseObject({ ...outputSettings, options: rejectGaps(collectionOf(options)).prefault({}) })
	.refine(...requireSelectedColumns);

/** Reads single tickets by number or ID, many with one search (interface: POST /tickets/search). */
export const getTicket: Operation<Ticket> = {
	output: simplifiedTicketSchema,
	settings: ticketSettingsSchema,
	parameters: {
		ticketId: { perRow: true, byModel: true, gap: 'clearsText' },
		output: { byModel: true },
		columns: { byModel: true },
	},
	run: workOnAllRows({ settings: ticketSettingsSchema, row: ticketRowSchema, work: getTickets }),
};

/** Reads the ticket of each row. A row fails if not exactly one ticket has its number or ID. */
async function getTickets(
	inputs: ReadonlyArray<PlacedInput<z.infer<typeof ticketRowSchema>>>,
	settings: z.infer<typeof ticketSettingsSchema>,
	{ client }: OperationContext,
): Promise<Worked<Ticket>> {
	const select = listReturned(settings);
	const searches = inputs.map(({ input }) => ({
		query: { filters: input.ticketId, sort: [], select }, // The schema made a filter of the ID.
		limit: 2, // A second ticket shows that the number or ID is not unique.
	}));
	const reading = { ...FAST, timeoutMs: settings.options.timeout };
	const { results } = await runSearches(searches, reading, client);
	return {
		results: results.map(({ rows, failure }, i): RowResult<Ticket> => {
			if (failure) return { items: [], failure };
			if (rows.length === 1) return { items: rows };
			return { items: [], failure: toNotOneError(inputs[i]?.input.ticketId ?? {}, rows.length) };
		}),
	};
}

/** The error if no ticket, or more than one, has the number or ID. */
function toNotOneError({ ticketNumber, id }: Filters, count: number): NotFoundError {
	const name = ticketNumber ? `the number ${String(ticketNumber.eq)}` : `the ID ${String(id?.eq)}`;
	const message = `There is no ticket with ${name}, or the credential may not see it`;
	const advice = 'Check it, and that the credential is for the same workspace';
	if (count === 0) return { kind: 'notFound', message, advice };
	return {
		kind: 'notFound',
		message: `There is more than one ticket with ${name}`,
		advice: 'Enter the ID of the ticket instead of its number', // IDs are unique.
	};
}
