import { inN8n } from '../contenders.mts';
import { names, ours, searchByHttp } from '../nodes.mts';
import { medianOf } from '../rounds.mts';
import type { Contender } from '../rounds.mts';
import type { Scenario, Setting } from '../scenario.mts';
import { startStage } from '../stage.mts';

const TICKETS = 100_000;
const LATENCY = 20;

const who = { ours: 'this node', http: 'HTTP Request + Split Out' };
type Who = keyof typeof who;

const contender = (setting: Setting, which: Who): Contender => ({
	name: who[which],
	run: async () => {
		const stage = await startStage(setting);
		try {
			const items = setting.size(TICKETS);
			await stage.service.seed(items);
			const search = {
				resource: 'ticket',
				operation: 'search',
				output: 'raw',
				returnAll: true,
				options: {},
			};
			const { run } = inN8n(stage, {
				name: who[which],
				nodes: which === 'ours' ? [ours(search)] : searchByHttp(stage.service.url),
				timed: which === 'ours' ? [names.ours] : [names.http, names.split],
				items,
				latency: LATENCY,
			});
			const before = stage.host.memory.now() ?? NaN;
			stage.host.memory.forget();
			const { ms = NaN } = await run();
			return { ms, peakMB: (stage.host.memory.peak() ?? NaN) - before };
		} finally {
			await stage.stop();
		}
	},
});

/** O3: the highest memory of n8n while it reads all columns of all tickets. */
export const peak: Scenario = {
	id: 'O3',
	title: 'Peak memory of n8n for S1, 100,000 tickets with all columns',
	method:
		'n8n is started for each figure; it is what its resident memory rises by at most (Linux).',
	bounds: [
		{
			text: 'this node / HTTP Request node',
			figure: (rounds) =>
				medianOf(rounds, who.ours, 'peakMB') / medianOf(rounds, who.http, 'peakMB'),
			unit: 'x',
		},
	],
	prepare: async (setting) => ({
		contenders: [contender(setting, 'ours'), contender(setting, 'http')],
		stop: async () => undefined,
	}),
};
