import { makeCertificate } from '../../certificate.mts';
import { inN8n } from '../contenders.mts';
import { names, ours, searchByHttp } from '../nodes.mts';
import { medianOf, ratioOf } from '../rounds.mts';
import type { Contender, Rounds } from '../rounds.mts';
import type { Scenario } from '../scenario.mts';
import { startSlowLink } from '../slowLink.mts';
import { startStage } from '../stage.mts';
import type { Stage } from '../stage.mts';

const NAME = 'this node';
const HTTP = 'HTTP Request + Split Out';

interface Reading {
	readonly name?: string;
	readonly items: number;
	readonly latency: number;
	readonly options?: object;
}

/** Reads all tickets. */
const readAll = async (stage: Stage, { name = NAME, options = {}, ...rest }: Reading) => {
	const search = { resource: 'ticket', operation: 'search', output: 'raw', returnAll: true };
	const nodes = [ours({ ...search, options })];
	return inN8n(stage, { ...rest, name, nodes, timed: [names.ours] });
};

/** A stage whose service is reported something before each round, by the routes of its control. */
const toldEachTime = (stage: Stage, reported: Readonly<Record<string, object>>): Stage => ({
	...stage,
	service: {
		...stage.service,
		prepare: async (latencyMs) => {
			await stage.service.prepare(latencyMs);
			for (const [route, body] of Object.entries(reported)) await stage.service.tell(route, body);
		},
	},
});

const TOKEN_TICKETS = 3_000;

/** S6: a service that allows a request a second. */
export const tokens: Scenario = {
	id: 'S6',
	title: 'Search, Return All, 3,000 tickets, one request a second',
	method:
		'A token bucket that holds one token, with Retry-After: 1. It allows one request at once and another one for each second; requests that it turns away are no use of it.',
	bounds: [
		{
			text: 'used of what the service allows',
			figure: (rounds) =>
				(100 * medianOf(rounds, NAME, 'taken')) / (1 + medianOf(rounds, NAME, 'ms') / 1_000),
			least: 90,
			unit: '%',
		},
	],
	prepare: async (setting) => {
		const stage = await startStage(setting);
		await stage.service.seed(TOKEN_TICKETS);
		const rule = { operation: 'searchTickets', kind: 'rateLimit', perSecond: 1, retryAfter: 1 };
		const limited = toldEachTime(stage, { faults: [rule], options: { keepRequests: 1_000 } });
		const reader = await readAll(limited, { items: TOKEN_TICKETS, latency: 20 });
		const run = async () => {
			const figures = await reader.run();
			return { ...figures, taken: await stage.service.taken() };
		};
		return { contenders: [{ name: reader.name, run }], stop: stage.stop };
	},
};

const FIXED = [1, 2, 4, 8];
const fixedName = (parallel: number): string => `this node, at most ${parallel} at once`;

const slowerThanBest = (rounds: Rounds): number =>
	medianOf(rounds, NAME) /
	Math.min(...FIXED.map((parallel) => medianOf(rounds, fixedName(parallel))));

/** S7: a service that works on four requests at a time. */
export const capacity: Scenario = {
	id: 'S7',
	title: 'Search, Return All, 20,000 tickets, 50 ms for up to four requests at once',
	method: 'Above four at once, each takes longer in proportion to them.',
	bounds: [
		{
			text: 'this node / the best fixed parallelism',
			figure: slowerThanBest,
			most: 1.2,
			unit: 'x',
		},
	],
	prepare: async (setting) => {
		const stage = await startStage(setting);
		const items = setting.size(20_000);
		await stage.service.seed(items);
		const narrow = toldEachTime(stage, { options: { capacity: 4 } });
		const task = { items, latency: 50 };
		const fixed: Contender[] = [];
		for (const parallelRequests of FIXED) {
			const name = fixedName(parallelRequests);
			fixed.push(await readAll(narrow, { ...task, name, options: { parallelRequests } }));
		}
		return { contenders: [await readAll(narrow, task), ...fixed], stop: stage.stop };
	},
};

const ROUND_TRIP_MS = 40;

/** S1-WAN: everything is read from far away. */
export const wideArea: Scenario = {
	id: 'S1-WAN',
	title: 'Search, Return All, 100,000 tickets over a wide-area link with TLS, 40 ms a round trip',
	method:
		'A proxy lets bytes wait for 20 ms each way, and a new connection for one round trip more. All columns, pages of 100; the service itself takes no time.',
	chart: [NAME, HTTP],
	bounds: [
		{
			text: 'HTTP Request node / this node',
			figure: (rounds) => ratioOf(rounds, [HTTP, NAME]),
			least: 12,
			unit: 'x',
		},
	],
	prepare: async (setting) => {
		const certificate = await makeCertificate();
		const stage = await startStage(setting, certificate);
		const items = setting.size(100_000);
		await stage.service.seed(items);
		const near = new URL(stage.service.url);
		const link = await startSlowLink(Number(near.port), ROUND_TRIP_MS);
		const far = new URL(near);
		far.port = String(link.port);
		const url = far.href;
		await stage.host.useCredential({ ...stage.service.access, baseUrl: url });
		return {
			contenders: [
				await readAll(stage, { items, latency: 0 }),
				inN8n(stage, {
					name: HTTP,
					nodes: searchByHttp(url),
					timed: [names.http, names.split],
					items,
					latency: 0,
				}),
			],
			stop: async () => {
				await link.close();
				await stage.stop();
				certificate.remove();
			},
		};
	},
};
