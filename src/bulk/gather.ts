import type { SharedItem } from '../core/operation';
import type { SentRow } from './account';
import type { Accepted } from './outcomes';

/** A value that the service took, with what it said. */
export interface Taken<T> {
	readonly value: T;
	readonly accepted: Accepted;
}

/** Makes one item of the accepted values of each request, over all rows that come out together. */
export function gather<T, Item>(
	rows: ReadonlyArray<SentRow<T>>,
	itemOf: (taken: ReadonlyArray<Taken<T>>, batch: number) => Item,
): Array<SharedItem<Item>> {
	const requests = new Map<number, { taken: Array<Taken<T>>; rows: Set<number> }>();
	for (const [position, row] of rows.entries()) {
		if ('problems' in row || row.outputAs === 'rows') continue;
		for (const [index, accepted] of row.outcomes.entries()) {
			const value = row.values[index];
			if (accepted.outcome !== 'accepted' || value === undefined) continue;
			const request = requests.get(accepted.batch) ?? { taken: [], rows: new Set() };
			request.taken.push({ value, accepted });
			request.rows.add(position);
			requests.set(accepted.batch, request);
		}
	}
	return [...requests].map(([batch, { taken, rows: positions }]) => ({
		item: itemOf(taken, batch),
		rows: [...positions],
	}));
}
