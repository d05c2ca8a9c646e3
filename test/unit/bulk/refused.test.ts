import { createBatch } from '../../../src/customers/createBatch';
import { upsertBatch } from '../../../src/customers/upsertBatch';
import type { RowResult } from '../../../src/core/operation';
import type { Sent } from '../../support/fakeRuntime';
import { fakeRuntime, jsonLedger, reply } from '../../support/fakeRuntime';
import { runRows } from '../../support/runRows';

const FINE = reply(200, { jobId: 'job' });

const rows = (count: number, more: object = {}) =>
	Array.from({ length: count }, (_, i) => ({
		parameters: {
			inputMode: 'fields',
			customer: { identifier: `c${i}` },
			...more,
		},
	}));

const idsOf = ({ body }: Sent): string[] =>
	(body as { customers: Array<{ identifier: string }> }).customers.map(
		({ identifier }) => identifier,
	);

const outcomeOf = ({ items, details }: RowResult): unknown =>
	items.length > 0 ? 'accepted' : details?.['outcome'];

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

describe('a request that is too large', () => {
	it('goes in halves until it fits, and later ones no larger than that', async () => {
		const runtime = fakeRuntime((sent) => (idsOf(sent).length > 3 ? reply(413) : FINE));
		const run = await runRows(
			upsertBatch,
			rows(16, { options: { batchSize: 8, parallelRequests: 1 } }),
			runtime.context(),
		);
		expect(run.rows.map(outcomeOf)).toEqual(Array.from({ length: 16 }, () => 'accepted'));
		expect(runtime.sent.map((sent) => idsOf(sent).length)).toEqual([8, 4, 2, 2, 2, 2, 2, 2, 2, 2]);
		expect(new Set(runtime.sent.flatMap(idsOf)).size).toBe(16);
	});

	it('ends as rejected where a single value is too large', async () => {
		const runtime = fakeRuntime((sent) => (idsOf(sent).includes('c1') ? reply(413) : FINE));
		const run = await runRows(upsertBatch, rows(3), runtime.context());
		expect(run.rows.map(outcomeOf)).toEqual(['accepted', 'rejected', 'accepted']);
	});
});

