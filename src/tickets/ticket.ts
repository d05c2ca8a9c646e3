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

/** Lists the columns that a read returns. An empty list means all. */
export const listReturned = (
	settings: Parameters<typeof returnedFields<Column>>[0],
	simplified: readonly Column[] = simplifiedColumns,
): readonly Column[] => returnedFields(settings, { simplified, id: 'id' });

/** A simplified ticket. */
export const simplifiedTicketSchema = z.object(
	Object.fromEntries(simplifiedColumns.map((name) => [name, returnedValueSchema(name).optional()])),
);

/** A ticket row with columns of any type (interface: Ticket). */
export type Ticket = Record<string, unknown>;

/** The schema of a returned value. It allows null unless the interface rules it out. */
function returnedValueSchema(name: Column): z.ZodType {
	const value = columns[name].kind === 'number' ? z.int() : z.string();
	const isFilled = 'nullable' in columns[name] && columns[name].nullable === false;
	return isFilled ? value : z.union([value, z.null()]);
}

/** The day, the time of day and the offset of an ISO 8601 time. */
export const ISO_TIME =
	/^(\d{4}-\d{2}-\d{2})(?:[T ]((?:[01]\d|2[0-3]):\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-](?:0\d|1[0-4]):?[0-5]\d)?)?$/;

/** The ms of an ISO 8601 time, in UTC without a zone; undefined for anything else. */
export function parseTime(value: unknown): number | undefined {
	const [, day, time = '00:00', zone = 'Z'] =
		(typeof value === 'string' && ISO_TIME.exec(value)) || [];
	const ms = day === undefined ? NaN : Date.parse(`${day}T${time}${zone}`);
	return Number.isNaN(ms) ? undefined : ms;
}

/** Converts a value to a number (time in ms) or a lower-case text; undefined for free text, or if its type is unexpected. */
export function toComparable(value: unknown, column: Column): number | string | undefined {
	const { kind } = columns[column];
	if (kind === 'number') return typeof value === 'number' ? value : undefined;
	if (kind === 'boolean') return typeof value === 'boolean' ? Number(value) : undefined;
	if (kind === 'timestamp') return parseTime(value);
	return kind !== 'text' && typeof value === 'string' ? value.toLowerCase() : undefined;
}

/** The ID of a ticket, or its number in a row without one. */
export const ticketKey = ({ id, ticketNumber }: Ticket): unknown => id ?? ticketNumber;
