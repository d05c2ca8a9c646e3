import sumBy from 'lodash/sumBy.js';
import uniq from 'lodash/uniq.js';
import type { Control } from '../../sandbox/control.mts';
import type { Ticket } from '../../sandbox/ticket.mts';
import type { Figures } from './figures.mts';
import { misses } from './figures.mts';

/** A figure of n8n and the same figure of the sandbox. */
type Comparison = [figure: string, reported: number, counted: number];

const DAY_MS = 86_400_000;

/** Lists the tickets that the export should find: urgent or high, in the 30 days before today (UTC). */
export function wantedTickets(tickets: readonly Ticket[], nowMs = Date.now()): Ticket[] {
	const todayMs = Math.floor(nowMs / DAY_MS) * DAY_MS;
	return tickets.filter(({ priority, createdAt }) => {
		const createdMs = Date.parse(String(createdAt));
		const isUrgent = priority === 'urgent' || priority === 'high';
		return isUrgent && createdMs >= todayMs - 30 * DAY_MS && createdMs < todayMs;
	});
}

/** Compares the figures of n8n with those of the sandbox; each difference is one sentence. */
export function findDifferences(all: readonly Figures[], control: Control): string[] {
	return all
		.flatMap((figures) => [...compareRows(figures), ...compareService(figures, control)])
		.filter(([, reported, counted]) => reported !== counted)
		.map(([figure, reported, counted]) => `${figure}: ${reported} reported, ${counted} counted`);
}

/** Compares the rows of the input with the rows of the output and of the files. */
function compareRows(figures: Figures): Comparison[] {
	const { example, inputCount, accepted, errors, files } = figures;
	const missed = sumBy(misses, (outcome) => figures[outcome]);
	const rowsOut = accepted.length + errors.length;
	const comparisons: Comparison[] = [
		[`${example.file}: rows with an outcome`, errors.length, missed],
		[`${example.file}: rows in files`, sumBy(files, 'rows'), rowsOut],
	];
	if (example.operation === 'searchTickets') return comparisons;
	return [...comparisons, [`${example.file}: rows out and in`, rowsOut, inputCount]];
}

/** Compares the accepted rows with the content of the sandbox. */
function compareService({ example, accepted }: Figures, control: Control): Comparison[] {
	const countDistinct = (column: string) => uniq(accepted.map((row) => row[column])).length;
	if (example.operation === 'searchTickets') {
		const { length } = wantedTickets(control.tickets());
		return [['Tickets', countDistinct('ticketNumber'), length]];
	}
	if (example.operation === 'createCustomers') {
		const stored = control.customers();
		const writes = sumBy(stored, ({ inserts, upserts }) => inserts + upserts);
		return [
			['Customers stored', countDistinct('identifier'), stored.length],
			['Customer rows taken', accepted.length, writes],
		];
	}
	const { conversations, callsPerNumber } = control.conversations();
	return [
		['Conversations', accepted.length, conversations.length],
		['Conversation IDs', countDistinct('conversationId'), conversations.length],
		['Calls per number', 1, Math.max(1, ...Object.values(callsPerNumber))],
	];
}
