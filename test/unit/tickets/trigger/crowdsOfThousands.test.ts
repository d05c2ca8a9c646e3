import { MINUTE, watch } from '../../../support/watchedTrigger';

it('returns 10,000 tickets of one moment with few more requests than the pages they fill', async () => {
	const { host, service, run, drain, stateSize, reports } = watch();
	await run();
	host.requests = 0;
	service.create(10_000, true);
	const all = await drain();
	expect(all).toHaveLength(10_000);
	expect(new Set(all).size).toBe(10_000);
	expect(host.requests).toBeLessThanOrEqual(130);
	expect(stateSize()).toBeLessThan(120_000);
	expect(reports).toEqual([]);
});

it.each([
	['before it was activated', async () => undefined],
	['while it is active', async (run: () => Promise<unknown>) => await run()],
])(
	'keeps its state small for 30,000 tickets of one moment %s',
	async (_, before) => {
		const { service, run, drain, stateSize } = watch({}, { maximumTickets: 10_000 });
		await before(run);
		service.create(30_000, true);
		await drain();
		expect(stateSize()).toBeLessThan(120_000);
		service.create(1, true);
		expect(await drain()).toHaveLength(1);
	},
	60_000,
);

it('keeps the overlap for 10,000 changes, and says so where there are too many', async () => {
	const { host, service, run, drain, reports } = watch({}, { overlap: 60, maximumTickets: 20_000 });
	await run();
	const change = (count: number) => {
		for (let n = 0; n < count; n++) {
			service.create(1, true);
			host.clockMs += 7;
		}
	};
	service.create(1, true, 20 * MINUTE);
	change(10_000);
	expect(await drain()).toHaveLength(10_000);
	expect(reports).toEqual([]);
	host.clockMs += 20 * MINUTE;
	expect(await drain()).toHaveLength(1);
	change(15_000);
	expect(await drain()).toHaveLength(15_000);
	expect(reports).toHaveLength(1);
	expect(reports[0]).toContain('whole Overlap');
}, 60_000);
