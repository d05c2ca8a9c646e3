import { z } from 'zod/v4';
import type { Column } from './columns';
import { columns } from './columns';

/** The ten columns that people work with, the most useful first. */
export const simplifiedColumns = [
	'ticketNumber',
	'title',
	'statusId',
	'priority',
	'source',
	'customerId',
	'assigneeUserId',
	'conversationId',
	'createdAt',
	'updatedAt',
] as const satisfies readonly Column[];

/** A simplified ticket. */
export const simplifiedTicketSchema = z.object(
	Object.fromEntries(simplifiedColumns.map((name) => [name, returnedValue(name).optional()])),
);

/** A ticket row as the service returns it, whatever its columns hold (interface: Ticket). */
export type Ticket = Record<string, unknown>;

function returnedValue(name: Column): z.ZodType {
	const { kind } = columns[name];
	if (kind === 'timestamp') return z.union([z.string(), z.null()]);
	const value = kind === 'number' ? z.int() : kind === 'boolean' ? z.boolean() : z.string();
	return 'nullable' in columns[name] && columns[name].nullable === false
		? value
		: z.union([value, z.null()]);
}
