import fc from 'fast-check';
import { toUtcTimestamp } from '../../../../src/tickets/filters/days';

const BERLIN = 'Europe/Berlin';

describe('a timestamp', () => {
	it.each([
		['2026-01-31T09:00:00Z', '2026-01-31T09:00:00.000Z'],
		['2026-01-31T09:00:00+05:30', '2026-01-31T03:30:00.000Z'],
		['2026-01-31T09:00:00-0800', '2026-01-31T17:00:00.000Z'],
	])('with an offset is the same everywhere: %s', (text, expected) => {
		for (const zone of [BERLIN, 'UTC', 'America/New_York', 'Asia/Kolkata']) {
			expect(toUtcTimestamp(text, zone)).toBe(expected);
		}
	});

	it.each([
		['2026-01-31', BERLIN, '2026-01-30T23:00:00.000Z'],
		['2026-07-31', BERLIN, '2026-07-30T22:00:00.000Z'],
		['2026-07-31', 'Pacific/Kiritimati', '2026-07-30T10:00:00.000Z'],
		['2026-01-31T09:00', BERLIN, '2026-01-31T08:00:00.000Z'],
		['2026-07-31 09:00:00', BERLIN, '2026-07-31T07:00:00.000Z'],
	])('without an offset, %s is read in %s', (text, zone, expected) => {
		expect(toUtcTimestamp(text, zone)).toBe(expected);
	});

	it.each([
		...['', 'today', '1700000000000', '20260131', '2026-W05-6', '31.01.2026', '2026-02-30'],
		...['2026-01-01T02:30:00+99:00', '2026-01-01T02:30-15:00', '2026-01-01T02:30+05:99'],
		...['2026-01-31T09:00:00Zx', '2026-01-31T24:00', '2026-01-31T09'],
	])('is not %j', (text) => {
		expect(toUtcTimestamp(text, BERLIN)).toBeUndefined();
	});

	it('is the same point in time, and sorts as text', () => {
		const [min, max] = [new Date('1900-01-01'), new Date('2999-12-31')];
		const dates = fc.date({ min, max, noInvalidDate: true });
		fc.assert(
			fc.property(dates, dates, (a, b) => {
				const [x = '', y = ''] = [a, b].map((date) => toUtcTimestamp(date.toISOString(), BERLIN));
				expect([x, y]).toEqual([a.toISOString(), b.toISOString()]);
				expect(x < y).toBe(a.getTime() < b.getTime());
			}),
		);
	});
});
