import { changeOf, factsOf, readTime } from '../../../../src/tickets/trigger/changes';
import { ticket } from '../../../support/tickets';

describe('the time of a change', () => {
	const ms = Date.UTC(2026, 0, 15, 12, 30, 15, 250);

	it.each<[unknown, number | undefined]>([
		['2026-01-15T12:30:15.250Z', ms],
		[' 2026-01-15 12:30:15.250 ', ms],
		['2026-01-15   12:30:15.250+00:00', ms],
		['2026-01-15 13:30:15.250 +01:00', ms],
		['2026-01-15', Date.UTC(2026, 0, 15)],
		[ms, ms],
		[ms / 1_000, ms],
		[ms * 1_000 + 7, ms],
		[String(ms), ms],
		[` ${ms / 1_000} `, ms],
		['1768480215.25', ms],
		['-1768480215', -1_768_480_215_000],
		[99_999_999_999, 99_999_999_999_000],
		[100_000_000_000, 100_000_000_000],
		[99_999_999_999_999, 99_999_999_999_999],
		[100_000_000_000_000, 100_000_000_000],
		[0, 0],
		['x1768480215', undefined],
		['1768480215x', undefined],
		['1768480215.x', undefined],
		['soon', undefined],
		['', undefined],
		[NaN, undefined],
		[Infinity, undefined],
		[null, undefined],
		[true, undefined],
	])('is read from %j', (value, expected) => {
		expect(readTime(value)).toBe(expected);
	});
});

describe('a change', () => {
	const atMs = Date.UTC(2026, 0, 15);
	const keyed = (more: object) =>
		changeOf({ updatedAt: '2026-01-15', ...more } as never, 'updatedAt')?.key;

	it('is known by the ID of its ticket, else by its number', () => {
		expect(changeOf(ticket(7, { updatedAt: '2026-01-15' }) as never, 'updatedAt')?.atMs).toBe(atMs);
		for (const [ticketNumber, key] of [
			[7, '7'],
			['42', '42'],
			['-42', '-42'],
			[0, '0'],
		])
			expect(keyed({ ticketNumber })).toBe(key);
		for (const id of [null, '', ' ']) expect(keyed({ id, ticketNumber: 7 })).toBe('7');
		expect(keyed({ id: 'a', ticketNumber: 7 })).toHaveLength(6);
		expect(keyed({ id: 'a', ticketNumber: 7 })).toBe(keyed({ id: 'a' }));
		expect(keyed({ id: 'b', ticketNumber: 7 })).not.toBe(keyed({ id: 'a', ticketNumber: 7 }));
		for (const ticketNumber of ['x42', '42x', 1.5, null, true, '', [42]])
			expect([ticketNumber, keyed({ ticketNumber })]).toEqual([ticketNumber, undefined]);
	});

	it('is none without a time, or without number and ID', () => {
		expect(changeOf(ticket(7) as never, 'updatedAt')).toBeUndefined();
		expect(keyed({})).toBeUndefined();
		expect(keyed({ id: '' })).toBeUndefined();
		expect(keyed({ id: 5 })).toBeUndefined();
	});

	it('is a customer who waits only where no agent was active since', () => {
		const waits = (lastCustomerActivityAt: unknown, lastAgentActivityAt: unknown) =>
			factsOf('customerWaiting').applies?.({
				lastCustomerActivityAt,
				lastAgentActivityAt,
			} as never);
		expect(waits('2026-01-15T12:00', '2026-01-15T11:59')).toBe(true);
		expect(waits('2026-01-15T12:00', '2026-01-15T12:00')).toBe(false);
		expect(waits('2026-01-15T12:00', null)).toBe(true);
		expect(waits(null, null)).toBe(false);
		expect(waits(null, '2026-01-15')).toBe(false);
	});
});
