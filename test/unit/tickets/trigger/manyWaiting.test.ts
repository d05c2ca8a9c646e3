import { reply } from '../../../support/fakeRuntime';
import { listOf, members } from '../../../support/samples';
import type { TicketRow } from '../../../support/tickets';
import { page, pagination, searchPage, ticket, upTo } from '../../../support/tickets';
import { at, Trigger } from '../../../support/trigger';

const ms = (minute: number): number => Date.parse(at(minute));

const waits = (n: number, minute: number, more: object = {}): TicketRow =>
	ticket(n, { createdAt: at(minute), firstResponseAt: null, ...more });

/** A trigger for tickets that no one answered for half an hour, at one o'clock. */
function waiting(rows: readonly TicketRow[], options: object = {}): Trigger {
	const trigger = new Trigger({ event: 'notAnswered', waitFor: 30, options });
	trigger.rows.push(...rows);
	return trigger;
}

async function active(rows: readonly TicketRow[], options: object = {}): Promise<Trigger> {
	const trigger = waiting(rows, options);
	expect(await trigger.poll()).toEqual({ ok: true, value: [] });
	return trigger;
}

const next = (trigger: Trigger, minute: number) => {
	trigger.clockMs = ms(minute);
	return trigger.numbers();
};

const isFar = (body: unknown): boolean => pagination(body).offset === 5_000;
const TOLD = 'Too many tickets wait';

/** A service in which so many tickets wait that one of this minute is left out. */
const beyond =
	(trigger: Trigger, minute: number) =>
	(body: unknown): ReturnType<Trigger['response']> =>
		isFar(body) ? page([waits(5_001, minute)]) : searchPage(trigger.rows, body);

it('asks for the first of the oldest tickets that it does not have to know', async () => {
	const trigger = await active([waits(1, 10)]);
	expect(trigger.bodies.filter(isFar)).toEqual([
		expect.objectContaining({
			filters: { firstResponseAt: { isNull: true }, createdAt: { lte: at(30) } },
			pagination: { limit: 100, offset: 5_000 },
			sort: [{ field: 'createdAt', direction: 'desc' }],
		}),
	]);
	expect(trigger.reports).toEqual([]);
});

it('ignores the oldest tickets for good where more than 5,000 wait, and says so', async () => {
	const trigger = waiting([waits(1, 10)]);
	trigger.response = beyond(trigger, 0);
	expect(await trigger.poll()).toEqual({ ok: true, value: [] });
	expect(trigger.reports).toEqual([expect.stringContaining(TOLD)]);
	const floor = new Date(ms(0) + 1).toISOString();
	expect(trigger.bodies.at(-1)).toMatchObject({ filters: { createdAt: { gte: floor } } });
	const kept = [waits(2, -10), waits(3, 0), ticket(4, { createdAt: floor, firstResponseAt: null })];
	// It takes times to the minute.
	trigger.response = () => page([...trigger.rows, ...kept.slice(1)]);
	expect(await trigger.numbers()).toEqual([4]);
	expect(await trigger.numbers()).toEqual([]);
	expect(trigger.reports).toHaveLength(1);
});

it('still ignores them after the wait was made days longer', async () => {
	const trigger = waiting([waits(1, 10)]);
	trigger.response = beyond(trigger, 0);
	await trigger.poll();
	trigger.parameters = { ...trigger.parameters, waitFor: 3, waitUnit: 'days' };
	for (const day of [0, 1, 4]) {
		trigger.rows.push(waits(10 + day, 20), waits(20 + day, -60));
		expect(await next(trigger, 1_440 * day + 65)).toEqual(day < 4 ? [] : [10, 11, 14]);
	}
	expect(trigger.reports).toEqual([expect.stringContaining(TOLD)]);
});

it.each<[string, (rows: readonly TicketRow[]) => ReturnType<typeof page>]>([
	['rejects an offset so far', () => reply(400)],
	['answers it with the first page', (rows) => page(rows.slice(1))],
	['answers it with the last page', (rows) => page(rows.slice(0, 1))],
])('takes all for old where the service %s', async (_, beyond) => {
	const trigger = waiting([waits(1, -500), waits(2, 10)]);
	trigger.response = (body) => (pagination(body).offset > 0 ? beyond(trigger.rows) : undefined);
	expect(await trigger.poll()).toEqual({ ok: true, value: [] });
	trigger.rows.push(waits(3, -100), waits(4, -900));
	expect(await trigger.numbers()).toEqual([4, 3]);
	expect(trigger.reports).toEqual([]);
});

