import { z } from 'zod/v4';
import { chosenValue, wholeNumber } from '../../core/schemas';
import type { Problem } from '../../core/failures';
import type { Result } from '../../core/result';
import { fail, ok } from '../../core/result';
import type { Kind } from '../columns';
import { columns } from '../columns';
import type { Operands } from './combine';
import type { Condition, ConditionSettings } from './conditions';
import { dayOf, wholeDay } from './days';
import { operandSchema, valueSchema } from './schema';
import type { Operator } from '../operators';
import { operators, operatorsOf, valueFieldFor } from '../operators';
import type { ShortcutName, ShortcutValues } from '../shortcuts';
import { compileShortcut, maxCount, shortcutFields, shortcuts } from '../shortcuts';
import { isBlank, toNumber } from '../../core/text';

/** The operators that one condition stands for, 'skip' where its empty value says so, or what is wrong with it. */
export type ConditionResult = Result<Operands | 'skip', Problem[]>;

/** Reads one condition: checks that the operator fits the column, and the value both. */
export function readCondition(entered: Condition, settings: ConditionSettings): ConditionResult {
	const condition: Condition = { ...entered, value: chosenValue(entered['value']) };
	const { operator, column } = condition;
	const kind: Kind = columns[column].kind;
	if (isShortcut(operator)) return readShortcut(operator, condition, { kind, settings });
	const allowed: readonly Operator[] = operatorsOf[kind];
	if (!allowed.includes(operator)) return doesNotFit(operators[operator].label, column);
	if (operators[operator].operand === 'flag') return ok({ [operator]: true });
	const fieldName = valueFieldFor(kind, operator) ?? 'value';
	const raw = condition[fieldName];
	const value = operators[operator].operand === 'many' ? readList(raw, kind) : raw;
	if (isEmptyValue(value) && settings.emptyValue !== 'stop')
		return whenEmpty(operator, kind, settings);
	if (operators[operator].operand === 'many' && settings.emptyValue !== 'skip' && hasGap(raw))
		return fail([{ path: [fieldName], message: GAP }]);
	const day =
		kind === 'timestamp'
			? wholeDay(operator, value, { zone: settings.zone, form: 'picked' })
			: undefined;
	if (day) return day.ok ? day : fail([{ path: [fieldName], message: day.failure }]);
	const field =
		operators[operator].operand === 'many'
			? value
			: operator === 'isRelativeToToday'
				? toNumber(value)
				: readOne(value ?? '', kind);
	return checked(fieldName, operandSchema(operator, kind, settings.zone), field, (operand) => ({
		[operator]: operand,
	}));
}

const isShortcut = (operator: Condition['operator']): operator is ShortcutName =>
	operator in shortcuts;

const isEmptyValue = (value: unknown): boolean =>
	isBlank(value) || (Array.isArray(value) && value.length === 0);

const doesNotFit = (label: string, column: Condition['column']): ConditionResult => {
	const message = `'${label}' does not fit ${columns[column].label}. Choose another operator`;
	return fail([{ path: ['operator'], message }]);
};

const NEGATIVE = ['ne', 'notIn', 'notLike', 'notILike', 'notContains'];

/** An empty value compares with what is empty, where that is wanted: text can be '' as well as not set. */
function whenEmpty(
	operator: string,
	kind: Kind,
	{ emptyValue }: ConditionSettings,
): ConditionResult {
	if (emptyValue === 'skip') return ok('skip');
	const negative = NEGATIVE.includes(operator);
	if (kind === 'text') return ok({ [negative ? 'isNotEmpty' : 'isEmpty']: true });
	return ok({ [negative ? 'isNotNull' : 'isNull']: true });
}

function checked<T>(
	field: string,
	schema: z.ZodType<T>,
	value: unknown,
	use: (parsed: T) => Operands,
): ConditionResult {
	const parsed = schema.safeParse(value);
	if (parsed.success) return ok(use(parsed.data));
	return fail(parsed.error.issues.map(({ message }) => ({ path: [field], message })));
}

const EMPTY = 'is empty. Enter a value or remove the condition';

const countOf = (name: ShortcutName): z.ZodType<number> =>
	wholeNumber(1).refine((count) => count <= maxCount(name), {
		error: 'is more than 100 years. Enter a smaller number',
	});

const filled = z.string({ error: 'must be text' }).refine((text) => text !== '', { error: EMPTY });

