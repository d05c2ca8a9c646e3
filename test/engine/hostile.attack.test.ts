import type { INodeParameters } from 'n8n-workflow';
import { good } from '../support/credential';
import { useN8nStore } from '../support/n8nStore';
import { calls, createBatch, search } from '../support/panel';
import type { Setup } from '../support/runNode';
import { runNode } from '../support/runNode';
import { PHONE, uuidOf } from '../support/samples';
import type { Received, Scripted } from '../support/service';
import { forget, serve } from '../support/service';

afterEach(forget);

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

const operations: Record<string, INodeParameters> = {
	search: { ...search, returnAll: true },
	ticket: { resource: 'ticket', operation: 'get', output: 'raw', ticketId: '7' },
	conversation: { resource: 'conversation', operation: 'get', conversationId: uuidOf(1) },
	customers: {
		...createBatch,
		inputMode: 'json',
		customerJson: '{"identifier": "A"}',
	},
	calls: { ...calls, toPhoneNumber: PHONE },
};
const everyOperation = Object.entries(operations);
/** Without Continue, which equals Continue (using error output) except that n8n does not check its items. */
const modes = ['stopWorkflow', 'continueErrorOutput'] as const;

/** Runs an operation in each mode. n8n must be able to save its output, which must contain no key. */
async function runEverywhere(
	parameters: INodeParameters,
	script: (request: Received) => Scripted,
	setup: Partial<Setup> = {},
) {
	const outcomes = [];
	for (const onError of modes) {
		await useN8nStore();
		const elsewhere = serve(() => ({ status: 200 }), 'https://evil.test');
		const received = serve(script);
		const outcome = await runNode({ parameters, settings: { onError }, ...setup });
		const saved = JSON.stringify(outcome.run);
		expect(saved.includes(good.apiKey) || saved.includes(good.accessToken)).toBe(false);
		expect(elsewhere).toEqual([]);
		expect(saved.length).toBeLessThan(500_000);
		const { main, errors, error } = outcome;
		expect(main.length + errors.length + (error ? 1 : 0)).toBe(1);
		outcomes.push({ ...outcome, received });
		forget();
	}
	return outcomes;
}

const refusals: Array<[string, unknown]> = [
	['issues that are nested 100,000 levels deep', `{"issues":[${nested(100_000)}]}`],
	['a message of 1 MB', { message: 'x'.repeat(1_000_000) }],
	[
		'names that every object has',
		'{"__proto__":{"message":"x"},"constructor":1,"message":{"toString":1}}',
	],
];

describe.each(everyOperation)('%s', (_, parameters) => {
	it.each(refusals)(
		'tells of a refusal with %s in a way that n8n can save',
		async (__, body) => {
			const outcomes = await runEverywhere(parameters, () => ({ status: 400, body }));
			expect(outcomes.map(({ error }) => error !== undefined)).toEqual([true, false]);
			expect(outcomes[1]?.errors[0]?.json['error']).toMatch(
				/^Row 1: The service rejected the request/,
			);
		},
		30_000,
	);

	it('takes no harm from a good reply that is nested 100,000 levels deep', async () => {
		for (const body of [nested(100_000), `{"data":[${nested(100_000)}],"id":"x"}`])
			await runEverywhere(parameters, () => ({ status: 200, body }));
	}, 30_000);

	it.each([301, 302, 303, 307, 308])(
		'does not follow a redirect (%i) with its keys',
		async (status) => {
			const headers = { location: 'https://evil.test/api/v2/tickets/search' };
			const outcomes = await runEverywhere(parameters, () => ({ status, headers }));
			for (const { received } of outcomes) expect(received).toHaveLength(1);
			expect(outcomes[0]?.error?.message).toContain('redirected to evil.test');
		},
	);
});

describe('a value of an expression that has no end, or nearly none', () => {
	const deep = '={{ (() => { let a = {}; for (let i = 0; i < 10000; i++) a = {a}; return a })() }}';
	const cyclic = '={{ (() => { const a = {}; a.a = a; return a })() }}';

	it.each([
		['calls', { ...calls, toPhoneNumber: deep }],
		['calls', { ...calls, agentId: cyclic, toPhoneNumber: PHONE }],
		['a ticket', { ...operations['ticket'], ticketId: deep }],
		['a conversation', { ...operations['conversation'], conversationId: deep }],
		['a conversation', { ...operations['conversation'], conversationId: cyclic }],
	])('is the error of its row of %s, where the node continues', async (_, parameters) => {
		const received = serve(() => ({ status: 200 }));
		const settings = { onError: 'continueErrorOutput' as const };
		const { main, errors, error } = await runNode({ parameters, settings });
		expect([main.length, errors.length, error, received.length]).toEqual([0, 1, undefined, 0]);
		expect(errors[0]?.json['error']).not.toContain('call stack');
	});
});
