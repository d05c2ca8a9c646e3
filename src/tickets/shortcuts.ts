import { DateTime } from 'luxon';
import type { Operands } from './filters/combine';
import { startOf } from './filters/days';
import type { Column, Kind } from './columns';
import type { Operator } from './operators';

/** What relative dates are relative to: the time in ms, and the workflow's IANA time zone. */
export interface Clock {
	readonly nowMs: number;
	readonly zone: string;
}

/** The fields a shortcut takes its values from: a text, a number of units, or two ends. */
export type ShortcutFields = 'none' | 'text' | 'count' | 'dates' | 'numbers';

/** The column and the values of a shortcut, checked before. */
export interface ShortcutValues {
	readonly column?: Column;
	readonly text?: string;
	readonly count?: number;
}

/** The units that shortcuts count in, and how many of them a day has. */
const perDay = { minutes: 1_440, hours: 24, days: 1 } as const;

/** The name of such a unit. */
export type Unit = keyof typeof perDay;

interface Shortcut {
	readonly label: string;
	/** The kinds of columns it fits, with the fields it takes there. */
	readonly fields: Partial<Record<Kind, ShortcutFields>>;
	readonly description?: string;
	/** What it counts in, where it takes a count. */
	readonly unit?: Unit;
	/** The operators of the service that say the same. */
	readonly compile: (values: ShortcutValues, now: DateTime) => Operands;
}

const utc = (time: DateTime): string => time.toUTC().toISO() ?? '';

/** A pattern such as `%…%` with a text in which no character stands for others. */
const text = (label: string, operator: Operator, pattern: string): Shortcut => ({
	label,
	fields: { identifier: 'text', text: 'text' },
	...(/ilike/i.test(operator) && { description: 'Ignores case' }),
	compile: ({ text: entered = '' }) => {
		const escaped = entered.replace(/[\\%_]/g, '\\$&');
		return { [operator]: pattern.replace('…', () => escaped) };
	},
});

/** So many units before now: since then, or earlier. Only a snooze lies ahead: any other time after now says that the service's clock is. */
const ago = (label: string, unit: Unit, isEarlier = false): Shortcut => ({
	label,
	unit,
	fields: { timestamp: 'count' },
	compile: ({ column, count = 0 }, now) => {
		const then = utc(now.minus({ [unit]: count }));
		if (isEarlier) return { lt: then };
		return { gte: then, ...(column === 'snoozedUntil' && { lte: utc(now) }) };
	},
});

/** A period ends before the next one begins, so no moment is left out. */
const during = (label: string, period: 'day' | 'week' | 'month', daysAgo = 0): Shortcut => ({
	label,
	fields: { timestamp: 'none' },
	...(period === 'week' && { description: 'Weeks start on Monday' }),
	compile: (_, now) => {
		const start = startOf(now.minus({ days: daysAgo }), period);
		// The day after may begin at another hour than this one.
		return { gte: utc(start), lt: utc(startOf(start.plus({ [period]: 1 }), period)) };
	},
});

/** Operators of this package that compile to those of the service; each end of a range is an operator of its own. */
export const shortcuts = {
	between: {
		label: 'Is Between',
		fields: { number: 'numbers', timestamp: 'dates' },
		description: 'Includes both ends',
		compile: () => ({}),
	} as Shortcut,
	contains: text('Contains', 'iLike', '%…%'),
	containsExactly: text('Contains (Case-Sensitive)', 'like', '%…%'),
	endsWith: text('Ends With', 'iLike', '%…'),
	endsWithExactly: text('Ends With (Case-Sensitive)', 'like', '%…'),
	lastDays: ago('Is in the Last ... Days', 'days'),
	lastHours: ago('Is in the Last ... Hours', 'hours'),
	lastMinutes: ago('Is in the Last ... Minutes', 'minutes'),
	notContains: text('Does Not Contain', 'notILike', '%…%'),
	olderThanDays: ago('Is Older Than ... Days', 'days', true),
	startsWith: text('Starts With', 'iLike', '…%'),
	startsWithExactly: text('Starts With (Case-Sensitive)', 'like', '…%'),
	thisMonth: during('Is This Month', 'month'),
	thisWeek: during('Is This Week', 'week'),
	today: during('Is Today', 'day'),
	yesterday: during('Is Yesterday', 'day', 1),
} as const;

/** The name of a shortcut. */
export type ShortcutName = keyof typeof shortcuts;

/** All names of shortcuts. */
export const shortcutNames = Object.keys(shortcuts) as readonly ShortcutName[];

/** The fields a shortcut takes on a kind of column, or undefined where it does not fit. */
export function shortcutFields(name: ShortcutName, kind: Kind): ShortcutFields | undefined {
	const { fields }: Shortcut = shortcuts[name];
	return fields[kind];
}

/** The shortcuts that count in a unit. */
export const countedIn = (wanted: Unit): ShortcutName[] =>
	shortcutNames.filter((name) => shortcuts[name].unit === wanted);

/** The most units that a shortcut counts back, about a hundred years. */
export const maxCount = (name: ShortcutName): number =>
	36_500 * perDay[shortcuts[name].unit ?? 'days'];

/** Turns a shortcut into operators of the service. */
export function compileShortcut(
	name: ShortcutName,
	values: ShortcutValues,
	{ nowMs, zone }: Clock,
): Operands {
	const { compile }: Shortcut = shortcuts[name];
	return compile(values, DateTime.fromMillis(nowMs, { zone }));
}
