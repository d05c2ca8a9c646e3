/** A cell of the matrix: an operation, a fault, and the outcomes of its rows. */
export interface SeenRow {
	readonly subject: string;
	readonly fault: string;
	readonly halved: boolean;
	readonly more: number;
	readonly passing: string;
	readonly staying: string;
	readonly text: string;
}

interface Column {
	readonly names: string[];
	readonly cells: readonly string[];
}

/** Makes the table with a row per fault; operations with equal cells share a column. */
export function matrixTable(rows: readonly SeenRow[]): string[][] {
	const faults = [...new Set(rows.map(({ fault }) => fault))];
	const columns: Column[] = [];
	for (const subject of new Set(rows.map((row) => row.subject))) {
		const cells = faults.map((fault) => {
			const row = rows.findLast((each) => each.subject === subject && each.fault === fault);
			return row ? describeRow(row) : '';
		});
		const same = columns.find((column) => column.cells.join() === cells.join());
		if (same) same.names.push(subject);
		else columns.push({ names: [subject], cells });
	}
	const textOf = (fault: string): string =>
		rows.findLast((row) => row.fault === fault && row.text !== '')?.text ?? '';
	return [
		['Fault', ...columns.map(({ names }) => names.join(' · ')), 'What the node says'],
		...faults.map((fault, i) => [
			fault,
			...columns.map(({ cells }) => cells[i] ?? ''),
			textOf(fault),
		]),
	];
}

/** Returns e.g. "again: accepted, or unknown" for a fault that passes, or stays. */
function describeRow({ halved, more, passing, staying }: SeenRow): string {
	const sent = halved ? 'in halves' : more === 0 ? 'once' : 'again';
	return passing === staying ? `${sent}: ${staying}` : `${sent}: ${passing}, or ${staying}`;
}
