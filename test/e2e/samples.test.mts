import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { itemsOf } from '../../tools/host/execution.mts';
import { control } from './desk.mts';
import { runShipped } from './exampleRuns.mts';

/** A user imports an example, chooses the credential, fills in the settings, and has no data yet. */
describe('the pinned samples of the example workflows', () => {
	beforeEach(() => control.reset({ keepTickets: true }));

	const runSamples = async (file: string, use: Parameters<typeof runShipped>[1] = {}) =>
		await runShipped(file, { ...use, settings: { startSends: true, ...use.settings } });

	test('outbound-campaign.json begins with a dry run of the samples, and calls no one', async () => {
		const execution = await runSamples('outbound-campaign.json');
		const planned = itemsOf(execution, 'Planned Calls');
		assert.deepEqual(planned[0], {
			'Record ID': 200001,
			'First Name': 'Ana',
			'Phone Number': '+14155550178',
			Outcome: 'wouldSend',
			Reason: 'Would be called',
			Variables: 'firstName: Ana · city: Lisbon · appointment: 2026-12-01 09:00',
		});
		assert.deepEqual(
			planned.map((row) => [row['Record ID'], row['Outcome']]),
			[
				[200001, 'wouldSend'],
				[200002, 'wouldSend'],
				[200003, 'notSent'],
				[200004, 'rejected'],
				[200005, 'notSent'],
			],
		);
		assert.equal(control.counts().total, 0);
	});
});
