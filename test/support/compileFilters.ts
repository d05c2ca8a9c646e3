import type { Column } from '../../src/tickets/columns';
import { toSentence } from '../../src/core/problems';
import { readFilters } from '../../src/tickets/filters/conditions';
import { filtersSchema, type Filters } from '../../src/tickets/filters/schema';

/** A condition of the builder. */
export interface Condition {
	readonly column: Column;
	readonly operator: string;
	readonly [field: string]: unknown;
}

export const on = (column: Column, operator: string, fields: object = {}): Condition => ({
	...fields,
	column,
	operator,
});

interface Settings {
	readonly at?: string;
	readonly zone?: string;
}

/** Compiles conditions to filters, or to one text per problem, e.g. "1 dateValue is empty". */
export function compile(
	conditions: readonly Condition[],
	{ at = '2026-01-15T12:00:00Z', zone = 'Europe/Berlin' }: Settings = {},
): Filters | readonly string[] {
	const filters = { conditions: [...conditions] };
	const read = readFilters({ filterMode: 'builder', filters }, { zone, nowMs: Date.parse(at) });
	if (read.ok) return read.value;
	return read.failure.problems.map(
		({ path, ...fault }) => `${path.slice(2).join(' ')} ${toSentence(fault)}`,
	);
}

/** Compiles filters as JSON, or returns one text per problem, e.g. "title.ne.0 is empty". */
export function compileJson(filtersJson: unknown, zone = 'Europe/Berlin'): unknown {
	const parsed = filtersSchema(zone).safeParse(filtersJson);
	return parsed.success
		? parsed.data
		: parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`);
}
