import fc from 'fast-check';
import { utcTimestamp } from '../../../../src/tickets/filters/days';

const BERLIN = 'Europe/Berlin';

describe('a timestamp', () => {
	it.each([
		['2026-01-31T09:00:00Z', '2026-01-31T09:00:00.000Z'],
		['2026-01-31T09:00:00.123Z', '2026-01-31T09:00:00.123Z'],
		['2026-01-31T09:00:00.5Z', '2026-01-31T09:00:00.500Z'],
		['2026-01-31T09:00:00,5Z', '2026-01-31T09:00:00.500Z'],
		['2026-01-31T09:00Z', '2026-01-31T09:00:00.000Z'],
		['2026-01-31T09:00:00+05:30', '2026-01-31T03:30:00.000Z'],
		['2026-01-31T09:00:00-0800', '2026-01-31T17:00:00.000Z'],
		['2026-01-31T09:00:00+02', '2026-01-31T07:00:00.000Z'],
		['2026-01-31 09:00:00+02:00', '2026-01-31T07:00:00.000Z'],
		['  2026-01-31T09:00:00Z  ', '2026-01-31T09:00:00.000Z'],
	])('with an offset is the same everywhere: %s', (text, expected) => {
		for (const zone of [BERLIN, 'UTC', 'America/New_York', 'Asia/Kolkata']) {
			expect(utcTimestamp(text, zone)).toBe(expected);
		}
	});

	it.each([
		['2026-01-31', 'UTC', '2026-01-31T00:00:00.000Z'],
		['2026-01-31', BERLIN, '2026-01-30T23:00:00.000Z'],
		['2026-07-31', BERLIN, '2026-07-30T22:00:00.000Z'],
		['2026-07-31', 'America/New_York', '2026-07-31T04:00:00.000Z'],
		['2026-07-31', 'Asia/Kolkata', '2026-07-30T18:30:00.000Z'],
		['2026-07-31', 'Pacific/Kiritimati', '2026-07-30T10:00:00.000Z'],
		['2026-01-31T09:00', BERLIN, '2026-01-31T08:00:00.000Z'],
		['2026-07-31 09:00:00', BERLIN, '2026-07-31T07:00:00.000Z'],
		['2026-07-31T09', BERLIN, '2026-07-31T07:00:00.000Z'],
	])('without an offset, %s is read in %s', (text, zone, expected) => {
		expect(utcTimestamp(text, zone)).toBe(expected);
	});

	it('changes its offset at the hour that summer time begins and ends', () => {
		expect(utcTimestamp('2026-03-29T01:59:59', BERLIN)).toBe('2026-03-29T00:59:59.000Z');
		expect(utcTimestamp('2026-03-29T03:00:00', BERLIN)).toBe('2026-03-29T01:00:00.000Z');
		expect(utcTimestamp('2026-10-25T01:59:59', BERLIN)).toBe('2026-10-24T23:59:59.000Z');
		expect(utcTimestamp('2026-10-25T03:00:00', BERLIN)).toBe('2026-10-25T02:00:00.000Z');
		expect(utcTimestamp('2026-03-08T03:00:00', 'America/New_York')).toBe(
			'2026-03-08T07:00:00.000Z',
		);
	});

	it('reads an hour that a clock skips or repeats as one point in time', () => {
		expect(utcTimestamp('2026-03-29T02:30:00', BERLIN)).toBe('2026-03-29T01:30:00.000Z');
		expect(utcTimestamp('2026-10-25T02:30:00', BERLIN)).toMatch(/^2026-10-25T0[01]:30:00\.000Z$/);
	});

	it.each([
		'',
		' ',
		'x',
		'today',
		'1700000000000',
		'2026',
		...['2026-01-01T02:30:00+99:00', '2026-01-01T02:30-15:00', '2026-01-01T02:30+05:99'],
		'2026-01',
		'2026-W05-6',
		'2026-031',
		'2026-1-5',
		'31.01.2026',
		'01/31/2026',
		'2026-02-30',
		'2026-13-01',
		'2026-01-31T25:00',
		'2026-01-31T09:60',
		'2026-01-31T09:00:00Zx',
		'2026-01-31T09:00:00+25:61:00',
	])('is not %j', (text) => {
		expect(utcTimestamp(text, BERLIN)).toBeUndefined();
	});

	it.each([
		['20260131', '2026-01-30T23:00:00.000Z'],
		['20260131T093000Z', '2026-01-31T09:30:00.000Z'],
		['2026-01-31T09:30:15,5+0530', '2026-01-31T04:00:15.500Z'],
	])('reads the less common form %s', (text, utc) => {
		expect(utcTimestamp(text, BERLIN)).toBe(utc);
	});

	it('is none behind the year 9999 in UTC', () => {
		expect(utcTimestamp('9999-12-31T23:59:59-01:00', BERLIN)).toBeUndefined();
		expect(utcTimestamp('9999-12-31T23:59:59Z', BERLIN)).toBe('9999-12-31T23:59:59.000Z');
	});

	it('is none in a zone that does not exist', () => {
		expect(utcTimestamp('2026-01-31', 'Mars/Olympus')).toBeUndefined();
	});

	it('is the same point in time, and sorts as text', () => {
		const dates = fc.date({
			min: new Date('1900-01-01T00:00:00Z'),
			max: new Date('2999-12-31T00:00:00Z'),
			noInvalidDate: true,
		});
		fc.assert(
			fc.property(dates, dates, (a, b) => {
				const [x, y] = [a, b].map((date) => utcTimestamp(date.toISOString(), BERLIN) ?? '');
				expect([x, y]).toEqual([a.toISOString(), b.toISOString()]);
				expect((x ?? '') < (y ?? '')).toBe(a.getTime() < b.getTime());
			}),
		);
	});
});
