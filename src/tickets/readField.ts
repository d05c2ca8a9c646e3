import { textOf } from '../core/text';
import type { Kind } from './columns';

/** What a list field holds: a list, or text separated by commas, in the type of its column. */
export function readList(value: unknown, kind: Kind): unknown {
	if (value === undefined || value === null || value === '') return [];
	if (typeof value === 'object' && !Array.isArray(value)) return value;
	const parts: unknown[] = Array.isArray(value)
		? value
		: String(value)
				.split(',')
				.map((part) => part.trim())
				.filter((part) => part !== '');
	return parts
		.filter((part) => part !== null && part !== undefined && textOf(part).trim() !== '')
		.map((part) => readOne(part, kind));
}

/** What a field holds, in the type of its column: numbers and truth values may come as text. */
export function readOne(value: unknown, kind: Kind): unknown {
	if (kind === 'number') return toNumber(value);
	if (kind === 'boolean' && typeof value === 'string') {
		return { true: true, false: false }[value.trim().toLowerCase()] ?? value;
	}
	return value;
}

/** A number that comes as text. */
export const toNumber = (value: unknown): unknown =>
	typeof value === 'string' && /^\s*[+-]?\d+(\.\d+)?\s*$/.test(value) ? Number(value) : value;
