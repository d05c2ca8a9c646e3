import type { Row } from '../core/operation';
import type { Unit } from './holds';
import { findHolds } from './holds';
import type { Checked, Dispatch, Order } from './order';

/** Checked rows, and the values in them that are held back. */
export interface Sorted<T> {
	readonly checked: ReadonlyArray<Checked<T>>;
	/** Why single values are not sent. */
	readonly held: ReadonlyMap<T, string>;
}

/** Checks all rows, and finds the values that are held back. */
export const checkRows = <T>(rows: Iterable<Row>, dispatch: Dispatch<T>): Sorted<T> =>
	findHeld(Array.from(rows, dispatch.read), dispatch);

/** Values are objects of their own, so that each is told apart from an equal one. */
function findHeld<T>(parsed: Array<Checked<T>>, { identity }: Dispatch<T>): Sorted<T> {
	const special = specialOf(parsed, identity.of);
	if (special.size === 0) return { held: new Map(), checked: parsed };
	const units: Array<Unit & { readonly value: T }> = [];
	for (const [index, row] of parsed.entries()) {
		if ('problems' in row) continue;
		for (const value of row.values) {
			const is = identity.of(value);
			if (special.has(is))
				units.push({
					value,
					row: index,
					identity: is,
					barred: row.barred,
					duplicates: row.terms.duplicates,
				});
		}
	}
	const { held, stops } = findHolds(units, identity.name);
	const reasons = new Map<T, string>();
	for (const [position, reason] of held) {
		const unit = units[position];
		if (unit) reasons.set(unit.value, reason);
	}
	if (stops.size === 0) return { held: reasons, checked: parsed };
	const checked = parsed.map((row, index): Checked<T> => {
		const message = stops.get(index);
		return message === undefined ? row : { problems: [{ path: [identity.field], message }] };
	});
	return { held: reasons, checked: stopping(checked) };
}

/** The identities that a run has twice or that are barred: of a hundred thousand rows mostly few. */
function specialOf<T>(
	checked: ReadonlyArray<Checked<T>>,
	identityOf: (value: T) => string,
): ReadonlySet<string> {
	const once = new Set<string>();
	const special = new Set<string>();
	for (const row of checked) {
		if ('problems' in row) continue;
		for (const value of row.values) {
			const identity = identityOf(value);
			if (row.barred !== undefined || once.has(identity)) special.add(identity);
			else once.add(identity);
		}
	}
	return special;
}

/** Duplicates that stop a run stop it whatever is said about invalid rows. */
const stopping = <T>(checked: ReadonlyArray<Checked<T>>): Array<Checked<T>> =>
	checked.map((row) =>
		'problems' in row ? row : { ...row, terms: { ...row.terms, invalidRows: 'stop' } },
	);

/** Why nothing may be sent, or undefined where it may. */
export function reasonToHold<T>(
	{ checked, held }: Sorted<T>,
	{ tooMany }: Dispatch<T>,
): string | undefined {
	let invalid = 0;
	let count = 0;
	let most = Infinity;
	let isStrict = false;
	for (const row of checked) {
		if ('problems' in row) {
			invalid += 1;
			continue;
		}
		count += sendable(row, held);
		most = Math.min(most, row.terms.most ?? Infinity);
		isStrict ||= row.terms.invalidRows === 'stop';
	}
	if (invalid > 0 && isStrict) {
		return `Not sent, because ${invalid === 1 ? 'one row is' : `${invalid} rows are`} invalid. Correct the input, or set 'If Rows Are Invalid' to 'Send the Valid Rows'`;
	}
	return count > most ? tooMany?.(count, most) : undefined;
}

const sendable = <T>({ values }: Order<T>, held: ReadonlyMap<T, string>): number =>
	held.size === 0 ? values.length : values.filter((value) => !held.has(value)).length;
