import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, test } from 'node:test';
import { itemsOf } from '../../tools/host/execution.mts';
import { control, desk, openForm, services } from './desk.mts';
import { always, importShipped, rowsOfTable } from './exampleRuns.mts';
import { runShipped, succeeded, withParameters } from './exampleRuns.mts';

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
		assert.equal(control.counts().total, 0);
		await runShipped('campaign-run.json', {
			...board,
			settings: { ...always, campaign, dryRun: false },
		});
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

	test('is loaded by a form with a sheet of any kind', async () => {
		const id = await importShipped('campaign-load.json', board);
		await desk.n8n.rest.activateWorkflow(id);
		const form = await openForm(id, 'Upload a Sheet');
		for (const [file, person] of [
			['campaign.xlsx', undefined],
			['campaign-sheet.csv', 'Ben'],
		] as const) {
			const path = person ? join(import.meta.dirname, '../../docs', file) : `${desk.files}/${file}`;
			const data = new FormData();
			data.set('field-0', new File([await readFile(path)], file));
			const before = (await boardRows()).length;
			const response = await fetch(form, { method: 'POST', body: data });
			assert.ok(response.ok, await response.text());
			const [{ id: execution = '' } = {}] = await desk.n8n.rest.listExecutions({ workflowId: id });
			const ended = await desk.n8n.rest.waitForExecution(execution);
			const put = itemsOf(succeeded(ended), 'Put on the Board');
			assert.ok(
				person ? put.some(({ firstName }) => firstName === person) : put.length > 10,
				JSON.stringify(put),
			);
			assert.ok((await boardRows()).length >= before);
		}
		await desk.n8n.rest.deactivateWorkflow(id);
		assert.equal(control.counts().total, 0);
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

test('ticket-alerts.json writes a message for each sample of its triggers, also for one without a title', async () => {
	const file = 'ticket-alerts.json';
	const messages = async (triggerNode: string) =>
		itemsOf(await runShipped(file, { triggerNode }), 'Send It Here').map(({ message }) =>
			String(message).replace(/\d+ minutes/, 'n minutes'),
		);
	assert.deepEqual(await messages('Urgent Ticket Created'), [
		'URGENT ticket #1042 from email: Refund for order 2214',
		'HIGH ticket #1043 from voice: (no title)',
		'HIGH ticket #1044 from chat_widget: The "premium" plan was charged twice',
	]);
	assert.deepEqual(await messages('Not Answered'), [
		'Not answered for n minutes: #1042 Refund for order 2214',
		'Not answered for n minutes: #1043 (no title)',
	]);
	assert.deepEqual(await messages('Customer Waiting'), [
		'The customer has waited for n minutes: #1030 The "premium" plan was charged twice',
	]);
});
