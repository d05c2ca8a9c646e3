import { compact, isDate } from 'lodash';
import { DateTime } from 'luxon';
import { fail, ok, type Result } from '../../core/result';
import { ISO_TIME } from '../ticket';
import type { Operands } from './combine';

/** Reads an ISO 8601 text or a `Date`, in `zone` if it has no offset; undefined for other values. */
function readMoment(value: unknown, zone: string) {
	const text = isDate(value) ? value.toJSON() : value; // Null for an invalid date.
	const match = typeof text === 'string' ? ISO_TIME.exec(text.trim()) : null;
	if (!match) return undefined;
	const [, day = '', time, offset = ''] = match; // Between day and time may be a space.
	const isDateOnly = time === undefined;
	const moment = DateTime.fromISO(isDateOnly ? day : `${day}T${time}${offset}`, { zone });
	return moment.isValid ? { moment, isDateOnly, hasOffset: offset !== '' } : undefined;
}

/** Converts a time to ISO 8601 in UTC; undefined if it is not valid. `zone` applies without an offset. */
export function toUtcTimestamp(value: unknown, zone: string): string | undefined {
	const read = readMoment(value, zone);
	// Luxon drops the digits after the milliseconds, which would change a time that the service returned.
	const [, digits = ''] = /\.\d{3}(\d+)/.exec(String(value)) ?? [];
	return read && toUtcIso(read.moment)?.replace('Z', `${digits}Z`);
}

/** Whether a day is a date only, or also midnight in the zone, which a date picker returns. */
export type DayForm = 'date' | 'picked';

/** Returns the UTC starts of a day and the next, else undefined. Midnight is a day only if 'picked'. */
function readDay(value: unknown, zone: string, form: DayForm) {
	const read = readMoment(value, zone);
	if (!read || (form === 'date' && !read.isDateOnly)) return undefined;
	const { moment, hasOffset } = read;
	const first = findFirstMoment(moment, 'day');
	// A date without a time is read as its midnight. If a clock change repeats it, Luxon reads the second one, so both are compared.
	const isMidnight = [first, moment.startOf('day')].some((start) => +start === +moment);
	// A clock change can also move the next start, so it is searched for likewise.
	const next = toUtcIso(findFirstMoment(first.plus({ days: 1 }), 'day'));
	const start = toUtcIso(first);
	if (!isMidnight || start === undefined || next === undefined) return undefined;
	return { start, next, hasOffset };
}

/** Finds the first moment of the period that contains a time. Luxon returns the second midnight if there are two. */
export function findFirstMoment(time: DateTime, period: 'day' | 'week' | 'month'): DateTime {
	const start = time.startOf(period);
	const before = start.minus({ hours: 1 });
	return before.day === start.day ? before : start;
}

/** Formats a time as ISO 8601 in UTC; undefined after 9999, because five-digit years do not sort as text. */
const toUtcIso = (time: DateTime): string | undefined =>
	time.toUTC().year < 10_000 ? (time.toUTC().toISO() ?? undefined) : undefined;

const MIDNIGHT =
	"is midnight, which may mean the whole day or that moment. Enter a date without a time, or use 'Is at or After' or 'Is Before'";
const NOT_A_DAY = 'cannot leave out or list whole days. Use another operator, or enter times';

/** Expands an operator on a day, e.g. `eq` to `gte` and `lt`; undefined if sent unchanged. Fails without an equivalent. */
export function expandWholeDay(
	operator: string,
	value: unknown,
	{ zone, form }: { readonly zone: string; readonly form: DayForm },
): Result<Operands, string> | undefined {
	const values: readonly unknown[] = [value].flat();
	const [day] = compact(values.map((one) => readDay(one, zone, form)));
	// isBetween is sent unchanged, because the interface does not show its format.
	if (day === undefined || operator === 'isBetween') return undefined;
	const { start, next, hasOffset } = day;
	// A midnight with an offset may also be a moment. `gte` and `lt` mean the same for both.
	if (hasOffset) return ['gte', 'lt'].includes(operator) ? undefined : fail(MIDNIGHT);
	const whole = { gte: start, lt: next };
	const meanings: Readonly<Record<string, Operands | undefined>> = {
		eq: whole,
		in: whole,
		gt: { gte: next },
		gte: { gte: start },
		lt: { lt: start },
		lte: { lt: next },
	};
	const operands = values.length === 1 ? meanings[operator] : undefined;
	return operands ? ok(operands) : fail(NOT_A_DAY);
}
