import { createClient } from '../../../../src/core/client';
import { readTime } from '../../../../src/tickets/trigger/changes';
import { poll } from '../../../../src/tickets/trigger/poll';
import type { Personality } from '../../../support/triggerService';
import { TriggerService } from '../../../support/triggerService';

const MINUTE = 60_000;
const plain: Personality = {
	skewMs: 0,
	date: true,
	times: 'iso',
	cap: 100,
	hides: 0,
	spoils: 0,
	numbersAsText: false,
	spelling: 'formal',
	refusal: 400,
	givesDetails: true,
	fault: 'none',
};

/** A trigger that is polled once a minute. */
function watch(personality: Partial<Personality> = {}, options: object = {}) {
	const host = { clockMs: Date.UTC(2026, 0, 15, 12), requests: 0, state: undefined as unknown };
	const reports: string[] = [];
	const service = new TriggerService({ ...plain, ...personality }, () => host.clockMs);
	const client = createClient({
		send: async ({ body }) => {
			host.requests += 1;
			await Promise.resolve();
			return service.respond(JSON.parse(JSON.stringify(body)));
		},
		sleep: async () => undefined,
		random: () => 0.5,
		now: () => host.clockMs,
		signal: new AbortController().signal,
	});
	const run = async (): Promise<string[]> => {
		host.clockMs += MINUTE;
		const found = await poll(
			{ event: 'ticketUpdated', output: 'raw', options },
			{
				client,
				zone: 'UTC',
				now: () => host.clockMs,
				budgetMs: 36_000,
				load: () => host.state,
				save: (state) => {
					host.state = JSON.parse(JSON.stringify(state)) as unknown;
				},
				report: (message) => reports.push(message),
			},
		);
		if (!found.ok) throw new Error(JSON.stringify(found.failure));
		return found.value.map(
			(row) => `${String(row['ticketNumber'])}@${String(readTime(row['updatedAt']))}`,
		);
	};
	/** Polls until nothing is returned any more. */
	const drain = async (): Promise<string[]> => {
		const all: string[] = [];
		for (let more = await run(); more.length > 0; more = await run()) all.push(...more);
		return all;
	};
	const stateSize = () => JSON.stringify(host.state).length;
	return { host, service, run, drain, stateSize, reports };
}

it('returns 10,000 tickets of one moment with few more requests than the pages they fill', async () => {
	const { host, service, run, drain, stateSize, reports } = watch();
	await run();
	host.requests = 0;
	service.create(10_000, true);
	const all = await drain();
	expect(all).toHaveLength(10_000);
	expect(new Set(all).size).toBe(10_000);
	expect(host.requests).toBeLessThanOrEqual(130);
	expect(stateSize()).toBeLessThan(64_000);
	expect(reports).toEqual([]);
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
		expect(stateSize()).toBeLessThan(64_000);
		service.create(1, true);
		expect(await drain()).toHaveLength(1);
	},
	60_000,
);

it('returns all changes of a second where the service shows whole seconds and keeps fractions', async () => {
	const { host, service, run, drain } = watch({ times: 'wholeSeconds' });
	await run();
	for (let n = 0; n < 350; n++) {
		service.create(1, true);
		host.clockMs += n % 3;
	}
	const all = await drain();
	expect(new Set(all).size).toBe(350);
	expect(all).toHaveLength(350);
});

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
