import countBy from 'lodash/countBy.js';
import sortBy from 'lodash/sortBy.js';
import type { Figures } from './figures.mts';

const heads = ['Workflow', 'Rows in', 'Requests', 'Accepted', 'Rejected', 'Unknown', 'Not sent'];

/** Draws the table of all executions; `requests` counts the requests by operation. */
export function drawTable(
	all: readonly Figures[],
	requests: Readonly<Record<string, number>>,
): string {
	const rows = all.flatMap(({ example, files, ...figures }) => {
		const { inputCount, accepted, rejected, unknown, notSent } = figures;
		const isSearch = example.operation === 'searchTickets';
		const outcomes = isSearch ? [] : [accepted.length, rejected, unknown, notSent];
		const numbers = [inputCount, requests[example.operation], ...outcomes];
		const cells = heads.slice(1).map((_, i) => numbers[i]?.toLocaleString('en') ?? '-');
		const [firstFile = 'none', ...moreFiles] = files.map(
			({ name, rows: count }) => `${name} (${count})`,
		);
		return [
			[example.file, ...cells, firstFile],
			...moreFiles.map((file) => [...heads.map(() => ''), file]),
		];
	});
	const lines = alignRows([[...heads, 'File written (rows)'], ...rows]);
	return lines.toSpliced(1, 0, '-'.repeat(lines[0]?.length ?? 0)).join('\n');
}

/** Pads all cells except the last one of each row; numbers are aligned to the right. */
function alignRows(rows: readonly string[][]): string[] {
	const widths = heads.map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
	return rows.map((row) =>
		row
			.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
			.join('  '),
	);
}

/** Lists why rows failed, with the most frequent reason first. */
export function drawReasons(all: readonly Figures[]): string {
	const parts = all
		.filter(({ errors }) => errors.length > 0)
		.flatMap(({ example, errors }) => {
			const counts = Object.entries(countBy(errors.flatMap(listReasons)));
			const width = Math.max(...counts.map(([, count]) => String(count).length));
			return [
				`${example.file}: why ${errors.length} rows were rejected or skipped`,
				...sortBy(counts, ([, count]) => -count).map(
					([reason, count]) => `  ${String(count).padStart(width)} × ${reason}`,
				),
			];
		});
	return parts.join('\n');
}

/** Lists the problems of a row without its number and its values, so that equal ones can be counted. */
function listReasons(error: string): string[] {
	const problems = error.replace(/^Row \d+: /, '').split(/[;.] (?=')/);
	return problems.map((problem) => {
		const [, field, text] = /^'([^']+)' (?:'.*' |"[^"]*" )?(.+)$/s.exec(problem) ?? [];
		const reason = field ? `${field.split(' > ').at(-1)} ${text}` : problem;
		return reason.replace(/(\. |: |, (which|e\.g\.)).*$/s, '').replace(/\.$/, '');
	});
}
