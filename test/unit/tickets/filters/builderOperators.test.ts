import fc from 'fast-check';
import type { Kind } from '../../../../src/tickets/columns';
import { columnNames, columns } from '../../../../src/tickets/columns';
import {
	builderOperators,
	operatorLabel,
	takenFields,
} from '../../../../src/tickets/filters/builderOperators';
import { operatorsByKind } from '../../../../src/tickets/operators';
import { compile, on } from '../../../support/compileFilters';
import { propertyRuns } from '../../../support/propertyRuns.mjs';
import { members } from '../../../support/samples';

const NEW_YORK = 'America/New_York';
const KATHMANDU = 'Asia/Kathmandu';
const LORD_HOWE = 'Australia/Lord_Howe';

/** Converts a time whose trailing zeros may be missing to ISO in UTC. */
const utc = (time: string): string =>
	new Date(`${time}${time.length === 13 ? ':00' : ''}Z`).toISOString();

describe('a shortcut', () => {
	it.each<[string, string, string, string, string]>([
		// A plain day with odd minutes.
		['today', KATHMANDU, '2026-01-15T18:15', '2026-01-15T18:15', '2026-01-16T18:15'],
		// A day of 23 hours.
		['today', NEW_YORK, '2026-03-08T12', '2026-03-08T05', '2026-03-09T04'],
		// A day of 25 hours: half past one occurs twice.
		['today', NEW_YORK, '2026-11-01T05:30', '2026-11-01T04', '2026-11-02T05'],
		// A clock that changes by half an hour.
		['today', LORD_HOWE, '2026-04-05T06', '2026-04-04T13', '2026-04-05T13:30'],
		// Midnight does not exist.
		['today', 'America/Santiago', '2026-09-06T12', '2026-09-06T04', '2026-09-07T03'],
		['thisWeek', NEW_YORK, '2026-03-08T12', '2026-03-02T05', '2026-03-09T04'],
		['thisMonth', NEW_YORK, '2026-03-31T12', '2026-03-01T05', '2026-04-01T04'],
	])('%s in %s at %s is from %s to before %s', (operator, zone, at, from, to) => {
		expect(compile([on('createdAt', operator)], { zone, at: utc(at) })).toEqual({
			createdAt: { gte: utc(from), lt: utc(to) },
		});
	});

	it.each<[string, number, string, string, string]>([
		['lastMinutes', 90, NEW_YORK, '2026-03-08T07:30', '2026-03-08T06'],
		// 24 hours are 24 hours, but a day back is the same time on the clock.
		['lastHours', 24, NEW_YORK, '2026-03-08T16', '2026-03-07T16'],
		['lastDays', 1, NEW_YORK, '2026-03-08T16', '2026-03-07T17'],
		['olderThanDays', 1, NEW_YORK, '2026-03-08T16', '2026-03-07T17'],
		['olderThanDays', 365, 'UTC', '2026-01-15T12:00:00.123', '2025-01-15T12:00:00.123'],
	])('%s %i in %s at %s begins or ends at %s', (operator, numberValue, zone, at, then) => {
		const isOlder = operator === 'olderThanDays';
		expect(compile([on('updatedAt', operator, { numberValue })], { zone, at: utc(at) })).toEqual({
			updatedAt: isOlder ? { lt: utc(then) } : { gte: utc(then) },
		});
	});

	it('today, yesterday and tomorrow leave out no moment, in every zone on every day', () => {
		const zones = [
			NEW_YORK,
			KATHMANDU,
			LORD_HOWE,
			'Europe/Berlin',
			'Pacific/Apia',
			'Africa/Cairo',
			'America/Santiago',
		];
		const bounds = (operator: string, zone: string, time: number) => {
			const filters = compile([on('createdAt', operator)], {
				zone,
				at: new Date(time).toISOString(),
			});
			const { gte, lt } = members(members(filters)['createdAt']);
			return { gte: Date.parse(String(gte)), lt: Date.parse(String(lt)) };
		};
		fc.assert(
			fc.property(
				fc.constantFrom(...zones),
				fc.integer({ min: Date.UTC(2012, 0), max: Date.UTC(2030, 0) }),
				(zone, now) => {
					const today = bounds('today', zone, now);
					expect([today.gte <= now, now < today.lt]).toEqual([true, true]);
					expect([
						{ ...today, gte: bounds('yesterday', zone, now).lt },
						{ ...today, lt: bounds('today', zone, today.lt).gte },
						bounds('today', zone, today.gte),
						bounds('today', zone, today.lt - 1),
					]).toEqual([today, today, today, today]);
				},
			),
			propertyRuns(1_000),
		);
	});
});

it.each([
	['contains', 'iLike', '%TEXT%'],
	['containsExactly', 'like', '%TEXT%'],
	['notContains', 'notILike', '%TEXT%'],
	['startsWith', 'iLike', 'TEXT%'],
	['startsWithExactly', 'like', 'TEXT%'],
	['endsWith', 'iLike', '%TEXT'],
	['endsWithExactly', 'like', '%TEXT'],
])('%s escapes whatever means something in a pattern', (operator, sent, pattern) => {
	const value = `50% of_a\\b $& "🎉"'`;
	const escaped = `50\\% of\\_a\\\\b $& "🎉"'`;
	expect(compile([on('title', operator, { value })])).toEqual({
		title: { [sent]: pattern.replace('TEXT', () => escaped) },
	});
});

const kinds = Object.keys(operatorsByKind) as Kind[];
const valued = kinds.flatMap((kind) =>
	[...builderOperators(kind)].flatMap(([name, { takes }]) => {
		const field = takenFields[kind][takes];
		const column = columnNames.find((each) => columns[each].kind === kind) ?? 'id';
		return field === undefined ? [] : [[column, name, field] as const];
	}),
);

it.each(valued)('an empty value of %s with %s stops', (column, operator, field) => {
	for (const nothing of [undefined, null, '', '  ', []]) {
		const conditions = [on(column, operator, { [field]: nothing })];
		expect(compile(conditions)).toEqual([expect.stringContaining(`0 ${field} is empty`)]);
	}
});

it('names operators by the kind of their column', () => {
	const labelsOf = (kind: Kind) => [...builderOperators(kind).values()].map(({ label }) => label);
	expect(labelsOf('timestamp')).toEqual(
		expect.arrayContaining(['Is', 'Is After', 'Is at or Before', 'Is Older Than ... Days']),
	);
	expect(labelsOf('number')).toEqual(expect.arrayContaining(['Is', 'Is Greater Than']));
	expect(labelsOf('number')).not.toContain('Is After');
	expect(['gt', 'contains', 'thisWeek', 'x'].map(operatorLabel)).toEqual([
		'Is Greater Than',
		'Contains',
		'Is This Week',
		'x',
	]);
});

it('a snooze in the last days has an end, because a snooze is usually in the future', () => {
	const at = '2026-03-08T16:00:00.000Z';
	const filters = compile([on('snoozedUntil', 'lastHours', { numberValue: 2 })], { at });
	expect(filters).toEqual({ snoozedUntil: { gte: '2026-03-08T14:00:00.000Z', lte: at } });
});
