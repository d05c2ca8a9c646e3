import { Settings } from 'luxon';
import { hoursSettings, zoneCell } from '../../../../src/conversations/hours/hoursSettings';

const DAY_MS = 86_400_000;
const read = (when: object) => hoursSettings.parse({ when }).when;
const issuesOf = (when: object) =>
	hoursSettings
		.safeParse({ when })
		.error?.issues.map(({ code, path, message }) => [code, path.join('.'), message]);

const rowsOf = (from: unknown, until: unknown, days: unknown = ['monday']) =>
	read({ hours: { rows: [{ days, from, until }] } }).periods;

describe('a time of day', () => {
	it.each<[unknown, number]>([
		['9', 540],
		['09:00', 540],
		[' 9:30 ', 570],
		[8, 480],
	])('is read from %j', (entered, minutes) => {
		expect(rowsOf(entered, '24:00')).toMatchObject([{ from: minutes, until: 1_440 }]);
	});

	it.each<[unknown, string]>([
		[null, 'is empty. Enter a time in'],
		[' ', 'is empty. Enter a time in'],
		['noon', '"noon" is not a valid time. Use'],
		['9:60', '"9:60" is not a valid time. Use'],
		['24:01', '"24:01" is not a valid time. Use'],
	])('is not read from %j', (from, wrong) => {
		expect(issuesOf({ hours: [{ days: ['monday'], from, until: '20:00' }] })).toEqual([
			['custom', 'when.hours.rows.0.from', `${wrong} 24 hours, e.g. 09:00`],
		]);
	});
});

describe('hours', () => {
	it.each<[string, string, string]>([
		[
			'09:00',
			'9',
			'is the same as From, so there is no time to call. For a whole day use 00:00 to 24:00',
		],
		['24:00', '08:00', 'cannot follow 24:00, the end of the day. Enter an earlier From'],
	])('are refused from %s until %s', (from, until, message) => {
		expect(issuesOf({ hours: [{ days: ['monday'], from, until }] })).toEqual([
			['custom', 'when.hours.rows.0.until', message],
		]);
	});

	it.each<unknown>([{}, { rows: [] }, 'x', undefined])('are missing in %j', (hours) => {
		expect(issuesOf({ hours })?.map(([, , message]) => message)).toEqual([
			'has no hours. Add at least one row, e.g. all days from 00:00 until 24:00',
		]);
	});

	it('name days, also as text', () => {
		expect(rowsOf('9', '10', 'Monday, SUNDAY')).toEqual([{ days: [0, 6], from: 540, until: 600 }]);
		expect(rowsOf('9', '10', ['tuesday', 'friday'])).toMatchObject([{ days: [1, 4] }]);
		for (const days of [[], 5])
			expect(issuesOf({ hours: [{ days, from: '9', until: '10' }] })).toHaveLength(1);
	});
});

describe('days not to call', () => {
	const hours = [{ days: ['monday'], from: '9', until: '10' }];
	const closed = (daysNotToCall: unknown) => [...read({ hours, daysNotToCall }).closedDays];

	it.each<[unknown, string[]]>([
		['2026-12-25, 2027-01-01', ['2026-12-25', '2027-01-01']],
		['2026-12-25\n\n 2027-01-01 ', ['2026-12-25', '2027-01-01']],
		[
			['2026-12-25', ' 2027-01-01 '],
			['2026-12-25', '2027-01-01'],
		],
		...[null, '', []].map((none): [unknown, string[]] => [none, []]),
	])('are read from %j, wherever the server is', (entered, dates) => {
		Settings.defaultZone = 'Asia/Tokyo';
		const days = closed(entered);
		Settings.defaultZone = 'system';
		expect(days).toEqual(dates.map((date) => Date.parse(date) / DAY_MS));
	});

	it.each<[unknown, string]>([
		[' , ', ','],
		...['25.12.2026', '2026-02-30', '2026-12-25T10:00', '+002026-12-25'].map(
			(text): [string, string] => [text, text],
		),
		['x'.repeat(50), 'x'.repeat(40)],
	])('are not read from %j', (daysNotToCall, shown) => {
		expect(issuesOf({ hours, daysNotToCall })).toEqual([
			[
				'custom',
				'when.daysNotToCall',
				`contains "${shown}", which is not a valid date. Use year, month and day, e.g. 2026-12-25`,
			],
		]);
	});
});

describe('the time zone in a cell', () => {
	it.each<[unknown, string]>([
		[' Europe/Berlin ', 'Europe/Berlin'],
		['America/New_York\u200b', 'America/New_York'],
		['UTC', 'UTC'],
		[' ', ''],
	])('is read from %j', (cell, zone) => {
		expect(zoneCell.parse(cell)).toBe(zone);
	});

	it.each(['GMT+2', '-5', 'Mars/Base', 'Etc/GMT+5', 'SystemV/EST5'])(
		'is not read from %j',
		(cell) => {
			expect(zoneCell.safeParse(cell).error?.issues).toMatchObject([
				{
					code: 'custom',
					message: `"${cell}" is not a valid time zone. Use a name such as America/New_York, or UTC`,
				},
			]);
		},
	);

	it('is refused for every short name that the calendar knows', () => {
		for (const name of Intl.supportedValuesOf('timeZone')) {
			expect([name, zoneCell.safeParse(name).success]).toEqual([
				name,
				name.includes('/') || name === 'UTC',
			]);
			const [place = ''] = name.split('/').slice(-1);
			expect([place, zoneCell.safeParse(place).success]).toEqual([place, place === 'UTC']);
		}
	});
});
