import { z } from 'zod/v4';
import {
	callingHoursOf,
	hoursSettings,
	zoneCell,
} from '../../../../src/conversations/campaign/hoursSettings';

const DAY_MS = 86_400_000;
const settings = z.object(hoursSettings);
const issuesOf = (entered: object) =>
	settings.safeParse(entered).error?.issues.map(({ path, message }) => [path.join('.'), message]);

const weekOf = (from: unknown, until: unknown, days: unknown = ['monday']) =>
	callingHoursOf(settings.parse({ callingHours: { hours: [{ days, from, until }] } }))?.week;

describe('a time of day', () => {
	it.each<[unknown, number]>([
		['9', 540],
		['09:00', 540],
		[' 9.30 ', 570],
		['09:00:00', 540],
		['0:59', 59],
		['9am', 540],
		['9:15 AM', 555],
		['12 am', 0],
		['12:30 PM', 750],
		['1 pm', 780],
		['11:59PM', 1_439],
		[8, 480],
	])('is read from %j', (entered, minutes) => {
		expect(weekOf(entered, '24:00')?.[0]).toEqual([[minutes, 1_440]]);
	});

	it.each<unknown>([
		'',
		' ',
		'noon',
		'9:60',
		'24:01',
		'25',
		'0 am',
		'13 pm',
		'9 xm',
		'9:5',
		'-1',
		null,
		[],
		{},
	])('is not read from %j', (entered) => {
		const text =
			typeof entered === 'object' && entered !== null
				? '(an object)'
				: String(entered ?? '').trim();
		expect(
			issuesOf({ callingHours: [{ days: ['monday'], from: entered, until: '20:00' }] }),
		).toEqual([
			['callingHours.hours.0.from', `"${text}" is not a valid time. Use 24 hours, e.g. 09:00`],
		]);
	});

	it('is shown with its beginning only', () => {
		expect(
			issuesOf({
				callingHours: [{ days: ['monday'], from: '9'.repeat(50), until: '20:00' }],
			})?.[0]?.[1],
		).toBe(`"${'9'.repeat(40)}" is not a valid time. Use 24 hours, e.g. 09:00`);
	});
});

describe('hours', () => {
	it('have days and times that leave some time', () => {
		const problem = (from: string, until: string) =>
			issuesOf({ callingHours: [{ days: ['monday'], from, until }] });
		expect(problem('09:00', '9am')).toEqual([
			[
				'callingHours.hours.0.until',
				'is the same as From, so there is no time to call. For a whole day use 00:00 to 24:00',
			],
		]);
		expect(problem('24:00', '08:00')).toEqual([
			[
				'callingHours.hours.0.until',
				'cannot follow 24:00, the end of the day. Enter an earlier From',
			],
		]);
		expect(problem('23:59', '00:00')).toBeUndefined();
		expect(problem('x', 'y')).toHaveLength(2);
		expect(problem('09:00', 'y')).toHaveLength(1);
	});

	it.each<unknown>([{}, { hours: [] }, { hours: 'x' }, [], 'x', 5])(
		'are missing in %j',
		(callingHours) => {
			expect(issuesOf({ callingHours })?.map(([, message]) => message)).toEqual([
				'has no hours. Add at least one row with days, From and Until',
			]);
		},
	);

	it('name days, also as text', () => {
		expect(weekOf('9', '10', 'Monday, SUNDAY')?.map((open) => open.length)).toEqual([
			1, 0, 0, 0, 0, 0, 1,
		]);
		expect(weekOf('9', '10', ['tuesday', 'friday'])?.map((open) => open.length)).toEqual([
			0, 1, 0, 0, 1, 0, 0,
		]);
		expect(issuesOf({ callingHours: [{ days: [], from: '9', until: '10' }] })).toEqual([
			['callingHours.hours.0.days', 'is empty. Choose at least one day'],
		]);
		expect(issuesOf({ callingHours: [{ days: 5, from: '9', until: '10' }] })).toEqual([
			['callingHours.hours.0.days', 'must be a list of names, each a day of the week'],
		]);
	});

	it('pass midnight into the next day', () => {
		expect(weekOf('22:00', '02:00', ['sunday'])).toEqual([
			[[0, 120]],
			[],
			[],
			[],
			[],
			[],
			[[1_320, 1_440]],
		]);
		expect(weekOf('22:00', '00:00', ['sunday'])).toEqual([
			[],
			[],
			[],
			[],
			[],
			[],
			[[1_320, 1_440]],
		]);
	});

	it('are none where nothing is set, and all the time where days are closed', () => {
		expect(callingHoursOf(settings.parse({}))).toBeUndefined();
		expect(callingHoursOf({})).toBeUndefined();
		const hours = callingHoursOf(settings.parse({ daysNotToCall: '1970-01-02' }));
		expect(hours?.week).toEqual(Array.from({ length: 7 }, () => [[0, 1_440]]));
		expect([...(hours?.closedDays ?? [])]).toEqual([1]);
	});
});

describe('days not to call', () => {
	const closed = (daysNotToCall: unknown) => [...settings.parse({ daysNotToCall }).daysNotToCall];
	const day = (date: string) => Date.parse(date) / DAY_MS;

	it.each<[unknown]>([
		['2026-12-25, 2027-01-01'],
		['2026-12-25;2027-01-01'],
		['2026-12-25\\n\\n 2027-01-01 '.replaceAll('\\n', '\n')],
		[['2026-12-25', ' 2027-01-01 ']],
	])('are read from %j', (entered) => {
		expect(closed(entered)).toEqual([day('2026-12-25'), day('2027-01-01')]);
	});

	it.each<[unknown, string]>([
		['25.12.2026', '25.12.2026'],
		['2026-13-01', '2026-13-01'],
		['2026-02-30', '2026-02-30'],
		['x2026-12-25', 'x2026-12-25'],
		['2026-12-25T10:00:00Z', '2026-12-25T10:00:00Z'],
		[[5], '5'],
		['x'.repeat(50), 'x'.repeat(40)],
	])('are not read from %j', (daysNotToCall, shown) => {
		expect(issuesOf({ daysNotToCall })).toEqual([
			[
				'daysNotToCall',
				`contains "${shown}", which is not a valid date. Use year, month and day, e.g. 2026-12-25`,
			],
		]);
	});

	it('are none where it is empty', () => {
		expect([closed(''), closed(null), closed([])]).toEqual([[], [], []]);
	});
});

it.each<[unknown, string | undefined]>([
	[' Europe/Berlin ', 'Europe/Berlin'],
	['', ''],
	[null, ''],
	[undefined, ''],
	['Berlin', undefined],
	[{}, undefined],
])('reads the time zone in the cell %j', (cell, zone) => {
	const read = zoneCell.safeParse(cell);
	expect(read.data).toBe(zone);
	if (zone === undefined)
		expect(read.error?.issues[0]?.message).toMatch(
			/^"(Berlin|\(an object\))" is not a known time zone\. Use a name such as America\/New_York$/,
		);
});

it('shows the beginning of a long name', () => {
	expect(zoneCell.safeParse('x'.repeat(50)).error?.issues[0]?.message).toContain(
		`"${'x'.repeat(40)}" is`,
	);
});
