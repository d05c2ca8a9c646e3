import type { Row } from '../core/operation';
import { parseRow } from '../core/operation';
import type { Unit } from './holds';
import { findHolds } from './holds';
import type { Checked, Dispatch } from './order';

/** Checks the parameters of all rows. */
export const checkRows = <Input, T>(
	rows: readonly Row[],
	dispatch: Dispatch<Input, T>,
): Array<Checked<Input, T>> =>
	rows.map((row) => {
		const read = parseRow(dispatch.input, row);
		return 'problems' in read ? read : { input: read.input, order: dispatch.order(read.input) };
	});

/** Checked rows, and the values in them that are held back. */
export interface Sorted<Input, T> {
	readonly checked: ReadonlyArray<Checked<Input, T>>;
	/** Why single values are not sent. */
	readonly held: ReadonlyMap<T, string>;
}

/** Finds the values that are held back. Values are objects of their own, so that each is told apart from an equal one. */
export function findHeld<Input, T>(
	parsed: ReadonlyArray<Checked<Input, T>>,
	{ identity }: Dispatch<Input, T>,
): Sorted<Input, T> {
	const values: Array<Unit & { readonly value: T }> = [];
	for (const [index, row] of parsed.entries()) {
		if ('problems' in row) continue;
		const { values: ofRow, barred, duplicates } = row.order;
		for (const value of ofRow)
			values.push({ value, row: index, identity: identity.of(value), barred, duplicates });
	}
	const { held, stops } = findHolds(values, identity.name);
	const reasons = new Map<T, string>();
	for (const [position, reason] of held) {
		const unit = values[position];
		if (unit) reasons.set(unit.value, reason);
	}
	const checked = parsed.map((row, index): Checked<Input, T> => {
		const message = stops.get(index);
		return message === undefined ? row : { problems: [{ path: [identity.field], message }] };
	});
	return { held: reasons, checked: stops.size > 0 ? stopping(checked) : checked };
}

/** Duplicates that stop a run stop it whatever is said about invalid rows. */
const stopping = <Input, T>(checked: ReadonlyArray<Checked<Input, T>>): Array<Checked<Input, T>> =>
	checked.map((row) =>
		'problems' in row ? row : { ...row, order: { ...row.order, invalidRows: 'stop' } },
	);

/** Why nothing may be sent, or undefined where it may. */
export function reasonToHold<Input, T>(
	checked: ReadonlyArray<Checked<Input, T>>,
	{ guard }: Dispatch<Input, T>,
	held: ReadonlyMap<T, string>,
): string | undefined {
	const valid = checked.flatMap((row) => ('problems' in row ? [] : [row]));
	const invalid = checked.length - valid.length;
	if (invalid > 0 && valid.some(({ order }) => order.invalidRows === 'stop')) {
		return `Not sent, because ${invalid === 1 ? 'one row is' : `${invalid} rows are`} invalid. Correct the input, or set 'If Rows Are Invalid' to 'Send the Valid Rows'`;
	}
	const count = valid.reduce(
		(sum, { order }) => sum + order.values.filter((value) => !held.has(value)).length,
		0,
	);
	return guard?.(
		valid.map(({ input }) => input),
		count,
	);
}
