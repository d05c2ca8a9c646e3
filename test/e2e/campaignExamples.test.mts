import assert from 'node:assert/strict';
import { once } from 'node:events';
import { beforeEach, describe, test } from 'node:test';
import { DateTime } from 'luxon';
import { readShipped, withSettings } from '../../tools/demo/examples.mts';
import type { Settings } from '../../tools/demo/examples.mts';
import { errorOf, itemsOf, runsOf } from '../../tools/host/execution.mts';
import type { Execution } from '../../tools/host/execution.mts';
import type { WorkflowJson } from '../../tools/host/workflow.mts';
import { control, desk } from './desk.mts';

const SAMPLES = ['+12125550139', '+14155550178'];

const pause = async (ms: number) => void (await once(AbortSignal.timeout(ms), 'abort'));

const called = () => control.conversations().callsPerNumber;

/** Imports an example with its samples; waits are as short as a test wants them. */
async function importSamples(
	file: string,
	{ settings = {}, waitSeconds }: { settings?: Settings; waitSeconds?: number } = {},
): Promise<string> {
	const known = { folder: desk.files, agentId: desk.target.agentId };
	const shipped = withSettings(await readShipped({ file }), { ...known, ...settings });
	const workflow = waitSeconds === undefined ? shipped : hurried(shipped, waitSeconds);
	return await desk.n8n.rest.importWorkflow(workflow, { conversationDeskApi: desk.credential });
}

const hurried = (workflow: WorkflowJson, amount: number): WorkflowJson => ({
	...workflow,
	nodes: workflow.nodes.map((node) =>
		'amount' in node.parameters
			? { ...node, parameters: { ...node.parameters, amount, unit: 'seconds' } }
			: node,
	),
});

function succeeded(execution: Execution): Execution {
	assert.equal(execution.status, 'success', errorOf(execution)?.message);
	return execution;
}

describe('ask-before-calling.json', () => {
	beforeEach(() => control.reset({ keepTickets: true }));

	/** Starts it, and opens the link of its message. */
	async function asked(): Promise<{ execution: string; message: string; link: string }> {
		const id = await importSamples('ask-before-calling.json');
		const execution = await desk.n8n.rest.startWorkflow(id);
		for (let status = ''; status !== 'waiting'; await pause(100)) {
			({ status } = await desk.n8n.rest.execution(execution));
			assert.ok(['new', 'running', 'waiting'].includes(status), `it is ${status}`);
		}
		const [sent] = itemsOf(await desk.n8n.rest.execution(execution), 'Message to Send');
		return { execution, message: String(sent?.['message']), link: String(sent?.['link']) };
	}

	async function answer(link: string, value: string): Promise<void> {
		assert.match(await (await fetch(link)).text(), /Make these calls\?/);
		const form = new FormData();
		form.set('field-0', value);
		const response = await fetch(link, { method: 'POST', body: form });
		assert.ok(response.ok, await response.text());
	}

	test('says who would be called, and calls them when the answer is yes', async () => {
		const { execution, message, link } = await asked();
		assert.match(
			message,
			/^Call these 2 people \(US: 2\)\? For example: Ana \+14155550178, .*3 of 5 rows are not called: 1 because/,
		);
		assert.deepEqual(called(), {});
		await answer(link, 'Yes, call them');
		const ended = succeeded(await desk.n8n.rest.waitForExecution(execution));
		assert.deepEqual(Object.keys(called()).sort(), SAMPLES);
		assert.equal(itemsOf(ended, 'Calls Started').length, 2);
		assert.equal(itemsOf(ended, 'Calls Not Started').length, 3);
	});

	test('calls no one when the answer is no', async () => {
		const { execution, link } = await asked();
		await answer(link, 'No, call no one');
		const ended = succeeded(await desk.n8n.rest.waitForExecution(execution));
		assert.equal(itemsOf(ended, 'Not Approved').length, 1);
		assert.deepEqual(called(), {});
	});
});

describe('wait-until-callable.json', () => {
	beforeEach(() => control.reset({ keepTickets: true }));

	test('begins with a dry run, which calls no one', async () => {
		const ended = succeeded(
			await desk.n8n.rest.runWorkflow(await importSamples('wait-until-callable.json')),
		);
		assert.equal(itemsOf(ended, 'Started Calls').length, 5);
		assert.deepEqual(called(), {});
	});

	test('sleeps until a person may be called, and calls everyone once', async () => {
		const opens = DateTime.now().setZone('America/Los_Angeles').plus({ minutes: 1 });
		const settings = {
			dryRun: false,
			days: 'monday, tuesday, wednesday, thursday, friday, saturday, sunday',
			from: opens.toFormat('HH:mm'),
			until: opens.plus({ hours: 1 }).toFormat('HH:mm'),
		};
		// Of the samples, one is in California. The other is in New York, where these hours begin earlier.
		const id = await importSamples('wait-until-callable.json', { settings });
		const execution = await desk.n8n.rest.startWorkflow(id);
		const isRinging = () => called()['+14155550178'] === 1;
		for (let ms = 0; ms < 90_000 && !isRinging(); ms += 250) await pause(250);
		assert.ok(isRinging());
		assert.ok(DateTime.now() >= opens.startOf('minute'));
		const { status } = await desk.n8n.rest.execution(execution);
		if (status === 'waiting') await desk.n8n.rest.stopExecution(execution);
		assert.ok(Object.values(called()).every((times) => times === 1));
	});
});

describe('call-again.json', () => {
	beforeEach(() => control.reset({ keepTickets: true }));

	test('begins with a dry run, which calls no one and waits for nothing', async () => {
		const id = await importSamples('call-again.json');
		const ended = succeeded(await desk.n8n.rest.runWorkflow(id));
		assert.equal(itemsOf(ended, 'Planned Calls').length, 5);
		assert.deepEqual(called(), {});
	});

	test('calls again who did not answer, and no one more often than allowed', async () => {
		const settings = { dryRun: false, maximumAttempts: 2, campaign: `test ${Date.now()}` };
		const id = await importSamples('call-again.json', { settings, waitSeconds: 3 });
		const execution = await desk.n8n.rest.startWorkflow(id);
		const first = '+14155550178';
		// The first never answers, the others always do.
		for (let ended = false; !ended; await pause(50)) {
			for (const each of control.conversations().conversations)
				each.endReason = each.toPhoneNumber === first ? 'user_did_not_answer' : 'agent_ended';
			({ finished: ended } = await finishedIn(execution));
		}
		const ended = succeeded(await desk.n8n.rest.execution(execution));
		assert.deepEqual(called(), { [first]: 2, '+12125550139': 1 });
		assert.equal(itemsOf(ended, 'Results').length, 1);
		assert.equal(runsOf(ended, 'Start the Calls').length, 3);
		const reasons = itemsOf(ended, 'Not Called').map(({ error }) => String(error));
		assert.equal(
			reasons.filter((reason) => /was called 2 times in this campaign/.test(reason)).length,
			1,
		);
		assert.equal(reasons.length, 4);
	});

	async function finishedIn(execution: string): Promise<{ finished: boolean }> {
		const { status } = await desk.n8n.rest.execution(execution);
		return { finished: !['new', 'running', 'waiting'].includes(status) };
	}
});
