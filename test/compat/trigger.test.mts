import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { readExample, withOneTrigger } from '../../tools/demo/examples.mts';
import { itemsOf } from '../../tools/host/execution.mts';
import { control, desk } from '../e2e/desk.mts';

const trigger = 'Urgent Ticket Created';

test('The trigger shows a sample, and starts the active workflow once for a new ticket', async () => {
	const workflow = withOneTrigger(await readExample({ file: 'ticket-alerts.json' }), trigger);
	const { rest: api } = desk.n8n;
	const id = await api.importWorkflow(workflow, { conversationDeskApi: desk.credential });
	const sample = await api.runWorkflow(id, { triggerNode: trigger });
	assert.equal(itemsOf(sample, trigger, 0).length, 1);

	const before = control.counts().requests.searchTickets;
	await api.activateWorkflow(id);
	while (control.counts().requests.searchTickets < before + 2) await sleep(100);
	await sleep(1_000);
	control.insertTickets([
		{ title: 'Fire', priority: 'urgent', createdAt: new Date().toISOString() },
	]);
	const deadline = Date.now() + 100_000;
	const runs = async () =>
		(await api.listExecutions({ workflowId: id, status: ['success'] })).filter(
			({ mode }) => mode === 'trigger',
		);
	while ((await runs()).length === 0 && Date.now() < deadline) await sleep(500);
	await api.deactivateWorkflow(id);
	const triggered = await runs();
	const executions = await Promise.all(triggered.map(async (each) => await api.execution(each.id)));
	const titles = executions.flatMap((each) => itemsOf(each, trigger, 0).map(({ title }) => title));
	assert.deepEqual(titles, ['Fire']);
});
