import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Column, Kind } from '../../src/tickets/columns';
import { columnNames, columns } from '../../src/tickets/columns';
import type { Operator } from '../../src/tickets/operators';
import { operators, operatorsOf, valueFieldFor } from '../../src/tickets/operators';
import type { ShortcutFields, ShortcutName } from '../../src/tickets/shortcuts';
import { shortcutFields, shortcutNames } from '../../src/tickets/shortcuts';
import { exampleOperand } from '../support/exampleValues';
import { search } from '../support/panel';
import { runNode } from '../support/runNode';
import { members } from '../support/samples';
import type { Body, Row } from '../support/sandbox.mts';
import { useSandbox } from '../support/sandbox.mts';

// They ask a real service, on machines that may be busy.
jest.setTimeout(30_000);

const sandboxOf = useSandbox();

afterEach(() => jest.restoreAllMocks());

type Condition = IDataObject & { column: Column; operator: Operator | ShortcutName };

/** Runs a search in the engine against the sandbox. */
const run = async (conditions: readonly Condition[], parameters: object = {}, timezone = 'UTC') =>
	await runNode({
		parameters: {
			...search,
			returnAll: true,
			sort: { rules: [{ column: 'ticketNumber', direction: 'asc' }] },
			filters: { conditions: conditions as unknown as INodeParameters[] },
			...parameters,
		},
		credential: sandboxOf().credential,
		timezone,
	});

/** The condition as the panel gives it: an example in the field that is shown for it. */
function withOperator(column: Column, operator: Operator): Condition {
	const { kind } = columns[column];
	const widget = valueFieldFor(kind, operator);
	const between = '2026-01-01T00:00:00Z,2026-02-01T00:00:00Z';
	const value = operator === 'isBetween' ? between : exampleOperand(operator, kind);
	return { column, operator, ...(widget !== undefined && { [widget]: value }) };
}

const examples: Readonly<Record<ShortcutFields, IDataObject>> = {
	none: {},
	text: { value: '50% of_all \\ "it" \'s' },
	count: { numberValue: 3 },
	dates: { dateValue: '2026-01-31', dateTo: '2026-02-01T12:00:00' },
	numbers: { numberValue: -5, numberTo: 5 },
};

function withShortcut(column: Column, operator: ShortcutName): Condition {
	const fields = shortcutFields(operator, columns[column].kind) ?? 'none';
	return { column, operator, ...examples[fields] };
}

const allOperators = Object.keys(operators) as Operator[];
const fits = (operator: Operator, kind: Kind) =>
	(operatorsOf[kind] as readonly Operator[]).includes(operator);

describe('against a strict service', () => {
	beforeAll(async () => await sandboxOf().invent(150));

	it.each(columnNames)(
		'every operator and every shortcut on %s is accepted as it is sent',
		async (column) => {
			const { kind } = columns[column];
			const conditions = [
				...operatorsOf[kind].map((operator: Operator) => withOperator(column, operator)),
				...shortcutNames
					.filter((name) => shortcutFields(name, kind) !== undefined)
					.map((name) => withShortcut(column, name)),
			];
			await sandboxOf().forget();
			for (const condition of conditions) {
				const { error } = await run([condition], { returnAll: false, limit: 3 });
				expect({ condition, error }).toEqual({ condition, error: undefined });
			}
			const received = await sandboxOf().received();
			expect(new Set(received.map(({ status }) => status))).toEqual(new Set([200]));
			// An escaped pattern that finds nothing is tried out once more.
			expect(received.length).toBeGreaterThanOrEqual(conditions.length);
			for (const { body } of received) {
				const sent = members(members(members(body)['filters'])[column]);
				expect(Object.keys(sent).length).toBeGreaterThan(0);
			}
			const named = received.map(({ body }) => Object.keys(members(members(body)['filters'])));
			expect(named).toEqual(received.map(() => [column]));
		},
		30_000,
	);

	const kinds = Object.keys(operatorsOf) as Kind[];

	it.each(kinds)(
		'no operator and no shortcut that does not fit a column of %s is sent',
		async (kind) => {
			const column = columnNames.find((name) => columns[name].kind === kind) ?? 'id';
			const misfits = [
				...allOperators.filter((operator) => !fits(operator, kind)),
				...shortcutNames.filter((name) => shortcutFields(name, kind) === undefined),
			];
			await sandboxOf().forget();
			const field = `'Filters > Condition 1 > Operator'`;
			for (const operator of misfits) {
				const { error, main } = await run([
					{
						column,
						operator,
						value: 'x',
						numberValue: 1,
						dateValue: '2026-01-01',
						valueList: 'x',
						idValues: 'x',
					},
				]);
				expect({ operator, main, message: error?.message }).toEqual({
					operator,
					main: [],
					message: expect.stringMatching(
						new RegExp(`^${field} '.+' does not fit ${columns[column].label}\\. Choose another`),
					),
				});
			}
			expect(misfits.length).toBeGreaterThan(0);
			expect((await sandboxOf().counts()).total).toBe(0);
		},
	);
});

