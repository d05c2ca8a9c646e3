import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, test } from 'node:test';
import { startDesk } from '../../tools/demo/desk.mts';
import { sandboxTarget } from '../../tools/demo/target.mts';
import { itemsOf } from '../../tools/host/execution.mts';
import type { Execution, Json } from '../../tools/host/execution.mts';
import { startN8n } from '../../tools/host/n8n.mts';
import { nodeName, ownNode } from './desk.mts';

const PEOPLE = 2_000;
const BATCH = 20;

/** A campaign of 2,000 people, 20 in a request. */
function campaign(safeguards: Json, settings: Json = {}): Json {
	const code = `return Array.from({ length: ${PEOPLE} }, (_, i) => ({ json: { phone: '+1415' + String(5550000 + i) } }));`;
	const at = (x: number) => ({ position: [x, 0] });
	return {
		name: 'Campaign',
		settings,
		nodes: [
			{
				name: 'Start',
				type: 'n8n-nodes-base.manualTrigger',
				typeVersion: 1,
				parameters: {},
				...at(0),
			},
			{
				name: 'People',
				type: 'n8n-nodes-base.code',
				typeVersion: 2,
				parameters: { jsCode: code },
				...at(200),
			},
			ownNode(
				{
					resource: 'conversation',
					operation: 'create',
					dryRun: false,
					agentId: '5f0c6a3e-9d1b-4e7a-8c25-2b7d9e4f1a60',
					toPhoneNumber: '={{ $json.phone }}',
					safeguards: { ...safeguards, maximumConversations: PEOPLE },
					options: { sending: { requests: { batchSize: BATCH, parallelRequests: 2 } } },
				},
				{ onError: 'continueErrorOutput' },
			),
		],
		connections: {
			Start: { main: [[{ node: 'People', type: 'main', index: 0 }]] },
			People: { main: [[{ node: nodeName, type: 'main', index: 0 }]] },
		},
	};
}

/** Starts a campaign, and kills n8n in the middle of it. */
async function kill(workflow: Json) {
	const desk = await startDesk(() => sandboxTarget({ tickets: 0 }), console.error);
	after(() => desk.stop());
	const control = desk.target.sandbox?.control;
	assert.ok(control);
	control.setFaults([{ kind: 'latency', operation: 'createConversations', ms: 40 }]);
	const { rest } = desk.n8n;
	const id = await rest.importWorkflow(workflow as never, { conversationDeskApi: desk.credential });
	const killed = await rest.startWorkflow(id);
	while (control.counts().requests.createConversations < 25)
		await once(AbortSignal.timeout(20), 'abort');
	await desk.n8n.kill();
	const before = control.counts().conversationsCreated;
	assert.ok(before > 0 && before < PEOPLE, `${before} were called before the end`);
	const again = await startN8n({ userFolder: desk.userFolder, files: desk.files });
	after(() => again.stop());
	await again.rest.signIn();
	return { id, killed, rest: again.rest, control };
}

type Killed = Awaited<ReturnType<typeof kill>>;

function expectOnce({ control }: Killed, execution: Execution): void {
	const accepted = itemsOf(execution, nodeName, 0);
	const others = itemsOf(execution, nodeName, 1).map(({ details }) => (details as Json)['outcome']);
	const unknown = others.filter((outcome) => outcome === 'unknown').length;
	const { callsPerNumber } = control.conversations();
	assert.ok(
		Object.values(callsPerNumber).every((calls) => calls === 1),
		'a number rang twice',
	);
	assert.equal(accepted.length + others.length, PEOPLE);
	assert.ok(unknown > 0 && unknown <= 2 * BATCH, `${unknown} unknown`);
	// Who is neither called by one of the runs nor reported as unknown would be lost.
	assert.ok(Object.keys(callsPerNumber).length >= PEOPLE - unknown);
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
