import { compact, gt, gte as isAtLeast, isEqual, map } from 'lodash';
import { z } from 'zod/v4';
import type { InputError, Problem } from '../../core/failures';
import { jsonParameter } from '../../core/json';
import { problemsOf } from '../../core/problems';
import { fail, ok, type Result } from '../../core/result';
import { choice, chosenValue, rowsOf, toNumber, wholeNumber } from '../../core/schemas';
import { columnNames, columns, type Kind } from '../columns';
import { operators, operatorsByKind, valueFieldFor, type Operator } from '../operators';
import type { Clock, ShortcutName } from '../shortcuts';
import {
	compileShortcut,
	MAX_UNITS,
	shortcutFieldNames,
	shortcutFields,
	shortcutNames,
	shortcuts,
} from '../shortcuts';
import { combineOperands, type Operands } from './combine';
import { readList, readSingle } from './fieldValue';
import { columnSchema, filledText, filtersSchema, type Filters } from './schema';

const operatorNames = [...(Object.keys(operators) as Operator[]), ...shortcutNames] as const;

/** One condition of the filter builder: a column, an operator, and the fields that may hold its value. */
export const conditionSchema = z.looseObject({
	column: choice(columnNames),
	operator: choice(operatorNames),
});

/** A checked condition. */
export type Condition = z.infer<typeof conditionSchema>;

/** The context of conditions: the clock, and the meaning of an empty value. */
export interface ConditionSettings extends Clock {
	readonly emptyValue: 'stop' | 'skip';
}

/** n8n turns an expression in place of the conditions into many default ones before a node sees it. */
const REPEATED_ADVICE =
	'Remove it. If an expression replaces the whole list, add conditions and use expressions in their fields, or use JSON';

/** Filters, and how many of their conditions were skipped because they were empty. */
type CompiledFilters = Readonly<{ filters: Filters; skipped: number }>;

/** The parameters that hold filters: conditions of the builder, or JSON. */
export const filterParameters = {
	filterMode: choice(['builder', 'json']).default('builder'),
	filters: z.looseObject({ conditions: rowsOf(conditionSchema) }).default({ conditions: [] }),
	filtersJson: jsonParameter.optional(),
};

/** Reads the filters from the parameters that hold them. */
export function readFilters(
	{ filterMode, filters, filtersJson }: z.infer<z.ZodObject<typeof filterParameters>>,
	settings: ConditionSettings,
): Result<CompiledFilters, InputError> {
	if (filterMode === 'builder') return compileConditions(filters.conditions, settings);
	const parsed = filtersSchema(settings.zone).safeParse(filtersJson);
	return parsed.success
		? ok({ filters: parsed.data, skipped: 0 })
		: fail({ kind: 'input', problems: problemsOf(parsed.error, ['filtersJson']) });
}

/** Turns the conditions of the builder into filters; two on one column are combined, or rejected. */
export function compileConditions(
	conditions: readonly Condition[],
	settings: ConditionSettings,
): Result<CompiledFilters, InputError> {
	const problems: Problem[] = [];
	const filters: Filters = {};
	let skipped = 0;
	for (const [index, condition] of conditions.entries()) {
		const { column } = condition;
		const path = ['filters', 'conditions', index];
		const firstEqual = conditions.findIndex((earlier) => isEqual(earlier, condition));
		if (firstEqual < index) {
			const reason = `is the same as Condition ${firstEqual + 1}`;
			problems.push({ path, reason, fix: REPEATED_ADVICE });
			// One message is enough, because an expression in place of the list repeats many.
			break;
		}
		const read = readCondition(condition, settings);
		if (!read.ok) {
			problems.push(...read.failure.map((one) => ({ ...one, path: [...path, ...one.path] })));
		} else if (read.value === undefined) {
			skipped += 1;
		} else {
			const combined = combineOperands(filters[column] ?? {}, read.value);
			if (combined.ok) filters[column] = combined.value;
			else problems.push({ path, reason: `on ${columns[column].label} ${combined.failure}` });
		}
	}
	return problems.length > 0 ? fail({ kind: 'input', problems }) : ok({ filters, skipped });
}

