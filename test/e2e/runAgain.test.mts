import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../../tools/host/execution.mts';
import type { WorkflowNode } from '../../tools/host/workflow.mts';
import { workflowOf } from '../support/workflowNodes.mts';
import { calling, control, desk, everyoneOnce, itemsFrom } from './desk.mts';
import { n8nNode, peopleFrom, store } from './desk.mts';

const people = peopleFrom(5_310_000, 30);
const call = calling();

/** A workflow that runs another one, and once more if it fails. */
async function runInParent(nodes: readonly WorkflowNode[], rows: readonly Json[] = people) {
	const { rest: api } = desk.n8n;
	const credentials = { conversationDeskApi: desk.credential };
	const child = workflowOf('Child', nodes);
	const [first, ...otherNodes] = child.nodes;
	assert.ok(first);
	const start = { ...n8nNode('executeWorkflowTrigger', 1.1, { inputSource: 'passthrough' }) };
	const childId = await api.importWorkflow(
		{ ...child, nodes: [{ ...start, name: first.name }, ...otherNodes] },
		credentials,
	);
	await api.activateWorkflow(childId);
	const parent = await store('Parent', [
		...itemsFrom(rows),
		{
			...n8nNode('executeWorkflow', 1.3, {
				workflowId: { __rl: true, mode: 'id', value: childId },
				options: { waitForSubWorkflow: true },
			}),
			retryOnFail: true,
			maxTries: 3,
			waitBetweenTries: 100,
		} as WorkflowNode,
	]);
	return async () => await api.runWorkflow(parent);
}

test('a sub-workflow that fails in the middle and is run again by its parent calls no one twice', async () => {
	control.reset({ keepTickets: true });
	control.setFaults([{ kind: 'resetAfter', operation: 'createConversations', from: 2, to: 2 }]);
	const run = await runInParent([call]);
	// In the second try, all may have been called, so they are left out and nothing fails.
	assert.equal((await run()).status, 'success');
	everyoneOnce(control, people);
});

test('a sub-workflow of which a later node fails calls no one twice', async () => {
	control.reset({ keepTickets: true });
	control.setFaults([]);
	const run = await runInParent([
		call,
		n8nNode('stopAndError', 1, { errorMessage: 'A later node fails' }),
	]);
	const execution = await run();
	assert.equal(execution.status, 'error');
	everyoneOnce(control, people);
	// The next execution of the parent calls no one either, until the hours between calls have passed.
	await run();
	everyoneOnce(control, people);
});

test('a sub-workflow asks who must not be called, and then calls no one who is marked', async () => {
	control.reset({ keepTickets: true });
	control.setFaults([]);
	const group = peopleFrom(5_311_000, 4);
	const rows = group.map((person, i) => ({ ...person, 'Nicht anrufen': i === 0 ? 'ja' : 'nein' }));
	const marked = { whoMayBeCalled: 'notMarked', doNotCallColumn: 'Nicht anrufen' };
	const asks = await runInParent([calling(marked)], rows);
	assert.equal((await asks()).status, 'error');
	everyoneOnce(control, []);
	const safeguards = { yesValues: 'ja', noValues: 'nein' };
	const calls = await runInParent([calling({ ...marked, safeguards })], rows);
	assert.equal((await calls()).status, 'success');
	everyoneOnce(control, group.slice(1));
});

test('a webhook that starts 200 executions at once calls everyone once', async () => {
	control.reset({ keepTickets: true });
	const { rest: api, url } = desk.n8n;
	const workflow = workflowOf('Webhook', [
		{ ...call, onError: 'continueRegularOutput' } as WorkflowNode,
	]);
	const [first, ...otherNodes] = workflow.nodes;
	assert.ok(first);
	const webhook = {
		...n8nNode('webhook', 2, { httpMethod: 'POST', path: 'call', responseMode: 'lastNode' }),
		name: first.name,
		webhookId: '6d1c1c52-4a43-4d3a-8b0d-6f1a0b6f6a11',
	} as WorkflowNode;
	const body = {
		...otherNodes[0],
		parameters: {
			...call.parameters,
			toPhoneNumber: '={{ $json.body.phone }}',
			safeguards: { hoursBetweenCalls: 0 },
		},
	};
	const id = await api.importWorkflow(
		{ ...workflow, nodes: [webhook, body as WorkflowNode] },
		{ conversationDeskApi: desk.credential },
	);
	await api.activateWorkflow(id);
	const post = async (phone: string) => {
		const response = await fetch(new URL('/webhook/call', url), {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ phone }),
		});
		return (await response.json()) as { outcome?: string };
	};
	// n8n finds a new webhook only once it was asked for, not for many requests at once.
	while ((await post('+14155309999')).outcome === undefined);
	for (const round of [1, 2]) {
		const replies = await Promise.all(
			Array.from({ length: 200 }, async (_, i) => await post(`+1415${5_320_000 + i}`)),
		);
		assert.deepEqual(
			replies.filter(({ outcome }) => outcome !== 'accepted'),
			[],
		);
		const { callsPerNumber } = control.conversations();
		assert.equal(Object.keys(callsPerNumber).length, 201);
		assert.equal(
			Object.values(callsPerNumber).filter((calls) => calls === round).length,
			round === 1 ? 201 : 200,
		);
	}
	await api.deactivateWorkflow(id);
});
