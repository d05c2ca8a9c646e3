import type { Operands } from '../filters/combine';
import type { Filters } from '../filters/schema';
import type { Column } from '../columns';
import { columnNames } from '../columns';
import type { Ticket } from '../ticket';

const patterns = ['iLike', 'like', 'notILike', 'notLike'] as const;

/** The columns with a pattern in which a backslash takes the meaning of `%` or `_` away; whether it does is up to the service. */
export const escapedColumns = (filters: Filters): Column[] =>
	columnNames.filter((name) => hasEscape(filters[name] ?? {}));

/** Whether a pattern has an escape. */
export const hasEscape = (operands: Operands): boolean =>
	patterns.some((name) => String(operands[name] ?? '').includes('\\'));

/** Whether a text certainly does not match patterns with an escape; letters are compared as loosely as a service might. */
export function breaksEscape(operands: Operands, value: unknown): boolean {
	if (typeof value !== 'string') return false;
	return patterns.some((name) => {
		const pattern = operands[name];
		if (typeof pattern !== 'string' || !pattern.includes('\\')) return false;
		if (name === 'notLike') return expressionOf(pattern, '').test(value);
		if (name === 'notILike') return expressionOf(pattern, 'i').test(value);
		const isPlain = [value, pattern].every((text) => !/[^ -~]/.test(text));
		return isPlain && !expressionOf(pattern, 'i').test(value);
	});
}

/** Whether a row matches all patterns with an escape, letter by letter. */
export const matchesEscapes = (filters: Filters, row: Ticket): boolean =>
	escapedColumns(filters).every((name) => {
		const { like, iLike } = filters[name] ?? {};
		const value = row[name];
		if (typeof value !== 'string') return false;
		const isLike = typeof like !== 'string' || expressionOf(like, '').test(value);
		return isLike && (typeof iLike !== 'string' || expressionOf(iLike, 'i').test(value));
	});

/** The same filters, with any character in the place of an escaped one. */
export const withoutEscapes = (filters: Filters): Filters => ({
	...filters,
	...Object.fromEntries(
		escapedColumns(filters).map((name) => [name, loosened(filters[name] ?? {})]),
	),
});

/** For each pattern with an escape that takes tickets out: the filters of those that it may take out. */
export const excludedByEscapes = (filters: Filters): Filters[] =>
	columnNames.flatMap((name) =>
		(['iLike', 'like'] as const).flatMap((operator) => {
			const operands = filters[name] ?? {};
			const pattern = operands[operator === 'like' ? 'notLike' : 'notILike'];
			if (typeof pattern !== 'string' || !pattern.includes('\\')) return [];
			const narrowed = { [operator]: anyInPlaceOfEscaped(pattern), ...operands };
			return [{ ...filters, [name]: narrowed }];
		}),
	);

const anyInPlaceOfEscaped = (pattern: string): string => pattern.replace(/\\[^]/gu, '_');

/** The same operands, with any character in the place of an escaped one. */
const loosened = (operands: Operands): Operands =>
	Object.fromEntries(
		Object.entries(operands).map(([name, operand]) => [
			name,
			(name === 'like' || name === 'iLike') && typeof operand === 'string'
				? anyInPlaceOfEscaped(operand)
				: operand,
		]),
	);

function expressionOf(pattern: string, flags: string): RegExp {
	const source = pattern.replace(/\\([^])|[^]/gu, (part, escaped?: string) => {
		if (escaped !== undefined) return quoted(escaped);
		return part === '%' ? '[^]*' : part === '_' ? '[^]' : quoted(part);
	});
	return new RegExp(`^${source}$`, `${flags}u`);
}

const quoted = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
