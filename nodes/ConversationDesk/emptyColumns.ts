import type { Problem } from '../../src/core/failures';
import type { RowResult, Run } from '../../src/core/operation';
import type { ParameterReader } from './parameters';

const MAX_COLUMNS = 12;

/**
 * Says of a parameter whose expression gives nothing in every row that its column is probably misspelled, and names the columns
 * that there are: each row alone looks like bad data.
 */
export function explainEmptyColumns(
	run: Run,
	{ columns, isExpression }: Pick<ParameterReader, 'columns' | 'isExpression'>,
): Run {
	// Of a row that is left out by a mark nothing else was read.
	const rows = run.rows.filter((row) => !isLeftOut(row));
	// A single row may well be empty.
	if (rows.length < 2) return run;
	const empty = emptyIn(rows[0]).filter(
		(path) => isExpression(path.split('.')) && rows.every((row) => emptyIn(row).includes(path)),
	);
	if (empty.length === 0) return run;
	const found = columns();
	const shown = found.slice(0, MAX_COLUMNS).join(', ');
	const more = found.length > MAX_COLUMNS ? ` and ${found.length - MAX_COLUMNS} more` : '';
	const check = `Check the column name in its expression. Columns found: ${shown || 'none'}${more}`;
	const explained = (problem: Problem): Problem => {
		if (!empty.includes(pathOf(problem)) || !isEmpty(problem)) return problem;
		return { ...problem, message: `is empty in every row. ${check}` };
	};
	return {
		...run,
		rows: run.rows.map((row) =>
			row.failure?.kind === 'input'
				? { ...row, failure: { ...row.failure, problems: row.failure.problems.map(explained) } }
				: row,
		),
	};
}

/** Whether a row is not sent by the wish of the user, in a dry run too. */
const isLeftOut = ({ failure, items }: RowResult): boolean =>
	failure?.kind === 'skipped' ||
	(items.length > 0 && items.every((item) => Reflect.get(item, 'outcome') === 'notSent'));

const isEmpty = ({ message }: Problem): boolean => /^is (empty|missing)\b/.test(message);

const pathOf = ({ path }: Problem): string => path.join('.');

function emptyIn(row: RowResult | undefined): string[] {
	if (row?.failure?.kind !== 'input') return [];
	return row.failure.problems.filter(isEmpty).map(pathOf);
}
