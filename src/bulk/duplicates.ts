import type { RunPlan } from './check';
import type { BulkOperation, RowPlan, SendSettings } from './operation';
import type { Outcome } from './outcomes';

type Identity<T> = BulkOperation<T, SendSettings, unknown, unknown>['identity'];

/**
 * Withholds values that must not be sent: excluded ones, whichever row of the same identity says so, and duplicates. Says
 * whether duplicates stop the run; their rows have a problem then.
 */
export function withholdDuplicates<T>(
	{ rows, values, rowOf, outcomes }: Pick<RunPlan<T>, 'rows' | 'values' | 'rowOf' | 'outcomes'>,
	identity: Identity<T>,
	duplicates: SendSettings['duplicates'],
): boolean {
	const excluded = excludedBy(rows, identity);
	const kept = new Map<string, number>();
	let stops = false;
	const same = (other: number | undefined, value: T): string =>
		`Row ${(other ?? 0) + 1} has the same ${identity.describe(value)}`;
	for (const [index, value] of values.entries()) {
		const row = rowOf[index] ?? 0;
		const id = identity.of(value);
		const own = rows[row]?.excluded;
		const other = excluded.get(id);
		if (own !== undefined || other) {
			outcomes[index] = skipped(
				own ?? `Not sent, because ${same(other?.row, value)}. ${other?.why ?? ''}`,
				rows[own === undefined ? (other?.row ?? row) : row]?.countedAs,
			);
			continue;
		}
		const before = kept.get(id);
		if (before === undefined || duplicates === 'sendAll') kept.set(id, index);
		else if (duplicates === 'keepFirst')
			outcomes[index] = skipped(`Not sent, because ${same(rowOf[before], value)}`);
		else if (duplicates === 'keepLast') {
			outcomes[before] = skipped(`Not sent, because ${same(row, value)} and comes later`);
			kept.set(id, index);
		} else {
			stops = true;
			const message = `appears twice: ${same(rowOf[before], value)}. Remove one`;
			rows[row] = {
				values: rows[row]?.values ?? [],
				problems: [{ path: [identity.parameter], message }],
			};
		}
	}
	return stops;
}

/** The identities that a row excludes, and why; most runs have none. */
function excludedBy<T>(
	rows: ReadonlyArray<RowPlan<T>>,
	{ of }: Identity<T>,
): ReadonlyMap<string, { readonly row: number; readonly why: string }> {
	const excluded = new Map<string, { row: number; why: string }>();
	for (const [row, { values, excluded: why }] of rows.entries())
		if (why !== undefined) for (const value of values) excluded.set(of(value), { row, why });
	return excluded;
}

/** The outcome of a value that is left out by choice. */
const skipped = (message: string, countedAs = 'left out as duplicates'): Outcome => ({
	outcome: 'notSent',
	failure: { kind: 'skipped', message, countedAs },
});
