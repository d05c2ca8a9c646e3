import type { Scenario } from '../scenario.mts';
import { medianOf } from '../rounds.mts';
import { campaignWork } from '../rowWork.mts';

const ROWS = 20_000;
const ALL_DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const who = { guarded: 'calling hours and attempts', plain: 'without' };

/** C1: what the campaign layer costs a row. */
export const hours: Scenario = {
	id: 'C1',
	title: 'Conversation, Create, 20,000 rows with calling hours, attempts and one a day',
	method:
		'The node runs without the engine of n8n, as in O1, each time as the first run of its campaign; numbers are of all North American area codes. Processor time of the thread that runs the node.',
	bounds: [
		{
			text: 'calling hours and attempts',
			figure: (rounds) => medianOf(rounds, who.guarded, 'own') - medianOf(rounds, who.plain, 'own'),
			most: 5,
			unit: 'µs a row',
		},
	],
	prepare: async ({ size }) => {
		const run = (safeguards: Record<string, unknown>) => async () =>
			await campaignWork(size(ROWS), safeguards);
		return {
			contenders: [
				{
					name: who.guarded,
					run: run({
						attempts: { limit: { campaignKey: 'spring', maximum: 3 } },
						callingHours: {
							when: { hours: { rows: [{ days: ALL_DAYS, from: '00:00', until: '24:00' }] } },
						},
					}),
				},
				{
					name: who.plain,
					run: run({ attempts: { limit: { campaignKey: 'spring', maximum: 1 } } }),
				},
			],
			stop: async () => undefined,
		};
	},
};
