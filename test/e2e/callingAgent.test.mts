import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, beforeEach, describe, test } from 'node:test';
import { readShipped } from '../../tools/demo/examples.mts';
import { errorOf } from '../../tools/host/execution.mts';
import type { Execution } from '../../tools/host/execution.mts';
import type { WorkflowJson } from '../../tools/host/workflow.mts';
import { control, desk } from './desk.mts';
import { ask as askModel } from './chat.mts';
import { startModel } from './modelStandIn.mts';

const pause = async (ms: number) => void (await once(AbortSignal.timeout(ms), 'abort'));

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/120.0 Safari/537.36';

const everyDay = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const always = {
	when: { hours: { rows: [{ days: everyDay, from: '00:00', until: '24:00' }] } },
};

/** Sets the agent, and hours in which a test may call. */
const ready = (workflow: WorkflowJson): WorkflowJson => ({
	...workflow,
	nodes: workflow.nodes.map((node) => {
		if (node.name !== 'Start a Call') return node;
		const safeguards = { ...(node.parameters['safeguards'] as object), callingHours: always };
		const parameters = { ...node.parameters, agentId: desk.target.agentId, safeguards };
		return { ...node, parameters };
	}),
});

const skip = process.env['CONVERSATION_DESK_N8N'] ? 'older n8n have no human review' : false;

describe('agent-that-may-call.json, with a stand-in for the model', { skip }, () => {
	let model: Awaited<ReturnType<typeof startModel>>;
	let workflow: WorkflowJson;
	before(async () => {
		workflow = ready(await readShipped({ file: 'agent-that-may-call.json' }));
	});
	beforeEach(() => control.reset({ keepTickets: true }));
	after(() => model.close());

	/** Asks for a call of a number, and answers the review. */
	async function ask(
		phoneNumber: string,
		answer: 'true' | 'false',
		shown = phoneNumber,
	): Promise<Execution> {
		const toolParameters = { phoneNumber, firstName: 'Ana', topic: 'her appointment' };
		const call = { toolParameters, hitlParameters: {} };
		await model?.close();
		model = await startModel([{ name: 'Start_a_Call', arguments: call }], 'Done.');
		const { rest: api } = desk.n8n;
		const execution = await askModel(workflow, model.url, 'Call Ana.');
		const link = await linkOf(execution, answer);
		const savedData = JSON.stringify((await api.execution(execution)).data);
		assert.ok(savedData.includes(`May I call ${shown} (Ana) about her appointment?`));
		assert.equal(control.counts().total, 0);
		// n8n treats a client that is not a browser as a bot that only reads.
		assert.ok((await fetch(link, { headers: { 'user-agent': BROWSER } })).ok);
		for (let n = 0; n < 300; n++) {
			const now = await api.execution(execution);
			// The message of the agent to the chat waits for no one.
			if (model.received.length > 1 && !['running', 'new'].includes(now.status)) return now;
			await pause(100);
		}
		assert.fail('the agent does not go on');
	}

	/** The button of the review that has this answer. */
	async function linkOf(id: string, answer: string): Promise<string> {
		for (let n = 0; n < 300; n++) {
			const execution = await desk.n8n.rest.execution(id);
			assert.notEqual(execution.status, 'error', errorOf(execution)?.message);
			const links = JSON.stringify(execution.data).match(
				/http[^"\\]*approved=(true|false)[^"\\]*/g,
			);
			const link = links?.find((each) => each.includes(`approved=${answer}`));
			if (execution.status === 'waiting' && link) return link;
			await pause(100);
		}
		assert.fail('no one is asked');
	}

	const reported = () =>
		String(model.received.at(-1)?.messages.findLast(({ role }) => role === 'tool')?.content);

	test('calls a person once, after a human has said yes', async () => {
		await ask('+14155550178', 'true');
		assert.deepEqual(control.conversations().callsPerNumber, { '+14155550178': 1 });
		assert.match(reported(), /accepted/);
	});

	test('shows the number that is called, whatever marks the model puts into it', async () => {
		await ask('+1\u202e (415) 555\u200f-0178', 'true', '+14155550178');
		assert.deepEqual(control.conversations().callsPerNumber, { '+14155550178': 1 });
	});

	test('calls no one when the human says no', async () => {
		await ask('+14155550178', 'false');
		assert.equal(control.counts().total, 0);
	});

	test('calls no one in another country, even after a yes', async () => {
		await ask('+442079460000', 'true');
		assert.equal(control.counts().total, 0);
		assert.match(reported(), /GB|United Kingdom|Allowed Countries/);
	});
});
