import { createHash } from 'crypto';
import type { Ticket } from '../ticket';
import type { EventColumn } from './events';

/** A change of a ticket: what identifies it (ID and time), and when it happened in ms of the service's clock. */
export interface Change {
	readonly key: string;
	readonly at: number;
	readonly ticket: Ticket;
}

/** Reads the change in a row, or undefined where the row lacks its ID or the time. */
export function changeOf(ticket: Ticket, column: EventColumn): Change | undefined {
	const { id, [column]: time } = ticket;
	if (typeof id !== 'string' || typeof time !== 'string') return undefined;
	const at = Date.parse(time);
	if (Number.isNaN(at)) return undefined;
	const key = createHash('sha256').update(`${id}@${time}`).digest('base64url').slice(0, 16);
	return { key, at, ticket };
}
