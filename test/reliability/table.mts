import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Observed } from './observe.ts';
import type { SeenRow } from '../../tools/matrix/document.mts';
import type { Cell } from './rules.ts';

/** Summarizes the cells with a fault in the last request, one try, and a node that continues. */
export function tableRows(
	observed: ReadonlyMap<Cell, Observed | Error>,
	requestsOf: (cell: Cell) => number,
): SeenRow[] {
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
			passing: readEnd(cell, once?.seen),
			staying: readEnd(cell, seen),
			text: readText(seen),
		};
	});
}

function readEnd({ subject }: Cell, seen: Observed | undefined): string {
	const details = seen?.errors[0]?.json['details'];
	if (typeof details !== 'object' || details === null)
		return subject.shape === 'batches' ? 'accepted' : 'read';
	return 'outcome' in details ? String(details.outcome) : 'error';
}

/** The text of the first error, without what differs from run to run. */
const readText = ({ errors: [first] }: Observed): string =>
	first === undefined
		? ''
		: String(first.json['error'])
				.replace(/^Row \d+: /, '')
				.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/, '{conversationId}')
				.replace(/127\.0\.0\.1:\d+/, 'another.example');

/** Keeps what a part of the matrix showed, for the document. */
export async function keepRows(name: string, rows: readonly SeenRow[]): Promise<void> {
	const folder = join(process.cwd(), 'test-results', 'matrix');
	await mkdir(folder, { recursive: true });
	await writeFile(join(folder, `${name}.json`), JSON.stringify(rows));
}
