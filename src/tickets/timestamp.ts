import { DateTime } from 'luxon';

const ISO =
	/^\d{4}-\d{2}-\d{2}([T ]\d{2}(:\d{2}(:\d{2}([.,]\d+)?)?)?\s*(Z|[+-]\d{2}(:?\d{2})?)?)?$/i;

/** A point in time as ISO 8601 in UTC, or undefined; without an offset it is read in `zone`. */
export function utcTimestamp(value: string, zone: string): string | undefined {
	const text = value.trim();
	if (!ISO.test(text)) return undefined;
	const time = DateTime.fromISO(text.replace(/^(\S{10}) /, '$1T').replace(/\s+/g, ''), { zone });
	const utc = time.toUTC();
	// A year of five digits would not sort as text.
	return utc.isValid && utc.year < 10_000 ? utc.toISO() : undefined;
}
