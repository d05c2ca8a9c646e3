import { z } from 'zod/v4';
import { columns, mapColumns, priorities, requiredColumns, sources } from './columns.mts';
import type { Column, ColumnKind } from './columns.mts';
import { normalTimestamp, timestamp } from './timestamp.mts';

/** A value of a ticket as it goes over the wire. */
export type TicketValue = string | number | boolean | null;

/** A full ticket row. */
export type Ticket = Record<Column, TicketValue>;

/** Some columns of a ticket; what is missing is filled in or left alone. */
export type TicketPart = Partial<Ticket>;

const valueByKind: Record<ColumnKind, z.ZodType<TicketValue>> = {
	text: z.string(),
	number: z.int().min(-2_147_483_648).max(2_147_483_647),
	source: z.enum(sources),
	priority: z.enum(priorities),
	timestamp: timestamp.transform(normalTimestamp),
	boolean: z.boolean(),
};

/** Some columns of a ticket, as the control takes them. */
export const ticketPart = z.strictObject(
	mapColumns((column, kind) => {
		const value = valueByKind[kind];
		return (requiredColumns.has(column) ? value : value.nullable()).optional();
	}),
) satisfies z.ZodType<TicketPart>;

/** The values of a ticket in column order, ready to be bound. */
export function boundValues(ticket: Ticket): Array<string | number | null> {
	return columns.map((column) => boundValue(ticket[column]));
}

/** A value of a ticket as SQLite holds it. */
export function boundValue(value: TicketValue): string | number | null {
	return typeof value === 'boolean' ? Number(value) : value;
}
