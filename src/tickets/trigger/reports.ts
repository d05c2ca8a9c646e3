import { createHash } from 'crypto';
import type { Ticket } from '../ticket';

/** So many rows are reported in one poll. */
const MAX_REPORTS = 20;

/** What does not stop a trigger, and what the user has to know of it. */
export const reports = {
	damaged:
		'The saved state of the trigger is damaged, so it starts over. Tickets that changed since the last poll can be missed.',
	clock:
		'The clock of the service went back, or that of n8n jumped. The trigger reads again from there, and returns no ticket twice.',
	overlap:
		'Too many tickets changed to cover the whole Overlap. Tickets that the service shows late can be missed. Shorten Overlap or narrow the filters.',
	waiting:
		'Too many tickets wait to remember all of them, so the oldest are ignored. Narrow the filters, for example with Closed At Is Not Set.',
} as const;

/** The reports of rows that no change can be read from, by what tells them apart. */
export const malformedRows = (
	rows: readonly Ticket[],
	column: string,
): ReadonlyMap<string, string> =>
	new Map(rows.slice(0, MAX_REPORTS).map((row) => [keyOf(row), malformedRow(row, column)]));

/** Reports each thing once; returns what was reported by now. What may come again is reported again. */
export function noteReports(
	before: readonly string[],
	told: ReadonlyMap<string, string>,
	report?: (message: string) => void,
): string[] {
	for (const [key, message] of told) if (!before.includes(key)) report?.(message);
	const kept = before.filter((key) => !Object.hasOwn(reports, key));
	return [...new Set([...kept, ...told.keys()])].slice(-2 * MAX_REPORTS);
}

const keyOf = (row: Ticket): string =>
	createHash('sha256').update(JSON.stringify(row)).digest('base64url').slice(0, 8);

function malformedRow(row: Ticket, column: string): string {
	const { ticketNumber, id } = row;
	const name = [ticketNumber, id, 'without ID'].find((part) => typeof part === 'number' || part);
	const shown = (value: unknown) => (JSON.stringify(value) ?? 'nothing').slice(0, 60);
	return `Ticket ${shown(name)} was skipped: the service shows ${shown(row[column])} in ${column}, which is not a time, or neither its number nor its ID.`;
}
