import type { Observed } from './observe';
import type { Cell } from './rules';

/** What was seen of an operation and a fault, in short. */
export interface TableRow {
	readonly subject: string;
	readonly fault: string;
	/** Whether the request that met it went in halves. */
	readonly halved: boolean;
	/** Requests more than usual when the last one meets the fault for good. */
	readonly more: number;
	/** What becomes of the rows when the fault passes, and when it stays. */
	readonly passing: string;
	readonly staying: string;
	readonly text: string;
}

/** Sums up the cells in which the last request is hit and the node runs once and goes on. */
export function tableRows(
	observed: ReadonlyMap<Cell, Observed | Error>,
	requestsOf: (cell: Cell) => number,
): TableRow[] {
	const shown = [...observed].flatMap(([cell, seen]) =>
		cell.at === 'last' &&
		cell.tries === 1 &&
		cell.onError === 'continueErrorOutput' &&
		!(seen instanceof Error)
			? [{ cell, seen }]
			: [],
	);
	return shown.flatMap(({ cell, seen }) => {
		if (cell.lasting === 'once') return [];
		const once = shown.find(
			({ cell: { subject, fault, lasting } }) =>
				subject === cell.subject && fault === cell.fault && lasting === 'once',
		);
		return {
			subject: cell.subject.name,
			fault: cell.fault.name,
			halved: cell.fault.proves === 'tooLarge' && cell.subject.shape === 'batches',
			more: seen.crossing.connections - requestsOf(cell),
			passing: endIn(cell, once?.seen),
			staying: endIn(cell, seen),
			text: textIn(seen),
		};
	});
}

function endIn({ subject }: Cell, seen: Observed | undefined): string {
	const details = seen?.errors[0]?.json['details'];
	if (typeof details !== 'object' || details === null)
		return subject.shape === 'batches' ? 'accepted' : 'read';
	return 'outcome' in details ? String(details.outcome) : 'error';
}

/** The text of the first error, without what differs from run to run. */
const textIn = ({ errors: [first] }: Observed): string =>
	first === undefined
		? ''
		: String(first.json['error'])
				.replace(/^Row \d+: /, '')
				.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/, '{conversationId}')
				.replace(/127\.0\.0\.1:\d+/, 'another.example');
