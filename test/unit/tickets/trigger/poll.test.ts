import { lost } from '../../../support/fakeRuntime';
import { members } from '../../../support/samples';
import type { TicketRow } from '../../../support/tickets';
import { page, ticket, upTo } from '../../../support/tickets';
import { active, at, Trigger, updated } from '../../../support/trigger';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const NOON = Date.UTC(2026, 0, 15, 12);

it('the first poll reads a second that has more tickets than a page in few requests', async () => {
	const trigger = new Trigger();
	trigger.rows.push(...upTo(300).map((n) => updated(n, n > 150 ? 0.016 : 0.002)));
	expect(await trigger.numbers()).toEqual([]);
	expect(await trigger.numbers()).toEqual([]);
	expect(trigger.sent.length).toBeLessThan(15);
});

it('the first poll begins now where the newest ticket is dated in the future, so it hides none before it', async () => {
	const trigger = await active([updated(1, 600)]);
	trigger.rows.push(updated(2, 60));
	expect(await trigger.numbers()).toEqual([2]);
});

it('a poll hands out no more than it may, and reads no more pages for it', async () => {
	const trigger = await active([updated(0, 0)], { options: { maximumTickets: 98 } });
	trigger.rows.push(...upTo(350).map((n) => updated(n, 1 + n / 100)));
	expect(await trigger.numbers()).toEqual(upTo(98));
	expect(trigger.sent).toHaveLength(1);
	expect(await trigger.numbers()).toEqual(upTo(196).slice(98));
});

it('a quiet desk costs one request per poll, once Look Back has passed after many changes', async () => {
	const trigger = await active([updated(0, 0)]);
	trigger.rows.push(...upTo(500).map((n) => updated(n, 2)));
	expect(await trigger.numbers()).toHaveLength(500);
	trigger.clockMs += 6 * MINUTE;
	expect(await trigger.numbers()).toEqual([]);
	trigger.sent.length = 0;
	expect(await trigger.numbers()).toEqual([]);
	expect(trigger.sent).toHaveLength(1);
	trigger.rows.push(updated(501, 9));
	expect(await trigger.numbers()).toEqual([501]);
});

it.each([
	['empty pages', () => page([], true)],
	['one ticket, again and again', () => page([updated(1, 1)], true)],
])('a poll ends where the service goes on with %s', async (_, response) => {
	const trigger = await active([updated(0, 0)]);
	trigger.response = response;
	expect((await trigger.poll()).ok).toBe(true);
	expect(trigger.sent.length).toBeLessThan(4);
});

it.each([
	['older tickets', [updated(1, -60), updated(2, 2)], 'with Updated At {"gte":"2026-01-15T11:55'],
	['another order', [updated(2, 9), updated(1, 8)], 'requested by Updated At (asc), but'],
	[
		'no time',
		[{ ...updated(1, 1), updatedAt: 'soon' }],
		'A ticket came without a readable Updated At',
	],
])('a poll fails where the service returns %s', async (_, rows, message) => {
	const trigger = await active([updated(0, 0)]);
	trigger.response = () => page(rows, true);
	expect(String(members(await trigger.numbers())['message'])).toContain(message);
	expect(trigger.sent).toHaveLength(1);
});

