import type { Control } from '../../sandbox/control.mts';
import type { Ticket } from '../../sandbox/ticket.mts';
import { examples } from './examples.mts';
import type { Figures } from './figures.mts';
import { misses } from './figures.mts';

type Comparison = [what: string, reported: number, counted: number];

const day = 86_400_000;

/** The tickets in the sandbox that the export is to find: urgent or high, of the 30 days before today (UTC). */
export function wantedTickets(tickets: readonly Ticket[], now = Date.now()): Ticket[] {
	const today = Math.floor(now / day) * day;
	return tickets.filter(({ priority, createdAt }) => {
		const time = Date.parse(String(createdAt));
		return (
			(priority === 'urgent' || priority === 'high') && time >= today - 30 * day && time < today
		);
	});
}

/** Compares what n8n reported with what the sandbox counted; each difference is one sentence. */
export function differences(all: readonly Figures[], control: Control): string[] {
	return all
		.flatMap((figures) => [...accounted(figures), ...compare(figures, control)])
		.filter(([, reported, counted]) => reported !== counted)
		.map(([what, reported, counted]) => `${what}: ${reported} reported, ${counted} counted`);
}

/** Every row that went in came out once, and the files hold as many rows as came out. */
function accounted(figures: Figures): Comparison[] {
	const { example, rowsIn, accepted, errors, files } = figures;
	const missed = misses.reduce((sum, outcome) => sum + figures[outcome], 0);
	const written = files.reduce((sum, { rows }) => sum + rows, 0);
	const out = accepted.length + errors.length;
	const rows: Comparison[] = [
		[`${example.file}: rows with an outcome`, errors.length, missed],
		[`${example.file}: rows in files`, written, out],
	];
	if (example.operation === 'searchTickets') return rows;
	return [...rows, [`${example.file}: rows out and in`, out, rowsIn]];
}

function compare({ example, accepted }: Figures, control: Control): Comparison[] {
	const distinct = (values: readonly unknown[]) => new Set(values).size;
	if (example.file === examples.tickets.file) {
		const wanted = wantedTickets(control.tickets()).length;
		const numbers = accepted.map((row) => row['ticketNumber']);
		const returned = Math.min(accepted.length, control.counts().ticketsReturned);
		return [
			['Tickets', distinct(numbers), wanted],
			['Ticket rows returned', accepted.length, returned],
		];
	}
	if (example.file === examples.customers.file) {
		const stored = control.customers();
		const sent = accepted.map(({ identifier }) => identifier);
		const writes = stored.reduce((sum, { inserts, upserts }) => sum + inserts + upserts, 0);
		return [
			['Customers stored', distinct(sent), stored.length],
			['Customer rows taken', accepted.length, writes],
		];
	}
	const { conversations, callsPerNumber } = control.conversations();
	const ids = distinct(accepted.map((row) => row['conversationId']));
	return [
		['Conversations', accepted.length, conversations.length],
		['Conversation IDs', ids, conversations.length],
		['Calls per number', 1, Math.max(1, ...Object.values(callsPerNumber))],
	];
}
