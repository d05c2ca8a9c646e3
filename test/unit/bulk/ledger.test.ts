import { stringify } from 'flatted';
import { create } from '../../../src/conversations/create/create';
import type { Operation } from '../../../src/core/operation';
import type { HttpResponse, HttpResult } from '../../../src/core/http';
import { createBatch, upsertBatch } from '../../../src/customers/batch';
import { customerRow } from '../../support/customerRows';
import { fakeDedupeStore, fakeRuntime, jsonLedger, lost, reply } from '../../support/fakeRuntime';
import { outcomeOf, runRows } from '../../support/runRows';
import { phoneOf } from '../../support/samples';
import { callOf as call } from '../../support/startConversations';

const FINE = reply(200, { jobId: 'job' });

interface Of {
	readonly round?: number;
	readonly account?: string;
	readonly script?: readonly HttpResult[];
	/** Whether the process is killed before the last response arrives. */
	readonly isKilled?: boolean;
}

/** The runs of one node in one execution, which know of each other by the ledger alone. */
function execution(operation: Operation) {
	let saved = '{}';
	const run = async (rows: Parameters<typeof runRows>[1], of: Of = {}) => {
		const { round = 0, account = 'workspace', script = [], isKilled = false } = of;
		const ledger = jsonLedger(saved);
		let beforeResponse = saved;
		const runtime = fakeRuntime((_, number) => {
			beforeResponse = ledger.save();
			return script[number - 1] ?? FINE;
		});
		const context = { ...runtime.context(ledger, fakeDedupeStore(), round), account };
		const { rows: results } = await runRows(operation, rows, context);
		saved = isKilled ? beforeResponse : ledger.save();
		return { sent: runtime.sent, outcomes: results.map(outcomeOf), results };
	};
	return { run, saved: () => saved };
}

describe('what the execution keeps of a run', () => {
	it('contains no numbers', async () => {
		const { run, saved } = execution(create);
		await run([call(1)]);
		expect(saved()).not.toContain(phoneOf(1).slice(4));
	});

	it('holds within one workspace only', async () => {
		const { run } = execution(createBatch);
		await run([customerRow('C-1')]);
		expect((await run([customerRow('C-1')])).sent).toEqual([]);
		expect((await run([customerRow('C-1')], { account: 'other' })).sent).toHaveLength(1);
	});
});

it.each([
	['a call is not', create, call(1), [1, 0, 0]],
	['a created customer is not', createBatch, customerRow('C-1'), [1, 0, 0]],
	['an upsert is, because that changes nothing', upsertBatch, customerRow('C-1'), [1, 1, 1]],
])('%s sent again by a retry or a later round', async (_, operation, row, requests) => {
	const { run } = execution(operation);
	const sent: number[] = [];
	for (const round of [0, 0, 1]) sent.push((await run([row], { round })).sent.length);
	expect(sent).toEqual(requests);
});

it.each([0, 1])(
	'whoever may have been called is unknown once, also if all their rows are left out now (round %i)',
	async (round) => {
		const { run } = execution(create);
		await run([call(1), call(2)], { isKilled: true });
		const marked = (n: number) => call(n, { mark: 'x' });
		const unmarked = (n: number) => call(n, { mark: '' });
		const rows = [marked(1), marked(1), unmarked(2), unmarked(2), marked(3)];
		const { outcomes, sent } = await run(rows, { round });
		expect(sent).toEqual([]);
		const earlier = round === 0 ? 'unknown' : 'notSent';
		expect(outcomes).toEqual([earlier, 'notSent', 'unknown', 'notSent', 'notSent']);
	},
);

it('what was rejected does not count against Maximum Conversations of the execution', async () => {
	const { run } = execution(create);
	const script = [reply(200, [{ id: 'x' }, { success: false, message: 'no' }])];
	const most = { maximumConversations: 2 };
	expect((await run([call(1, most), call(2, most)], { script })).outcomes).toEqual([
		'accepted',
		'rejected',
	]);
	expect((await run([call(3, most)], { round: 1 })).outcomes).toEqual(['accepted']);
	expect((await run([call(4, most)], { round: 2 })).outcomes).toEqual(['notSent']);
});

it('answers every row from the batch that took it, in every later attempt', async () => {
	const { run } = execution(createBatch);
	const options = { batchSize: 2, parallelRequests: 1 };
	const rows = Array.from({ length: 6 }, (_, i) => customerRow(`C-${i}`, options));
	const job = (n: number) => reply(200, { jobId: `job-${n}` });
	const attempt = async (...script: HttpResult[]) => {
		const { sent, results } = await run(rows, { script: [...script, reply(500)] });
		expect(sent).toHaveLength(script.length);
		return results.map(({ items, failureItem }) => items[0] ?? failureItem);
	};
	const two = (facts: object) => [facts, facts];
	const taken = (request: number, { text }: HttpResponse) =>
		two({ outcome: 'accepted', request, ...(JSON.parse(text) as object) });
	const unknown = two({ outcome: 'unknown', request: 2 });
	const rejected = two({ outcome: 'rejected', request: 3 });
	expect(await attempt(job(1), lost(), reply(400))).toMatchObject([
		...taken(1, job(1)),
		...unknown,
		...rejected,
	]);
	const reported = [...taken(1, job(1)), ...unknown, ...taken(4, job(2))];
	expect(await attempt(job(2))).toMatchObject(reported);
	expect(await attempt()).toMatchObject(reported);
});

it.each([
	['in order', 1],
	['many at once', 8],
])("takes at most 40 bytes a row of n8n's database, sent %s", async (_, parallelRequests) => {
	// As in the context of a node, which n8n saves with one copy of each object.
	const kept: Record<string, unknown> = {};
	const jobId = (n: number) => `5f0c6a3e-9d1b-4e7a-8c25-${String(n % 10).repeat(12)}`;
	const runtime = fakeRuntime((_sent, number) => reply(200, { jobId: jobId(number) }));
	const rows = Array.from({ length: 2_000 }, (__, i) =>
		customerRow(`C-${100_000 + i}`, { parallelRequests }),
	);
	const run = await runRows(createBatch, rows, runtime.context(kept));
	expect(run.summary).toBe('2,000 rows, 4 requests: 2,000 accepted');
	const { length } = new TextEncoder().encode(stringify(kept));
	expect(length).toBeLessThan(2_000 * 40);
	expect(length).toBeGreaterThan(2_000 * 16);
});
