import { poll } from '../../../../src/tickets/trigger/poll';
import { pollContext } from '../../../support/pollContext';
import { page, searchPage, ticket, upTo } from '../../../support/tickets';
import { active, updated } from '../../../support/trigger';
import { MINUTE, watch } from '../../../support/watchedTrigger';

const broken = (n: number, more: object = {}) => ticket(n, { updatedAt: 'soon', ...more });

it.each<[object, string]>([
	[
		{ ticketNumber: 0, id: 'a', updatedAt: 'soon' },
		'Ticket 0 was skipped: the service shows "soon"',
	],
	[{ ticketNumber: null, id: 'a', updatedAt: 'soon' }, 'Ticket "a" was skipped'],
	[{ ticketNumber: 7, id: 'a' }, 'Ticket 7 was skipped: the service shows nothing in updatedAt'],
	[
		{ ticketNumber: 7, id: 'a', updatedAt: 'x'.repeat(500) },
		`Ticket 7 was skipped: the service shows "${'x'.repeat(59)} in updatedAt`,
	],
])('names a ticket that it skips, and what the service shows: %j', async (row, report) => {
	const trigger = await active([updated(1, 0)]);
	trigger.response = () => page([row]);
	expect(await trigger.numbers()).toEqual([]);
	expect(trigger.reports).toEqual([expect.stringContaining(report)]);
});

it('reports a ticket once, also where it is gone for a while', async () => {
	const trigger = await active([updated(1, 0)]);
	for (const rows of [[broken(2)], [], [broken(2)], [broken(3), broken(2)]]) {
		trigger.response = () => page(rows);
		expect(await trigger.numbers()).toEqual([]);
	}
	expect(trigger.reports.map((report) => report.slice(0, 8))).toEqual(['Ticket 2', 'Ticket 3']);
});

it('knows the last 40 tickets that it reported, at most 20 of one poll', async () => {
	const trigger = await active([updated(1, 0)]);
	const polls = [0, 1, 2].map((i) => upTo(25).map((n) => broken(100 * i + n)));
	const counts = [];
	for (const rows of [...polls, polls[1] ?? [], polls[0] ?? []]) {
		trigger.response = () => page(rows);
		await trigger.numbers();
		counts.push(trigger.reports.length);
	}
	expect(counts).toEqual([20, 40, 60, 60, 80]);
});

it('says each time that the clock of the service went back', async () => {
	const { service, run, reports } = watch();
	service.create(5, true);
	await run();
	for (const [hours, told] of [
		[1, 1],
		[1, 1],
		[2, 2],
	] as const) {
		Object.assign(service.manners, { skewMs: -hours * 60 * MINUTE });
		await run();
		await run();
		expect(reports).toHaveLength(told);
	}
});

it('goes on where no one takes reports', async () => {
	const kept = { clockMs: Date.UTC(2026, 0, 15), state: 'damaged' as unknown };
	const context = pollContext(kept, (body) => searchPage([], body));
	expect(await poll({ event: 'ticketUpdated' }, context)).toEqual({ ok: true, value: [] });
	expect(kept.state).toMatchObject({ reported: ['damaged'] });
});

describe('a clock of the service that goes back', () => {
	const back = async (ms: number) => {
		const { service, run, reports, host } = watch();
		service.create(1, true);
		await run();
		service.create(1, true);
		await run();
		Object.assign(service.manners, { skewMs: -ms });
		host.requests = 0;
		await run();
		const { requests } = host;
		await run();
		return { requests, told: reports.length };
	};

	it('is looked at again once it goes back by more than the overlap', async () => {
		expect(await back(5 * MINUTE)).toEqual({ requests: 1, told: 0 });
		expect(await back(6 * MINUTE)).toEqual({ requests: 2, told: 0 });
		expect(await back(7 * MINUTE)).toEqual({ requests: 2, told: 1 });
	});

	it('brings none of the tickets that were old, however far it goes', async () => {
		const { service, run, drain, host } = watch();
		const far = 5 * 60 * MINUTE;
		host.clockMs -= far;
		service.create(3, true, -far);
		host.clockMs += far;
		service.create(1, true);
		await run();
		Object.assign(service.manners, { skewMs: -far - 2 * MINUTE });
		expect(await run()).toEqual([]);
		expect(await run()).toEqual([]);
		service.create(2, true);
		expect(await drain()).toHaveLength(2);
	});
});

it('hands out all of many tickets though the clock of the service goes back', async () => {
	const { service, run, drain } = watch({}, { maximumTickets: 2 });
	service.create(1, true);
	await run();
	service.create(7, true, -60 * MINUTE);
	Object.assign(service.manners, { skewMs: -30 * MINUTE });
	expect(await drain()).toHaveLength(7);
});
