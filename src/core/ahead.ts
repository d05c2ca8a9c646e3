/** How much to have ready, and what lets others go on first. */
interface Lead {
	readonly most: number;
	readonly turn: () => Promise<void>;
}

/**
 * Passes on what a source makes, and makes up to `most` of it ahead while the caller waits for something else, so that the
 * next is ready when it is asked for. What the source throws comes after all that it made before.
 */
export function* ahead<T>(
	source: Iterable<T>,
	{ most, turn }: Lead,
): Generator<T, void, undefined> {
	const iterator = source[Symbol.iterator]();
	const ready: T[] = [];
	const thrown: unknown[] = [];
	let isOpen = true;
	let isMaking = false;

	const make = (): void => {
		try {
			const next = iterator.next();
			if (next.done === true) isOpen = false;
			else ready.push(next.value);
		} catch (error) {
			isOpen = false;
			thrown.push(error);
		}
	};

	const makeAhead = async (): Promise<void> => {
		if (isMaking) return;
		isMaking = true;
		for (await turn(); isOpen && ready.length < most; await turn()) make();
		isMaking = false;
	};

	for (;;) {
		if (ready.length === 0 && isOpen) make();
		if (ready.length === 0) break;
		void makeAhead();
		yield* ready.splice(0, 1);
	}
	if (thrown.length > 0) throw thrown[0];
}
