import { createHash } from 'crypto';
import type { Ticket } from '../ticket';
import type { PollContext } from './poll';
import type { TriggerInput } from './input';
import type { ChangesResult } from './readChanges';
import type { Settled } from './watermark';

/** So many reports are remembered, and given out in one poll. */
const MAX_REPORTS = 20;

interface PollOutcome extends Pick<TriggerInput, 'column'> {
	readonly context: PollContext;
	readonly settled: Settled;
	readonly read: ChangesResult;
}

/** Reports what does not stop the trigger, each thing once; returns what was reported by now. */
export function noteReports(
	before: readonly string[],
	{ context, column, settled, read }: PollOutcome,
): string[] {
	const reports = new Map(
		read.malformed.slice(0, MAX_REPORTS).map((row) => [keyOf(row), malformedRow(row, column)]),
	);
	if (settled.lostOverlap) reports.set('overlap', LOST_OVERLAP);
	for (const [key, message] of reports) if (!before.includes(key)) context.report?.(message);
	const after = new Set([...before.filter((key) => key !== 'overlap'), ...reports.keys()]);
	return [...after].slice(-2 * MAX_REPORTS);
}

const LOST_OVERLAP =
	'Too many tickets changed to cover the whole Overlap. Tickets that the service shows late can be missed. Shorten Overlap or narrow the filters.';

const keyOf = (row: Ticket): string =>
	createHash('sha256').update(JSON.stringify(row)).digest('base64url').slice(0, 8);

function malformedRow(row: Ticket, column: string): string {
	const { ticketNumber, id } = row;
	const name = [ticketNumber, id].find((part) => typeof part === 'number' || part);
	const shown = (value: unknown) => (JSON.stringify(value) ?? 'nothing').slice(0, 60);
	return `Ticket ${shown(name)} was skipped: the service shows ${shown(row[column])} in ${column}, which is not a time, or neither its number nor its ID.`;
}
