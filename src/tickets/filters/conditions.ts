import compact from 'lodash/compact';
import isDate from 'lodash/isDate';
import isEqual from 'lodash/isEqual';
import { z } from 'zod/v4';
import type { InputError, Problem } from '../../core/failures';
import { jsonParameter, parsedOrSame } from '../../core/json';
import { problemsOf } from '../../core/problems';
import type { Result } from '../../core/result';
import { fail, ok } from '../../core/result';
import {
	chosenValue,
	choice,
	oneOf,
	rowsOf,
	toNumber,
	toWholeNumber,
	wholeNumber,
} from '../../core/schemas';
import { isBlank } from '../../core/plainText';
import type { Kind } from '../columns';
import { columnNames, columns, priorities, sources } from '../columns';
import type { Operator } from '../operators';
import { operators, operatorsOf, valueFieldFor } from '../operators';
import type { Clock, ShortcutFields, ShortcutName } from '../shortcuts';
import { compileShortcut, maxCount, shortcutFields, shortcutNames, shortcuts } from '../shortcuts';
import type { Operands } from './combine';
import { combineOperands, isAfter } from './combine';
import type { Filters } from './schema';
import { columnSchema, EMPTY, filledText, filtersSchema } from './schema';

const operatorNames = [...(Object.keys(operators) as Operator[]), ...shortcutNames] as const;

