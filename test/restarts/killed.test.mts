import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { itemsOf } from '../../tools/host/execution.mts';
import type { Execution, Json } from '../../tools/host/execution.mts';
import type { WorkflowJson } from '../../tools/host/workflow.mts';
import { calling, n8nNode, nodeName, noOneTwice, workflowOf } from '../support/workflowNodes.mts';
import { ownDesk } from './ownDesk.mts';

const PEOPLE = 2_000;
const BATCH = 20;

/** A campaign of 2,000 people, 20 in a request. */
function campaign(safeguards: Json, settings: Json = {}): WorkflowJson {
	const jsCode = `return Array.from({ length: ${PEOPLE} }, (_, i) => ({ json: { phone: '+1415' + String(5550000 + i) } }));`;
	const calls = calling(
		{
			safeguards: { ...safeguards, maximumConversations: PEOPLE },
			options: { batching: { batch: { batchSize: BATCH, parallelRequests: 2 } } },
		},
		{ onError: 'continueErrorOutput' },
	);
	return { ...workflowOf('Campaign', [n8nNode('code', 2, { jsCode }), calls]), settings };
}

/** Starts a campaign, and kills n8n in the middle of it. */
async function kill(workflow: WorkflowJson) {
	const { desk, control, startAgain } = await ownDesk();
	control.setFaults([{ kind: 'latency', operation: 'createConversations', ms: 40 }]);
	const { rest } = desk.n8n;
	const id = await rest.importWorkflow(workflow, { conversationDeskApi: desk.credential });
	const killed = await rest.startWorkflow(id);
	while (control.counts().requests.createConversations < 25)
		await once(AbortSignal.timeout(20), 'abort');
	await desk.n8n.kill();
	const before = control.counts().conversationsCreated;
	assert.ok(before > 0 && before < PEOPLE, `${before} were called before the end`);
	return { id, killed, rest: (await startAgain()).rest, control };
}

type Killed = Awaited<ReturnType<typeof kill>>;

function expectOnce({ control }: Killed, execution: Execution): void {
	const outcomes = [
		...itemsOf(execution, nodeName, 0).map(({ outcome }) => outcome),
		...itemsOf(execution, nodeName, 1).map(({ details }) => (details as Json)['outcome']),
	];
	const others = outcomes.filter((outcome) => outcome !== 'accepted');
	const called = noOneTwice(control);
	assert.equal(outcomes.length, PEOPLE);
	// The people of two open requests count as called. Others whom no run called would be lost.
	assert.ok(called >= PEOPLE - 2 * BATCH, `${called} called`);
	assert.ok(others.every((outcome) => outcome === 'unknown' || outcome === 'notSent'));
}

test('a campaign that is killed in the middle calls no one twice when it is run again', async () => {
	const world = await kill(
		campaign({ attempts: { limit: { campaignKey: 'killed', maximum: 1 } } }),
	);
	expectOnce(world, await world.rest.runWorkflow(world.id));
});

test('an execution of which n8n saves the progress calls no one twice when it is killed and retried', async () => {
	const world = await kill(campaign({}, { saveExecutionProgress: true }));
	const retried = await world.rest.retryExecution(world.killed);
	assert.equal(retried.mode, 'retry');
	expectOnce(world, retried);
});