/** Reads one condition; undefined if its value is empty and skipped. */
function readCondition(
	condition: Condition,
	settings: ConditionSettings,
): Result<Operands | undefined, Problem[]> {
	const { operator, column } = condition;
	const { kind } = columns[column];
	const names = findValueFields(operator, kind);
	if (names === undefined) {
		const { label } = { ...operators, ...shortcuts }[operator];
		const reason = `'${label}' does not fit ${columns[column].label}. Choose another operator`;
		return fail([{ path: ['operator'], reason }]);
	}
	if (names.length === 0 && isShortcut(operator))
		return ok(compileShortcut(operator, { column }, settings));
	if (names.length === 0) return ok({ [operator]: true });
	const { emptyValue } = settings;
	const isList = !isShortcut(operator) && operators[operator].operand === 'many';
	const readField = isList ? readList : readSingle;
	const fields = names.map((name) => ({ name, ...readField(chosenValue(condition[name]), kind) }));
	if (emptyValue === 'skip' && fields.every(({ isEmpty }) => isEmpty)) return ok(undefined);
	const problems: Problem[] = [];
	let operands: Operands = {};
	for (const { name, value, isEmpty, fault } of fields) {
		// With empty values skipped, one end of a range is enough.
		if (isEmpty && emptyValue === 'skip') continue;
		// A fault is an empty value, or a list with one.
		const mustReport = fault !== undefined && emptyValue !== 'skip';
		const read = mustReport ? fail([fault]) : readOperands(condition, { name, value }, settings);
		if (read.ok) operands = { ...operands, ...read.value };
		else problems.push(...read.failure.map((reason) => ({ path: [name], reason })));
	}
	// `lt` exists if To is a whole day, and is the start of the next day.
	const { gte, lt, lte } = operands;
	if (operator === 'between' && (gt(gte, lte) || isAtLeast(gte, lt)))
		problems.push({ path: names.slice(1), reason: 'is before From. Swap the two' });
	return problems.length > 0 ? fail(problems) : ok(operands);
}

/** Whether an operator exists only in the panel, e.g. lastDays. A shortcut is sent as operators of the service, e.g. gte. */
const isShortcut = (operator: Condition['operator']): operator is ShortcutName =>
	operator in shortcuts;

/** The fields of a condition with the values of an operator, e.g. dateValue and dateTo; undefined if it does not fit the kind. */
function findValueFields(
	operator: Condition['operator'],
	kind: Kind,
): readonly string[] | undefined {
	if (isShortcut(operator)) {
		const fieldSet = shortcutFields(operator, kind);
		return fieldSet && shortcutFieldNames[fieldSet];
	}
	const allowed: readonly Operator[] = operatorsByKind[kind];
	return allowed.includes(operator) ? compact([valueFieldFor(kind, operator)]) : undefined;
}

/** Converts the value of a field to operators of the service, or fails with its fault. */
function readOperands(
	{ column, operator }: Condition,
	{ name, value }: { readonly name: string; readonly value: unknown },
	settings: ConditionSettings,
): Result<Operands, string[]> {
	const { kind } = columns[column];
	const shortcut = isShortcut(operator) && operator !== 'between' ? operator : undefined;
	// A date picker returns midnight for a day ('picked'). A list is typed, so only a date without a time is a day.
	const form = Array.isArray(value) ? 'date' : 'picked';
	// Is Between has two fields, e.g. dateValue and dateTo, and each is a bound.
	const boundOperator = name.endsWith('To') ? 'lte' : 'gte';
	const operand = operator === 'isRelativeToToday' ? toNumber(value) : value;
	// Text shortcuts use the field `value`, counts use `numberValue`.
	const schema = name === 'value' ? filledText : wholeNumber(1, MAX_UNITS);
	const parsed = shortcut
		? schema.safeParse(value)
		: columnSchema(kind, settings.zone, form).safeParse({
				[operator === 'between' ? boundOperator : operator]: operand,
			});
	if (!parsed.success) return fail(map(parsed.error.issues, 'message'));
	if (!shortcut) return ok(parsed.data as Operands);
	return ok(compileShortcut(shortcut, { column, value: parsed.data }, settings));
}
