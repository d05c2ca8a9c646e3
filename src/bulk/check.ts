import type { Row } from '../core/operation';
import { withholdDuplicates } from './duplicates';
import type { BulkOperation, RowPlan, SendSettings } from './operation';
import type { Outcome } from './outcomes';

/** All rows of a run, their values one after the other, and the outcome of each value as soon as it is known. */
export interface RunPlan<T> {
	readonly rows: Array<RowPlan<T>>;
	readonly values: readonly T[];
	/** The position of the row of each value. */
	readonly rowOf: readonly number[];
	readonly outcomes: Array<Outcome | undefined>;
	/** Why nothing may be sent, or undefined where it may. */
	readonly reasonNotToSend: string | undefined;
	/** What the user has to know though the rows are fine. */
	readonly notes: readonly string[];
}

/** Reads and checks all rows, withholds values that must not be sent, and finds out whether anything may be. */
export function checkRows<T, Settings extends SendSettings>(
	rows: Iterable<Row>,
	operation: Pick<BulkOperation<T, Settings, unknown, unknown>, 'plan' | 'identity'>,
	settings: Settings,
): RunPlan<T> {
	const planner = operation.plan(settings);
	const read = Array.from(rows, planner.planRow);
	const { problems = [], reasonNotToSend: ofRun, notes = [] } = planner.finish?.() ?? {};
	const plans = problems.length > 0 ? read.map((): RowPlan<T> => ({ values: [], problems })) : read;
	const values: T[] = [];
	const rowOf: number[] = [];
	for (const [row, plan] of plans.entries()) {
		for (const value of plan.values) {
			values.push(value);
			rowOf.push(row);
		}
	}
	const outcomes = new Array<Outcome | undefined>(values.length).fill(undefined);
	const plan = { rows: plans, values, rowOf, outcomes, notes };
	const stops = withholdDuplicates(plan, operation.identity, settings.duplicates);
	const invalid = plans.filter((row) => row.problems !== undefined).length;
	const stopsForRows = stops || (invalid > 0 && settings.invalidRows === 'stop');
	return { ...plan, reasonNotToSend: ofRun ?? (stopsForRows ? invalidRows(invalid) : undefined) };
}

const invalidRows = (count: number): string =>
	`Not sent, because ${count === 1 ? 'one row is' : `${count} rows are`} invalid. Correct the input, or set 'If Rows Are Invalid' to 'Send the Valid Rows'`;

/** The positions of values that have no outcome yet. */
export function pendingOf<T>({ outcomes }: RunPlan<T>): number[] {
	const pending: number[] = [];
	for (let index = 0; index < outcomes.length; index += 1)
		if (outcomes[index] === undefined) pending.push(index);
	return pending;
}