describe('a request that is refused', () => {
	it('gives the rows that the service named their own issues, and says so to the others', async () => {
		const runtime = fakeRuntime(without(['c1'], true));
		const run = await runRows(upsertBatch, rows(3), runtime.context());
		expect(runtime.sent).toHaveLength(1);
		expect(run.rows.map(outcomeOf)).toEqual(['rejected', 'rejected', 'rejected']);
		expect(run.rows.map(({ failure }) => failure)).toMatchObject([
			{ kind: 'held', message: expect.stringContaining('together with another row') as string },
			{ kind: 'api', issues: [{ message: 'bad 1' }] },
			{ kind: 'held' },
		]);
	});

	it('says of how many others the service complained, with 422 as with 400', async () => {
		for (const status of [400, 422]) {
			const { text } = refusal(0, 2);
			const runtime = fakeRuntime(() => reply(status, text));
			const run = await runRows(upsertBatch, rows(3), runtime.context());
			expect(run.rows[1]?.failure).toEqual({
				kind: 'held',
				message: `Rejected together with 2 other rows of its request, which the service named (${status}). Correct those, then run the node again`,
			});
		}
	});

	it('keeps all that the service said about a row, and nothing of what it said about others', async () => {
		const issue = (at: number, message: string) => ({ path: ['customers', at, 'email'], message });
		const issues = [issue(1, 'one'), issue(0, 'other'), issue(1, 'two'), issue(3, 'no one')];
		const runtime = fakeRuntime(() => reply(400, { message: 'no', issues }));
		const run = await runRows(upsertBatch, rows(3), runtime.context());
		expect(run.rows.map(({ failure }) => failure)).toMatchObject([
			{ issues: [issue(0, 'other')] },
			{ issues: [issue(1, 'one'), issue(1, 'two')] },
			{ kind: 'held' },
		]);
	});

	it('is not sent again without any rows, where the service named them all', async () => {
		const runtime = fakeRuntime(without(['c0', 'c1', 'c2'], true));
		const run = await runRows(
			upsertBatch,
			rows(3, { options: { isolateBadRows: true } }),
			runtime.context(),
		);
		expect(runtime.sent).toHaveLength(1);
		expect(run.rows.map(outcomeOf)).toEqual(['rejected', 'rejected', 'rejected']);
	});

	it.each([401, 403, 404, 409])(
		'with %i goes no further, though bad rows are isolated',
		async (status) => {
			const runtime = fakeRuntime(() => reply(status, { message: 'no' }));
			await runRows(upsertBatch, rows(4, { options: { isolateBadRows: true } }), runtime.context());
			expect(runtime.sent).toHaveLength(1);
		},
	);

	it('is sent again without the rows that were named, where bad rows are isolated', async () => {
		const runtime = fakeRuntime(without(['c1', 'c4'], true));
		const run = await runRows(
			upsertBatch,
			rows(6, { options: { isolateBadRows: true } }),
			runtime.context(),
		);
		expect(run.rows.map(outcomeOf)).toEqual([
			'accepted',
			'rejected',
			'accepted',
			'accepted',
			'rejected',
			'accepted',
		]);
		expect(runtime.sent.map(idsOf)).toEqual([
			['c0', 'c1', 'c2', 'c3', 'c4', 'c5'],
			['c0', 'c2', 'c3', 'c5'],
		]);
	});

	it('is halved until the bad row stands alone, where none was named', async () => {
		const runtime = fakeRuntime(without(['c2'], false));
		const run = await runRows(
			upsertBatch,
			rows(8, { options: { isolateBadRows: true } }),
			runtime.context(),
		);
		expect(run.rows.map(outcomeOf)).toEqual([
			...[
				'accepted',
				'accepted',
				'rejected',
				'accepted',
				'accepted',
				'accepted',
				'accepted',
				'accepted',
			],
		]);
		expect(runtime.sent).toHaveLength(7);
	});

	it('is resent without the rows that caused it for a plain insert, of which nothing was stored', async () => {
		for (const more of [{}, { partial: false }]) {
			const runtime = fakeRuntime(without(['c1'], true));
			const run = await runRows(
				createBatch,
				rows(3, { ...more, options: { isolateBadRows: true } }),
				runtime.context(),
			);
			expect(runtime.sent).toHaveLength(2);
			expect(run.rows.map(outcomeOf)).toEqual(['accepted', 'rejected', 'accepted']);
		}
	});

	it('leaves the rows that it does not name unknown for a partial insert, and never resends them', async () => {
		const ledger = jsonLedger();
		const attempt = async () => {
			const runtime = fakeRuntime(without(['c1'], true));
			const more = { partial: true, options: { isolateBadRows: true } };
			const run = await runRows(createBatch, rows(3, more), runtime.context(ledger));
			return {
				outcomes: run.rows.map(outcomeOf),
				sent: runtime.sent.map(idsOf),
				failure: run.rows[0]?.failure,
			};
		};
		const outcomes = ['unknown', 'rejected', 'unknown'];
		const failure = {
			kind: 'held',
			message:
				'The service rejected other rows of this request and may have stored this one. Check in the service before you send it again',
		};
		expect(await attempt()).toEqual({ outcomes, sent: [['c0', 'c1', 'c2']], failure });
		expect(await attempt()).toEqual({ outcomes, sent: [['c1']], failure });
	});

	it.each([[[]], [[{ path: ['customers', 7, 'email'], message: 'bad' }]]])(
		'leaves all rows unknown for a partial insert where it names none of them: %j',
		async (issues) => {
			const refusal = reply(400, { code: 'BAD_REQUEST', message: 'Invalid input data', issues });
			const runtime = fakeRuntime(() => refusal);
			const run = await runRows(createBatch, rows(3, { partial: true }), runtime.context());
			expect(run.rows.map(outcomeOf)).toEqual(['unknown', 'unknown', 'unknown']);
		},
	);
});

it('pauses between requests as long as asked for, and not before the first', async () => {
	const runtime = fakeRuntime(() => FINE);
	const options = { batchSize: 1, parallelRequests: 1, pause: 1.5 };
	await runRows(upsertBatch, rows(3, { options }), runtime.context());
	const [first = 0] = runtime.sent.map(({ at }) => at);
	expect(runtime.sent.map(({ at }) => at - first)).toEqual([0, 1500, 3000]);
});
