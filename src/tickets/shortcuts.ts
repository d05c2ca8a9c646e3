import { DateTime } from 'luxon';
import type { Operands } from './filters/combine';
import type { Kind } from './columns';

/** What relative dates are relative to: the time in ms, and the workflow's IANA time zone. */
export interface Clock {
	readonly nowMs: number;
	readonly zone: string;
}

/** The fields a shortcut takes its values from: a text, a number of units, or two ends. */
export type ShortcutFields = 'none' | 'text' | 'count' | 'dates' | 'numbers';

type Period = 'day' | 'week' | 'month';
type Unit = 'minutes' | 'hours' | 'days';

interface Shortcut {
	readonly label: string;
	/** The kinds of columns it fits, with the fields it takes there. */
	readonly fields: Partial<Record<Kind, ShortcutFields>>;
	readonly description?: string;
}

const forText = { identifier: 'text', text: 'text' } as const;
const forTime = { timestamp: 'none' } as const;
const forTimeCount = { timestamp: 'count' } as const;

/** Operators of this package that compile to those of the service. */
export const shortcuts = {
	between: {
		label: 'Is Between',
		fields: { number: 'numbers', timestamp: 'dates' },
		description: 'Includes both ends',
	},
	contains: { label: 'Contains', fields: forText, description: 'Ignores case' },
	containsExactly: { label: 'Contains (Case-Sensitive)', fields: forText },
	endsWith: { label: 'Ends With', fields: forText, description: 'Ignores case' },
	endsWithExactly: { label: 'Ends With (Case-Sensitive)', fields: forText },
	lastDays: { label: 'Is in the Last ... Days', fields: forTimeCount },
	lastHours: { label: 'Is in the Last ... Hours', fields: forTimeCount },
	lastMinutes: { label: 'Is in the Last ... Minutes', fields: forTimeCount },
	notContains: {
		label: 'Does Not Contain',
		fields: forText,
		description: 'Ignores case',
	},
	olderThanDays: { label: 'Is Older Than ... Days', fields: forTimeCount },
	startsWith: {
		label: 'Starts With',
		fields: forText,
		description: 'Ignores case',
	},
	startsWithExactly: { label: 'Starts With (Case-Sensitive)', fields: forText },
	thisMonth: { label: 'Is This Month', fields: forTime },
	thisWeek: { label: 'Is This Week', fields: forTime, description: 'Weeks start on Monday' },
	today: { label: 'Is Today', fields: forTime },
	yesterday: { label: 'Is Yesterday', fields: forTime },
} as const satisfies Record<string, Shortcut>;

/** The units that a shortcut counts in, as its field is called. */
export const countedIn = {
	Days: ['lastDays', 'olderThanDays'],
	Hours: ['lastHours'],
	Minutes: ['lastMinutes'],
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

const MAX_DAYS = 36_500;

/** The most units that a shortcut counts back: about a hundred years. */
export const maxCount = (name: ShortcutName): number =>
	MAX_DAYS * (name === 'lastMinutes' ? 1_440 : name === 'lastHours' ? 24 : 1);

/** The values of a shortcut, checked before. */
export interface ShortcutValues {
	readonly text?: string;
	readonly count?: number;
	readonly from?: string | number;
	readonly to?: string | number;
}

/** Turns a shortcut into operators of the service; periods end before the next one begins, so no moment is left out. */
export function compileShortcut(
	name: ShortcutName,
	values: ShortcutValues,
	clock: Clock,
): Operands {
	const { text = '', count = 0, from, to } = values;
	const now = DateTime.fromMillis(clock.nowMs, { zone: clock.zone });
	const pattern = text.replace(/[\\%_]/g, '\\$&');
	const whole = (period: Period, at = now): Operands => ({
		gte: utc(at.startOf(period)),
		// The day after may begin at another hour than this one.
		lt: utc(
			at
				.startOf(period)
				.plus({ [period]: 1 })
				.startOf(period),
		),
	});
	const ago = (unit: Unit): string => utc(now.minus({ [unit]: count }));
	switch (name) {
		case 'between':
			return { ...(from !== undefined && { gte: from }), ...(to !== undefined && { lte: to }) };
		case 'contains':
			return { iLike: `%${pattern}%` };
		case 'containsExactly':
			return { like: `%${pattern}%` };
		case 'endsWith':
			return { iLike: `%${pattern}` };
		case 'endsWithExactly':
			return { like: `%${pattern}` };
		case 'lastDays':
			return { gte: ago('days'), lte: utc(now) };
		case 'lastHours':
			return { gte: ago('hours'), lte: utc(now) };
		case 'lastMinutes':
			return { gte: ago('minutes'), lte: utc(now) };
		case 'notContains':
			return { notILike: `%${pattern}%` };
		case 'olderThanDays':
			return { lt: ago('days') };
		case 'startsWith':
			return { iLike: `${pattern}%` };
		case 'startsWithExactly':
			return { like: `${pattern}%` };
		case 'thisMonth':
			return whole('month');
		case 'thisWeek':
			return whole('week');
		case 'today':
			return whole('day');
		case 'yesterday':
			return whole('day', now.minus({ days: 1 }));
	}
}

const utc = (time: DateTime): string => time.toUTC().toISO() ?? '';
