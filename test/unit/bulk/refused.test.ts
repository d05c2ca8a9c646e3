import { createBatch } from '../../../src/customers/createBatch';
import type { RowResult } from '../../../src/core/operation';
import type { Sent } from '../../support/fakeWorld';
import { fakeWorld, reply } from '../../support/fakeWorld';

const FINE = reply(200, { jobId: 'job' });

const rows = (count: number, more: object = {}) =>
	Array.from({ length: count }, (_, i) => ({
		parameters: {
			inputMode: 'fields',
			customer: { identifier: `c${i}` },
			strategy: 'upsert',
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
	return at.length === 0 ? FINE : named ? refusal(...at) : reply(400, { message: 'no' });
};

describe('a request that is too large', () => {
	it('goes in halves until it fits, and later ones no larger than that', async () => {
		const world = fakeWorld((sent) => (idsOf(sent).length > 3 ? reply(413) : FINE));
		const run = await createBatch.run(
			rows(16, { options: { batchSize: 8, parallelRequests: 1 } }),
			world.desk(),
		);
		expect(run.rows.map(outcomeOf)).toEqual(Array.from({ length: 16 }, () => 'accepted'));
		expect(world.sent.map((sent) => idsOf(sent).length)).toEqual([8, 4, 2, 2, 2, 2, 2, 2, 2, 2]);
		expect(new Set(world.sent.flatMap(idsOf)).size).toBe(16);
	});

	it('ends as rejected where a single value is too large', async () => {
		const world = fakeWorld((sent) => (idsOf(sent).includes('c1') ? reply(413) : FINE));
		const run = await createBatch.run(rows(3), world.desk());
		expect(run.rows.map(outcomeOf)).toEqual(['accepted', 'rejected', 'accepted']);
	});
});

describe('a request that is refused', () => {
	it('gives the rows that the service named their own issues, and says so to the others', async () => {
		const world = fakeWorld(without(['c1'], true));
		const run = await createBatch.run(rows(3), world.desk());
		expect(world.sent).toHaveLength(1);
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
			const world = fakeWorld(() => reply(status, text));
			const run = await createBatch.run(rows(3), world.desk());
			expect(run.rows[1]?.failure).toEqual({
				kind: 'held',
				message: `Refused together with 2 other rows of its request, which the service named (${status}). Correct those, then run the node again`,
			});
		}
	});

	it('keeps all that the service said about a row, and nothing of what it said about others', async () => {
		const issue = (at: number, message: string) => ({ path: ['customers', at, 'email'], message });
		const issues = [issue(1, 'one'), issue(0, 'other'), issue(1, 'two'), issue(3, 'nobody')];
		const world = fakeWorld(() => reply(400, { message: 'no', issues }));
		const run = await createBatch.run(rows(3), world.desk());
		expect(run.rows.map(({ failure }) => failure)).toMatchObject([
			{ issues: [issue(0, 'other')] },
			{ issues: [issue(1, 'one'), issue(1, 'two')] },
			{ kind: 'held' },
		]);
	});

	it('is not sent again without any rows, where the service named them all', async () => {
		const world = fakeWorld(without(['c0', 'c1', 'c2'], true));
		const run = await createBatch.run(rows(3, { options: { isolateBadRows: true } }), world.desk());
		expect(world.sent).toHaveLength(1);
		expect(run.rows.map(outcomeOf)).toEqual(['rejected', 'rejected', 'rejected']);
	});

	it.each([401, 403, 404, 409])(
		'with %i goes no further, though bad rows are isolated',
		async (status) => {
			const world = fakeWorld(() => reply(status, { message: 'no' }));
			await createBatch.run(rows(4, { options: { isolateBadRows: true } }), world.desk());
			expect(world.sent).toHaveLength(1);
		},
	);

	it.each([
		'customers.1.email',
		'customers[1].email',
		'customers[1]',
		['customers', 1],
		['customers', '1', 'email'],
	])('is of the row that the path %j names', async (path) => {
		const world = fakeWorld(() =>
			reply(400, { message: 'no', issues: [{ path, message: 'bad' }] }),
		);
		const run = await createBatch.run(rows(3), world.desk());
		expect(run.rows.map(({ failure }) => failure?.kind)).toEqual(['held', 'api', 'held']);
	});

	it.each(['customers', 'customers.x', 'customers.9', 'customers.1x', '1', 5, null, [[]]])(
		'is of all rows where the path %j names none',
		async (path) => {
			const world = fakeWorld(() =>
				reply(400, { message: 'no', issues: [{ path, message: 'bad' }] }),
			);
			const run = await createBatch.run(rows(3), world.desk());
			expect(run.rows.map(({ failure }) => failure?.kind)).toEqual(['api', 'api', 'api']);
		},
	);

	it('is sent again without the rows that were named, where bad rows are isolated', async () => {
		const world = fakeWorld(without(['c1', 'c4'], true));
		const run = await createBatch.run(rows(6, { options: { isolateBadRows: true } }), world.desk());
		expect(run.rows.map(outcomeOf)).toEqual([
			'accepted',
			'rejected',
			'accepted',
			'accepted',
			'rejected',
			'accepted',
		]);
		expect(world.sent.map(idsOf)).toEqual([
			['c0', 'c1', 'c2', 'c3', 'c4', 'c5'],
			['c0', 'c2', 'c3', 'c5'],
		]);
	});

	it('is halved until the bad row stands alone, where none was named', async () => {
		const world = fakeWorld(without(['c2'], false));
		const run = await createBatch.run(rows(8, { options: { isolateBadRows: true } }), world.desk());
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
		expect(world.sent).toHaveLength(7);
	});

	it('is never sent again for a plain insert, which may have been stored in part', async () => {
		for (const more of [{ strategy: 'insert' }, { strategy: 'insert', partial: false }]) {
			const world = fakeWorld(without(['c1'], true));
			await createBatch.run(rows(3, { ...more, options: { isolateBadRows: true } }), world.desk());
			expect(world.sent).toHaveLength(1);
		}
		const partial = fakeWorld(without(['c1'], true));
		await createBatch.run(
			rows(3, { strategy: 'insert', partial: true, options: { isolateBadRows: true } }),
			partial.desk(),
		);
		expect(partial.sent).toHaveLength(2);
	});
});

it('pauses between requests as long as asked for, and not before the first', async () => {
	const world = fakeWorld(() => FINE);
	const options = { batchSize: 1, parallelRequests: 1, pause: 1.5 };
	await createBatch.run(rows(3, { options }), world.desk());
	const [first = 0] = world.sent.map(({ at }) => at);
	expect(world.sent.map(({ at }) => at - first)).toEqual([0, 1500, 3000]);
});