function readShortcut(
	name: ShortcutName,
	condition: Condition,
	{ kind, settings }: { kind: Kind; settings: ConditionSettings },
): ConditionResult {
	const fields = shortcutFields(name, kind);
	if (fields === undefined) return doesNotFit(shortcuts[name].label, condition.column);
	const compile = (values: ShortcutValues) => compileShortcut(name, values, settings);
	const mayBeEmpty = settings.emptyValue !== 'stop';
	switch (fields) {
		case 'none':
			return ok(compile({}));
		case 'text':
			if (mayBeEmpty && isEmptyValue(condition['value'])) return whenEmpty(name, kind, settings);
			return checked('value', filled, condition['value'] ?? '', (text) => compile({ text }));
		case 'count':
			if (mayBeEmpty && isEmptyValue(condition['numberValue']))
				return whenEmpty(name, kind, settings);
			return checked('numberValue', countOf(name), condition['numberValue'], (count) =>
				compile({ count }),
			);
		case 'dates':
			return readEnds(['dateValue', 'dateTo'], condition, { kind, settings, compile });
		case 'numbers':
			return readEnds(['numberValue', 'numberTo'], condition, { kind, settings, compile });
	}
}

function readEnds(
	names: readonly [string, string],
	condition: Condition,
	{
		kind,
		settings,
		compile,
	}: { kind: Kind; settings: ConditionSettings; compile: (values: ShortcutValues) => Operands },
): ConditionResult {
	const schema = valueSchema(kind, settings.zone) as z.ZodType<string | number>;
	const ends = names.map((name) => ({ name, value: readOne(condition[name] ?? '', kind) }));
	const lastDay = kind === 'timestamp' ? dayOf(ends[1]?.value, settings.zone, 'picked') : undefined;
	/** A last day counts as a whole. */
	const withLastDay = ({ lte, ...operands }: Operands): Operands =>
		lastDay
			? { ...operands, lt: lastDay.next }
			: { ...operands, ...(lte !== undefined && { lte }) };
	const given = ends.filter(({ value }) => !isEmptyValue(value));
	if (given.length === 0 && settings.emptyValue !== 'stop')
		return whenEmpty('between', kind, settings);
	const [only] = given;
	if (given.length === 1 && only && settings.emptyValue === 'skip') {
		// One end was given: it counts.
		const side = only.name === names[0] ? 'from' : 'to';
		return checked(only.name, schema, only.value, (end) => withLastDay(compile({ [side]: end })));
	}
	const missing = ends.filter(({ value }) => isEmptyValue(value));
	if (missing.length > 0) {
		return fail(missing.map(({ name }) => ({ path: [name], message: EMPTY })));
	}
	const parsed = ends.map(({ name, value }) => ({ name, result: schema.safeParse(value) }));
	const problems = parsed.flatMap(({ name, result }) =>
		(result.error?.issues ?? []).map(({ message }) => ({ path: [name], message })),
	);
	const [from, to] = parsed.map(({ result }) => result.data);
	if (problems.length > 0 || from === undefined || to === undefined) return fail(problems);
	if (from > to) return fail([{ path: [names[1]], message: 'is before From. Swap the two' }]);
	return ok(withLastDay(compile({ from, to })));
}

const GAP =
	'has an empty value. Remove it, correct the expression that gives it, or skip empty values in the options';

/** Whether a list holds values and blanks: without a blank, the condition would say something else. */
function hasGap(value: unknown): boolean {
	const parts = partsOf(value);
	return parts.some(isBlank) && !parts.every(isBlank);
}

/** The entries of a list, or of text separated by commas. */
function partsOf(value: unknown): readonly unknown[] {
	if (Array.isArray(value)) return Array.from(value as unknown[]);
	return typeof value === 'string' ? value.split(',') : [value];
}

/** What a list field holds: a list, or text separated by commas, in the type of its column. */
export function readList(value: unknown, kind: Kind): unknown {
	if (value === undefined || value === null || value === '') return [];
	if (typeof value === 'object' && !Array.isArray(value)) return value;
	const isText = !Array.isArray(value);
	return partsOf(isText ? String(value) : value)
		.filter((part) => !isBlank(part))
		.map((part) => readOne(isText ? String(part).trim() : part, kind));
}

/** What a field holds, in the type of its column: numbers and truth values may come as text. */
export function readOne(value: unknown, kind: Kind): unknown {
	if (kind === 'number') return toNumber(value);
	if (kind === 'boolean' && typeof value === 'string') {
		return { true: true, false: false }[value.trim().toLowerCase()] ?? value;
	}
	return value;
}
