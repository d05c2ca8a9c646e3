import { z } from 'zod/v4';
import { columns, mapColumns, priorities, requiredColumns, sources } from './columns.mts';
import type { Column, ColumnKind } from './columns.mts';

export const DAY_MS = 86_400_000;

/** The schema of an ISO 8601 timestamp with a time and an offset or Z. */
export const timestamp = z.iso.datetime({ offset: true });

/** Writes a timestamp in UTC with milliseconds, so that the order of texts is that of times. */
export const normalTimestamp = (value: string): string => new Date(value).toISOString();

/** A value of a ticket in a request or a reply. */
export type TicketValue = string | number | boolean | null;

/** A full ticket row. */
export type Ticket = Record<Column, TicketValue>;

/** Some columns of a ticket. */
export type TicketPart = Partial<Ticket>;

const valueByKind: Record<ColumnKind, z.ZodType<TicketValue>> = {
	text: z.string(),
	number: z.int().min(-2_147_483_648).max(2_147_483_647),
	source: z.enum(sources),
	priority: z.enum(priorities),
	timestamp: timestamp.transform(normalTimestamp),
	boolean: z.boolean(),
};

/** The schema of some columns of a ticket. */
export const ticketPart = z.strictObject(
	mapColumns((column, kind) => {
		const value = valueByKind[kind];
		return (requiredColumns.has(column) ? value : value.nullable()).optional();
	}),
) satisfies z.ZodType<TicketPart>;

/** Returns the values of a ticket in the order of its columns, as SQLite stores them. */
export function boundValues(ticket: Ticket): Array<string | number | null> {
	return columns.map((column) => boundValue(ticket[column]));
}

/** Returns a value of a ticket as SQLite stores it. */
export function boundValue(value: TicketValue): string | number | null {
	return typeof value === 'boolean' ? Number(value) : value;
}
