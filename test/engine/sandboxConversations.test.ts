import type { INodeParameters } from 'n8n-workflow';
import { nextCheckAtMs } from '../../src/conversations/get/pollConversations';
import { calls } from '../support/panel';
import { runNode, start } from '../support/runNode';
import { useSandbox } from '../support/sandbox.mts';

const sandboxOf = useSandbox();

const waiting = (ids: readonly string[], options: INodeParameters = {}, more = {}) => ({
	rows: ids.map((id) => ({ id })),
	parameters: {
		resource: 'conversation',
		operation: 'get',
		conversationId: '={{ $json.id }}',
		waitUntilFinished: true,
		options,
	},
	credential: sandboxOf().credential,
	...more,
});

/** When each conversation was asked for, by its ID, in ms of the sandbox's clock. */
async function looks(): Promise<Map<string, number[]>> {
	const times = new Map<string, number[]>();
	for (const { path, operation, startedAt } of await sandboxOf().received()) {
		const id = path.split('/').at(-1) ?? '';
		if (operation === 'getConversation') times.set(id, [...(times.get(id) ?? []), startedAt]);
	}
	return times;
}

it('1,000 conversations are waited for with few requests, and each result is right', async () => {
	const options = {
		firstPause: 1,
		longestPause: 3,
		maximumWait: 1,
		batching: { batch: { parallelRequests: 10 } },
	};
	const conversations = await sandboxOf().converse(1000, { min: 0, max: 12_000 });
	const begin = Date.now();
	const { main, error, hints } = await runNode(
		waiting(
			conversations.map(({ id }) => id),
			options,
		),
	);
	expect(error).toBeUndefined();
	expect(main.map(({ json, pairedItem }) => [json, pairedItem])).toEqual(
		conversations.map(({ id, endReason, toPhoneNumber, dynamicVariables }, item) => [
			expect.objectContaining({
				conversationId: id,
				conversationStatus: 'completed',
				finished: true,
				endReason,
				toPhoneNumber,
				dynamicVariables,
			}),
			{ item },
		]),
	);
	const { requests, maxConcurrent } = await sandboxOf().counts();
	const asked = requests.getConversation;
	expect(hints).toEqual([
		`1,000 conversations, ${asked.toLocaleString('en-US')} requests: 1,000 finished`,
	]);
	expect(maxConcurrent.getConversation).toBeLessThanOrEqual(10);
	const times = await looks();
	const backoff = { initialDelayMs: 1000, maxDelayMs: 3000, deadlineMs: 60_000 };
	let ideal = 0;
	for (const { id, finishedAt } of conversations) {
		const own = times.get(id) ?? [];
		// Asked for until it was seen as finished, and not once more; the sandbox takes a moment to answer.
		expect(own.slice(0, -1).filter((at) => at >= finishedAt)).toEqual([]);
		expect(own.at(-1)).toBeGreaterThanOrEqual(finishedAt - 100);
		for (const [i, at] of own.entries()) {
			const min = (nextCheckAtMs(i, 0, backoff) ?? 0) - 5;
			if (i > 0) expect(at - (own[i - 1] ?? 0)).toBeGreaterThanOrEqual(min);
		}
		let number = 1;
		for (let at = begin; at < finishedAt; number++) {
			at = begin + (nextCheckAtMs(number, at - begin, backoff) ?? Infinity);
		}
		ideal += number;
	}
	expect(asked).toBeLessThanOrEqual(1.5 * ideal);
}, 90_000);

it('ends at once when the user stops, and asks for nothing more', async () => {
	const conversations = await sandboxOf().converse(40, { min: 60_000, max: 60_000 });
	const { done, cancel } = start(
		waiting(
			conversations.map(({ id }) => id),
			{ firstPause: 120, longestPause: 120 },
		),
	);
	let total = 0;
	while (total < 40) ({ total } = await sandboxOf().counts());
	cancel();
	// Long before the pause is over.
	await done;
	for (let i = 0; i < 100; i++) await sandboxOf().counts();
	const later = (await sandboxOf().counts()).total;
	expect(later - total).toBeLessThanOrEqual(5);
}, 30_000);

it('gives up a reply that drips for longer than the timeout, and says that it may have arrived', async () => {
	const sandbox = sandboxOf();
	await sandbox.forget();
	await sandbox.fault({ kind: 'slowBody', msPerChunk: 300, chunks: 100 });
	const { main, error } = await runNode({
		rows: [{ phone: '+14155550178' }],
		parameters: {
			...calls,
			options: { batching: { batch: { timeout: 1 } } },
		},
		settings: { onError: 'continueRegularOutput' },
		credential: sandbox.credential,
	});
	expect(error).toBeUndefined();
	expect(main[0]?.json['details']).toMatchObject({ outcome: 'unknown', code: 'ETIMEDOUT' });
	expect((await sandbox.counts()).conversationsCreated).toBe(1);
}, 30_000);