describe('the tickets that come back', () => {
	const titles = [
		'100% wool',
		'100 percent wool',
		'user_id mismatch',
		'userXid mismatch',
		'path C:\\temp\\export',
		'path C:/temp/export',
		'C:temp',
		'the "premium" plan',
		"O'Brien's account",
		'OBriens account',
		'%',
		'_',
		'\\',
		'\\%',
		'%_\\',
		'Refund',
		'REFUND',
		'refund for a refund',
		'a Refund',
		'line\nRefund\nline',
		'Größe 🎉',
		'GRÖSSE',
		'電話番号',
		'[a-z]+(.*)$^',
	];
	const texts = [
		'%',
		'_',
		'\\',
		'100%',
		'user_id',
		'C:\\temp',
		'\\%',
		'%_\\',
		'"premium"',
		"O'Brien",
		'refund',
		'Refund',
		'GRÖ',
		'🎉',
		'番号',
		'(.*)$',
		'a R',
	];
	const lower = (text: string) => text.toLowerCase();
	const meanings: Array<[ShortcutName, (title: string, text: string) => boolean]> = [
		['contains', (title, text) => lower(title).includes(lower(text))],
		['containsExactly', (title, text) => title.includes(text)],
		['notContains', (title, text) => !lower(title).includes(lower(text))],
		['startsWith', (title, text) => lower(title).startsWith(lower(text))],
		['startsWithExactly', (title, text) => title.startsWith(text)],
		['endsWith', (title, text) => lower(title).endsWith(lower(text))],
		['endsWithExactly', (title, text) => title.endsWith(text)],
	];

	it.each(meanings)('%s means the text itself, whatever stands in it', async (operator, reader) => {
		await sandboxOf().fill(titles.map((title, i) => ({ title, ticketNumber: i + 1 })));
		for (const text of texts) {
			const { main, error } = await run([{ column: 'title', operator, value: text }]);
			expect({ text, error, found: main.map(({ json }) => json['title']) }).toEqual({
				text,
				error: undefined,
				found: titles.filter((title) => reader(title, text)),
			});
		}
	});

	it('patterns keep their % and _', async () => {
		await sandboxOf().fill(titles.map((title, i) => ({ title, ticketNumber: i + 1 })));
		const found = async (operator: Operator, value: string) =>
			(await run([{ column: 'title', operator, value }])).main.map(({ json }) => json['title']);
		expect(await found('iLike', 'user_id%')).toEqual(['user_id mismatch', 'userXid mismatch']);
		expect(await found('like', 'REF%')).toEqual(['REFUND']);
		expect(await found('notLike', '%_%')).toEqual([]);
		expect(await found('notILike', '%e%')).toEqual(titles.filter((t) => !lower(t).includes('e')));
	});

	const numbers = Array.from({ length: 230 }, (_, i) => i - 60);

	it.each([
		[-10, 10],
		[0, 0],
		[150, 2147483647],
		[-2147483648, -50],
		[1000, 2000],
	])('between %i and %i count both ends', async (from, to) => {
		await sandboxOf().fill(numbers.map((ticketNumber) => ({ ticketNumber })));
		const { main } = await run([
			{ column: 'ticketNumber', operator: 'between', numberValue: from, numberTo: to },
		]);
		expect(main.map(({ json }) => json['ticketNumber'])).toEqual(
			numbers.filter((number) => number >= from && number <= to),
		);
	});

	it('between two points in time count both ends, to the millisecond', async () => {
		const times = ['08:59:59.999', '09:00:00.000', '12:00:00.000', '17:00:00.000', '17:00:00.001'];
		await sandboxOf().fill(
			times.map((time, i) => ({ ticketNumber: i, closedAt: `2026-01-31T${time}Z` })),
		);
		const { main } = await run(
			[
				{
					column: 'closedAt',
					operator: 'between',
					dateValue: '2026-01-31T10:00:00',
					dateTo: '2026-01-31T18:00:00',
				},
			],
			{},
			'Europe/Berlin',
		);
		expect(main.map(({ json }) => json['ticketNumber'])).toEqual([1, 2, 3]);
	});

	it('conditions on several columns and two on one column all have to match', async () => {
		await sandboxOf().invent(700);
		const everything = await sandboxOf().all();
		const { main } = await run([
			{ column: 'priority', operator: 'ne', priorityValue: 'low' },
			{ column: 'priority', operator: 'ne', priorityValue: 'high' },
			{ column: 'ticketNumber', operator: 'between', numberValue: 50, numberTo: 600 },
			{ column: 'ticketNumber', operator: 'between', numberValue: 100, numberTo: 900 },
			{ column: 'closedAt', operator: 'isNull' },
			{ column: 'title', operator: 'contains', value: '%' },
		]);
		const expected = everything.filter(
			({ priority, ticketNumber, closedAt, title }) =>
				(priority === 'urgent' || priority === 'medium') &&
				ticketNumber >= 100 &&
				ticketNumber <= 600 &&
				closedAt === null &&
				String(title).includes('%'),
		);
		expect(expected.length).toBeGreaterThan(20);
		expect(main.map(({ json }) => json)).toEqual(expected);
	});
});

