import { createHash } from 'crypto';
import castArray from 'lodash/castArray';
import get from 'lodash/get';
import uniq from 'lodash/uniq';
import type { EmptyValue, FilterParameters } from '../filters/conditions';
import { readFilters } from '../filters/conditions';
import type { Filters } from '../filters/schema';

interface Watched extends FilterParameters {
	readonly event: string;
	readonly options: { readonly emptyValue: EmptyValue };
	/** The parameters as they were entered: expressions give new values with each poll. */
	readonly entered: unknown;
	readonly zone: string;
	readonly service: readonly string[];
}

/** Says what a trigger watches: its event, its filter however that is written, and the service. */
export function fingerprintOf({ event, entered, zone, service, ...parameters }: Watched): string {
	const { filterMode, filters, options } = parameters;
	const { emptyValue } = options;
	const all = filters.conditions.map((_, i) => `filters.conditions.${i}`);
	const filter = (filterMode === 'json' ? ['filtersJson'] : all).flatMap((place, i) => {
		const text = JSON.stringify(get(entered, place));
		if (EXPRESSION.test(text)) return `${text} ${emptyValue}`;
		// Each by itself, since one bound may hide another; by a clock that stands still, what is relative to now stays the same.
		const one = { ...parameters, filters: { conditions: filters.conditions.slice(i, i + 1) } };
		const read = readFilters(one, { zone, nowMs: 0, emptyValue });
		return read.ok ? spellingsOf(read.value.filters) : [];
	});
	const watched = [event, uniq(filter).sort(), ...service];
	return createHash('sha256').update(JSON.stringify(watched)).digest('base64url').slice(0, 22);
}

/** A text in JSON that n8n takes for an expression. */
const EXPRESSION = /(^|[:,[])"=/;

/** Operators that say the same of one value as of a list. */
const ofLists: Readonly<Record<string, string>> = { eq: 'in', ne: 'notIn' };

/** What filters say, each operator on each column by itself, and in one spelling. */
const spellingsOf = (filters: Filters): string[] =>
	Object.entries(filters).flatMap(([column, operands]) =>
		Object.entries(operands).map(([operator, operand]) => {
			const values: readonly unknown[] = castArray(operand);
			return JSON.stringify([column, ofLists[operator] ?? operator, uniq(values).sort()]);
		}),
	);
