import { WEEKDAYS } from '../../../../src/conversations/hours/callingHours';
import { hoursSettings, zoneCell } from '../../../../src/conversations/hours/hoursSettings';

const DAY_MS = 86_400_000;
const read = (when: object) => hoursSettings.parse({ when }).when;
const issuesOf = (when: object) =>
	hoursSettings
		.safeParse({ when })
		.error?.issues.map(({ path, message }) => [path.join('.'), message]);

const rowsOf = (from: unknown, until: unknown, days: unknown = ['monday']) =>
	read({ hours: { rows: [{ days, from, until }] } }).rows;

describe('a time of day', () => {
	it.each<[unknown, number]>([
		['9', 540],
		['09:00', 540],
		[' 9:30 ', 570],
		[8, 480],
	])('is read from %j', (entered, minutes) => {
		expect(rowsOf(entered, '24:00')).toMatchObject([{ from: minutes, until: 1_440 }]);
	});

	it.each<unknown>([' ', 'noon', '9:60', '24:01', null])('is not read from %j', (entered) => {
		const issues = issuesOf({ hours: [{ days: ['monday'], from: entered, until: '20:00' }] });
		expect(issues).toEqual([
			['when.hours.rows.0.from', expect.stringContaining('24 hours, e.g. 09:00') as string],
		]);
	});
});

describe('hours', () => {
	it('have days and times that leave some time', () => {
		const problem = (from: string, until: string) =>
			issuesOf({ hours: [{ days: ['monday'], from, until }] })?.map(([path]) => path);
		for (const [from, until] of [
			['09:00', '9'],
			['24:00', '08:00'],
			['09:00', 'y'],
		] as const)
			expect(problem(from, until)).toEqual(['when.hours.rows.0.until']);
		expect(problem('23:59', '00:00')).toBeUndefined();
	});

	it.each<unknown>([{}, { rows: [] }, 'x', undefined])('are missing in %j', (hours) => {
		expect(issuesOf({ hours })?.map(([, message]) => message)).toEqual([
			'has no hours. Add at least one row, e.g. all days from 00:00 until 24:00',
		]);
	});

	it('name days, also as text', () => {
		for (const [days, read] of [
			['Monday, SUNDAY', [0, 6]],
			[
				['tuesday', 'friday'],
				[1, 4],
			],
		])
			expect(rowsOf('9', '10', days)).toEqual([{ days: read, from: 540, until: 600 }]);
		for (const days of [[], 5])
			expect(issuesOf({ hours: [{ days, from: '9', until: '10' }] })).toHaveLength(1);
	});

	it('may be all the time but for days not to call', () => {
		const always = { rows: [{ days: WEEKDAYS, from: '00:00', until: '24:00' }] };
		const hours = read({ hours: always, daysNotToCall: '1970-01-02' });
		expect(hours.rows).toEqual([{ days: [0, 1, 2, 3, 4, 5, 6], from: 0, until: 1_440 }]);
		expect([...hours.closedDays]).toEqual([1]);
	});
});

describe('days not to call', () => {
	const hours = [{ days: ['monday'], from: '9', until: '10' }];
	const closed = (daysNotToCall: unknown) => [...read({ hours, daysNotToCall }).closedDays];
	const day = (date: string) => Date.parse(date) / DAY_MS;

	it.each<[unknown]>([
		['2026-12-25, 2027-01-01'],
		['2026-12-25\\n\\n 2027-01-01 '.replaceAll('\\n', '\n')],
		[['2026-12-25', ' 2027-01-01 ']],
	])('are read from %j', (entered) => {
		expect(closed(entered)).toEqual([day('2026-12-25'), day('2027-01-01')]);
	});

	it.each<[unknown, string]>([
		['25.12.2026', '25.12.2026'],
		['2026-02-30', '2026-02-30'],
		['x'.repeat(50), 'x'.repeat(40)],
	])('are not read from %j', (daysNotToCall, shown) => {
		expect(issuesOf({ hours, daysNotToCall })).toEqual([
			[
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

	it.each(['GMT+2', '-5', 'Mars/Base', {}])('is refused where it is none: %j', (cell) => {
		expect(zoneCell.safeParse(cell).success).toBe(false);
	});

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
