/** A source of numbers in [0, 1). */
export type Random = () => number;

/** Makes a deterministic generator (mulberry32): the same seed gives the same numbers. */
export function seededRandom(seed: number): Random {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
	};
}

/** Draws a whole number from 0 up to, not including, `end`. */
export function randomBelow(random: Random, end: number): number {
	return Math.floor(random() * end);
}

/** Draws one of the values. */
export function pick<T>(random: Random, values: readonly T[]): T {
	return values[randomBelow(random, values.length)] as T;
}

function hex(random: Random, digits: number): string {
	const value = Math.floor(random() * 16 ** digits);
	return value.toString(16).padStart(digits, '0');
}

/** Draws a version 4 UUID. */
export function randomUuid(random: Random): string {
	const variant = (8 + randomBelow(random, 4)).toString(16);
	const tail = hex(random, 6) + hex(random, 6);
	return `${hex(random, 8)}-${hex(random, 4)}-4${hex(random, 3)}-${variant}${hex(random, 3)}-${tail}`;
}