it('fails where it cannot read what waits, first and later, and moves nothing', async () => {
	const trigger = waiting([waits(1, 10)]);
	const isWaiting = (body: unknown) => 'createdAt' in members(members(body)['filters']);
	trigger.response = (body) => (isWaiting(body) && !isFar(body) ? reply(403) : undefined);
	expect(await trigger.numbers()).toMatchObject({ kind: 'api', status: 403 });
	expect(trigger.state).toBeUndefined();
	trigger.response = () => undefined;
	expect(await trigger.poll()).toEqual({ ok: true, value: [] });
	const before = trigger.state;
	trigger.rows.push(waits(2, 20));
	trigger.response = () => reply(403);
	expect(await trigger.numbers()).toMatchObject({ kind: 'api', status: 403 });
	expect(trigger.state).toEqual(before);
	trigger.response = () => undefined;
	expect(await trigger.numbers()).toEqual([2]);
});

it('hands out a new ticket rather than a reminder, however late that is', async () => {
	const trigger = await active([], { maximumTickets: 1, repeatEvery: 10 });
	trigger.rows.push(waits(1, 31));
	expect(await next(trigger, 61)).toEqual([1]);
	trigger.rows.push(waits(2, 168));
	expect(await next(trigger, 200)).toEqual([2]);
	expect(await next(trigger, 201)).toEqual([1]);
});

it('hands out all of several pages at once, the longest wait first', async () => {
	const trigger = await active([]);
	trigger.rows.push(...upTo(450).map((n) => waits(n, 25 - n / 100)));
	expect(await trigger.numbers()).toEqual(upTo(450).reverse());
});

it('reminds every two hours', async () => {
	const trigger = await active([], { repeatEvery: 2, repeatUnit: 'hours' });
	trigger.rows.push(waits(1, 31));
	const came: number[] = [];
	for (let minute = 60; minute < 360; minute++)
		if (((await next(trigger, minute)) as unknown[]).length > 0) came.push(minute);
	expect(came).toEqual([61, 181, 301]);
});

it('reads tickets without numbers by rules that the service knows', async () => {
	const nameless = (n: number) => waits(n, 10, { ticketNumber: null });
	const trigger = await active([nameless(1), nameless(2)]);
	for (const rule of trigger.bodies.flatMap((body) => listOf(body, 'sort')))
		expect(Object.keys(members(rule))).toEqual(['field', 'direction']);
	trigger.rows.push(nameless(3));
	const found = await trigger.poll();
	expect(found.ok && found.value.map(({ id }) => id)).toEqual(['t3']);
});

it.each([
	[60, [2]],
	[61, { kind: 'contract' }],
])('lets a service be %i s early', async (seconds, expected) => {
	const trigger = await active([waits(1, 10)]);
	trigger.response = () => page([waits(1, 10), waits(2, 30 + seconds / 60)]);
	const came = await trigger.numbers();
	if (Array.isArray(expected)) expect(came).toEqual(expected);
	else expect(came).toMatchObject(expected);
});

it('shows the times that say why a customer waits', async () => {
	const trigger = new Trigger({ event: 'customerWaiting', waitFor: 30, output: 'simplified' });
	await trigger.poll();
	const times = { lastCustomerActivityAt: at(10), lastAgentActivityAt: at(5) };
	trigger.rows.push(ticket(1, { ...times, closedAt: null }));
	expect(await trigger.poll()).toEqual({ ok: true, value: [{ ticketNumber: 1, ...times }] });
});

describe('as many tickets as can be remembered', () => {
	/** A trigger that handed out these, and so many others that were answered meanwhile, at this minute. */
	async function full(rows: readonly TicketRow[], minute: number, options: object = {}) {
		const trigger = await active([], options);
		trigger.rows.push(...rows);
		expect(await trigger.numbers()).toEqual(rows.map((row) => row['ticketNumber']));
		const seen = members(members(trigger.state)['seen']);
		const room = 11_000 - rows.length;
		const gone = Object.fromEntries(upTo(room).map((n) => [`gone${n}`, 0]));
		trigger.state = { ...members(trigger.state), seen: { ...seen, [ms(minute)]: gone } };
		return trigger;
	}

	it('make room for those that wait by forgetting the others', async () => {
		const trigger = await full([waits(1, 1)], 20, { maximumTickets: 1 });
		trigger.rows.push(waits(2, 22), waits(3, 23));
		expect(await trigger.numbers()).toEqual([2]);
		expect(Object.keys(members(members(trigger.state)['seen']))).toHaveLength(2);
		expect(await trigger.numbers()).toEqual([3]);
		expect(await trigger.numbers()).toEqual([]);
		expect(trigger.reports).toEqual([]);
	});

	it('keep those that a poll could not read, and ignore the oldest, as is told', async () => {
		const trigger = await full(
			upTo(150).map((n) => waits(1_000 + n, 2)),
			1,
			{ maximumTickets: 150 },
		);
		trigger.rows.push(waits(2, 22));
		const direction = (body: unknown) => members(listOf(body, 'sort')[0])['direction'];
		trigger.response = (body) => (direction(body) === 'desc' ? reply(403) : undefined);
		expect(await trigger.numbers()).toEqual([2]);
		expect(trigger.reports).toEqual([expect.stringContaining(TOLD)]);
		trigger.response = () => undefined;
		expect(await trigger.numbers()).toEqual([]);
	});
});
