import assert from 'node:assert/strict';
import { once } from 'node:events';
import { beforeEach, describe, test } from 'node:test';
import { errorOf, itemsOf } from '../../tools/host/execution.mts';
import type { Json } from '../../tools/host/execution.mts';
import { calling, control, desk, everyoneOnce, itemsFrom } from '../e2e/desk.mts';
import { nodeName, peopleFrom, run, store } from '../e2e/desk.mts';
import { eachRowOnce, pairedItems } from '../e2e/pairing.mts';

const where = { node: nodeName, before: 'splitOut' };

const people = peopleFrom(5_591_000, 20);
const options = { batching: { batch: { batchSize: 10 } } };

/** The second request is processed, but its response is lost. */
const loseReply = () =>
	control.setFaults([{ kind: 'resetAfter', operation: 'createConversations', from: 2, to: 2 }]);

function calledOnce(requests: number): void {
	everyoneOnce(control, people);
	assert.equal(control.counts().requests.createConversations, requests);
}

// In a suite, because a hook outside of one counts for the tests of all files.
describe('failures', () => {
	beforeEach(() => control.reset({ keepTickets: true }));

	/** Calls everyone and a row with a rounded number, and returns both outputs. */
	async function runWithWrongRow(title: string, onError: string) {
		const rows = [...people.slice(0, 3), { phone: '1.4155E+10' }, ...people.slice(3)];
		const node = calling({ options: { ...options, invalidRows: 'sendValid' } }, { onError });
		const execution = await run(title, [...itemsFrom(rows), node]);
		assert.equal(execution.status, 'success');
		const main = pairedItems(execution, where, 0);
		const errors = pairedItems(execution, where, 1);
		eachRowOnce(rows.length, main, errors);
		calledOnce(2);
		return { main, errors };
	}

	test('A wrong row goes to the error output with its reason, the others do not', async () => {
		const { errors } = await runWithWrongRow('Error output', 'continueErrorOutput');
		assert.deepEqual(
			errors.map(({ row }) => row),
			[3],
		);
		assert.match(String(errors[0]?.json['error']), /^Row 4: 'To Phone Number' .*rounded/);
		assert.equal((errors[0]?.json['details'] as Json)['code'], 'invalid');
	});

	test('On Error: Continue returns a wrong row as an item with its reason', async () => {
		const { main, errors } = await runWithWrongRow('Continue', 'continueRegularOutput');
		assert.deepEqual(errors, []);
		const wrong = main.find(({ row }) => row === 3)?.json;
		assert.match(String(wrong?.['reason']), /rounded/);
		assert.equal(wrong?.['code'], 'invalid');
	});

	test('One wrong row stops the node before anything is sent, and the error names it', async () => {
		const rows = [...people, { phone: '1.4155E+10' }];
		const execution = await run('One wrong row', [...itemsFrom(rows), calling()]);
		assert.equal(execution.status, 'error');
		const { message, description } = errorOf(execution) ?? { message: '' };
		assert.match(`${message} ${description}`, /Row 21: 'To Phone Number' .*rounded/);
		assert.equal(control.counts().total, 0);
	});

	test('Retry On Fail sends nothing twice', async () => {
		loseReply();
		const retries = { retryOnFail: true, maxTries: 3, waitBetweenTries: 200 };
		const execution = await run('Retry', [...itemsFrom(people), calling({}, retries)]);
		assert.equal(execution.status, 'error');
		assert.match(errorOf(execution)?.description ?? '', /10 called, 10 unknown/);
		calledOnce(2);
	});

	test('Retry of a failed execution sends nothing twice', async () => {
		loseReply();
		const id = await store('Retry by hand', [...itemsFrom(people), calling()]);
		const failed = await desk.n8n.rest.runWorkflow(id);
		assert.equal(failed.status, 'error');
		const again = await desk.n8n.rest.retryExecution(failed.id);
		assert.match(errorOf(again)?.description ?? '', /10 called, 10 unknown/);
		calledOnce(2);
	});

	test('Conversation: Create calls no one again in the next execution', async () => {
		const safeguards = { attempts: { limit: { campaignKey: 'compatibility', maximum: 1 } } };
		const id = await store('Memory', [...itemsFrom(people), calling({ safeguards })]);
		assert.equal((await desk.n8n.rest.runWorkflow(id)).status, 'success');
		calledOnce(2);
		const again = await desk.n8n.rest.runWorkflow(id);
		assert.equal(again.status, 'success', errorOf(again)?.message);
		const outcomes = itemsOf(again, nodeName).map((item) => item['outcome']);
		assert.deepEqual(outcomes, new Array<string>(people.length).fill('notSent'));
		calledOnce(2);
	});

	test('Stop lets no further request start', async () => {
		control.setFaults([{ kind: 'latency', operation: 'createConversations', ms: 300 }]);
		const slowly = { batching: { batch: { batchSize: 1, batchInterval: 1_000 } } };
		const id = await store('Stopped', [...itemsFrom(people), calling({ options: slowly })]);
		const execution = await desk.n8n.rest.startWorkflow(id);
		while (control.counts().total < 2) await once(AbortSignal.timeout(50), 'abort');
		await desk.n8n.rest.stopExecution(execution);
		const { status } = await desk.n8n.rest.waitForExecution(execution);
		assert.equal(status, 'canceled');
		const sent = control.counts().total;
		await once(AbortSignal.timeout(2_500), 'abort');
		assert.equal(control.counts().total, sent);
	});
});
