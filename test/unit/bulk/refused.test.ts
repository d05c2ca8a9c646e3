import { createBatch, upsertBatch } from '../../../src/customers/batch';
import type { JsonLedger, Script, Sent } from '../../support/fakeRuntime';
import { fakeRuntime, jsonLedger, reply } from '../../support/fakeRuntime';
import { outcomeOf, runRows } from '../../support/runRows';

const FINE = reply(200, { jobId: 'job' });

const idsOf = ({ body }: Sent): string[] =>
	(body as { customers: Array<{ identifier: string }> }).customers.map(
		({ identifier }) => identifier,
	);

const refusal = (...positions: number[]) =>
	reply(400, {
		code: 'BAD_REQUEST',
		message: 'Invalid input data',
		issues: positions.map((at) => ({ path: ['customers', at, 'email'], message: `bad ${at}` })),
	});

/** Refuses every request that holds one of the bad customers, naming them or not. */
const without = (bad: readonly string[], named: boolean) => (sent: Sent) => {
	const at = idsOf(sent).flatMap((id, i) => (bad.includes(id) ? [i] : []));
	return at.length === 0
		? FINE
		: named
			? refusal(...at)
			: reply(400, { code: 'BAD_REQUEST', message: 'no', issues: [] });
};

interface Run {
	readonly operation?: typeof upsertBatch;
	readonly count?: number;
	readonly options?: object;
	readonly more?: object;
	readonly ledger?: JsonLedger;
}

/** Sends customers c0, c1 and so on, by default three: what became of each, and the IDs in each request. */
async function run(script: Script, wanted: Run = {}) {
	const { operation = upsertBatch, count = 3, options = {}, more = {}, ledger } = wanted;
	const runtime = fakeRuntime(script);
	const rows = Array.from({ length: count }, (_, i) => ({
		parameters: { inputMode: 'fields', customer: { identifier: `c${i}` }, ...more, options },
	}));
	const results = await runRows(operation, rows, runtime.context(ledger));
	return {
		outcomes: results.rows.map(outcomeOf),
		failures: results.rows.map(({ failure }) => failure),
		sent: runtime.sent.map(idsOf),
		times: runtime.sent.map(({ at }) => at - (runtime.sent[0]?.at ?? 0)),
	};
}

/** The outcomes of so many customers, of which these are rejected. */
const allBut = (count: number, ...rejected: number[]) =>
	Array.from({ length: count }, (_, i) => (rejected.includes(i) ? 'rejected' : 'accepted'));

const isolateBadRows = { isolateBadRows: true };

describe('a request that is too large', () => {
	it('goes in halves until it fits, and later ones no larger than that', async () => {
		const script: Script = (sent) => (idsOf(sent).length > 3 ? reply(413) : FINE);
		const options = { batchSize: 8, parallelRequests: 1 };
		const { outcomes, sent } = await run(script, { count: 16, options });
		expect(outcomes).toEqual(allBut(16));
		expect(sent.map(({ length }) => length)).toEqual([8, 4, 2, 2, 2, 2, 2, 2, 2, 2]);
		expect(new Set(sent.flat()).size).toBe(16);
	});

	it('ends as rejected where a single value is too large', async () => {
		const { outcomes } = await run((sent) => (idsOf(sent).includes('c1') ? reply(413) : FINE));
		expect(outcomes).toEqual(allBut(3, 1));
	});
});

describe('a request that is refused', () => {
	it('gives the rows that the service named their own issues, and says so to the others', async () => {
		const { sent, outcomes, failures } = await run(without(['c1'], true));
		expect([sent.length, outcomes]).toEqual([1, allBut(3, 0, 1, 2)]);
		expect(failures).toMatchObject([
			{ kind: 'held', message: expect.stringContaining('together with another row') as string },
			{ kind: 'api', issues: [{ message: 'bad 1' }] },
			{ kind: 'held' },
		]);
	});

	it.each([400, 422])('says of how many others the service complained, with %i', async (status) => {
		const { failures } = await run(() => reply(status, refusal(0, 2).text));
		expect(failures[1]).toEqual({
			kind: 'held',
			message: `Rejected together with 2 other rows of its request, which the service named (${status}). Correct those, then run the node again`,
		});
	});

	it('keeps all that the service said about a row, and nothing of what it said about others', async () => {
		const issue = (at: number, message: string) => ({ path: ['customers', at, 'email'], message });
		const issues = [issue(1, 'one'), issue(0, 'other'), issue(1, 'two'), issue(3, 'no one')];
		const { failures } = await run(() => reply(400, { message: 'no', issues }));
		expect(failures).toMatchObject([
			{ issues: [issue(0, 'other')] },
			{ issues: [issue(1, 'one'), issue(1, 'two')] },
			{ kind: 'held' },
		]);
	});

	it('is not sent again without any rows, where the service named them all', async () => {
		const { sent, outcomes } = await run(without(['c0', 'c1', 'c2'], true), {
			options: isolateBadRows,
		});
		expect([sent.length, outcomes]).toEqual([1, allBut(3, 0, 1, 2)]);
	});

	it.each([401, 403, 404, 409])(
		'with %i goes no further, though bad rows are isolated',
		async (status) => {
			const script: Script = () => reply(status, { message: 'no' });
			expect((await run(script, { options: isolateBadRows })).sent).toHaveLength(1);
		},
	);

	it('is sent again without the rows that were named, where bad rows are isolated', async () => {
		const { outcomes, sent } = await run(without(['c1', 'c4'], true), {
			count: 6,
			options: isolateBadRows,
		});
		expect(outcomes).toEqual(allBut(6, 1, 4));
		expect(sent).toEqual([
			['c0', 'c1', 'c2', 'c3', 'c4', 'c5'],
			['c0', 'c2', 'c3', 'c5'],
		]);
	});

	it('is halved until the bad row stands alone, where none was named', async () => {
		const { outcomes, sent } = await run(without(['c2'], false), {
			count: 8,
			options: isolateBadRows,
		});
		expect([outcomes, sent.length]).toEqual([allBut(8, 2), 7]);
	});

	it.each([{}, { partial: false }])(
		'is resent without the rows that caused it for a plain insert, of which nothing was stored: %j',
		async (more) => {
			const wanted = { operation: createBatch, more, options: isolateBadRows };
			const { outcomes, sent } = await run(without(['c1'], true), wanted);
			expect([outcomes, sent.length]).toEqual([allBut(3, 1), 2]);
		},
	);

	const partially = { operation: createBatch, more: { partial: true }, options: isolateBadRows };

	it('leaves the rows that it does not name unknown for a partial insert, and never resends them', async () => {
		const ledger = jsonLedger();
		for (const sent of [['c0', 'c1', 'c2'], ['c1']])
			expect(await run(without(['c1'], true), { ...partially, ledger })).toMatchObject({
				outcomes: ['unknown', 'rejected', 'unknown'],
				sent: [sent],
				failures: {
					0: {
						kind: 'held',
						message:
							'The service rejected other rows of this request and may have stored this one. Check in the service before you send it again',
					},
				},
			});
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

it('pauses between requests as long as asked for, and not before the first', async () => {
	const options = { batchSize: 1, parallelRequests: 1, batchInterval: 1_500 };
	expect((await run(() => FINE, { options })).times).toEqual([0, 1500, 3000]);
});
