/** A queue from which the earliest task comes first; of those due at the same time, the one that was added first. */
export interface DueQueue<T> {
	first(): Due<T> | undefined;
	take(): Due<T> | undefined;
	add(due: Due<T>): void;
}

/** A task and when it is due, in ms. */
export interface Due<T> {
	readonly task: T;
	readonly at: number;
}

type Entry<T> = Due<T> & { readonly number: number };

/** Makes an empty queue: a binary heap, so that many thousand tasks cost little. */
export function createDueQueue<T>(): DueQueue<T> {
	const heap: Array<Entry<T>> = [];
	let added = 0;
	return {
		first: () => heap[0],
		add: ({ task, at }) => {
			added += 1;
			rise(heap, { task, at, number: added });
		},
		take: () => {
			const first = heap[0];
			const last = heap.pop();
			if (last !== undefined && heap.length > 0) sink(heap, last);
			return first;
		},
	};
}

const isBefore = (a: Entry<unknown>, b: Entry<unknown>): boolean =>
	a.at < b.at || (a.at === b.at && a.number < b.number);

/** Puts an entry at the end, and moves it up past later ones. */
function rise<T>(heap: Array<Entry<T>>, entry: Entry<T>): void {
	let place = heap.length;
	for (let above = (place - 1) >> 1; place > 0; above = (place - 1) >> 1) {
		const parent = heap[above];
		if (parent === undefined || !isBefore(entry, parent)) break;
		heap[place] = parent;
		place = above;
	}
	heap[place] = entry;
}

/** Puts an entry at the top, and moves it down past earlier ones. */
function sink<T>(heap: Array<Entry<T>>, entry: Entry<T>): void {
	let place = 0;
	for (;;) {
		const [left, right] = [heap[2 * place + 1], heap[2 * place + 2]];
		const isRight = left !== undefined && right !== undefined && isBefore(right, left);
		const child = isRight ? right : left;
		if (child === undefined || !isBefore(child, entry)) break;
		heap[place] = child;
		place = 2 * place + (isRight ? 2 : 1);
	}
	heap[place] = entry;
}
