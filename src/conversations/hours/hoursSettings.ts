import { isEmpty } from 'lodash';
import { DateTime, IANAZone } from 'luxon';
import { z } from 'zod/v4';
import { listOf, splitList } from '../../core/schemas';
import { isBlank, toText, cleanText } from '../../core/plainText';
import { DAY_MS } from '../../core/time';
import { WEEKDAYS, type CallingHours } from './callingHours';

const DAY_MINUTES = 1440;
/** "9", "09:00", or "09:00:00" as a spreadsheet writes it. */
const TIME = /^(\d{1,2})(?::([0-5]\d))?(?::00)?$/;

/** A time of day, e.g. 09:00, 9 or 24:00, in minutes after midnight. */
const timeOfDay = z.unknown().transform((entered, context) => {
	const text = cleanText(toText(entered ?? ''));
	const [, hour, minute = 0] = TIME.exec(text) ?? [];
	const minutes = Number(hour) * 60 + Number(minute);
	// NaN if the text is not a time.
	if (minutes <= DAY_MINUTES) return minutes;
	const wrong =
		text === '' ? 'is empty. Enter a time in' : `${quoteStart(text)} is not a valid time. Use`;
	context.addIssue({ code: 'custom', message: `${wrong} 24 hours, e.g. 09:00` });
	return z.NEVER;
});

const quoteStart = (text: string): string => `"${text.slice(0, 40)}"`;

/** The days of the week of a period, as positions in WEEKDAYS, at least one. */
const days = z
	.preprocess(
		(value) => (typeof value === 'string' ? value.toLowerCase() : value),
		listOf(WEEKDAYS, 'day of the week'),
	)
	.refine((names) => names.length > 0, { error: 'is empty. Choose at least one day' })
	.transform((names) => names.map((name) => WEEKDAYS.indexOf(name)));

/** One row of Calling Hours. An Until before From is on the next day. */
const hoursRow = z
	.looseObject({ days, from: timeOfDay, until: timeOfDay })
	.superRefine(({ from, until }, context) => {
		// A time that cannot be read already has its own error.
		if (typeof from !== 'number' || (from !== until && from < DAY_MINUTES)) return;
		const message =
			from === until
				? 'is the same as From, so there is no time to call. For a whole day use 00:00 to 24:00'
				: 'cannot follow 24:00, the end of the day. Enter an earlier From';
		context.addIssue({ code: 'custom', path: ['until'], message });
	});

const NO_ROWS = 'has no hours. Add at least one row, e.g. all days from 00:00 until 24:00';

/** The rows of Calling Hours, required because an empty expression must not allow all hours. */
const hoursRows = z.preprocess(
	(value) => (Array.isArray(value) ? { rows: value } : value),
	z.looseObject(
		{ rows: z.array(hoursRow, { error: NO_ROWS }).min(1, { error: NO_ROWS }) },
		{ error: NO_ROWS },
	),
);

/** The closed days, counted from 1970, of dates in a list or text. Blank means that no day is closed. */
const closedDays = z
	.preprocess((value) => {
		const dates = splitList(value ?? [], /[,;\s]+/);
		const isOnlySeparators = typeof value === 'string' && !isBlank(value) && isEmpty(dates);
		// An invalid date, because separators alone must not mean that no day is closed.
		return isOnlySeparators ? [value] : dates;
	}, z.array(z.unknown()))
	.transform((dates, context) => {
		const days = dates.map((each) => {
			const text = cleanText(toText(each));
			const date = DateTime.fromISO(text, { zone: 'utc' });
			if (/^\d{4}-\d\d-\d\d$/.test(text) && date.isValid) return date.toMillis() / DAY_MS;
			const message = `contains ${quoteStart(text)}, which is not a valid date. Use year, month and day, e.g. 2026-12-25`;
			context.addIssue({ code: 'custom', message });
			return NaN;
		});
		return new Set(days);
	});

/** Calling Hours, as the panel has them. */
export const hoursSettings = z.object({
	when: z
		.looseObject({ hours: hoursRows, daysNotToCall: closedDays.prefault('') })
		.transform(({ hours: { rows }, daysNotToCall }): CallingHours => ({
			periods: rows,
			closedDays: daysNotToCall,
		})),
});

/** Reads the time zone of a cell; '' if empty. Rejects short names such as EST, because they are ambiguous. */
export const zoneCell = z.unknown().transform((cell, context) => {
	const name = cleanText(toText(cell ?? ''));
	if (['', 'UTC'].includes(name) || isPlaceZone(name)) return name;
	const message = `${quoteStart(name)} is not a valid time zone. Use a name such as America/New_York, or UTC`;
	context.addIssue({ code: 'custom', message });
	return z.NEVER;
});

/** Whether a name is a time zone of a place, or Etc/UTC. Etc/GMT+5 is rejected, because it means UTC-5. */
const isPlaceZone = (name: string): boolean =>
	name.includes('/') && !/^(Etc\/GMT[+-]|SystemV\/)/i.test(name) && IANAZone.isValidZone(name);
