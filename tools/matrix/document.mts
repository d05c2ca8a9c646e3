import { layOut } from '../documents/table.mts';

/** What the matrix saw of an operation and a fault. */
export interface SeenRow {
	readonly subject: string;
	readonly fault: string;
	readonly halved: boolean;
	readonly more: number;
	readonly passing: string;
	readonly staying: string;
	readonly text: string;
}

/** One row a fault; operations of which the same was seen share a column. */
export function matrixTable(rows: readonly SeenRow[]): string {
	const faults = [...new Set(rows.map(({ fault }) => fault))];
	const columns = columnsOf(rows, faults);
	const textOf = (fault: string): string =>
		rows.findLast((row) => row.fault === fault && row.text !== '')?.text ?? '';
	const cells = [
		['Fault', ...columns.map(({ names }) => names.join(' · ')), 'What the node says'],
		...faults.map((fault) => [
			fault,
			...columns.map(({ seen }) => seen.get(fault) ?? ''),
			textOf(fault),
		]),
	];
	return layOut(cells);
}

interface Column {
	readonly names: string[];
	readonly seen: ReadonlyMap<string, string>;
}

function columnsOf(rows: readonly SeenRow[], faults: readonly string[]): Column[] {
	const columns: Column[] = [];
	for (const subject of new Set(rows.map((row) => row.subject))) {
		const own = rows.filter((row) => row.subject === subject);
		const seen = new Map(own.map((row) => [row.fault, inShort(row)]));
		const same = columns.find((column) =>
			faults.every((fault) => column.seen.get(fault) === seen.get(fault)),
		);
		if (same) same.names.push(subject);
		else columns.push({ names: [subject], seen });
	}
	return columns;
}

/** "again: accepted, or unknown": whether it is sent again, and what comes of it when the fault passes or stays. */
function inShort({ halved, more, passing, staying }: SeenRow): string {
	const sent = halved ? 'in halves' : more === 0 ? 'once' : 'again';
	return passing === staying ? `${sent}: ${staying}` : `${sent}: ${passing}, or ${staying}`;
}
