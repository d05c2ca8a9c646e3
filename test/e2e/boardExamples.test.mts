import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { beforeEach, describe, test } from 'node:test';
import { readExample, readShipped, withSettings } from '../../tools/demo/examples.mts';
import type { Settings } from '../../tools/demo/examples.mts';
import { errorOf, itemsOf } from '../../tools/host/execution.mts';
import type { Execution } from '../../tools/host/execution.mts';
import { control, desk, n8nNode, run } from './desk.mts';

/** Runs an example with its samples, or on the data that there are. */
async function runExample(
	file: string,
	{ settings = {}, isPinned = false, triggerNode }: Run = {},
): Promise<Execution> {
	const known = { folder: desk.files, agentId: desk.target.agentId };
	const read = isPinned ? readShipped : readExample;
	const workflow = withSettings(await read({ file }), { ...known, ...settings });
	const credentials = { conversationDeskApi: desk.credential };
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
		const load = await runExample('campaign-load.json', { isPinned: true });
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

	test('campaign-report.json writes a page with a bar for each result, and no text as HTML', async () => {
		await runExample('campaign-report.json', { isPinned: true });
		const page = await readFile(`${desk.files}/campaign-report.html`, 'utf8');
		assert.match(page, /: 5 people/);
		assert.equal(page.match(/<tr><td>/g)?.length, 5);
		assert.match(page, /<td>done<\/td><td>user_did_not_answer<\/td><td align="right">1<\/td>/);
		assert.match(page, /width: 20%/);
		assert.match(page, /&#60;b>odd &#38; long/);
		assert.doesNotMatch(page, /<b>odd|\{\{/);
	});
});

test('waiting-tickets-alert.json writes a message for each sample of its triggers', async () => {
	const file = 'waiting-tickets-alert.json';
	const messages = async (triggerNode: string) =>
		itemsOf(await runExample(file, { isPinned: true, triggerNode }), 'Send It Here').map(
			({ message }) => String(message).replace(/\d+ minutes/, 'n minutes'),
		);
	assert.deepEqual(await messages('Not Answered'), [
		'Not answered for n minutes: #1042 Refund for order 2214',
		'Not answered for n minutes: #1043 (no title)',
	]);
	assert.deepEqual(await messages('Customer Waiting'), [
		'The customer has waited for n minutes: #1030 The "premium" plan was charged twice',
	]);
});
