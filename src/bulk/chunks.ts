/** How large a request may get: a number of values and a number of bytes, the first that is reached. */
export interface ChunkSize {
	readonly count: number;
	readonly bytes: number;
}

/** Cuts values into chunks in their order, each when it is asked for; a value that is larger than a chunk stands alone. */
export function* chunks<T>(
	values: Iterable<T>,
	size: ChunkSize,
	bytesOf: (value: T) => number,
): Generator<T[], void, undefined> {
	let current: T[] = [];
	let bytes = 0;
	for (const value of values) {
		const length = bytesOf(value) + 1;
		if (current.length > 0 && (current.length >= size.count || bytes + length > size.bytes)) {
			yield current;
			current = [];
			bytes = 0;
		}
		current.push(value);
		bytes += length;
	}
	if (current.length > 0) yield current;
}
