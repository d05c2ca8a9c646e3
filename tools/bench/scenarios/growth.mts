import { inN8n } from '../contenders.mts';
import { names, ours, searchByHttp } from '../nodes.mts';
import { medianOf } from '../rounds.mts';
import type { Contender, Rounds } from '../rounds.mts';
import type { Bound, Scenario, Setting } from '../scenario.mts';
import { startStage } from '../stage.mts';

const LATENCY = 20;
const SIZES = { small: 10_000, middle: 100_000, large: 1_000_000 };
const columns = ['id', 'ticketNumber', 'title'];
const select = Object.fromEntries(columns.map((column) => [column, true]));

const who = {
	small: 'this node, 10,000',
	middle: 'this node, 100,000',
	large: 'this node, 1,000,000',
	httpSmall: 'HTTP Request + Split Out, 10,000',
	httpMiddle: 'HTTP Request + Split Out, 100,000',
};

/** Each round starts n8n anew: what an earlier round left in its heap would count as memory of the next. */
const alone = (
	setting: Setting,
	wanted: { name: string; full: number; http: boolean },
): Contender => ({
	name: wanted.name,
	run: async () => {
		const stage = await startStage(setting);
		try {
			const items = setting.size(wanted.full);
			await stage.service.seed(items);
			const search = ours({
				resource: 'ticket',
				operation: 'search',
				returnAll: true,
				output: 'selected',
				columns,
				options: {},
			});
			const contender = inN8n(stage, {
				name: wanted.name,
				nodes: wanted.http ? searchByHttp(stage.service.url, { select }) : [search],
				timed: wanted.http ? [names.http, names.split] : [names.ours],
				items,
				latency: LATENCY,
			});
			const before = stage.host.memory.now() ?? NaN;
			stage.host.memory.forget();
			const { ms = NaN, requests = NaN } = await contender.run();
			const peakMB = (stage.host.memory.peak() ?? NaN) - before;
			return {
				ms,
				requests,
				usPerRow: (ms * 1000) / items,
				peakMB,
				peakKBPerRow: (peakMB * 1024) / items,
			};
		} finally {
			await stage.stop();
		}
	},
});

const compare = (figure: string, above: string, below: string) => (rounds: Rounds) =>
	medianOf(rounds, above, figure) / medianOf(rounds, below, figure);

const bounds: Bound[] = [
	{
		text: 'time per row at 1,000,000 / at 10,000',
		figure: compare('usPerRow', who.large, who.small),
		most: 1,
		unit: 'x',
	},
	{
		text: 'peak memory per row, this node / HTTP Request node, at 100,000',
		figure: compare('peakKBPerRow', who.middle, who.httpMiddle),
		most: 0.5,
		unit: 'x',
	},
	{
		text: 'time per row of the HTTP Request node at 100,000 / at 10,000',
		figure: compare('usPerRow', who.httpMiddle, who.httpSmall),
		unit: 'x',
	},
];

/** S2: how time and memory grow with the number of tickets. */
export const growth: Scenario = {
	id: 'S2',
	title: 'Search, Return All, three columns, 10,000 to 1,000,000 tickets, 20 ms',
	method:
		'n8n keeps all items in memory. Each figure is of an n8n that was started for it; memory is what its resident memory rises by at most while the workflow runs (Linux).',
	bounds,
	prepare: async (setting) => ({
		contenders: [
			alone(setting, { name: who.small, full: SIZES.small, http: false }),
			alone(setting, { name: who.httpSmall, full: SIZES.small, http: true }),
			alone(setting, { name: who.middle, full: SIZES.middle, http: false }),
			alone(setting, { name: who.httpMiddle, full: SIZES.middle, http: true }),
			alone(setting, { name: who.large, full: SIZES.large, http: false }),
		],
		stop: async () => undefined,
	}),
};
