import isEqual from 'lodash/isEqual';
import { z } from 'zod/v4';
import type { InputError, Problem } from '../../core/failures';
import { jsonParameter } from '../../core/json';
import { problemsOf } from '../../core/operation';
import type { Result } from '../../core/result';
import { fail, ok } from '../../core/result';
import { choice, rowsOf } from '../../core/schemas';
import type { Column } from '../columns';
import { columnNames, columns } from '../columns';
import { combineOperands } from './combine';
import type { Filters } from './schema';
import { filtersSchema } from './schema';
import type { Operator } from '../operators';
import { operators } from '../operators';
import { readCondition } from './readCondition';
import type { Clock, ShortcutName } from '../shortcuts';
import { shortcutNames } from '../shortcuts';

const operatorNames = [...(Object.keys(operators) as Operator[]), ...shortcutNames] as const;

/** One condition of the filter builder: a column, an operator, and the fields that may hold its value. */
export const conditionSchema = z.looseObject({
	column: z.enum(columnNames as [Column, ...Column[]], {
		error: 'is not a ticket column. Choose one from the list',
	}),
	operator: z.enum(operatorNames as [Operator | ShortcutName, ...Array<Operator | ShortcutName>], {
		error: 'is not an operator. Choose one from the list',
	}),
});

/** A checked condition. */
export type Condition = z.infer<typeof conditionSchema>;

/** What to do with a condition whose value is empty. */
export type EmptyValue = 'stop' | 'skip' | 'matchEmpty';

/** What conditions are read with: the clock, and what an empty value means. */
export interface ConditionSettings extends Clock {
	readonly emptyValue: EmptyValue;
}

/** n8n turns an expression in place of the conditions into many default ones before a node sees it. */
const REPEATED_ADVICE =
	'Remove it. If an expression replaces the whole list, add conditions and use expressions in their fields, or use JSON';

/** Filters made of conditions, and how many of these were skipped because they were empty. */
export interface CompiledFilters {
	readonly filters: Filters;
	readonly skipped: number;
}

/**
 * Turns the conditions of the builder into filters. All have to match; two on one column are combined, or refused
 * where no single filter says the same, so none is ever overwritten.
 */
export function compileConditions(
	conditions: readonly Condition[],
	settings: ConditionSettings,
): Result<CompiledFilters, InputError> {
	const problems: Problem[] = [];
	const filters: Filters = {};
	let skipped = 0;
	for (const [index, condition] of conditions.entries()) {
		const refuse = (path: Problem['path'], message: string): void =>
			void problems.push({ path: ['filters', 'conditions', index, ...path], message });
		const { column } = condition;
		const first = conditions.findIndex((other) => isEqual(other, condition));
		if (first < index) {
			// One word for all that an expression in place of the conditions made.
			if (!problems.some(({ message }) => message.endsWith(REPEATED_ADVICE)))
				refuse([], `is the same as Condition ${first + 1}. ${REPEATED_ADVICE}`);
			continue;
		}
		const read = readCondition(condition, settings);
		if (!read.ok) for (const { path, message } of read.failure) refuse(path, message);
		else if (read.value === 'skip') skipped += 1;
		else {
			const combined = combineOperands(filters[column] ?? {}, read.value);
			if (combined.ok) filters[column] = combined.value;
			else refuse([], `on ${columns[column].label} ${combined.failure}`);
		}
	}
	return problems.length > 0 ? fail({ kind: 'input', problems }) : ok({ filters, skipped });
}

/** The parameters that hold filters: conditions of the builder, or JSON. */
export const filterParameters = {
	filterMode: choice(['builder', 'json']).default('builder'),
	filters: z.looseObject({ conditions: rowsOf(conditionSchema) }).default({ conditions: [] }),
	filtersJson: jsonParameter.optional(),
};

type FilterParameters = z.infer<z.ZodObject<typeof filterParameters>>;

/** Reads the filters from the parameters that hold them. */
export function readFilters(
	{ filterMode, filters, filtersJson }: FilterParameters,
	settings: ConditionSettings,
): Result<CompiledFilters, InputError> {
	if (filterMode === 'builder') return compileConditions(filters.conditions, settings);
	const parsed = filtersSchema(settings.zone).safeParse(filtersJson);
	return parsed.success
		? ok({ filters: parsed.data, skipped: 0 })
		: fail({ kind: 'input', problems: problemsOf(parsed.error, ['filtersJson']) });
}
