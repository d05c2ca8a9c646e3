import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, test } from 'node:test';
import { readExample, readShipped, withSettings } from '../../tools/demo/examples.mts';
import type { Settings } from '../../tools/demo/examples.mts';
import { errorOf, itemsOf } from '../../tools/host/execution.mts';
import type { Execution } from '../../tools/host/execution.mts';
import { control, credentials, desk, n8nNode, openForm, run, services } from './desk.mts';
import { withAccounts } from './services.mts';

/** Runs an example with its samples, or on the data that there are. */
async function runExample(
	file: string,
	{ settings = {}, isPinned = false, triggerNode }: Run = {},
): Promise<Execution> {
	const known = { folder: desk.files, agentId: desk.target.agentId };
	const read = isPinned ? readShipped : readExample;
	const workflow = withSettings(await read({ file }), { ...known, ...settings });
	const id = await desk.n8n.rest.importWorkflow(workflow, credentials);
	const execution = await desk.n8n.rest.runWorkflow(id, triggerNode ? { triggerNode } : {});
	assert.equal(execution.status, 'success', `${file}: ${errorOf(execution)?.message}`);
	return execution;
}

interface Run {
	readonly settings?: Settings;
	readonly isPinned?: boolean;
	readonly triggerNode?: string;
}

const table = { dataTableId: { __rl: true, mode: 'name', value: 'Campaign Board' } };
const matching = (keyName: string, keyValue: string) => ({
	matchType: 'allConditions',
	filters: { conditions: [{ keyName, condition: 'eq', keyValue }] },
});

const boardRows = async () => {
	const read = { resource: 'row', operation: 'get', returnAll: true, ...table };
	return itemsOf(await run('Read', [n8nNode('dataTable', 1.1, read)]), 'dataTable');
};

/** Takes the result of calls away from the board, as a kill does. */
async function forget(): Promise<void> {
	const value = { state: 'check', conversationId: '' };
	const columns = { mappingMode: 'defineBelow', value, schema: [] };
	const update = { resource: 'row', operation: 'update', ...table, columns };
	const node = { ...update, ...matching('state', 'calling'), options: {} };
	await run('Forget', [n8nNode('dataTable', 1.1, node)]);
}

const days = 'monday, tuesday, wednesday, thursday, friday, saturday, sunday';
const always = { days, from: '00:00', until: '24:00', campaign: 'reconciled' };

describe('the campaign board', () => {
	beforeEach(() => control.reset({ keepTickets: true }));

	test('is loaded with the sound samples, calls no one in a dry run, and finds forgotten calls by tickets', async () => {
		const triggerNode = 'Upload a Sheet';
		const load = await runExample('campaign-load.json', { isPinned: true, triggerNode });
		assert.deepEqual(
			itemsOf(load, 'Left Out').map((row) => row['First Name']),
			['Mara', 'Kofi', 'Bruno'],
		);
		await runExample('campaign-run.json', { settings: always });
		assert.equal(control.counts().total, 0);
		await runExample('campaign-run.json', { settings: { ...always, dryRun: false } });
		assert.deepEqual(
			(await boardRows()).map(({ phone, state, firstName }) => [phone, state, firstName]),
			[
				['+14155550178', 'calling', 'Ana'],
				['+12125550139', 'calling', 'Ben'],
			],
		);

		await forget();
		const { campaign } = always;
		await runExample('reconcile-unknown-calls.json', { settings: { campaign } });
		assert.ok((await boardRows()).every(({ state }) => state === 'check'));
		const [first] = control.conversations().conversations;
		const ids = control.insertTickets([{ conversationId: first?.id ?? null }]);
		// A call of another campaign has the same people.
		await runExample('reconcile-unknown-calls.json', { settings: { campaign: 'other' } });
		assert.ok((await boardRows()).every(({ state }) => state === 'check'));
		await runExample('reconcile-unknown-calls.json', { settings: { campaign } });
		control.deleteTickets(ids);
		const found = (await boardRows()).map(({ state, conversationId }) => [state, conversationId]);
		assert.deepEqual(found, [
			['calling', first?.id],
			['check', ''],
		]);
		await runExample('campaign-collect.json');
		const ended = (await boardRows()).map(({ state }) => state);
		assert.equal(ended[0], first?.endReason === 'user_did_not_answer' ? 'due' : 'done');
		assert.equal(ended[1], 'check');
	});

	test('is loaded by a form with a sheet of any kind', async () => {
		const workflow = await readExample({ file: 'campaign-load.json' });
		const id = await desk.n8n.rest.importWorkflow(workflow, credentials);
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
			assert.equal(ended.status, 'success', errorOf(ended)?.message);
			const put = itemsOf(ended, 'Put on the Board');
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
		await runExample(file, { isPinned: true, triggerNode });
		assert.deepEqual(services.mails, []);
		const shipped = await readShipped({ file });
		const { 'Rows of the Board': rows } = shipped['pinData'] as Record<string, unknown>;
		const nodes = shipped.nodes.map((node) =>
			node.name === 'Mail the Report'
				? { ...node, parameters: { ...node.parameters, sendTo: 'ana@example.com' } }
				: node,
		);
		const workflow = { ...shipped, nodes, pinData: { 'Rows of the Board': rows } };
		const id = await desk.n8n.rest.importWorkflow(
			await withAccounts(desk.n8n.rest, workflow),
			credentials,
		);
		const ended = await desk.n8n.rest.runWorkflow(id, { triggerNode });
		assert.equal(ended.status, 'success', errorOf(ended)?.message);
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
		itemsOf(await runExample(file, { isPinned: true, triggerNode }), 'Send It Here').map(
			({ message }) => String(message).replace(/\d+ minutes/, 'n minutes'),
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