describe('relative dates', () => {
	const HOUR = 3_600_000;
	const DAY = 24 * HOUR;

	/** Tickets around every midnight of two months, to the millisecond, with some days that have not come yet. */
	function around(now: number): Array<{ ticketNumber: number; createdAt: string }> {
		const firstDay = Math.floor(now / DAY) * DAY - 36 * DAY;
		const places = [0, 4, 5, 16.5, 18.25].flatMap((hour) => [hour * HOUR - 1, hour * HOUR]);
		const times = Array.from({ length: 39 }, (_, day) =>
			places.map((place) => firstDay + day * DAY + place),
		).flat();
		return times.map((time, i) => ({
			ticketNumber: i + 1,
			createdAt: new Date(time).toISOString(),
		}));
	}

	/** What a clock on the wall shows, by the calendar of the platform and not of the node. */
	function wall(time: number, timeZone: string): { day: string; text: string } {
		const text = new Intl.DateTimeFormat('sv-SE', {
			timeZone,
			dateStyle: 'short',
			timeStyle: 'medium',
		}).format(time);
		return { day: text.slice(0, 10), text };
	}

	/** The day so many days later in the calendar, which knows no hours. */
	const dayAfter = (day: string, days: number) =>
		new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY).toISOString().slice(0, 10);

	const monday = (day: string) => {
		const weekday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
		return dayAfter(day, -weekday);
	};

	type Meaning = (time: number, now: number, zone: string) => boolean;

	const daysBack = (days: number, now: number, zone: string) => {
		const { day, text } = wall(now, zone);
		return dayAfter(day, -days) + text.slice(10);
	};

	const meanings: Array<[ShortcutName, number, Meaning]> = [
		['today', 0, (time, now, zone) => wall(time, zone).day === wall(now, zone).day],
		[
			'yesterday',
			0,
			(time, now, zone) => wall(time, zone).day === dayAfter(wall(now, zone).day, -1),
		],
		[
			'thisWeek',
			0,
			(time, now, zone) => monday(wall(time, zone).day) === monday(wall(now, zone).day),
		],
		[
			'thisMonth',
			0,
			(time, now, zone) => wall(time, zone).day.slice(0, 7) === wall(now, zone).day.slice(0, 7),
		],
		['lastMinutes', 90, (time, now) => time >= now - 90 * 60_000],
		['lastHours', 30, (time, now) => time >= now - 30 * HOUR],
		['lastDays', 8, (time, now, zone) => wall(time, zone).text >= daysBack(8, now, zone)],
		['olderThanDays', 8, (time, now, zone) => wall(time, zone).text < daysBack(8, now, zone)],
	];

	it.each([
		['America/New_York', '2026-03-08T16:30:00.000Z', 'on a day of 23 hours'],
		['America/New_York', '2026-03-09T03:59:59.999Z', 'at the end of a day of 23 hours'],
		['America/New_York', '2026-03-09T04:00:00.000Z', 'at midnight after a day of 23 hours'],
		['America/New_York', '2026-11-01T16:30:00.000Z', 'on a day of 25 hours'],
		['America/New_York', '2026-11-02T04:59:59.999Z', 'at the end of a day of 25 hours'],
		['America/New_York', '2026-11-02T05:00:00.000Z', 'at midnight after a day of 25 hours'],
		['Asia/Kathmandu', '2026-01-31T18:14:59.999Z', 'at the end of a month'],
		['Asia/Kathmandu', '2026-01-31T18:15:00.000Z', 'at the start of a month'],
	])('in %s at %s (%s) follow the calendar of the workflow', async (zone, at) => {
		const now = Date.parse(at);
		const tickets = around(now);
		await sandboxOf().fill(tickets);
		jest.spyOn(Date, 'now').mockReturnValue(now);
		for (const [operator, numberValue, reader] of meanings) {
			const { main, error } = await run(
				[{ column: 'createdAt', operator, ...(numberValue > 0 && { numberValue }) }],
				{ output: 'selected', columns: ['createdAt'] },
				zone,
			);
			const expected = tickets.filter(({ createdAt }) => reader(Date.parse(createdAt), now, zone));
			expect(expected.length).toBeGreaterThan(0);
			expect(expected.length).toBeLessThan(tickets.length);
			expect({ operator, error, found: main.map(({ json }) => json['createdAt']) }).toEqual({
				operator,
				error: undefined,
				found: expected.map(({ createdAt }) => createdAt),
			});
		}
	});
});

it('finds the same tickets through the node as a search past it', async () => {
	await sandboxOf().invent(650);
	const filters: Body['filters'] = { source: { notIn: ['voice', 'sms'] }, isShared: { eq: false } };
	const past: Row[] = [];
	for (let offset = 0; ; offset += 100) {
		const sort = [{ field: 'ticketNumber', direction: 'desc' as const }];
		const page = await sandboxOf().search({ filters, sort, pagination: { limit: 100, offset } });
		past.push(...page.data);
		if (!page.hasNextPage) break;
	}
	const { main } = await run(
		[
			{ column: 'source', operator: 'notIn', sourceValues: ['voice', 'sms'] },
			{ column: 'isShared', operator: 'eq', booleanValue: false },
		],
		{ sort: { rules: [{ column: 'ticketNumber', direction: 'desc' }] } },
	);
	expect(past.length).toBeGreaterThan(300);
	expect(main.map(({ json }) => json)).toEqual(past);
});
