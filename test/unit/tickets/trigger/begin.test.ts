import pick from 'lodash/pick';
import without from 'lodash/without';
import { reply } from '../../../support/fakeRuntime';
import { listOf, members } from '../../../support/samples';
import type { TicketRow } from '../../../support/tickets';
import { page, pagination, searchPage, ticket, upTo } from '../../../support/tickets';
import { active, at, Trigger, updated } from '../../../support/trigger';

const minutes = (count: number, from: number, every: number): TicketRow[] =>
	upTo(count).map((n) => updated(n, from + n * every));

/** A trigger that had to begin before it could read all that is old. */
async function hurried(rows: readonly TicketRow[]): Promise<Trigger> {
	const trigger = new Trigger();
	trigger.rows.push(...rows);
	trigger.budget = 0;
	expect(await trigger.poll()).toEqual({ ok: true, value: [] });
	trigger.budget = 3_600_000;
	trigger.sent.length = 0;
	return trigger;
}

/** The columns that a request selects. */
const columnsIn = (body: unknown): string[] => Object.keys(members(members(body)['select']));

/** What a poll asks about times. */
const timesIn = (body: unknown) => members(members(members(body)['filters'])['updatedAt']);

it('asks for the newest ticket, then for no more of what is old than it has to know', async () => {
	const trigger = new Trigger();
	trigger.rows.push(updated(1, 30));
	await trigger.poll();
	expect(trigger.bodies).toEqual([
		{
			filters: { updatedAt: { isNotNull: true } },
			pagination: { limit: 100, offset: 0 },
			sort: [{ field: 'updatedAt', direction: 'desc' }],
			select: { id: true, ticketNumber: true, updatedAt: true },
		},
		expect.objectContaining({
			filters: { updatedAt: { gte: at(-90) } },
			select: { id: true, ticketNumber: true, updatedAt: true },
		}),
	]);
});

it('fails where the service does not say which ticket is the newest', async () => {
	const trigger = new Trigger();
	trigger.rows.push(updated(1, 30));
	trigger.response = (body) =>
		members(listOf(body, 'sort')[0])['direction'] === 'desc' ? reply(400) : undefined;
	expect(await trigger.numbers()).toMatchObject({ kind: 'api', status: 400 });
	expect(trigger.state).toBeUndefined();
});

it('begins where the service leaves IDs out and tickets were updated at the same time', async () => {
	const trigger = new Trigger();
	trigger.response = (body) =>
		page([1, 2].map((n) => pick(updated(n, 30), without(columnsIn(body), 'id'))));
	expect(await trigger.numbers()).toEqual([]);
});

it('begins though the time of a ticket cannot be read', async () => {
	const trigger = new Trigger();
	const broken = { ...updated(2, 0), updatedAt: 'soon' };
	trigger.response = () => page([updated(1, 30), broken]);
	expect(await trigger.numbers()).toEqual([]);
	trigger.response = () => page([updated(1, 30), broken, updated(3, 31)]);
	expect(await trigger.numbers()).toEqual([3]);
});

it('notes everything that is old, by number, where a page shows that the service does not sort', async () => {
	const trigger = new Trigger();
	const stored = [updated(1, 10), updated(2, 20), updated(3, 30)];
	trigger.response = (body) =>
		searchPage(stored, { ...members(body), sort: [{ field: 'ticketNumber', direction: 'asc' }] });
	expect(await trigger.numbers()).toEqual([]);
	const read = trigger.bodies.filter((body) => 'gte' in timesIn(body));
	expect(timesIn(read[0])).toEqual({ gte: '1970-01-01T00:00:00.000Z' });
	expect(members(listOf(read.at(-1), 'sort')[0])).toMatchObject({ field: 'ticketNumber' });
});

it('begins at the newest of all tickets, though none matches by then', async () => {
	const filtersJson = { ticketNumber: { gte: 100 } };
	const trigger = await active([updated(1, 30)], { filterMode: 'json', filtersJson });
	trigger.rows.push(updated(100, 24), updated(101, 25));
	expect(await trigger.numbers()).toEqual([101]);
	expect(trigger.bodies[0]).toMatchObject({ filters: { updatedAt: { gte: at(25) } } });
});

it('covers the overlap with its first poll, however many pages that took', async () => {
	const trigger = await active(minutes(250, 20, 0.04));
	trigger.rows.push(updated(251, 26));
	expect(await trigger.numbers()).toEqual([251]);
});

it('notes some thousand tickets of the last hours, or else those of the overlap', async () => {
	const trigger = new Trigger();
	const last = Date.parse(at(60));
	const rows = upTo(7_000).map((n) => ({
		...{ id: `t${n}`, ticketNumber: n },
		updatedAt: new Date(last - (7_000 - n) * 1_000).toISOString(),
	}));
	trigger.response = (body) => {
		const { limit, offset } = pagination(body);
		const { gte = '' } = timesIn(body);
		if (gte === '') return page(rows.slice(-1));
		const first = rows.findIndex((row) => row.updatedAt >= String(gte)) + offset;
		return page(rows.slice(first, first + limit), first + limit < rows.length);
	};
	expect(await trigger.numbers()).toEqual([]);
	expect(trigger.sent.length).toBeLessThan(60);
	expect(timesIn(trigger.bodies.at(-1))).toEqual({ gte: at(55) });
});

describe('in a hurry', () => {
	it('takes all for old up to the second after the newest ticket, which a service may round', async () => {
		const trigger = await hurried(minutes(150, 29, 1 / 150));
		const later = [29.5, 30 + 0.5 / 60, 30 + 1 / 60, 30.5].map((minute, i) =>
			updated(200 + i, minute),
		);
		trigger.rows.push(...later);
		trigger.response = (body) =>
			searchPage(trigger.rows, { ...members(body), filters: { updatedAt: { gte: at(30) } } });
		expect(await trigger.numbers()).toEqual([202, 203]);
		expect(trigger.bodies[0]).toMatchObject({
			filters: { updatedAt: { gte: at(30 + 1 / 60) } },
		});
		expect(await trigger.numbers()).toEqual([]);
		expect(trigger.reports).toEqual([]);
	});

	it('begins behind the overlap where a ticket is dated in the far-off future', async () => {
		const trigger = await hurried([...minutes(150, 59, 1 / 200), updated(151, 600)]);
		trigger.rows.push(updated(152, 70));
		trigger.clockMs = Date.parse(at(71));
		expect(await trigger.numbers()).toEqual([152]);
	});
});

it('begins anew, and reports anew, where it watches something else', async () => {
	const trigger = new Trigger();
	const broken = ticket(9, { updatedAt: 'soon', createdAt: 'soon' });
	const both = (n: number, minute: number) => ({ ...updated(n, minute), createdAt: at(minute) });
	trigger.response = () => page([both(1, 10), broken]);
	expect(await trigger.numbers()).toEqual([]);
	trigger.response = () => page([both(1, 10), both(2, 20), broken]);
	expect(await trigger.numbers()).toEqual([2]);
	expect(trigger.reports).toEqual([expect.stringContaining('"soon" in updatedAt')]);
	trigger.parameters = { ...trigger.parameters, event: 'ticketCreated' };
	trigger.response = () => page([both(1, 10), both(2, 20), both(3, 30), broken]);
	expect(await trigger.numbers()).toEqual([]);
	expect(trigger.reports[1]).toContain('"soon" in createdAt');
	trigger.parameters = { ...trigger.parameters, event: 'ticketUpdated' };
	expect(await trigger.numbers()).toEqual([]);
	expect(trigger.reports).toHaveLength(3);
});
