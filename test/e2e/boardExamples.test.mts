import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import type { Settings } from '../../tools/demo/examples.mts';
import { itemsOf } from '../../tools/host/execution.mts';
import { control, services } from './desk.mts';
import { always, rowsOfTable } from './exampleRuns.mts';
import { runShipped, withParameters } from './exampleRuns.mts';

const boardRows = async () => await rowsOfTable('Campaign Board');

const campaign = 'samples';
const board = { isOnline: true, hasAccounts: false };

describe('the campaign board', () => {
	beforeEach(() => control.reset({ keepTickets: true }));

	test('is loaded with the sound samples, calls no one in a dry run, and records how calls ended', async () => {
		const triggerNode = 'Upload a Sheet';
		const load = await runShipped('campaign-load.json', { triggerNode });
		assert.deepEqual(
			itemsOf(load, 'Left Out').map((row) => row['First Name']),
			['Mara', 'Kofi', 'Bruno'],
		);
		await runShipped('campaign-run.json', { ...board, settings: { ...always, campaign } });
		const calling = { ...always, campaign, dryRun: false };
		// A wrong setting takes no one off the board.
		const mistakes: Settings[] = [{ days: 'mo, tu' }, { agentId: '' }];
		for (const wrong of mistakes)
			await runShipped('campaign-run.json', { ...board, settings: { ...calling, ...wrong } });
		assert.equal(control.counts().total, 0);
		const waiting = (await boardRows()).map(({ state, note }) => [state, note !== null]);
		assert.deepEqual(waiting, [
			['due', true],
			['due', true],
		]);
		await runShipped('campaign-run.json', { ...board, settings: calling });
		assert.deepEqual(
			(await boardRows()).map(({ phone, state, firstName }) => [phone, state, firstName]),
			[
				['+14155550178', 'calling', 'Ana'],
				['+12125550139', 'calling', 'Ben'],
			],
		);

		await runShipped('campaign-collect.json', board);
		const ended = (await boardRows()).map(({ state }) => state);
		const { conversations } = control.conversations();
		assert.deepEqual(
			ended,
			conversations.map(({ endReason }) => (endReason === 'user_did_not_answer' ? 'due' : 'done')),
		);
	});

	test('is reported by mail with a bar for each result, and no text as HTML', async () => {
		const file = 'campaign-collect.json';
		const triggerNode = 'Every Morning at 8';
		await runShipped(file, { triggerNode });
		assert.deepEqual(services.mails, []);
		const sendTo = withParameters('Mail the Report', { sendTo: 'ana@example.com' });
		const ended = await runShipped(file, {
			hasAccounts: true,
			triggerNode,
			change: (workflow) => {
				const { 'Rows of the Board': rows } = workflow['pinData'] as Record<string, unknown>;
				return { ...sendTo(workflow), pinData: { 'Rows of the Board': rows } };
			},
		});
		assert.match(services.mails.join(), /^To: ana@example.com$/m);
		const page = String(itemsOf(ended, 'Page')[0]?.['html']);
		assert.match(page, /: 5 people/);
		assert.equal(page.match(/<tr><td>/g)?.length, 5);
		assert.match(page, /<td>done<\/td><td>user_did_not_answer<\/td><td align="right">1<\/td>/);
		assert.match(page, /width: 20%/);
		assert.match(page, /&#60;b>odd &#38; long/);
		assert.doesNotMatch(page, /<b>odd|\{\{/);
	});
});
