import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { readExample, withOneTrigger } from '../../tools/demo/examples.mts';
import { itemsOf } from '../../tools/host/execution.mts';
import { control, desk } from '../e2e/desk.mts';

const trigger = 'Urgent Ticket Created';

test('The trigger shows a sample, and starts the active workflow once for a new ticket', async () => {
	const workflow = withOneTrigger(await readExample({ file: 'ticket-alerts.json' }), trigger);
	const { rest } = desk.n8n;
	const id = await rest.importWorkflow(workflow, { conversationDeskApi: desk.credential });
	const sample = await rest.runWorkflow(id, { triggerNode: trigger });
	assert.equal(itemsOf(sample, trigger, 0).length, 1);

	const before = control.counts().requests.searchTickets;
	await rest.activateWorkflow(id);
	while (control.counts().requests.searchTickets < before + 2) await sleep(100);
	await sleep(1_000);
	control.insertTickets([
		{ title: 'Fire', priority: 'urgent', createdAt: new Date().toISOString() },
	]);
	const deadline = Date.now() + 100_000;
	const runs = async () =>
		(await rest.listExecutions({ workflowId: id, status: ['success'] })).filter(
			({ mode }) => mode === 'trigger',
		);
	while ((await runs()).length === 0 && Date.now() < deadline) await sleep(500);
	await rest.deactivateWorkflow(id);
	const found = await runs();
	const executions = await Promise.all(found.map(async (each) => await rest.execution(each.id)));
	const titles = executions.flatMap((each) => itemsOf(each, trigger, 0).map(({ title }) => title));
	assert.deepEqual(titles, ['Fire']);
});
