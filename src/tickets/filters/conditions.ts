import { isEqual } from 'lodash';
import { DateTime } from 'luxon';
import { z } from 'zod/v4';
import type { InputError, Problem } from '../../core/failures';
import { jsonParameter, parseIfJson } from '../../core/json';
import { isBlank } from '../../core/plainText';
import { problemsOf } from '../../core/problems';
import { fail, ok, type Result } from '../../core/result';
import { choice, chosenValue, rowsOf, toNumber, wholeNumber } from '../../core/schemas';
import { columnNames, columns, priorities, sources, type Kind } from '../columns';
import { builderOperators, operatorLabel, takenFields, type Takes } from './builderOperators';
import { combineOperands, type Operands } from './combine';
import { columnSchema, EMPTY_CONDITION, filledText, filtersSchema, type Filters } from './schema';

/** One condition of the filter builder: a column, an operator, and the fields that may hold its value. */
const conditionSchema = z.looseObject({ column: choice(columnNames), operator: z.string() });

type Condition = z.infer<typeof conditionSchema>;

/** The time of a run, and the workflow's IANA time zone. */
interface Clock {
	readonly nowMs: number;
	readonly zone: string;
}

/** n8n turns an expression in place of the conditions into many default ones before a node sees it. */
const REPEATED_ADVICE =
	'Remove it. If an expression replaces the whole list, add conditions and use expressions in their fields, or use JSON';

/** The parameters that hold filters: conditions of the builder, or JSON. */
export const filterParameters = {
	filterMode: choice(['builder', 'json']).default('builder'),
	filters: z.looseObject({ conditions: rowsOf(conditionSchema) }).default({ conditions: [] }),
	filtersJson: jsonParameter.optional(),
};

/** Reads filters from JSON, or from the conditions of the builder. */
export function readFilters(
	{ filterMode, filters, filtersJson }: z.infer<z.ZodObject<typeof filterParameters>>,
	clock: Clock,
): Result<Filters, InputError> {
	if (filterMode === 'builder') return readConditions(filters.conditions, clock);
	const parsed = filtersSchema(clock.zone).safeParse(filtersJson);
	if (parsed.success) return ok(parsed.data);
	return fail({ kind: 'input', problems: problemsOf(parsed.error, ['filtersJson']) });
}

/** Reads conditions as filters of the service. Conditions on one column are combined, or are problems. */
function readConditions(
	conditions: readonly Condition[],
	clock: Clock,
): Result<Filters, InputError> {
	const problems: Problem[] = [];
	const filters: Filters = {};
	for (const [index, condition] of conditions.entries()) {
		const { column } = condition;
		const path = ['filters', 'conditions', index];
		const firstEqual = conditions.findIndex((earlier) => isEqual(earlier, condition));
		if (firstEqual < index) {
			const reason = `is the same as Condition ${firstEqual + 1}`;
			problems.push({ path, reason, fix: REPEATED_ADVICE });
			// One message is enough, because an expression instead of the list gives many equal conditions.
			break;
		}
		const read = readCondition(condition, clock);
		if (!read.ok) {
			problems.push(...read.failure.map((one) => ({ ...one, path: [...path, ...one.path] })));
			continue;
		}
		const combined = combineOperands(filters[column] ?? {}, read.value);
		if (combined.ok) filters[column] = combined.value;
		else problems.push({ path, reason: `on ${columns[column].label} ${combined.failure}` });
	}
	return problems.length > 0 ? fail({ kind: 'input', problems }) : ok(filters);
}

/** Reads one condition as operators of the service, e.g. Is Today as `gte` and `lt`. */
function readCondition(condition: Condition, clock: Clock): Result<Operands, Problem[]> {
	const { operator, column } = condition;
	const { kind, label } = columns[column];
	const offered = builderOperators(kind).get(operator);
	if (!offered) {
		const reason = `is not offered for ${label}`;
		const fix = "Choose another operator, or set 'Filter By' to JSON";
		return fail([{ path: ['operator'], value: operatorLabel(operator), reason, fix }]);
	}
	const { takes, translate } = offered;
	const now = DateTime.fromMillis(clock.nowMs, { zone: clock.zone });
	const field = takenFields[kind][takes];
	// Operators without a value are periods, e.g. Is Today, or flags, e.g. Is Set.
	if (field === undefined) return ok(translate?.(undefined, now, column) ?? { [operator]: true });
	const value = readEntered(condition[field], kind, takes);
	if (!value.ok) return fail([{ path: [field], reason: value.failure }]);
	const toProblems = ({ issues }: z.ZodError): Problem[] =>
		issues.map(({ message }) => ({ path: [field], reason: message }));
	if (translate) {
		// E.g. Contains with a text, or Is in the Last N Days with a number.
		const checked = (takes === 'one' ? filledText : unitCount).safeParse(value.value);
		if (!checked.success) return fail(toProblems(checked.error));
		return ok(translate(checked.data, now, column));
	}
	// A date picker returns midnight for a day ('picked').
	const schema = columnSchema(kind, clock.zone, 'picked');
	const parsed = schema.safeParse({ [operator]: value.value });
	return parsed.success ? ok(parsed.data) : fail(toProblems(parsed.error));
}

/** The number of units that an operator counts back: at most 274 years of days. */
const unitCount = wholeNumber(1, 100_000);

const GAP = 'has an empty value. Remove it, or correct the expression that gives it';

/** Reads what was entered in a condition: a list if the operator takes many. Fails if a part is empty. */
function readEntered(entered: unknown, kind: Kind, takes: Takes): Result<unknown, string> {
	const value = chosenValue(entered);
	const entries = takes === 'many' ? splitEntries(value, kind) : [value];
	const filled = entries.filter((entry) => !isBlank(entry) && !isEqual(entry, []));
	if (filled.length === 0) return fail(EMPTY_CONDITION);
	if (filled.length < entries.length) return fail(GAP);
	const values = filled.map((entry) => toColumnType(entry, kind));
	return ok(takes === 'many' ? values : values[0]);
}

/** Digits that could be one number with a thousands separator, or two numbers: "1,000". */
const THOUSANDS = /(?<!\d)\d{1,3},\d{3}(?!\d)/;

/** Splits a JSON list, or text at commas and line breaks. "a,,b" has a blank entry, empty lines do not. */
function splitEntries(entered: unknown, kind: Kind): readonly unknown[] {
	const list = parseIfJson(entered);
	if (Array.isArray(list)) return list;
	if (typeof entered === 'object') return [entered]; // E.g. a date, or null.
	const text = String(entered ?? '').trim();
	// "1,000" is one entry, which the schema rejects because it may be two numbers.
	const isOne = text === '' || (kind === 'number' && THOUSANDS.test(text));
	return isOne ? [entered] : text.split(/,?[\n\r]+|,/).map((part) => part.trim());
}

/** Converts a value to the type of its column, e.g. "7" to 7, or `Chat Widget` to `chat_widget`. */
function toColumnType(value: unknown, kind: Kind): unknown {
	if (kind === 'number') return toNumber(value);
	if (kind === 'text' && Number.isFinite(value)) return String(value);
	if (typeof value !== 'string') return value;
	const name = value.trim().toLowerCase().replace(/ /g, '_');
	if (kind === 'boolean') return { true: true, false: false }[name] ?? value;
	if (kind === 'priority' && Object.hasOwn(priorities, name)) return name;
	if (kind === 'source' && Object.hasOwn(sources, name)) return name;
	return value;
}
