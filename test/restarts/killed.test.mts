import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { readExample, withOneTrigger } from '../../tools/demo/examples.mts';
import { itemsOf } from '../../tools/host/execution.mts';
import type { Execution, Json } from '../../tools/host/execution.mts';
import type { N8nRest } from '../../tools/host/rest.mts';
import type { WorkflowJson } from '../../tools/host/workflow.mts';
import { calling, n8nNode, nodeName, workflowOf } from '../support/workflowNodes.mts';
import { ownDesk } from './ownDesk.mts';

const PEOPLE = 2_000;
const BATCH = 20;

/** A campaign of 2,000 people, 20 per request. All its phone numbers begin with `prefix`. */
function campaign(prefix: string, safeguards: Json, settings: Json = {}): WorkflowJson {
	const jsCode = `return Array.from({ length: ${PEOPLE} }, (_, i) => ({ json: { phone: '${prefix}' + String(5550000 + i) } }));`;
	const calls = calling(
		{
			safeguards: { ...safeguards, maximumConversations: PEOPLE },
			options: { batching: { batch: { batchSize: BATCH, parallelRequests: 2 } } },
		},
		{ onError: 'continueErrorOutput' },
	);
	return { ...workflowOf('Campaign', [n8nNode('code', 2, { jsCode }), calls]), settings };
}

const TRIGGER = 'Urgent Ticket Created';
const alerts = withOneTrigger(await readExample({ file: 'ticket-alerts.json' }), TRIGGER);

/** The titles in the messages of all executions that the trigger started. */
async function readTitles(api: N8nRest, workflowId: string): Promise<string[]> {
	const executions = await api.listExecutions({ workflowId, status: ['success', 'error'] });
	const triggered = executions.filter(({ mode }) => mode === 'trigger');
	const read = await Promise.all(triggered.map(async ({ id }) => await api.execution(id)));
	const messages = read.flatMap((execution) => itemsOf(execution, 'Send It Here', 0));
	const titles = messages.map(({ message }) => /^URGENT.*?: (.*)/.exec(String(message))?.[1]);
	return titles.map(String).sort();
}

async function waitForTitles(api: N8nRest, id: string, count: number): Promise<string[]> {
	const deadline = Date.now() + 120_000;
	for (;;) {
		const titles = await readTitles(api, id);
		if (titles.length >= count || Date.now() > deadline) return titles;
		await sleep(500);
	}
}

test('n8n is killed in the middle of two campaigns', { timeout: 600_000 }, async (t) => {
	const { desk, control, startAgain } = await ownDesk(300);
	const { rest: api } = desk.n8n;
	const store = async (workflow: WorkflowJson) =>
		await api.importWorkflow(workflow, { conversationDeskApi: desk.credential });
	const callsTo = (prefix: string): number[] =>
		Object.entries(control.conversations().callsPerNumber)
			.filter(([number]) => number.startsWith(prefix))
			.map(([, calls]) => calls);
	const insertTickets = (priority: 'urgent' | 'low', titles: readonly string[]) => {
		const createdAt = new Date().toISOString();
		const rows = titles.map((title) => ({ title, priority, createdAt, updatedAt: createdAt }));
		control.insertTickets(rows);
	};

	const attempts = { limit: { campaignKey: 'killed', maximum: 1 } };
	const limited = await store(campaign('+1415', { attempts }));
	const saved = await store(campaign('+1212', {}, { saveExecutionProgress: true }));
	const alertsId = await store(alerts);

	const shown = await api.runWorkflow(alertsId, { triggerNode: TRIGGER });
	assert.equal(itemsOf(shown, TRIGGER, 0).length, 1);
	await api.activateWorkflow(alertsId);
	// n8n responds before the first poll, which searches for the newest ticket, and then for tickets from its time on.
	while (control.counts().requests.searchTickets < 3) await sleep(100);
	await sleep(1_000);
	insertTickets('urgent', ['A', 'B', 'C']);
	insertTickets('low', ['not urgent']);

	assert.deepEqual(await waitForTitles(api, alertsId, 3), ['A', 'B', 'C']);

	control.setFaults([{ kind: 'latency', operation: 'createConversations', ms: 40 }]);
	await api.startWorkflow(limited);
	const savedExecution = await api.startWorkflow(saved);
	const isCalling = () => ['+1415', '+1212'].every((prefix) => callsTo(prefix).length > 0);
	while (!isCalling()) await sleep(20);
	await desk.n8n.kill();
	for (const called of [callsTo('+1415').length, callsTo('+1212').length])
		assert.ok(called > 0 && called < PEOPLE, `${called} called`);
	control.setFaults([]);
	insertTickets('urgent', ['D', 'E']);
	const again = await startAgain();

	function expectOnce(execution: Execution, prefix: string): void {
		const outcomes = [
			...itemsOf(execution, nodeName, 0).map(({ outcome }) => outcome),
			...itemsOf(execution, nodeName, 1).map(({ details }) => (details as Json)['outcome']),
		];
		const calls = callsTo(prefix);
		assert.equal(outcomes.length, PEOPLE);
		assert.ok(
			calls.every((times) => times === 1),
			'a number rang twice',
		);
		// The people of two open requests count as called. Other people without a call would be lost.
		assert.ok(calls.length >= PEOPLE - 2 * BATCH, `${calls.length} called`);
		const otherOutcomes = outcomes.filter((outcome) => outcome !== 'accepted');
		assert.ok(otherOutcomes.every((outcome) => outcome === 'unknown' || outcome === 'notSent'));
	}

	await t.test('a campaign calls no one twice when it is run again', async () => {
		expectOnce(await again.rest.runWorkflow(limited), '+1415');
	});

	await t.test(
		'an execution whose progress n8n saved calls no one twice when retried',
		async () => {
			const retried = await again.rest.retryExecution(savedExecution);
			assert.equal(retried.mode, 'retry');
			expectOnce(retried, '+1212');
		},
	);

	await t.test('the trigger hands out each new ticket once', async () => {
		assert.deepEqual(await waitForTitles(again.rest, alertsId, 5), ['A', 'B', 'C', 'D', 'E']);
		// The polls after the start return nothing more.
		await sleep(3_000);
		assert.equal((await readTitles(again.rest, alertsId)).length, 5);
	});
});
