import { create } from '../../../src/conversations/create/create';
import type { Operation } from '../../../src/core/operation';
import type { HttpResponse, HttpResult } from '../../../src/core/http';
import { createBatch, upsertBatch } from '../../../src/customers/batch';
import { fakeDedupeStore, fakeRuntime, jsonLedger, lost, reply } from '../../support/fakeRuntime';
import { outcomeOf, runRows } from '../../support/runRows';
import { phoneOf } from '../../support/samples';
import { fieldsRow } from '../../support/startConversations';

const customer = (name: string, options: object = {}) => ({
	parameters: {
		inputMode: 'fields',
		customer: { identifier: 'C-1', name, phoneNumber: '+14155550178' },
		options,
	},
});

const call = (n: number, options: object = {}) => fieldsRow({ toPhoneNumber: phoneOf(n), options });

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
		await run([customer('Ana')]);
		expect((await run([customer('Ana')])).sent).toEqual([]);
		expect((await run([customer('Ana')], { account: 'other' })).sent).toHaveLength(1);
	});
});

it.each([0, 1])(
	'an upsert is sent again after another content of the customer, and only then (rounds: %i)',
	async (later) => {
		const { run } = execution(upsertBatch);
		const sent: boolean[] = [];
		for (const [i, name] of ['1', '1', '2', '1', '1', '2', '2'].entries())
			sent.push((await run([customer(name)], { round: i * later })).sent.length > 0);
		expect(sent).toEqual([true, false, true, true, false, true, false]);
	},
);

it.each([0, 1])(
	'whoever may have been called is unknown once, also if all their rows are left out now (round %i)',
	async (round) => {
		const { run } = execution(create);
		await run([call(1), call(2)], { isKilled: true });
		const marked = (n: number) => call(n, { doNotCallColumn: 'x' });
		const unmarked = (n: number) => call(n, { doNotCallColumn: '' });
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
	const rows = Array.from({ length: 6 }, (_, i) => ({
		parameters: {
			inputMode: 'fields',
			customer: { identifier: `C-${i}` },
			options: { batchSize: 2, parallelRequests: 1 },
		},
	}));
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
	expect(await attempt(job(1), lost(), reply(400))).toMatchObject([
		...[...taken(1, job(1)), ...unknown, ...two({ outcome: 'rejected', request: 3 })],
	]);
	const reported = [...taken(1, job(1)), ...unknown, ...taken(4, job(2))];
	expect(await attempt(job(2))).toMatchObject(reported);
	expect(await attempt()).toMatchObject(reported);
});
