import isEqual from 'lodash/isEqual';
import { DateTime, IANAZone } from 'luxon';
import { z } from 'zod/v4';
import { listOf, splitList } from '../../core/schemas';
import { isBlank, toText, cleanText } from '../../core/plainText';
import type { CallingHours } from './callingHours';
import { WEEKDAYS } from './callingHours';

const DAY_MINUTES = 1440;
const TIME = /^(\d{1,2})(?:[:.](\d{2}))?(?::00)?\s*(am|pm)?$/i;

/** A time of day, e.g. 09:00, 24:00 or 9 PM, in minutes after midnight. */
const timeOfDay = z.unknown().transform((entered, context) => {
	const text = cleanText(toText(entered ?? ''));
	const [, hour = '', minute = '0', half] = TIME.exec(text) ?? [];
	const minutes = minutesOf(Number(hour), Number(minute), half?.toLowerCase());
	if (hour !== '' && minutes !== undefined) return minutes;
	const message =
		text === ''
			? 'is empty. Enter a time in 24 hours, e.g. 09:00'
			: `"${text.slice(0, 40)}" is not a valid time. Use 24 hours, e.g. 09:00`;
	context.addIssue({ code: 'custom', message });
	return z.NEVER;
});

function minutesOf(hour: number, minute: number, half: string | undefined): number | undefined {
	if (minute > 59 || (half !== undefined && (hour < 1 || hour > 12))) return undefined;
	const hours = half === undefined ? hour : (hour % 12) + (half === 'pm' ? 12 : 0);
	const minutes = hours * 60 + minute;
	return minutes <= DAY_MINUTES ? minutes : undefined;
}

const days = z
	.preprocess(
		(value) => (typeof value === 'string' ? value.toLowerCase() : value),
		listOf(WEEKDAYS, 'day of the week'),
	)
	.refine((names) => names.length > 0, { error: 'is empty. Choose at least one day' })
	.transform((names) => names.map((name) => WEEKDAYS.indexOf(name)));

const hoursRow = z
	.looseObject({ days, from: timeOfDay, until: timeOfDay })
	.superRefine(({ from, until }, context) => {
		// A time that could not be read was reported.
		if (typeof from !== 'number') return;
		if (from !== until && from < DAY_MINUTES) return;
		const message =
			from === until
				? 'is the same as From, so there is no time to call. For a whole day use 00:00 to 24:00'
				: 'cannot follow 24:00, the end of the day. Enter an earlier From';
		context.addIssue({ code: 'custom', path: ['until'], message });
	});

const NO_ROWS = 'has no hours. Add at least one row, e.g. all days from 00:00 until 24:00';

/**
 * The rows of Calling Hours, as the panel has them or as a list. They are required: a list that an expression has made empty
 * cannot be told from one to which no row was added.
 */
const hoursRows = z.preprocess(
	(value) => (Array.isArray(value) ? { rows: value } : value),
	z.looseObject(
		{ rows: z.array(hoursRow, { error: NO_ROWS }).min(1, { error: NO_ROWS }) },
		{ error: NO_ROWS },
	),
);

const closedDays = z
	.preprocess((value) => {
		const dates = splitList(value ?? [], /[,;\s]+/);
		// Only separators are no dates, and not the same as an empty field.
		return !isBlank(value) && isEqual(dates, []) && value !== dates ? [value] : dates;
	}, z.array(z.unknown()))
	.transform((entered, context) => {
		const numbers = new Set<number>();
		for (const each of entered) {
			const date = cleanText(toText(each));
			const read = DateTime.fromISO(date, { zone: 'utc' });
			if (/^\d{4}-\d\d-\d\d$/.test(date) && read.isValid) numbers.add(read.toMillis() / 86_400_000);
			else {
				const message = `contains "${date.slice(0, 40)}", which is not a valid date. Use year, month and day, e.g. 2026-12-25`;
				context.addIssue({ code: 'custom', message });
			}
		}
		return numbers;
	});

/** Calling hours, as the panel has them. */
export const hoursSettings = z.object({
	when: z
		.looseObject({ hours: hoursRows, daysNotToCall: closedDays.prefault('') })
		.transform(({ hours: { rows }, daysNotToCall }): CallingHours => ({
			rows,
			closedDays: daysNotToCall,
		})),
});

/** The time zone in a cell, '' for an empty one: a name with a slash, as short names mean several places and Etc/GMT+5 is west of UTC. */
export const zoneCell = z.unknown().transform((cell, context) => {
	const name = cleanText(toText(cell ?? ''));
	if (
		name === '' ||
		name === 'UTC' ||
		(name.includes('/') && !/^(Etc\/GMT[+-]|SystemV\/)/i.test(name) && IANAZone.isValidZone(name))
	)
		return name;
	const message = `"${name.slice(0, 40)}" is not a valid time zone. Use a name such as America/New_York, or UTC`;
	context.addIssue({ code: 'custom', message });
	return z.NEVER;
});
