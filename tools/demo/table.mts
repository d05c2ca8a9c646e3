import { countReasons } from './reasons.mts';
import type { Figures } from './figures.mts';

const heads = ['Workflow', 'Rows in', 'Requests', 'Accepted', 'Rejected', 'Unknown', 'Not sent'];

/** The table of all runs; requests come from `requests`, which is undefined where no one counts them. */
export function drawTable(
	all: readonly Figures[],
	requests: (figures: Figures) => number | undefined,
): string {
	const rows = all.map((figures) => {
		const { example, rowsIn, accepted, rejected, unknown, notSent } = figures;
		const search = example.operation === 'searchTickets';
		const numbers = search
			? [rowsIn, requests(figures), undefined, undefined, undefined, undefined]
			: [rowsIn, requests(figures), accepted.length, rejected, unknown, notSent];
		return [example.file, ...numbers.map((number) => number?.toLocaleString('en') ?? '-')];
	});
	const widths = heads.map((head, column) =>
		Math.max(head.length, ...rows.map((row) => row[column]?.length ?? 0)),
	);
	const line = (cells: readonly string[], last: string) =>
		[...cells.map((cell, column) => pad(cell, widths[column] ?? 0, column)), last].join('  ');
	const blank = heads.map(() => '');
	const body = rows.flatMap((row, index) => {
		const files = all[index]?.files.map(({ name, rows: n }) => `${name} (${n})`) ?? [];
		return [line(row, files[0] ?? 'none'), ...files.slice(1).map((file) => line(blank, file))];
	});
	const head = line(heads, 'File written (rows)');
	return [head, '-'.repeat(head.length), ...body].join('\n');
}

const pad = (cell: string, width: number, column: number): string =>
	column === 0 ? cell.padEnd(width) : cell.padStart(width);

/** Why rows failed, grouped and counted. A row may have several reasons. */
export function drawReasons(all: readonly Figures[]): string {
	const parts = all.flatMap(({ example, errors }) => {
		if (errors.length === 0) return [];
		const lines = countReasons(errors).map(([reason, count]) => `${count} × ${reason}`);
		const width = Math.max(...lines.map((line) => line.indexOf(' ')));
		return [
			`${example.file}: why ${errors.length} rows were rejected or skipped`,
			...lines.map((line) => `  ${' '.repeat(width - line.indexOf(' '))}${line}`),
		];
	});
	return parts.join('\n');
}
