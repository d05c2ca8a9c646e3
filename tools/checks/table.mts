import { format, resolveConfig } from 'prettier';

const END = '<!-- End of the table. -->';

/** Puts a table of cells into a document, at the place that names the command. */
export async function replaceTable(
	document: string,
	command: string,
	[head = [], ...body]: ReadonlyArray<readonly string[]>,
): Promise<string> {
	const begin = `<!-- The table is written by \`npm run ${command}\`. -->`;
	const from = document.indexOf(begin);
	const to = document.indexOf(END, from);
	if (from < 0 || to < 0) throw new Error(`The document has no place for the table of ${command}`);
	const formatRow = (row: readonly string[]) =>
		`| ${row.map((text) => text.replaceAll('|', '\\|')).join(' | ')} |`;
	// Numbers are aligned to the right.
	const rule = head.map((_, i) => (/^[\d,]+$/.test(body[0]?.[i] ?? '') ? '---:' : '---'));
	const table = [head, rule, ...body].map(formatRow).join('\n');
	const text = `${document.slice(0, from)}${begin}\n\n${table}\n\n${document.slice(to)}`;
	return await format(text, { ...(await resolveConfig('README.md')), parser: 'markdown' });
}
