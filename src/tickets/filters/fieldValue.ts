import { isDate, isEqual } from 'lodash';
import { parseIfJson } from '../../core/json';
import { isBlank } from '../../core/plainText';
import { toNumber } from '../../core/schemas';
import { priorities, sources, type Kind } from '../columns';
import { EMPTY_CONDITION } from './schema';

/** The value of a field of a condition, in the type of its column. */
export interface FieldValue {
	readonly value: unknown;
	readonly isEmpty: boolean;
	/** The fault, unless empty values are skipped. */
	readonly fault?: string | undefined;
}

const GAP =
	'has an empty value. Remove it, correct the expression that gives it, or skip empty values in the options';

/** Reads a field that holds one value. */
export function readSingle(entered: unknown, kind: Kind): FieldValue {
	const isEmpty = isBlank(entered) || isEqual(entered, []);
	const value = toColumnType(entered, kind);
	return { value, isEmpty, ...(isEmpty && { fault: EMPTY_CONDITION }) };
}

/** Digits that could be one number with a thousands separator, or two numbers: "1,000". */
const THOUSANDS = /(?<!\d)\d{1,3},\d{3}(?!\d)/;

/** Reads a list without blank entries. They are its `fault`, which the caller ignores if it skips them. Text is split by line or comma, unless it is a JSON list. */
export function readList(entered: unknown, kind: Kind): FieldValue {
	const list = parseIfJson(entered);
	const text = typeof entered === 'object' ? '' : String(entered ?? '').trim();
	// One entry: an object such as a date, and "1,000", which the schema rejects because it may be two numbers.
	const isOne = text === '' || (kind === 'number' && THOUSANDS.test(text));
	const parts = isOne ? [entered] : text.split(/,?[\n\r]+|,/).map((part) => part.trim());
	const entries: readonly unknown[] = Array.isArray(list) ? list : parts;
	const filled = entries.filter((entry) => !isBlank(entry));
	const value = filled.map((entry) => toColumnType(entry, kind));
	const isEmpty = value.length === 0;
	const isFaulty = isEmpty || value.length < entries.length;
	return { value, isEmpty, ...(isFaulty && { fault: isEmpty ? EMPTY_CONDITION : GAP }) };
}

/** Converts a value to the type of its column, e.g. "7" to 7, or `Chat Widget` to `chat_widget`. */
function toColumnType(value: unknown, kind: Kind): unknown {
	if (kind === 'number') return toNumber(value);
	if (kind === 'text' && Number.isFinite(value)) return String(value);
	if (kind === 'timestamp' && isDate(value)) return new Date(value).toJSON();
	if (typeof value !== 'string') return value;
	const name = value.trim().toLowerCase().replace(/ /g, '_');
	if (kind === 'boolean') return { true: true, false: false }[name] ?? value;
	if (kind === 'priority' && Object.hasOwn(priorities, name)) return name;
	if (kind === 'source' && Object.hasOwn(sources, name)) return name;
	return value;
}
