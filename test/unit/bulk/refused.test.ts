import { createBatch, upsertBatch } from '../../../src/customers/batch';
import type { JsonLedger, Script, Sent } from '../../support/fakeRuntime';
import { fakeRuntime, jsonLedger, reply } from '../../support/fakeRuntime';
import { outcomeOf, runRows } from '../../support/runRows';

const FINE = reply(200, { jobId: 'job' });

const idsOf = ({ body }: Sent): string[] =>
	(body as { customers: Array<{ identifier: string }> }).customers.map(
		({ identifier }) => identifier,
	);

const refusal = (...positions: number[]) => ({
	code: 'BAD_REQUEST',
	message: 'Invalid input data',
	issues: positions.map((at) => ({ path: `customers[${at}].email`, message: `bad ${at}` })),
});

/** Rejects every request with one of the bad customers, naming them or not. */
const without =
	(bad: readonly string[], named: boolean): Script =>
	(sent) => {
		const at = idsOf(sent).flatMap((id, i) => (bad.includes(id) ? [i] : []));
		return at.length === 0 ? FINE : reply(400, refusal(...(named ? at : [])));
	};

interface Run {
	readonly operation?: typeof upsertBatch;
	readonly count?: number;
	readonly options?: object;
	readonly more?: object;
	readonly name?: string;
	readonly ledger?: JsonLedger;
}

/** Sends customers c0, c1 and so on; returns their outcomes, and the IDs in each request. */
async function run(script: Script, wanted: Run = {}) {
	const { operation = upsertBatch, count = 3, options = {}, more = {}, name = 'Ana' } = wanted;
	const runtime = fakeRuntime(script);
	const rows = Array.from({ length: count }, (_, i) => ({
		parameters: { inputMode: 'fields', customer: { identifier: `c${i}`, name }, ...more, options },
	}));
	const results = await runRows(operation, rows, runtime.context(wanted.ledger));
	return {
		outcomes: results.rows.map(outcomeOf),
		failures: results.rows.map(({ failure }) => failure),
		sent: runtime.sent.map(idsOf),
		times: runtime.sent.map(({ at }) => at - (runtime.sent[0]?.at ?? 0)),
	};
}

/** The outcomes of this many customers, with these rejected. */
const allBut = (count: number, ...rejected: number[]) =>
	Array.from({ length: count }, (_, i) => (rejected.includes(i) ? 'rejected' : 'accepted'));

describe('a request that is too large', () => {
	it('goes in halves until it fits, and later ones no larger than that', async () => {
		const script: Script = (sent) => (idsOf(sent).length > 3 ? reply(413) : FINE);
		const options = { batchSize: 8, parallelRequests: 1 };
		const { outcomes, sent } = await run(script, { count: 16, options });
		expect(outcomes).toEqual(allBut(16));
		expect(sent.map(({ length }) => length)).toEqual([8, 4, 2, 2, 2, 2, 2, 2, 2, 2]);
		expect(new Set(sent.flat()).size).toBe(16);
	});

	it('is halved before it is sent, if its body has more than 4 MB', async () => {
		const { sent } = await run(() => FINE, { name: 'ä'.repeat(900_000) });
		expect(sent).toEqual([['c0', 'c1'], ['c2']]);
	});

	it('ends as rejected where a single value is too large', async () => {
		const { outcomes } = await run((sent) => (idsOf(sent).includes('c1') ? reply(413) : FINE));
		expect(outcomes).toEqual(allBut(3, 1));
	});
});

