import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startDesk } from '../../tools/demo/desk.mts';
import {
	examples,
	importExample,
	mustSucceed,
	readExample,
	withSettings,
} from '../../tools/demo/examples.mts';
import type { Example } from '../../tools/demo/examples.mts';
import { sandboxTarget } from '../../tools/demo/target.mts';
import { itemsOf, runsOf } from '../../tools/host/execution.mts';
import { startN8n } from '../../tools/host/n8n.mts';
import type { N8n } from '../../tools/host/n8n.mts';
import type { WorkflowJson } from '../../tools/host/workflow.mts';

const loop: Example = {
	file: 'await-conversations.json',
	operation: 'getConversation',
	node: 'Read the Conversations',
	input: 'Rows of the Sheet',
	writes: {},
};

/** The first wait is as short as it may be to go to the database, the others stay in memory. */
const WAIT = '={{ $runIndex === 0 ? 66 : 10 }}';

const hurried = (workflow: WorkflowJson): WorkflowJson => ({
	...workflow,
	nodes: workflow.nodes.map((node) =>
		node.type === 'n8n-nodes-base.wait'
			? { ...node, parameters: { ...node.parameters, amount: WAIT, unit: 'seconds' } }
			: node,
	),
});

const pause = async (ms: number) => void (await once(AbortSignal.timeout(ms), 'abort'));

async function untilWaiting({ rest }: N8n, id: string): Promise<void> {
	for (let status = ''; status !== 'waiting'; await pause(100)) {
		({ status } = await rest.execution(id));
		assert.ok(['new', 'running', 'waiting'].includes(status), `it is ${status}`);
	}
}

test('await-conversations.json brings every call out once, though n8n is restarted while it waits', async () => {
	const desk = await startDesk(() => sandboxTarget({ tickets: 0 }), console.error);
	after(() => desk.stop());
	const control = desk.target.sandbox?.control;
	assert.ok(control);
	const campaign = await importExample(desk, examples.calls, { dryRun: false });
	mustSucceed(await desk.n8n.rest.runWorkflow(campaign), examples.calls);
	const { conversations } = control.conversations();
	const ends = [0, 30_000, 75_000];
	const now = Date.now();
	for (const [n, conversation] of conversations.entries()) {
		conversation.createdAt = now - 1000;
		conversation.finishedAt = now + (ends[n % ends.length] ?? 0);
	}

	const workflow = withSettings(hurried(await readExample(loop)), { folder: desk.files });
	const id = await desk.n8n.rest.importWorkflow(workflow, {
		conversationDeskApi: desk.credential,
	});
	const executionId = await desk.n8n.rest.startWorkflow(id);
	await untilWaiting(desk.n8n, executionId);
	await desk.n8n.stop();
	const again = await startN8n({ userFolder: desk.userFolder, files: desk.files });
	after(() => again.stop());
	await again.rest.signIn();
	const execution = mustSucceed(await again.rest.waitForExecution(executionId, 140_000), loop);

	const ids = conversations.map((each) => each.id).sort();
	assert.ok(ids.length > 50);
	assert.ok(runsOf(execution, loop.node).length >= 2);
	const results = itemsOf(execution, 'Result Rows');
	assert.deepEqual(results.map((row) => String(row['Conversation ID'])).sort(), ids);
	const byId = new Map(conversations.map((each) => [each.id, each]));
	for (const row of results) {
		const conversation = byId.get(String(row['Conversation ID']));
		assert.equal(row['Finished'], true);
		assert.equal(row['Status'], 'completed');
		assert.equal(row['Phone Number'], conversation?.toPhoneNumber);
		assert.equal(row['End Reason'], conversation?.endReason);
	}
	assert.equal(itemsOf(execution, 'Rows Not Read').length, 0);

	const sheets = (await readdir(desk.files)).filter((name) => name.startsWith('calls-finished-'));
	const texts = await Promise.all(sheets.map((name) => readFile(join(desk.files, name), 'utf8')));
	const written = texts.flatMap((text) => [...text.matchAll(/^\uFEFF?([0-9a-f-]{36}),/gm)]);
	assert.deepEqual(written.map(([, each]) => each).sort(), ids);
	// Each look asks once for what is still open, and nothing is asked for again that was finished.
	const looks = runsOf(execution, loop.node).map((run) => run.data?.main[0]?.length ?? 0);
	assert.equal(
		control.counts().requests.getConversation,
		looks.reduce((sum, count) => sum + count, 0),
	);
	assert.ok((looks[1] ?? 0) < (looks[0] ?? 0));
});
