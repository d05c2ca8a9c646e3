import { lost, reply } from '../../../support/fakeRuntime';
import { members } from '../../../support/samples';
import type { TicketRow } from '../../../support/tickets';
import { page, ticket, upTo } from '../../../support/tickets';
import { active, at, Trigger, updated } from '../../../support/trigger';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const NOON = Date.UTC(2026, 0, 15, 12);

/** The changes in a saved state. */
const seenOf = (state: unknown) => members(members(state)['seen']);

describe('the first poll', () => {
	it('begins at the newest change, and hands out nothing old', async () => {
		const trigger = new Trigger();
		trigger.rows.push(updated(1, 0), updated(2, 7), updated(3, 9));
		expect(await trigger.poll()).toEqual({ ok: true, value: [] });
		expect(trigger.state).toMatchObject({
			cursorMs: Date.parse(at(9)),
			floorMs: Date.parse(at(9 - 5)),
		});
		// What is old is remembered as far back as the overlap.
		expect(
			Object.keys(seenOf(trigger.state)).map((key) => parseInt(key.split('@')[1] ?? '', 36)),
		).toEqual([9, 7].map((one) => Date.parse(at(one))));
	});

	it('reads a second that has more tickets than a page in few requests', async () => {
		const trigger = new Trigger();
		trigger.rows.push(...upTo(300).map((n) => updated(n, n > 150 ? 0.016 : 0.002)));
		expect(await trigger.numbers()).toEqual([]);
		expect(trigger.sent.length).toBeLessThan(10);
		expect(Object.keys(seenOf(trigger.state))).toHaveLength(300);
	});

	it('begins now where the newest ticket is dated in the future, so it hides none before it', async () => {
		const trigger = await active([updated(1, 600)]);
		expect(trigger.state).toMatchObject({ cursorMs: NOON + 60 * MINUTE });
		trigger.rows.push(updated(2, 60));
		expect(await trigger.numbers()).toEqual([2]);
	});
});

describe('a poll', () => {
	it('hands out each change once, in the order of their times', async () => {
		const trigger = await active([updated(1, 0)]);
		trigger.rows.push(updated(3, 3), updated(2, 1));
		expect(await trigger.numbers()).toEqual([2, 3]);
		expect(await trigger.numbers()).toEqual([]);
		trigger.rows[0] = updated(1, 4);
		expect(await trigger.numbers()).toEqual([1]);
	});

	it.each([
		['of another version', { column: 'updatedAt', cursor: NOON, floor: NOON, seen: {} }],
		['that is broken', { watching: 'x' }],
		['that is none', undefined],
	])('begins anew with a state %s', async (_, state) => {
		const trigger = new Trigger();
		trigger.rows.push(updated(1, 5));
		trigger.state = state;
		expect(await trigger.numbers()).toEqual([]);
		expect(trigger.state).toMatchObject({ cursorMs: Date.parse(at(5)) });
	});

	it('hands out no more than it may, and reads no more pages for it', async () => {
		const trigger = await active([updated(0, 0)], { options: { maximumTickets: 98 } });
		trigger.rows.push(...upTo(350).map((n) => updated(n, 1 + n / 100)));
		expect(await trigger.numbers()).toEqual(upTo(98));
		expect(trigger.sent).toHaveLength(1);
		expect(await trigger.numbers()).toEqual(upTo(196).slice(98));
	});

	it.each([
		['empty pages', () => page([], true)],
		['one ticket, again and again', () => page([updated(1, 1)], true)],
	])('ends where the service goes on with %s', async (_, response) => {
		const trigger = await active([updated(0, 0)]);
		trigger.response = response;
		expect((await trigger.poll()).ok).toBe(true);
		expect(trigger.sent.length).toBeLessThan(4);
	});

	it.each([
		[
			'tickets that are older than requested',
			() => page([updated(1, -60), updated(2, 2)], true),
			'Tickets with Updated At {"gte":"2026-01-15T11:55:00.000Z"} were requested, but ticket t1 has "2026-01-15T11:00:00.000Z"',
		],
		[
			'tickets in another order',
			() => page([updated(2, 9), updated(1, 8)], true),
			'Tickets were requested by Updated At (asc), but',
		],
		[
			'a ticket without the time',
			() => page([{ ...updated(1, 1), updatedAt: 'soon' }]),
			'A ticket came without Updated At',
		],
	])('fails where the service returns %s', async (_, response, message) => {
		const trigger = await active([updated(0, 0)]);
		trigger.response = response;
		expect(String(members(await trigger.numbers())['message'])).toContain(message);
		expect(trigger.sent).toHaveLength(1);
	});

	it('fails where it read nothing new, and moves nothing', async () => {
		const trigger = await active([updated(1, 0)]);
		const before = trigger.state;
		trigger.response = () => reply(403);
		expect(await trigger.numbers()).toMatchObject({ kind: 'api', status: 403 });
		expect(trigger.state).toEqual(before);
	});
});

