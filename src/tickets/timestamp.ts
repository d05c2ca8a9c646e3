import { DateTime } from 'luxon';

/** A day in each form of ISO 8601: calendar, week and ordinal date, extended and basic. */
const DAY = String.raw`\d{4}-\d{2}-\d{2}|\d{8}|\d{4}-W\d{2}-\d|\d{4}W\d{3}|\d{4}-\d{3}|\d{7}`;
const TIME = String.raw`\d{2}(:?\d{2}(:?\d{2}([.,]\d+)?)?)?`;
const OFFSET = String.raw`Z|[+-]\d{2}(:?\d{2})?`;
const ISO = new RegExp(`^(?<day>${DAY})([T ](?<time>${TIME})\\s*(?<offset>${OFFSET})?)?$`, 'i');

/** A point in time as ISO 8601 in UTC, or undefined; without an offset it is read in `zone`. */
export function utcTimestamp(value: string, zone: string): string | undefined {
	const { day, time, offset = '' } = ISO.exec(value.trim())?.groups ?? {};
	if (day === undefined) return undefined;
	const text = time === undefined ? day : `${day}T${time}${offset}`;
	const utc = DateTime.fromISO(text.toUpperCase(), { zone }).toUTC();
	// A year of five digits would not sort as text.
	return utc.isValid && utc.year < 10_000 ? utc.toISO() : undefined;
}
