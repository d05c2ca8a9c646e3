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

/** The bytes of a text in UTF-8; a surrogate half counts two, so a pair counts four. */
export function byteLength(text: string): number {
	let bytes = text.length;
	for (let i = 0; i < text.length; i++) {
		const code = text.charCodeAt(i);
		if (code > 0x7f) bytes += code > 0x7ff && (code < 0xd800 || code > 0xdfff) ? 2 : 1;
	}
	return bytes;
}
