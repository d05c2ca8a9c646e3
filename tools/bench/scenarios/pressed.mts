import { inN8n } from '../contenders.mts';
import { names, ours, rowsOfFile } from '../nodes.mts';
import type { Contender } from '../rounds.mts';
import { medianOf } from '../rounds.mts';
import type { Scenario } from '../scenario.mts';
import { startStage } from '../stage.mts';
import type { Stage } from '../stage.mts';

const LATENCY = 20;
const ROWS = 10_000;
const AGENT = '5f0c6a3e-9d1b-4e7a-8c25-2b7d9e4f1a60';

const who = {
	ours: 'this node',
	dry: 'this node, dry run',
	n8n: "n8n's own nodes before it",
};

/** Numbers as people type them; one row in twenty is marked. */
const sheetOf = (count: number) =>
	Array.from({ length: count }, (_, n) => ({
		Phone: `(415) ${500 + Math.floor(n / 10_000)}-${String(n % 10_000).padStart(4, '0')}`,
		'First name': `Person ${n}`,
		City: 'San Francisco',
		Order: `A-${n}`,
		'Do not call': n % 20 === 0 ? 'yes' : '',
	}));

const campaign = (dryRun: boolean, people: number) =>
	ours({
		resource: 'conversation',
		operation: 'create',
		dryRun,
		inputMode: 'fields',
		agentId: AGENT,
		conversationType: 'telephony',
		toPhoneNumber: "={{ $json['Phone'] }}",
		defaultCountry: 'US',
		whoMayBeCalled: 'notMarked',
		doNotCallColumn: 'Do not call',
		variablesMode: 'columns',
		safeguards: {
			maximumConversations: people,
		},
		options: {},
	});

/** Adds by how many MB n8n grows at most. */
const withMemory = ({ host }: Stage, { name, run }: Contender): Contender => ({
	name,
	run: async () => {
		host.memory.forget();
		const beforeMB = host.memory.now() ?? NaN;
		const figures = await run();
		return { ...figures, peakMB: (host.memory.peak() ?? NaN) - beforeMB };
	},
});

/** E1: what somebody sees who runs a campaign by hand. */
export const pressed: Scenario = {
	id: 'E1',
	title: 'Conversation, Create, one press of Execute on a sheet of 10,000 rows, 20 ms',
	method:
		'Numbers in national form, variables from the columns, one row in twenty marked. The editor shows all items of a node when it has ended, so the first comes with the last. `blocked` says for how many ms n8n was busy at a stretch during the whole execution; what its own nodes need that read the rows is the last line.',
	bounds: [
		{
			text: 'main thread busy at a stretch',
			figure: (rounds) => medianOf(rounds, who.ours, 'blocked'),
			most: 200,
			unit: 'ms',
		},
	],
	prepare: async (setting) => {
		const stage = await startStage(setting);
		const rows = sheetOf(setting.size(ROWS));
		const read = rowsOfFile(await stage.host.writeRows('sheet', rows));
		const task = { items: rows.length, latency: LATENCY };
		const contender = (name: string, nodes: typeof read, timed: string): Contender =>
			withMemory(stage, inN8n(stage, { ...task, name, nodes, timed: [timed] }));
		return {
			contenders: [
				contender(who.ours, [...read, campaign(false, rows.length)], names.ours),
				contender(who.dry, [...read, campaign(true, rows.length)], names.ours),
				contender(who.n8n, read, 'Rows'),
			],
			stop: stage.stop,
		};
	},
};
