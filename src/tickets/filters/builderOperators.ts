import { get, memoize } from 'lodash';
import type { DateTime } from 'luxon';
import type { Column, Kind } from '../columns';
import { operators, operatorsByKind, type Operand, type Operator } from '../operators';
import type { Operands } from './combine';
import { findFirstMoment } from './days';

/** A unit that operators count in, e.g. Is in the Last ... Days. */
type Unit = 'minutes' | 'hours' | 'days';

/** The kind of value that an operator takes from its condition. */
export type Takes = Operand | 'nothing' | Unit;

/** The field of a condition that an operator takes, by the kind of its column. */
export const takenFields: Readonly<Record<Kind, Partial<Record<Takes, string>>>> = {
	identifier: { one: 'value', many: 'idValues' },
	text: { one: 'value', many: 'valueList', pattern: 'value' },
	number: { one: 'numberValue', many: 'valueList' },
	source: { one: 'sourceValue', many: 'sourceValues' },
	priority: { one: 'priorityValue', many: 'priorityValues' },
	timestamp: {
		one: 'dateValue',
		minutes: 'numberValue',
		hours: 'numberValue',
		days: 'numberValue',
	},
	boolean: { one: 'booleanValue' },
};

interface BuilderOperator {
	readonly label: string;
	readonly description?: string;
	readonly takes: Takes;
	/** Translates a checked value to operators of the service. Undefined if no translation is needed. */
	readonly translate?: (value: unknown, now: DateTime, column: Column) => Operands;
}

/** Formats a time as the service takes it: ISO 8601 in UTC. */
const toUtc = (time: DateTime): string => time.toJSDate().toISOString();

/** Makes an operator that matches a text literally: the escaped text replaces … in a pattern such as `%…%`. */
const matchText = (label: string, operator: Operator, pattern: string): BuilderOperator => ({
	label,
	takes: 'one',
	...(/ilike/i.test(operator) && { description: 'Ignores case' }),
	translate: (value) => {
		const escaped = String(value).replace(/[\\%_]/g, '\\$&');
		// A function, because `replace` interprets $ in a replacement text.
		return { [operator]: pattern.replace('…', () => escaped) };
	},
});

/** Makes an operator for times within the last N units, up to now, e.g. the last 3 days. */
const matchLast = (label: string, unit: Unit): BuilderOperator => ({
	label,
	takes: unit,
	translate: (count, now, column) => {
		const start = toUtc(now.minus({ [unit]: Number(count) }));
		// Only Snoozed Until may be in the future, so only its range needs an end.
		return column === 'snoozedUntil' ? { gte: start, lte: toUtc(now) } : { gte: start };
	},
});

/** Makes an operator for the whole calendar period that contains the time `daysAgo` days ago, e.g. yesterday. */
const matchPeriod = (
	label: string,
	period: 'day' | 'week' | 'month',
	daysAgo = 0,
): BuilderOperator => ({
	label,
	takes: 'nothing',
	...(period === 'week' && { description: 'Weeks start on Monday' }),
	translate: (_, now) => {
		const start = findFirstMoment(now.minus({ days: daysAgo }), period);
		// The next period may begin at another hour than this one, after a clock change.
		return { gte: toUtc(start), lt: toUtc(findFirstMoment(start.plus({ [period]: 1 }), period)) };
	},
});

/** Operators that only this package has. They translate to operators of the service. */
const addedOperators: Partial<Record<Kind, Readonly<Record<string, BuilderOperator>>>> = {
	text: {
		contains: matchText('Contains', 'iLike', '%…%'),
		containsExactly: matchText('Contains (Case-Sensitive)', 'like', '%…%'),
		endsWith: matchText('Ends With', 'iLike', '%…'),
		endsWithExactly: matchText('Ends With (Case-Sensitive)', 'like', '%…'),
		notContains: matchText('Does Not Contain', 'notILike', '%…%'),
		startsWith: matchText('Starts With', 'iLike', '…%'),
		startsWithExactly: matchText('Starts With (Case-Sensitive)', 'like', '…%'),
	},
	timestamp: {
		lastDays: matchLast('Is in the Last ... Days', 'days'),
		lastHours: matchLast('Is in the Last ... Hours', 'hours'),
		lastMinutes: matchLast('Is in the Last ... Minutes', 'minutes'),
		olderThanDays: {
			label: 'Is Older Than ... Days',
			takes: 'days',
			translate: (count, now) => ({ lt: toUtc(now.minus({ days: Number(count) })) }),
		},
		thisMonth: matchPeriod('Is This Month', 'month'),
		thisWeek: matchPeriod('Is This Week', 'week'),
		today: matchPeriod('Is Today', 'day'),
		yesterday: matchPeriod('Is Yesterday', 'day', 1),
	},
};

/** The operators that read differently for points in time. */
const timeLabels: Partial<Record<Operator, string>> = {
	gt: 'Is After',
	gte: 'Is at or After',
	lt: 'Is Before',
	lte: 'Is at or Before',
};

/** Returns the menu of operators for a kind of column, by name: the service's first, then this package's. */
export const builderOperators = memoize((kind: Kind): ReadonlyMap<string, BuilderOperator> => {
	const serviceOperators = operatorsByKind[kind].menu.map(
		(name: Operator): [string, BuilderOperator] => {
			const { operand: takes, ...facts } = operators[name];
			const label = (kind === 'timestamp' && timeLabels[name]) || facts.label;
			return [name, { ...facts, takes, label }];
		},
	);
	return new Map([...serviceOperators, ...Object.entries(addedOperators[kind] ?? {})]);
});

/** Returns the label of an operator, on any kind of column, or the name itself if no operator has it. */
export const operatorLabel = (name: string): string =>
	get({ ...operators, ...addedOperators.text, ...addedOperators.timestamp }, [name, 'label'], name);
