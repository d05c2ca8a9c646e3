import type { INodeParameters } from 'n8n-workflow';
import { nextCheckAtMs } from '../../src/conversations/get/pollConversations';
import { runNode, start } from '../support/runNode';
import { uuidOf } from '../support/samples';
import type { RunningSandbox } from '../support/sandbox.mts';
import { startSandbox } from '../support/sandbox.mts';

const service: { sandbox?: RunningSandbox } = {};

const sandboxOf = (): RunningSandbox => {
	if (!service.sandbox) throw new Error('The sandbox does not run');
	return service.sandbox;
};

beforeAll(async () => {
	service.sandbox = await startSandbox();
}, 20_000);

afterAll(async () => await service.sandbox?.stop());

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
		sending: { requests: { parallelRequests: 10 } },
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

it('gives back right states when the service fails and asks for pauses', async () => {
	const conversations = await sandboxOf().converse(60, { min: 0, max: 2500 });
	await sandboxOf().fault(
		{ kind: 'status', status: 429, retryAfter: 0.3, every: 17 },
		{ kind: 'status', status: 503, every: 11 },
		{ kind: 'resetBefore', every: 23 },
	);
	const { main, error } = await runNode(
		waiting(
			conversations.map(({ id }) => id),
			{ firstPause: 0.3, longestPause: 1 },
		),
	);
	expect(error).toBeUndefined();
	expect(main.map(({ json }) => [json['conversationId'], json['finished']])).toEqual(
		conversations.map(({ id }) => [id, true]),
	);
}, 60_000);

it('ends at once when the user stops, and asks for nothing more', async () => {
	const conversations = await sandboxOf().converse(40, { min: 60_000, max: 60_000 });
	const { done, cancel } = start(
		waiting(
			conversations.map(({ id }) => id),
			{ firstPause: 25, longestPause: 25 },
		),
	);
	let total = 0;
	while (total < 40) ({ total } = await sandboxOf().counts());
	const stopped = Date.now();
	cancel();
	await done;
	// Long before the pause is over.
	expect(Date.now() - stopped).toBeLessThan(12_000);
	for (let i = 0; i < 100; i++) await sandboxOf().counts();
	const later = (await sandboxOf().counts()).total;
	expect(later - total).toBeLessThanOrEqual(5);
}, 30_000);

it('tells what to check where the service knows no such conversation, and where it does not know the key', async () => {
	const [known] = await sandboxOf().converse(1, { min: 0, max: 0 });
	const ids = [uuidOf(1), known?.id ?? ''];
	const missing = await runNode(
		waiting(ids, { maximumWait: 0.01 }, { settings: { onError: 'continueErrorOutput' } }),
	);
	expect(missing.main.map(({ json }) => json['conversationId'])).toEqual([known?.id]);
	expect(missing.errors.map(({ json }) => json)).toEqual([
		{
			id: uuidOf(1),
			error:
				'Row 1: There is no such conversation, or the credential may not see it (404 NOT_FOUND: Conversation not found or access denied)',
			message: 'Check the conversation ID, and that the credential is for the same workspace',
			details: {
				row: 1,
				kind: 'api',
				call: `GET /conversations/${uuidOf(1)}`,
				status: 404,
				code: 'NOT_FOUND',
			},
		},
	]);
	const credential = { ...sandboxOf().credential, apiKey: 'wrong-key' };
	const { error } = await runNode(waiting(ids.slice(1), {}, { credential }));
	expect([error?.message, error?.description]).toEqual([
		'The service did not accept the credential (401 UNAUTHORIZED: User Not Found)',
		'Check API Key in the credential. It may be mistyped, revoked or from another workspace',
	]);
});
