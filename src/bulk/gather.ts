import type { SharedItem } from '../core/operation';
import type { Accepted, Outcome } from './outcomes';

/** A value that the service took, with what it said. */
export interface Taken<T> {
	readonly value: T;
	readonly accepted: Accepted;
}

/** The values of a row and their outcomes. */
interface Sent<T> {
	readonly values: readonly T[];
	readonly outcomes: readonly Outcome[];
}

/** Makes one item of the accepted values of each request, over all rows that come out together. */
export function gather<T, Item>(
	itemOf: (taken: ReadonlyArray<Taken<T>>, batch: number) => Item,
): {
	/** Takes a row and its position. */
	add(row: Sent<T>, position: number): void;
	items(): Array<SharedItem<Item>>;
} {
	const requests = new Map<number, { taken: Array<Taken<T>>; rows: Set<number> }>();
	return {
		add: ({ values, outcomes }, position) => {
			for (const [index, accepted] of outcomes.entries()) {
				const value = values[index];
				if (accepted.outcome !== 'accepted' || value === undefined) continue;
				const request = requests.get(accepted.batch) ?? { taken: [], rows: new Set() };
				request.taken.push({ value, accepted });
				request.rows.add(position);
				requests.set(accepted.batch, request);
			}
		},
		items: () =>
			[...requests].map(([batch, { taken, rows }]) => ({
				item: itemOf(taken, batch),
				rows: [...rows],
			})),
	};
}
