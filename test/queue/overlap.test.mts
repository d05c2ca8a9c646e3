import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Execution, Json } from '../../tools/host/execution.mts';
import { calling, n8nNode, noOneTwice, workflowOf } from '../support/workflowNodes.mts';
import { control, farm, outcomes, store, until, workerOf } from './farm.mts';

const { rest: api } = farm.main;
const PEOPLE = 1_000;
const COMMON = 500;

/** A workflow whose executions have 1,000 people each, or a few; each two neighbours have half of them in common. */
const halfInCommon = (name: string, batchSize: number, safeguards: Json, people = PEOPLE) =>
	workflowOf(name, [
		n8nNode('code', 2, {
			jsCode: `const first = Number($execution.id) % 2 * ${people / 2};
return Array.from({ length: ${people} }, (_, i) => ({ json: { phone: '+1415' + String(5_570_000 + first + i) } }));`,
		}),
		calling(
			{
				safeguards: { ...safeguards, maximumConversations: PEOPLE },
				options: { batching: { batch: { batchSize, parallelRequests: 2 } } },
			},
			{ onError: 'continueErrorOutput' },
		),
	]);

const count = (words: readonly string[], word: string) =>
	words.filter((one) => one === word).length;

/** Runs a workflow twice at the same moment. */
async function twice(id: string): Promise<readonly Execution[]> {
	const started = await Promise.all([api.startWorkflow(id), api.startWorkflow(id)]);
	const ended = await Promise.all(started.map(async (one) => await api.waitForExecution(one)));
	if (new Set(started.map(workerOf)).size === 2) workers.two += 1;
	return ended;
}

const workers = { two: 0 };

test('two executions of one node at once, on two workers, call everyone once between them', async () => {
	control.reset();
	control.setFaults([{ kind: 'latency', operation: 'createConversations', ms: 60 }]);
	const id = await store(halfInCommon('Fires twice', 20, {}));
	const ended = await twice(id);
	assert.equal(noOneTwice(control), 2 * PEOPLE - COMMON);
	const words = ended.flatMap(outcomes);
	assert.equal(count(words, 'accepted'), 2 * PEOPLE - COMMON);
	assert.equal(words.length, 2 * PEOPLE);
	// Another execution within the hours calls no one.
	await api.runWorkflow(id);
	assert.equal(noOneTwice(control), 2 * PEOPLE - COMMON);
});

test('a campaign that runs twice at once, five times, calls everyone once and forgets no one', async () => {
	control.reset();
	control.setFaults([{ kind: 'latency', operation: 'createConversations', ms: 20 }]);
	const id = await store(
		halfInCommon('Campaign twice', 20, { attempts: { limit: { campaignKey: 'a', maximum: 1 } } }),
	);
	for (let round = 1; round <= 5; round++) {
		const words = (await twice(id)).flatMap(outcomes);
		assert.equal(words.length, 2 * PEOPLE);
		assert.equal(noOneTwice(control), 2 * PEOPLE - COMMON, `after ${round} rounds`);
		if (round > 1) assert.equal(count(words, 'notSent'), 2 * PEOPLE);
	}
	assert.ok(workers.two > 0, 'no pair of executions had two workers');
});

test('an execution goes on within a minute after a worker died that held the list', async (t) => {
	control.reset();
	control.setFaults([]);
	// One person per request: the lock of the list is held most of the time.
	const people = 200;
	const safeguards = { attempts: { limit: { campaignKey: 'b', maximum: 1 } } };
	const id = await store(halfInCommon('Lock', 1, safeguards, people));
	const started = await Promise.all([api.startWorkflow(id), api.startWorkflow(id)]);
	await until('both have begun', () => started.every((one) => hasBegun(one)));
	await until('some were called', () => control.counts().conversationsCreated > 50);
	const [first, second] = started.map(workerOf);
	const [firstId = '', secondId = ''] = started;
	if (first === second) return t.skip('one worker had both');
	assert.ok(first);
	t.after(() => first.revive());
	await first.kill();
	const before = control.counts().conversationsCreated;
	const killedAt = Date.now();
	await until('the other one goes on', () => control.counts().conversationsCreated > before + 20);
	assert.ok(Date.now() - killedAt < 60_000);
	const words = outcomes(await api.waitForExecution(secondId));
	assert.equal(words.length, people);
	await first.revive();
	const again = [...outcomes(await api.runWorkflow(id)), ...outcomes(await api.runWorkflow(id))];
	assert.equal(again.length, 2 * people, `first was ${firstId}`);
	const called = noOneTwice(control);
	// The person of an open request counts as called.
	assert.ok(called >= 2 * people - people / 2 - 1, `${called} called`);
});

const hasBegun = (executionId: string): boolean =>
	farm.workers.some((each) => each.listStarted().includes(executionId));
