import { upTo } from '../../../support/tickets';
import { active, updated } from '../../../support/trigger';
import { MINUTE, watch } from '../../../support/watchedTrigger';

it('returns 1,200 tickets of one moment with few more requests than the pages they fill', async () => {
	const { host, service, run, drain, reports } = watch();
	await run();
	host.requests = 0;
	service.create(1_200, true);
	const all = await drain();
	expect(new Set(all).size).toBe(1_200);
	expect(all).toHaveLength(1_200);
	expect(host.requests).toBeLessThanOrEqual(20);
	expect(reports).toEqual([]);
});

it('returns all tickets of one moment from a service so slow that no poll can read all of them', async () => {
	const trigger = await active([updated(1, 0)]);
	trigger.rows.push(...upTo(480).map((n) => updated(n + 1, 30)));
	Object.assign(trigger, { latency: 9_000, budget: 36_000 });
	const all: unknown[] = [];
	for (let poll = 0; poll < 5; poll++) all.push(...[await trigger.numbers()].flat());
	expect(all).toEqual(upTo(480).map((n) => n + 1));
});

it('returns tickets that appear late from a service with short pages', async () => {
	const { host, service, run, drain } = watch({ cap: 30 });
	await run();
	service.create(250, true);
	host.clockMs += MINUTE;
	service.create(250, true);
	service.create(5, true, 9 * MINUTE);
	expect(await drain()).toHaveLength(500);
	host.clockMs += 9 * MINUTE;
	expect(await drain()).toHaveLength(5);
	expect(await drain()).toEqual([]);
});

it('returns a ticket that appears late among thousands of the same moment', async () => {
	const { host, service, run, drain } = watch({}, { maximumTickets: 10_000 });
	await run();
	service.create(1_500, true);
	service.create(1, true, 3 * MINUTE);
	service.create(1_500, true);
	expect(await drain()).toHaveLength(3_000);
	host.clockMs += 2 * MINUTE;
	expect(await drain()).toHaveLength(1);
});

it('returns all changes of a second where the service shows whole seconds and keeps fractions', async () => {
	const { host, service, run, drain } = watch({ times: 'seconds' });
	await run();
	for (let n = 0; n < 350; n++) {
		service.create(1, true);
		host.clockMs += n % 3;
	}
	const all = await drain();
	expect(new Set(all).size).toBe(350);
	expect(all).toHaveLength(350);
});