/** One condition of the filter builder: a column, an operator, and the fields that may hold its value. */
export const conditionSchema = z.looseObject({
	column: oneOf(columnNames, 'a ticket column'),
	operator: oneOf(operatorNames, 'an operator'),
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

/** Turns the conditions of the builder into filters: two on one column are combined, or refused where no single filter says the same. */
export function compileConditions(
	conditions: readonly Condition[],
	settings: ConditionSettings,
): Result<CompiledFilters, InputError> {
	const problems: Problem[] = [];
	const filters: Filters = {};
	let skipped = 0;
	for (const [index, condition] of conditions.entries()) {
		const refuse = ({ path, ...fault }: Problem): void =>
			void problems.push({ ...fault, path: ['filters', 'conditions', index, ...path] });
		const { column } = condition;
		const first = conditions.findIndex((other) => isEqual(other, condition));
		const read = first < index ? ok({}) : readCondition(condition, settings);
		// One word for all that an expression in place of the conditions made.
		if (first < index && !problems.some(({ fix }) => fix === REPEATED_ADVICE))
			refuse({ path: [], reason: `is the same as Condition ${first + 1}`, fix: REPEATED_ADVICE });
		if (!read.ok) for (const problem of read.failure) refuse(problem);
		else if (read.value === 'skip') skipped += 1;
		else {
			const combined = combineOperands(filters[column] ?? {}, read.value);
			if (combined.ok) filters[column] = combined.value;
			else refuse({ path: [], reason: `on ${columns[column].label} ${combined.failure}` });
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

/** Those parameters, checked. */
export type FilterParameters = z.infer<z.ZodObject<typeof filterParameters>>;

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

/** The operators that one condition stands for, 'skip' where its empty value says so, or what is wrong with it. */
type ConditionResult = Result<Operands | 'skip', Problem[]>;

/** Reads one condition: checks that the operator fits the column, and the values both. */
function readCondition(entered: Condition, settings: ConditionSettings): ConditionResult {
	const condition: Condition = { ...entered, value: chosenValue(entered['value']) };
	const { operator, column } = condition;
	const { kind } = columns[column];
	const names = fieldsFor(operator, kind);
	if (names === undefined) {
		const { label } = { ...operators, ...shortcuts }[operator];
		const reason = `'${label}' does not fit ${columns[column].label}. Choose another operator`;
		return fail([{ path: ['operator'], reason }]);
	}
	if (names.length === 0)
		return ok(
			isShortcut(operator) ? compileShortcut(operator, {}, settings) : { [operator]: true },
		);
	const { emptyValue } = settings;
	const isList = !isShortcut(operator) && operators[operator].operand === 'many';
	const fields = names.map((name) => {
		const value = condition[name];
		const read = isList ? readList(value, kind) : readOne(value ?? '', kind);
		return { name, value: read, isEmpty: isBlank(read) || (Array.isArray(read) && !read.length) };
	});
	if (fields.every(({ isEmpty }) => isEmpty) && emptyValue !== 'stop')
		return whenEmpty(operator, kind, emptyValue);
	const problems: Problem[] = [];
	let operands: Operands = {};
	for (const { name, value, isEmpty } of fields) {
		// With empty values skipped, one of two ends counts alone.
		if (isEmpty && emptyValue === 'skip') continue;
		const hasGap = isList && emptyValue !== 'skip' && partsOf(condition[name], kind).some(isBlank);
		// Without what is empty, the condition would say something else.
		const missing = isEmpty ? !isList && EMPTY : hasGap && GAP;
		const read =
			missing === false ? readField(condition, { name, value }, settings) : fail([missing]);
		if (read.ok) operands = { ...operands, ...read.value };
		else problems.push(...read.failure.map((reason) => ({ path: [name], reason })));
	}
	const { gte, lt, lte } = operands;
	if (operator === 'between' && (isAfter(gte, lte) || (lt !== undefined && !isAfter(lt, gte))))
		problems.push({ path: names.slice(1), reason: 'is before From. Swap the two' });
	return problems.length > 0 ? fail(problems) : ok(operands);
}

const isShortcut = (operator: Condition['operator']): operator is ShortcutName =>
	operator in shortcuts;

const namesOf: Readonly<Record<ShortcutFields, readonly string[]>> = {
	none: [],
	text: ['value'],
	count: ['numberValue'],
	dates: ['dateValue', 'dateTo'],
	numbers: ['numberValue', 'numberTo'],
};

/** The fields with the values of an operator on a kind of column, or undefined where it does not fit. */
function fieldsFor(operator: Condition['operator'], kind: Kind): readonly string[] | undefined {
	if (isShortcut(operator)) {
		const fields = shortcutFields(operator, kind);
		return fields && namesOf[fields];
	}
	const allowed: readonly Operator[] = operatorsOf[kind];
	return allowed.includes(operator) ? compact([valueFieldFor(kind, operator)]) : undefined;
}

const NEGATIVE = ['ne', 'notIn', 'notLike', 'notILike', 'notContains'];

/** An empty value compares with what is empty, where that is wanted: text can be '' as well as not set. */
function whenEmpty(operator: string, kind: Kind, emptyValue: EmptyValue): ConditionResult {
	if (emptyValue === 'skip') return ok('skip');
	const state = kind === 'text' ? 'Empty' : 'Null';
	return ok({ [`is${NEGATIVE.includes(operator) ? 'Not' : ''}${state}`]: true });
}

/** Reads the value of a field into the operators that say it, or says what is wrong with it. */
function readField(
	{ column, operator }: Condition,
	{ name, value }: { readonly name: string; readonly value: unknown },
	settings: ConditionSettings,
): Result<Operands, string[]> {
	if (operator !== 'between' && isShortcut(operator)) {
		const counted = wholeNumber(1).refine((count) => count <= maxCount(operator), {
			error: 'is more than 100 years. Enter a smaller number',
		});
		const field =
			name === 'numberValue' ? z.object({ count: counted }) : z.object({ text: filledText });
		const parsed = field.safeParse({ count: value, text: value });
		return parsed.success
			? ok(compileShortcut(operator, { column, ...parsed.data }, settings))
			: fail(messagesOf(parsed.error));
	}
	const end = name === 'dateTo' || name === 'numberTo' ? 'lte' : 'gte';
	// Only a date field may mean a day by its midnight.
	const form = Array.isArray(value) ? 'date' : 'picked';
	const operand = operator === 'isRelativeToToday' ? toNumber(value) : value;
	const parsed = columnSchema(columns[column].kind, settings.zone, form).safeParse({
		[operator === 'between' ? end : operator]: operand,
	});
	return parsed.success ? ok(parsed.data) : fail(messagesOf(parsed.error));
}

const messagesOf = ({ issues }: z.ZodError): string[] => issues.map(({ message }) => message);

const GAP =
	'has an empty value. Remove it, correct the expression that gives it, or skip empty values in the options';

/** Digits that could be one number with a thousands separator, or two numbers: "1,000". */
const THOUSANDS = /(?<!\d)\d{1,3},\d{3}(?!\d)/;

/** The entries of a list: those of a list or of JSON as they are, those of text trimmed, by line or comma. */
function partsOf(value: unknown, kind: Kind): readonly unknown[] {
	const list = parsedOrSame(value);
	if (Array.isArray(list)) return Array.from(list);
	if (typeof value === 'object') return [value];
	const text = String(value ?? '').trim();
	if (kind === 'number' && THOUSANDS.test(text)) return [text];
	return text.split(/,?[\n\r]+|,/).map((part) => part.trim());
}

/** A list field in the type of its column, without its blank entries. */
export function readList(value: unknown, kind: Kind): unknown {
	if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
	return partsOf(value, kind)
		.filter((part) => !isBlank(part))
		.map((part) => readOne(part, kind));
}

/** What a field holds, in the type of its column, as expressions and sheets give it: numbers as text, text as a number, dates, `Chat Widget`. */
export function readOne(value: unknown, kind: Kind): unknown {
	if (kind === 'number') return toWholeNumber(value);
	if (kind === 'text' && Number.isFinite(value)) return String(value);
	if (kind === 'timestamp' && isDate(value)) return new Date(value).toJSON();
	if (typeof value !== 'string') return value;
	const name = value.trim().toLowerCase().replace(/ /g, '_');
	if (kind === 'boolean') return { true: true, false: false }[name] ?? value;
	if (kind === 'priority' && Object.hasOwn(priorities, name)) return name;
	if (kind === 'source' && Object.hasOwn(sources, name)) return name;
	return value;
}
