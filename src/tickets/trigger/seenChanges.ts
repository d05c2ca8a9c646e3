import type { Change } from './changes';

/** What tells a change from others: its moment in ms, and the number of its ticket. */
export type ChangeKey = Pick<Change, 'atMs' | 'number'>;

/** The numbers of the tickets that changed, by the moment in ms. */
export type SeenChanges = ReadonlyMap<number, ReadonlySet<number>>;

/** Groups changes by their moment. */
export function seenChangesOf(keys: Iterable<ChangeKey>): SeenChanges {
	const moments = new Map<number, Set<number>>();
	for (const { atMs, number } of keys) {
		const numbers = moments.get(atMs) ?? new Set();
		moments.set(atMs, numbers.add(number));
	}
	return moments;
}

/** The changes in the order of their moments and numbers. */
export const listChanges = (seen: SeenChanges): ChangeKey[] =>
	[...seen]
		.flatMap(([atMs, numbers]) => [...numbers].map((number) => ({ atMs, number })))
		.sort(byPosition);

/** Orders changes by their moments, and those of one moment by their numbers. */
export const byPosition = (a: ChangeKey, b: ChangeKey): number =>
	a.atMs - b.atMs || a.number - b.number;

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const DIGIT = 32;

/** Packs changes as text: about 7 characters for a change, 1 or 2 where many tickets change at one moment. */
export function packChanges(keys: readonly ChangeKey[]): string {
	const seen = seenChangesOf([...keys].sort(byPosition));
	const text: string[] = [];
	let [lastMs, lastFirst] = [0, 0];
	for (const [atMs, numbers] of seen) {
		const [first = 0, ...others] = numbers;
		text.push(pack(atMs - lastMs), pack(others.length), packSigned(first - lastFirst));
		let last = first;
		for (const number of others) {
			text.push(pack(number - last));
			last = number;
		}
		[lastMs, lastFirst] = [atMs, first];
	}
	return text.join('');
}

/** Reads packed changes, or undefined where the text is none. */
export function unpackChanges(text: string): SeenChanges | undefined {
	const seen = new Map<number, ReadonlySet<number>>();
	const values = unpack(text);
	if (!values) return undefined;
	let [atMs, first] = [0, 0];
	for (let i = 0; i < values.length;) {
		atMs += values[i] ?? 0;
		const count = values[i + 1] ?? 0;
		const signed = values[i + 2];
		if (signed === undefined || i + 3 + count > values.length) return undefined;
		first += signed % 2 === 0 ? signed / 2 : -(signed + 1) / 2;
		let number = first;
		const others = values.slice(i + 3, i + 3 + count).map((delta) => (number += delta));
		seen.set(atMs, new Set([first, ...others]));
		i += 3 + count;
	}
	return seen;
}

const packSigned = (value: number): string => pack(value < 0 ? -value * 2 - 1 : value * 2);

/** A whole number from 0 in digits of 5 bits, the last one marked. Bit operators would cut it at 32 bits. */
function pack(value: number): string {
	let text = '';
	let rest = value;
	for (; rest >= DIGIT; rest = Math.floor(rest / DIGIT)) text += ALPHABET.charAt(rest % DIGIT);
	return text + ALPHABET.charAt(DIGIT + rest);
}

function unpack(text: string): number[] | undefined {
	const values: number[] = [];
	let [value, scale] = [0, 1];
	for (const char of text) {
		const digit = ALPHABET.indexOf(char);
		if (digit < 0) return undefined;
		value += (digit % DIGIT) * scale;
		scale *= DIGIT;
		if (digit < DIGIT) continue;
		values.push(value);
		[value, scale] = [0, 1];
	}
	return scale === 1 ? values : undefined;
}