describe('a request that is refused', () => {
	it('is halved until the bad row stands alone, where none was named', async () => {
		const { outcomes, sent } = await run(without(['c2'], false), { count: 8 });
		expect([outcomes, sent.length]).toEqual([allBut(8, 2), 7]);
	});

	it.each<[string, Run]>([
		['an upsert', {}],
		['an insert that is not partial', { operation: createBatch, more: { partial: false } }],
	])('is sent again without the rows that were named, if it is %s', async (_, kind) => {
		const { outcomes, sent } = await run(without(['c1', 'c4'], true), { ...kind, count: 6 });
		expect(outcomes).toEqual(allBut(6, 1, 4));
		expect(sent).toEqual([
			['c0', 'c1', 'c2', 'c3', 'c4', 'c5'],
			['c0', 'c2', 'c3', 'c5'],
		]);
	});

	it('gives the rows that the service named their own issues', async () => {
		const { failures } = await run(without(['c0', 'c2'], true));
		expect(failures).toMatchObject([
			{ kind: 'api', issues: [{ message: 'bad 0' }] },
			undefined,
			{ kind: 'api', issues: [{ message: 'bad 2' }] },
		]);
	});

	it.each<[string, Script]>([
		['all were named', without(['c0', 'c1', 'c2'], true)],
		['it has no documented shape', () => reply(400, { ...refusal(1), code: 5 })],
		['its status is another one', () => reply(409, refusal(1))],
	])('is not sent again where %s', async (_, script) => {
		const { sent, outcomes } = await run(script);
		expect([sent.length, outcomes]).toEqual([1, allBut(3, 0, 1, 2)]);
	});

	it('ends a run in which nothing is accepted, though each request names another row', async () => {
		const script: Script = () => reply(400, refusal(0));
		const { outcomes, sent, failures } = await run(script, { count: 1_000 });
		expect(sent.length).toBeLessThanOrEqual(60);
		expect(outcomes.filter((outcome) => outcome === 'rejected')).toHaveLength(sent.length);
		expect(failures.at(-1)).toMatchObject({
			kind: 'held',
			message: expect.stringContaining('rejected 30 requests, the last with 400') as string,
		});
	});

	it('keeps the reason of a run that has ended, if a request in progress names a row', async () => {
		const script: Script = (sent) =>
			idsOf(sent).includes('c30') ? reply(400, refusal(0)) : reply(409, { message: 'no' });
		const { failures } = await run(script, { count: 60, options: { batchSize: 10 } });
		expect(failures[0]).toMatchObject({ kind: 'api', status: 409 });
	});

	it('ends a run after three responses of 200 that say no to all rows alike', async () => {
		const script: Script = () => reply(200, { success: false, message: 'no' });
		const { outcomes, sent } = await run(script, { count: 60, options: { batchSize: 10 } });
		expect([sent.length, new Set(outcomes)]).toEqual([4, new Set(['notSent'])]);
	});

	const partially = { operation: createBatch, more: { partial: true } };

	it('leaves the rows that it does not name unknown for a partial insert, and never resends them', async () => {
		const ledger = jsonLedger();
		for (const sent of [['c0', 'c1', 'c2'], ['c1']]) {
			const { failures, ...result } = await run(without(['c1'], true), { ...partially, ledger });
			expect(result).toMatchObject({ outcomes: ['unknown', 'rejected', 'unknown'], sent: [sent] });
			expect(failures[0]).toMatchObject({
				kind: 'held',
				message: expect.stringContaining('may have stored this row') as string,
			});
		}
	});

	it.each([[[]], [[{ path: ['customers', 7, 'email'], message: 'bad' }]]])(
		'leaves all rows unknown for a partial insert where it names none of them: %j',
		async (issues) => {
			const script: Script = () => reply(400, { code: 'BAD_REQUEST', message: 'no', issues });
			const { outcomes } = await run(script, partially);
			expect(outcomes).toEqual(['unknown', 'unknown', 'unknown']);
		},
	);
});

it.each([
	['keepFirst', 'row 0'],
	['keepLast', 'row 20'],
])(
	'no customer is in two open requests at once, and the same row of it is sent each time: %s',
	async (duplicates, kept) => {
		const failing: Script = (_, number) =>
			number % 3 === 0 ? FINE : reply([500, 413][number % 2] ?? 500);
		const latency = (number: number) => 100 + ((number * 7_919) % 900);
		const { sent, context } = fakeRuntime(failing, { latency });
		const options = { batchSize: 4, parallelRequests: 4, duplicates };
		const rows = Array.from({ length: 30 }, (_, i) => ({
			parameters: {
				inputMode: 'fields',
				customer: { identifier: `c${i % 10}`, name: `row ${i}` },
				options,
			},
		}));
		await runRows(upsertBatch, rows, context());
		const ends = new Map<string, number>();
		for (const [i, request] of sent.entries())
			for (const id of idsOf(request)) {
				expect(request.at).toBeGreaterThanOrEqual(ends.get(id) ?? 0);
				ends.set(id, request.at + latency(i + 1));
			}
		expect(sent.length).toBeGreaterThan(8);
		const names = JSON.stringify(sent).match(/row \d+(?=")/g) ?? [];
		expect(names.filter((name) => name === kept).length).toBeGreaterThan(1);
		expect(new Set(names).size).toBe(10);
	},
);

it('pauses between requests as long as asked for, and not before the first', async () => {
	const options = { batchSize: 1, parallelRequests: 1, batchInterval: 1_500 };
	expect((await run(() => FINE, { options })).times).toEqual([0, 1500, 3000]);
});
