import { DateTime } from 'luxon';
import type { Column, Kind } from './columns';
import type { Operands } from './filters/combine';
import { findFirstMoment } from './filters/days';
import type { Operator } from './operators';

/** The reference of relative dates: the time in ms, and the workflow's IANA time zone. */
export interface Clock {
	readonly nowMs: number;
	readonly zone: string;
}

/** The fields of a condition from which a shortcut takes its values. */
export const shortcutFieldNames = {
	none: [],
	text: ['value'],
	count: ['numberValue'],
	dates: ['dateValue', 'dateTo'],
	numbers: ['numberValue', 'numberTo'],
} as const;

/** The name of such a set of fields. */
export type ShortcutFields = keyof typeof shortcutFieldNames;

/** A unit that shortcuts count in. */
export type Unit = 'minutes' | 'hours' | 'days';

/** The most units that a shortcut counts back, which is some hundred years of days. */
export const MAX_UNITS = 100_000;

interface Shortcut {
	readonly label: string;
	/** The kinds of columns it fits, with the fields it takes there, e.g. 'none' for Is Today. */
	readonly fields: Partial<Record<Kind, ShortcutFields>>;
	readonly description?: string;
	readonly unit?: Unit;
	/** The operators of the service that mean the same, from its checked value. */
	readonly compile: (value: unknown, now: DateTime, column: Column) => Operands;
}

/** ISO 8601 in UTC. Never '', because the clock is valid and MAX_UNITS reaches back only 274 years. */
const toUtc = (time: DateTime): string => time.toUTC().toISO() ?? '';

/** Makes a shortcut that matches a text literally: the escaped text replaces … in a pattern such as `%…%`. */
const makePatternShortcut = (label: string, operator: Operator, pattern: string): Shortcut => ({
	label,
	fields: { identifier: 'text', text: 'text' },
	...(/ilike/i.test(operator) && { description: 'Ignores case' }),
	compile: (value) => {
		const escaped = String(value).replace(/[\\%_]/g, '\\$&');
		// `replace` would interpret $ in a text.
		return { [operator]: pattern.replace('…', () => escaped) };
	},
});

/** Makes a shortcut for times within the last units, e.g. the last 3 days; with `isEarlier`, for times before them. */
const makeAgoShortcut = (label: string, unit: Unit, isEarlier = false): Shortcut => ({
	label,
	unit,
	fields: { timestamp: 'count' },
	compile: (value, now, column) => {
		const start = toUtc(now.minus({ [unit]: Number(value) }));
		if (isEarlier) return { lt: start };
		// Snoozed Until may be in the future, so its range ends now.
		return { gte: start, ...(column === 'snoozedUntil' && { lte: toUtc(now) }) };
	},
});

/** Makes a shortcut for a calendar period, from its start to before the next one. */
const makePeriodShortcut = (
	label: string,
	period: 'day' | 'week' | 'month',
	daysAgo = 0,
): Shortcut => ({
	label,
	fields: { timestamp: 'none' },
	...(period === 'week' && { description: 'Weeks start on Monday' }),
	compile: (_, now) => {
		const start = findFirstMoment(now.minus({ days: daysAgo }), period);
		// The next period may begin at another hour than this one, after a clock change.
		return { gte: toUtc(start), lt: toUtc(findFirstMoment(start.plus({ [period]: 1 }), period)) };
	},
});

/** Operators of this package that mean operators of the service; each end of a range is one of its own. */
export const shortcuts = {
	between: {
		label: 'Is Between',
		fields: { number: 'numbers', timestamp: 'dates' },
		description: 'Includes both ends',
		// readOperands compiles the two ends separately.
		compile: () => ({}),
	} as Shortcut,
	contains: makePatternShortcut('Contains', 'iLike', '%…%'),
	containsExactly: makePatternShortcut('Contains (Case-Sensitive)', 'like', '%…%'),
	endsWith: makePatternShortcut('Ends With', 'iLike', '%…'),
	endsWithExactly: makePatternShortcut('Ends With (Case-Sensitive)', 'like', '%…'),
	lastDays: makeAgoShortcut('Is in the Last ... Days', 'days'),
	lastHours: makeAgoShortcut('Is in the Last ... Hours', 'hours'),
	lastMinutes: makeAgoShortcut('Is in the Last ... Minutes', 'minutes'),
	notContains: makePatternShortcut('Does Not Contain', 'notILike', '%…%'),
	olderThanDays: makeAgoShortcut('Is Older Than ... Days', 'days', true),
	startsWith: makePatternShortcut('Starts With', 'iLike', '…%'),
	startsWithExactly: makePatternShortcut('Starts With (Case-Sensitive)', 'like', '…%'),
	thisMonth: makePeriodShortcut('Is This Month', 'month'),
	thisWeek: makePeriodShortcut('Is This Week', 'week'),
	today: makePeriodShortcut('Is Today', 'day'),
	yesterday: makePeriodShortcut('Is Yesterday', 'day', 1),
} as const;

/** The name of a shortcut. */
export type ShortcutName = keyof typeof shortcuts;

/** All names of shortcuts. */
export const shortcutNames = Object.keys(shortcuts) as readonly ShortcutName[];

/** The fields of a shortcut on a kind of column; undefined if it does not fit. */
export const shortcutFields = (name: ShortcutName, kind: Kind): ShortcutFields | undefined =>
	shortcuts[name].fields[kind];

/** The shortcuts whose number has a unit, e.g. lastDays and olderThanDays for days. */
export const listUnitShortcuts = (wanted: Unit): ShortcutName[] =>
	shortcutNames.filter((name) => shortcuts[name].unit === wanted);

/** Turns a shortcut and its checked value into operators of the service. */
export function compileShortcut(
	name: ShortcutName,
	{ value, column }: { readonly value?: unknown; readonly column: Column },
	{ nowMs, zone }: Clock,
): Operands {
	const { compile }: Shortcut = shortcuts[name];
	return compile(value, DateTime.fromMillis(nowMs, { zone }), column);
}
