import { isDate } from 'lodash';
import { DateTime } from 'luxon';
import { fail, ok, type Result } from '../../core/result';
import { ISO_TIME } from '../ticket';
import type { Operands } from './combine';

/** Reads an ISO 8601 text or a `Date`, in `zone` if it has no offset; undefined for other values. */
function readMoment(value: unknown, zone: string): { moment: DateTime; time?: string } | undefined {
	const text = isDate(value) ? new Date(value).toJSON() : value;
	const [, day, time, offset = ''] = (typeof text === 'string' && ISO_TIME.exec(text.trim())) || [];
	if (day === undefined) return undefined;
	if (time === undefined) return { moment: DateTime.fromISO(day, { zone }) };
	return { moment: DateTime.fromISO(`${day}T${time}${offset}`, { zone }), time };
}

/** Converts a time to UTC; undefined if it is not valid. `zone` applies without an offset. */
export function toUtcTimestamp(value: unknown, zone: string): string | undefined {
	const read = readMoment(value, zone);
	return read && toUtcIso(read.moment);
}

/** Whether a day is a date only, or also midnight in the zone, which a date picker returns. */
export type DayForm = 'date' | 'picked';

/** Returns the UTC start of a day and of the next day; empty for a time. */
function readDay(value: unknown, zone: string, form: DayForm): { start?: string; next?: string } {
	const { moment, time } = readMoment(value, zone) ?? {};
	if (!moment || (time !== undefined && form === 'date')) return {};
	const first = findFirstMoment(moment, 'day');
	// A day can have two midnights. Luxon reads one without an offset as the second.
	const isMidnight = [first, moment.startOf('day')].some((start) => +start === +moment);
	// The day after may begin at another hour than this one.
	const next = toUtcIso(findFirstMoment(first.plus({ days: 1 }), 'day'));
	const start = toUtcIso(first);
	return isMidnight && start !== undefined && next !== undefined ? { start, next } : {};
}

/** The first moment of a period, because Luxon returns the second of two midnights. */
export function findFirstMoment(time: DateTime, period: 'day' | 'week' | 'month'): DateTime {
	const start = time.startOf(period);
	const before = start.minus({ hours: 1 });
	return before.day === start.day ? before : start;
}

/** ISO 8601 in UTC; undefined after 9999, because later years do not sort as text. */
const toUtcIso = (time: DateTime): string | undefined =>
	time.isValid && time.toUTC().year < 10_000 ? (time.toUTC().toISO() ?? undefined) : undefined;

const NOT_A_DAY = 'cannot leave out or list whole days. Use another operator, or enter times';

/** Returns the operators for a whole day; undefined for a point in time. Fails if none express it. */
export function expandWholeDay(
	operator: string,
	value: unknown,
	{ zone, form }: { readonly zone: string; readonly form: DayForm },
): Result<Operands, string> | undefined {
	const values: readonly unknown[] = [value].flat();
	const day = values.map((one) => readDay(one, zone, form)).find(({ start }) => start);
	// isBetween is sent unchanged, because the interface does not show its format.
	if (day === undefined || operator === 'isBetween') return undefined;
	const { start, next } = day;
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
