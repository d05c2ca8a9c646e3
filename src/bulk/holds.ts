/** What to do with values of which the run has several: keep the first, keep the last, send all, or stop before sending. */
export type Duplicates = 'first' | 'last' | 'all' | 'stop';

/** A value of a run, the position of its row, and what makes two of them the same. */
export interface Unit {
	readonly row: number;
	readonly identity: string;
	/** Why this value must not be sent, whatever the others are. */
	readonly barred: string | undefined;
	readonly duplicates: Duplicates;
}

/** Why values are held back, by their position, and which rows stop the run. */
export interface Holds {
	readonly held: ReadonlyMap<number, string>;
	readonly stops: ReadonlyMap<number, string>;
}

/** Finds the values of a run that must not be sent: barred ones, and duplicates; `what` names the identity. */
export function findHolds(units: readonly Unit[], what: string): Holds {
	const held = new Map<number, string>();
	const stops = new Map<number, string>();
	const kept = new Map<string, number>();
	// A bar counts for all rows of the same identity, whichever comes first.
	const barred = new Map(
		units.flatMap((unit) => (unit.barred === undefined ? [] : [[unit.identity, unit] as const])),
	);
	for (const [position, unit] of units.entries()) {
		const bar = barred.get(unit.identity);
		if (unit.barred !== undefined || bar) {
			held.set(
				position,
				unit.barred ??
					`Not sent, because Row ${(bar?.row ?? 0) + 1} has the same ${what} (${unit.identity}). ${bar?.barred ?? ''}`,
			);
			continue;
		}
		const before = kept.get(unit.identity);
		const other = before === undefined ? undefined : units[before];
		if (before === undefined || !other || unit.duplicates === 'all') {
			kept.set(unit.identity, position);
			continue;
		}
		const same = (row: number) => `Row ${row + 1} has the same ${what} (${unit.identity})`;
		if (unit.duplicates === 'stop')
			stops.set(unit.row, `is there twice: ${same(other.row)}. Remove one`);
		else if (unit.duplicates === 'first')
			held.set(position, `Not sent, because ${same(other.row)}`);
		else {
			held.set(before, `Not sent, because ${same(unit.row)} and comes later`);
			kept.set(unit.identity, position);
		}
	}
	return { held, stops };
}
