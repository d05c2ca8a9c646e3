const END = '<!-- End of the table. -->';

/** Puts a table into its place in a document, which names the command that writes it. */
export function withTable(document: string, command: string, table: string): string {
	const begin = `<!-- The table is written by \`npm run ${command} -- --write\`. -->`;
	const from = document.indexOf(begin);
	const to = document.indexOf(END, from);
	if (from < 0 || to < 0) throw new Error(`The document has no place for the table of ${command}`);
	return `${document.slice(0, from)}${begin}\n\n${table}\n\n${document.slice(to)}`;
}

/** A table as prettier lays it out; the columns with these numbers are aligned to the right. */
export function layOut(
	cells: ReadonlyArray<readonly string[]>,
	toTheRight: readonly number[] = [],
): string {
	const escaped = cells.map((row) => row.map((text) => text.replaceAll('|', '\\|')));
	const widths = (escaped[0] ?? []).map((_, i) =>
		Math.max(...escaped.map((row) => row[i]?.length ?? 0)),
	);
	const line = (row: readonly string[]) => {
		const padded = row.map((text, i) =>
			toTheRight.includes(i) ? text.padStart(widths[i] ?? 0) : text.padEnd(widths[i] ?? 0),
		);
		return `| ${padded.join(' | ')} |`;
	};
	const rule = widths.map((width, i) =>
		toTheRight.includes(i) ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width),
	);
	const [head = [], ...body] = escaped;
	return [line(head), line(rule), ...body.map(line)].join('\n');
}
