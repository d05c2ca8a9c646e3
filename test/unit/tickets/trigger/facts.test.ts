import type { Client } from '../../../../src/core/client';
import { changeOf, factsOf, readTime } from '../../../../src/tickets/trigger/changes';
import { fingerprintOf } from '../../../../src/tickets/trigger/input';
import { noteReports } from '../../../../src/tickets/trigger/reports';
import { pollClient } from '../../../../src/tickets/trigger/serviceClock';
import type { Request } from '../../../../src/core/http';
import { z } from 'zod/v4';
import { lost, reply } from '../../../support/fakeRuntime';
import { ticket, upTo } from '../../../support/tickets';

describe('what a trigger watches', () => {
	const of = (parameters: unknown, service: readonly string[] = []) =>
		fingerprintOf(parameters, service);
	const same = (one: object, other: object) => expect(of(one)).toBe(of(other));
	const differs = (one: object, other: object) => expect(of(one)).not.toBe(of(other));
	const created = { event: 'ticketCreated' };
	const waiting = { event: 'customerWaiting', minutes: 5 };
	const unanswered = { event: 'notAnswered', minutes: 5 };
	const conditions = { conditions: [{ column: 'title', operator: 'eq', value: 'a' }] };

	it('is known again in every version', () => {
		expect(of(created)).toBe('Uuq02HpgHJzvvT4QNeLLx2');
		expect(of({ ...waiting, filters: conditions, options: { repeatEvery: 10 } }, ['a', 'b'])).toBe(
			'ZpiLHD3DyOh8YoqbgyzeAB',
		);
	});

	it('is the event, its filters and the service', () => {
		differs(created, { event: 'ticketClosed' });
		differs(created, { ...created, filters: conditions });
		differs({ ...created, filters: conditions }, { ...created, filters: { conditions: [] } });
		expect(of(created, ['a'])).not.toBe(of(created));
		expect(of(created, ['a'])).not.toBe(of(created, ['b']));
		expect(of(undefined)).toBe(of({}));
	});

	it('is the filters that are shown', () => {
		const filtersJson = { title: { eq: 'a' } };
		differs(
			{ ...created, filterMode: 'json', filtersJson },
			{ ...created, filterMode: 'json', filtersJson: {} },
		);
		same(
			{ ...created, filterMode: 'json', filtersJson, filters: conditions },
			{ ...created, filterMode: 'json', filtersJson },
		);
		same(
			{ ...created, filterMode: 'conditions', filtersJson, filters: conditions },
			{ ...created, filters: conditions },
		);
	});

	it('is the same whether defaults are saved or not', () => {
		same({ ...created, filters: {} }, { ...created, filters: { conditions: [] } });
		same(created, { ...created, options: { emptyValue: 'stop' } });
		differs(created, { ...created, options: { emptyValue: 'skip' } });
		same(waiting, { ...waiting, options: { repeatEvery: 0 } });
		same(created, { ...created, options: 'x' });
	});

	it('is how long to wait and how often to repeat only where that counts', () => {
		for (const event of [waiting, unanswered]) {
			differs(event, { ...event, minutes: 6 });
			differs(event, { ...event, minutes: null });
			differs(event, { ...event, options: { repeatEvery: 10 } });
		}
		const snoozed = { event: 'snoozeOver', minutes: 5 };
		same(snoozed, { ...snoozed, minutes: 6 });
		differs(snoozed, { ...snoozed, options: { repeatEvery: 10 } });
		same(snoozed, { ...snoozed, options: { repeatEvery: 0 } });
		same({ ...created, minutes: 5 }, { ...created, minutes: 6 });
		same(created, { ...created, options: { repeatEvery: 10 } });
		same(created, { ...created, options: { overlap: 10, maximumTickets: 5 } });
	});
});

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
	const numberOf = (more: object) =>
		changeOf({ updatedAt: '2026-01-15', ...more } as never, 'updatedAt')?.number;

	it('is known by the number of its ticket, else by its ID', () => {
		expect(changeOf(ticket(7, { updatedAt: '2026-01-15' }) as never, 'updatedAt')).toMatchObject({
			atMs,
			number: 7,
		});
		expect(numberOf({ ticketNumber: '42' })).toBe(42);
		expect(numberOf({ ticketNumber: '-42' })).toBe(-42);
		expect(numberOf({ ticketNumber: 0 })).toBe(0);
		const standIn = numberOf({ id: 'a' }) ?? 0;
		expect(standIn).toBeGreaterThan(2 ** 32);
		expect(numberOf({ id: 'b' })).not.toBe(standIn);
		for (const ticketNumber of ['x42', '42x', '1234567890123456', 1.5, null, true, '', [42]])
			expect([ticketNumber, numberOf({ ticketNumber, id: 'a' })]).toEqual([ticketNumber, standIn]);
	});

	it('is none without a time, or without number and ID', () => {
		expect(changeOf(ticket(7) as never, 'updatedAt')).toBeUndefined();
		expect(numberOf({})).toBeUndefined();
		expect(numberOf({ id: '' })).toBeUndefined();
		expect(numberOf({ id: 5 })).toBeUndefined();
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

describe('reports', () => {
	const note = (before: readonly string[], malformed: readonly object[], lostOverlap = false) => {
		const said: string[] = [];
		const after = noteReports(before, {
			context: { report: (message: string) => said.push(message) },
			column: 'updatedAt',
			settled: { lostOverlap },
			read: { malformed },
		} as never);
		return { said, after };
	};
	const LOST =
		'Too many tickets changed to cover the whole Overlap. Tickets that the service shows late can be missed. Shorten Overlap or narrow the filters.';

	it('name a row that cannot be read, once', () => {
		const row = { ticketNumber: 7, id: 'a', updatedAt: 'soon' };
		const first = note([], [row]);
		expect(first.said).toEqual([
			'Ticket 7 was skipped: the service shows "soon" in updatedAt, which is not a time, or neither its number nor its ID.',
		]);
		expect(first.after).toHaveLength(1);
		expect(first.after[0]).toHaveLength(8);
		expect(note(first.after, [row])).toEqual({ said: [], after: first.after });
		expect(note(first.after, [{ ...row, updatedAt: 'later' }]).said).toHaveLength(1);
	});

	it.each<[object, string]>([
		[{ id: 'a' }, 'Ticket "a" was skipped: the service shows nothing in updatedAt,'],
		[
			{ ticketNumber: 0, id: 'a', updatedAt: null },
			'Ticket 0 was skipped: the service shows null in updatedAt,',
		],
		[
			{ ticketNumber: '', id: 'a', updatedAt: 5 },
			'Ticket "a" was skipped: the service shows 5 in updatedAt,',
		],
		[
			{ updatedAt: 'x'.repeat(99) },
			`Ticket nothing was skipped: the service shows "${'x'.repeat(59)} in updatedAt,`,
		],
	])('say what %j shows', (row, message) => {
		expect(note([], [row]).said[0]).toContain(message);
	});

	it('are twenty at once, and forty are remembered', () => {
		const rows = (from: number) => upTo(30).map((n) => ({ id: `r${from + n}` }));
		const first = note([], rows(0));
		expect([first.said.length, first.after.length]).toEqual([20, 20]);
		const second = note(first.after, rows(100));
		const third = note(second.after, rows(200));
		expect(third.after).toHaveLength(40);
		expect(third.after.slice(0, 20)).toEqual(second.after.slice(20));
	});

	it('say that the overlap was too large, each time anew', () => {
		const first = note([], [], true);
		expect(first).toEqual({ said: [LOST], after: ['overlap'] });
		expect(note(first.after, [], true).said).toEqual([]);
		const between = note(first.after, []);
		expect(between).toEqual({ said: [], after: [] });
		expect(note(between.after, [], true).said).toEqual([LOST]);
	});
});

describe('the client of a poll', () => {
	const request: Request = { method: 'POST', path: '/tickets/search', idempotent: true };
	const call = async (leftMs: number, response = reply(200, {}), timeoutMs?: number) => {
		const clock = { aheadMs: 7 };
		const seen: Request[] = [];
		const wire = {
			deliver: async (sent: Request) => {
				seen.push(sent);
				return { response, mayHaveArrived: false, attempts: 1 };
			},
		} as unknown as Client;
		const nowMs = Date.UTC(2026, 0, 15);
		const client = pollClient(wire, clock, { now: () => nowMs, endMs: nowMs + leftMs });
		const read = await client.call(
			{ ...request, ...(timeoutMs !== undefined && { timeoutMs }) },
			z.looseObject({}),
		);
		const [sent] = seen;
		return {
			clock,
			read,
			timeoutMs: sent?.timeoutMs,
			deadlineMs: (sent?.deadlineMs ?? NaN) - nowMs,
		};
	};

	it('waits for a share of what is left, and for no longer than the poll', async () => {
		expect(await call(100_000)).toMatchObject({ timeoutMs: 45_000, deadlineMs: 55_000 });
		expect(await call(20_000)).toMatchObject({ timeoutMs: 15_000, deadlineMs: 5_000 });
		expect(await call(10_000)).toMatchObject({ timeoutMs: 10_000, deadlineMs: 0 });
		expect(await call(500)).toMatchObject({ timeoutMs: 1_000, deadlineMs: -500 });
		expect(await call(100_000, undefined, 5_000)).toMatchObject({ timeoutMs: 5_000 });
	});

	it('learns the clock of the service from what it answers', async () => {
		const date = 'Thu, 15 Jan 2026 00:00:03 GMT';
		expect((await call(1, reply(200, {}, { date }))).clock.aheadMs).toBe(3_000);
		expect((await call(1, reply(200, {}, { date: 'soon' }))).clock.aheadMs).toBe(7);
		expect((await call(1, reply(200, {}))).clock.aheadMs).toBe(7);
		const silent = await call(1, lost() as never);
		expect(silent.clock.aheadMs).toBe(7);
		expect(silent.read.ok).toBe(false);
	});
});