describe('the time of a poll', () => {
	/** Polls until nothing more is returned. Returns the number of pages per poll, and the numbers of all tickets. */
	async function pollAll(trigger: Trigger): Promise<{ pages: number[]; numbers: unknown[] }> {
		const pages: number[] = [];
		const numbers: unknown[] = [];
		for (let polls = 0; polls < 40; polls++) {
			trigger.sent.length = 0;
			const came = await trigger.numbers();
			pages.push(trigger.sent.length);
			numbers.push(...(came as unknown[]));
		}
		return { pages, numbers };
	}

	it.each([
		[10, 5, 2, 3],
		[0.01, 5, 4, 2],
		// Each poll passes what it returned before, which is within the overlap.
		[0.01, 0, 4, 2],
	])(
		'ends the reading, and the next poll goes on: tickets every %d min, %i s, %i s a page',
		async (apart, budget, latency, max) => {
			const trigger = await active([updated(0, 0)]);
			trigger.rows.push(...upTo(350).map((n) => updated(n, 1 + n * apart)));
			trigger.clockMs = NOON + 9_999 * MINUTE;
			trigger.latency = latency * SECOND;
			trigger.budget = budget * SECOND;
			const { pages, numbers } = await pollAll(trigger);
			expect(Math.max(...pages)).toBeLessThanOrEqual(max);
			expect(numbers).toEqual(upTo(350));
		},
	);

	it('keeps the overlap if everything was read before it ended', async () => {
		const trigger = await active([updated(0, 0)]);
		trigger.rows.push(updated(1, 2));
		expect(await trigger.numbers()).toEqual([1]);
		trigger.latency = 30 * SECOND;
		trigger.budget = 36 * SECOND;
		expect(await trigger.numbers()).toEqual([]);
		trigger.rows.push(updated(2, 1));
		expect(await trigger.numbers()).toEqual([2]);
	});

	it('ends the first poll as well, which then begins without the overlap', async () => {
		const trigger = new Trigger();
		trigger.rows.push(...upTo(3_000).map((n) => updated(n, n / 1_000)));
		trigger.latency = 3 * SECOND;
		trigger.budget = 36 * SECOND;
		expect(await trigger.numbers()).toEqual([]);
		expect(trigger.clockMs - NOON - 60 * MINUTE).toBeLessThan(36 * SECOND);
		trigger.latency = 0;
		expect(await trigger.numbers()).toEqual([]);
		trigger.rows.push(updated(3_001, 3.6));
		expect(await trigger.numbers()).toEqual([3_001]);
	});

	it('respects the end also where the service does not answer', async () => {
		const trigger = await active([updated(0, 0)]);
		trigger.budget = 36 * SECOND;
		const start = trigger.clockMs;
		trigger.response = () => {
			trigger.clockMs += trigger.sent.at(-1)?.timeoutMs ?? 0;
			return lost('ETIMEDOUT');
		};
		expect(await trigger.numbers()).toMatchObject({ kind: 'connection' });
		expect(trigger.sent.length).toBeGreaterThan(1);
		expect(trigger.clockMs - start).toBeLessThanOrEqual(36 * SECOND);
	});
});

it.each<[string, object, TicketRow, object | undefined]>([
	['all where none are chosen', {}, updated(1, 0), undefined],
	[
		'the main ones unless the user says otherwise',
		{ output: 'simplified' },
		expect.objectContaining({ ticketNumber: 1, updatedAt: at(0), priority: null }) as TicketRow,
		expect.objectContaining({ id: true, ticketNumber: true, updatedAt: true, priority: true }),
	],
	[
		'those that are chosen, without what a watch needs besides',
		{ output: 'selected', columns: ['title', 'id'] },
		{ title: 'Ticket 1', id: 't1' },
		{ title: true, id: true, ticketNumber: true, updatedAt: true },
	],
])('returns %s, in polls and in manual tests', async (_, parameters, shown, selected) => {
	const trigger = await active([], parameters);
	trigger.rows.push(updated(1, 0));
	expect(await trigger.poll()).toEqual({ ok: true, value: [shown] });
	expect(await trigger.sample()).toEqual({ ok: true, value: [shown] });
	for (const { select } of trigger.bodies) expect(select).toEqual(selected);
});

it('shows the newest ticket that waits in a manual test, where that is the event', async () => {
	const trigger = new Trigger({ event: 'customerWaiting', waitFor: 10 });
	const writes = (n: number, customer: number, agent: string | null = null) =>
		ticket(n, { lastCustomerActivityAt: at(customer), lastAgentActivityAt: agent });
	trigger.rows.push(writes(1, 10), writes(2, 20), writes(3, 30, at(31)));
	expect(await trigger.sample()).toMatchObject({ ok: true, value: [{ ticketNumber: 2 }] });
});