describe('the time of a poll', () => {
	/** Polls until nothing comes any more; how many pages each poll read, and what came out of all of them. */
	async function pollAll(trigger: Trigger): Promise<{ pages: number[]; numbers: unknown[] }> {
		const [pages, numbers]: [number[], unknown[]] = [[], []];
		for (let polls = 0; polls < 40; polls++) {
			trigger.sent.length = 0;
			const came = await trigger.numbers();
			pages.push(trigger.sent.length);
			numbers.push(...(came as unknown[]));
		}
		return { pages, numbers };
	}

	it('ends the reading, and the next poll goes on', async () => {
		const trigger = await active([updated(0, 0)]);
		trigger.rows.push(...upTo(350).map((n) => updated(n, 10 * n)));
		trigger.clockMs = NOON + 9_999 * MINUTE;
		trigger.latency = 2 * SECOND;
		trigger.budget = 5 * SECOND;
		const { pages, numbers } = await pollAll(trigger);
		expect(Math.max(...pages)).toBeLessThanOrEqual(3);
		expect(numbers).toEqual(upTo(350));
	});

	it.each([0, 5])(
		'lets %i s be enough for the next polls to pass what is known',
		async (seconds) => {
			const trigger = await active([updated(0, 0)]);
			trigger.rows.push(...upTo(350).map((n) => updated(n, 1 + n / 100)));
			trigger.budget = seconds * SECOND;
			trigger.latency = 4 * SECOND;
			const { pages, numbers } = await pollAll(trigger);
			expect(Math.max(...pages)).toBeLessThanOrEqual(2);
			expect(numbers).toEqual(upTo(350));
		},
	);

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
		'ten unless the user says otherwise',
		{ output: 'simplified' },
		{ ticketNumber: 1, title: 'Ticket 1', updatedAt: at(0) },
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

describe('a manual test', () => {
	it('shows the newest ticket that waits, where that is the event', async () => {
		const trigger = new Trigger({ event: 'customerWaiting', waitFor: 10 });
		const writes = (n: number, customer: number, agent: number | null = null) =>
			ticket(n, {
				lastCustomerActivityAt: at(customer),
				lastAgentActivityAt: agent === null ? null : at(agent),
			});
		trigger.rows.push(writes(1, 10), writes(2, 20), writes(3, 30, 31));
		expect(await trigger.sample()).toMatchObject({ ok: true, value: [{ ticketNumber: 2 }] });
		expect(members(trigger.bodies[0]?.['pagination'])['limit']).toBe(100);
	});

	it('shows the newest ticket that has the time, and keeps no state', async () => {
		const trigger = new Trigger();
		trigger.rows.push(...upTo(12).map((n) => updated(n, n)));
		const shown = await trigger.sample();
		expect(shown.ok && shown.value).toEqual([updated(12, 12)]);
		expect(trigger.bodies).toEqual([
			{
				filters: { updatedAt: { isNotNull: true } },
				pagination: { limit: 100, offset: 0 },
				sort: [{ field: 'updatedAt', direction: 'desc' }],
			},
		]);
		expect(trigger.state).toBeUndefined();
	});
});

it.each<[object, string, string]>([
	[{ event: 'ticketLost' }, 'event', 'is not an event. Choose one from the list'],
	[{ options: { overlap: -1 } }, 'options.overlap', 'must be a whole number from 0 to 1440'],
	[{ output: 'selected', columns: ['x'] }, 'columns.0', 'must be one of'],
	[
		{ filters: { conditions: [{ column: 'title', operator: 'eq', value: '' }] } },
		'filters.conditions.0.value',
		'is empty. Enter a value or remove the condition',
	],
])('refuses %j before it sends anything', async (parameters, path, message) => {
	const trigger = new Trigger(parameters);
	for (const result of [await trigger.poll(), await trigger.sample()]) {
		const problems = !result.ok && result.failure.kind === 'input' ? result.failure.problems : [];
		expect(problems.map((problem) => problem.path.join('.'))).toEqual([path]);
		expect(problems[0]?.reason).toContain(message);
	}
	expect(trigger.sent).toEqual([]);
});
