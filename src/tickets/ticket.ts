import { z } from 'zod/v4';
import { outputParameters, returnedFields } from '../core/output';
import { columnNames, columns, type Column } from './columns';

/** The columns of a simplified ticket: what it is about, then its times, then its IDs. */
export const simplifiedColumns = [
	'ticketNumber',
	'title',
	'priority',
	'source',
	'createdAt',
	'updatedAt',
	'closedAt',
	'statusId',
	'customerId',
	'assigneeUserId',
	'conversationId',
] as const satisfies readonly Column[];

/** The parameters that choose the returned columns. */
export const outputSettings = outputParameters(columnNames, 'ticket column');

/** Lists the columns to return by Output: the chosen ones with the ID, or `simplified`. An empty list means all. */
export const listReturned = (
	settings: z.infer<z.ZodObject<typeof outputSettings>>,
	simplified: readonly Column[] = simplifiedColumns,
): readonly Column[] => returnedFields(settings, { simplified, id: 'id' });

/** A simplified ticket. */
export const simplifiedTicketSchema = z.object(
	Object.fromEntries(simplifiedColumns.map((name) => [name, returnedValueSchema(name).optional()])),
);

/** A ticket row with columns of any type (interface: Ticket). */
export type Ticket = Record<string, unknown>;

/** Builds the schema of a column of a simplified ticket. Null is valid unless the service's interface excludes it. */
function returnedValueSchema(name: Column): z.ZodType {
	const value = columns[name].kind === 'number' ? z.int() : z.string();
	const isNeverNull = 'nullable' in columns[name] && columns[name].nullable === false;
	return isNeverNull ? value : value.nullable();
}

/** The day, the time of day and the offset of an ISO 8601 time. */
export const ISO_TIME =
	/^(\d{4}-\d{2}-\d{2})(?:[T ]((?:[01]\d|2[0-3]):\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-](?:0\d|1[0-4]):?[0-5]\d)?)?$/;

/** Converts an ISO 8601 text to ms since 1970, in UTC if it has no offset; undefined for other values. */
export function parseTime(value: unknown): number | undefined {
	const match = typeof value === 'string' ? ISO_TIME.exec(value) : null;
	if (!match) return undefined;
	const [, day, time = '00:00', zone = 'Z'] = match;
	const ms = Date.parse(`${day}T${time}${zone}`);
	return Number.isNaN(ms) ? undefined : ms;
}

/** Converts a value of a column for === and <; undefined if unreadable, or only the service can compare it. */
export function toComparable(value: unknown, column: Column): number | string | undefined {
	const { kind } = columns[column];
	// Only the service knows its order of texts, and when it ignores case.
	if (kind === 'text') return undefined;
	if (kind === 'timestamp') return parseTime(value);
	if (kind === 'number') return typeof value === 'number' ? value : undefined;
	// 0 for false and 1 for true.
	if (kind === 'boolean') return typeof value === 'boolean' ? Number(value) : undefined;
	// The case of UUIDs and of names such as `urgent` has no meaning.
	return typeof value === 'string' ? value.toLowerCase() : undefined;
}

/** Identifies a ticket: its ID, or its number if the service returned no ID. */
export const ticketKey = ({ id, ticketNumber }: Ticket): unknown => id ?? ticketNumber;
