import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { readExample, withOneTrigger } from '../../tools/demo/examples.mts';
import { itemsOf } from '../../tools/host/execution.mts';
import type { N8nRest } from '../../tools/host/rest.mts';
import { ownDesk } from './ownDesk.mts';

const NAME = 'Urgent Ticket Created';

/** The example that begins with the trigger. */
const workflow = withOneTrigger(await readExample({ file: 'ticket-alerts.json' }), NAME);

/** What the activated workflow wrote of the title of each ticket, in all its executions. */
async function messagesOf(rest: N8nRest, workflowId: string): Promise<string[]> {
	const executions = await rest.listExecutions({ workflowId, status: ['success', 'error'] });
	const own = executions.filter(({ mode }) => mode === 'trigger');
	const read = await Promise.all(own.map(async ({ id }) => await rest.execution(id)));
	return read.flatMap((execution) =>
		itemsOf(execution, 'Send It Here', 0).map(({ message }) =>
			String(message).replace(/^URGENT ticket #\d+ from \w+: /, ''),
		),
	);
}

async function waitForMessages(rest: N8nRest, id: string, count: number): Promise<string[]> {
	const deadline = Date.now() + 90_000;
	for (;;) {
		const messages = await messagesOf(rest, id);
		if (messages.length >= count || Date.now() > deadline) return messages.sort();
		await sleep(500);
	}
}

test('the trigger hands out each new ticket once, also across a restart of n8n', async () => {
	const { desk, control, startAgain } = await ownDesk(300);
	const create = (priority: 'urgent' | 'low', ...messages: string[]) => {
		const createdAt = new Date().toISOString();
		const rows = messages.map((title) => ({ title, priority, createdAt, updatedAt: createdAt }));
		control.insertTickets(rows);
	};
	const { rest } = desk.n8n;
	const id = await rest.importWorkflow(workflow, { conversationDeskApi: desk.credential });

	const shown = itemsOf(await rest.runWorkflow(id, { triggerNode: NAME }), NAME, 0);
	assert.equal(shown.length, 1);

	await rest.activateWorkflow(id);
	// n8n answers before the first poll, which asks for the newest ticket and for what is there from then on.
	while (control.counts().requests.searchTickets < 3) await sleep(100);
	await sleep(1_000);
	create('urgent', 'A', 'B', 'C');
	create('low', 'not urgent');
	assert.deepEqual(await waitForMessages(rest, id, 3), ['A', 'B', 'C']);

	await desk.n8n.stop();
	create('urgent', 'D', 'E');
	const again = await startAgain();
	assert.deepEqual(await waitForMessages(again.rest, id, 5), ['A', 'B', 'C', 'D', 'E']);
	// Nothing more comes with the polls that follow the start.
	await sleep(3_000);
	assert.equal((await messagesOf(again.rest, id)).length, 5);
});
