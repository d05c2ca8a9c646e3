import fc from 'fast-check';
import { account } from '../../../src/bulk/account';
import type { Outcome, OutcomeName } from '../../../src/bulk/outcomes';

const outcome = (name: OutcomeName): Outcome =>
	name === 'accepted'
		? { outcome: name, batch: 1, reply: null, paired: false }
		: { outcome: name, batch: 1, failure: { kind: 'held', message: name } };
const names: readonly OutcomeName[] = ['accepted', 'rejected', 'unknown', 'notSent'];
const show = {
	one: (value: number) => ({ value }),
	all: (taken: ReadonlyArray<{ value: number }>, batch: number) => ({
		batch,
		values: taken.map(({ value }) => value),
	}),
};
const outputAs = 'rows';

describe('the account of a run', () => {
	it('has one result for each row, and its worst outcome comes first', () => {
		const order = ['unknown', 'rejected', 'notSent'];
		fc.assert(
			fc.property(
				fc.array(fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 5 })),
				(rows) => {
					const run = account(
						rows.map((row) => ({
							values: row.map((_, i) => i),
							outcomes: row.map(outcome),
							outputAs,
						})),
						1,
						show,
					);
					expect(run.rows).toHaveLength(rows.length);
					for (const [i, row] of rows.entries()) {
						const result = run.rows[i];
						expect(result?.items).toEqual(
							row.flatMap((name, value) => (name === 'accepted' ? [{ value }] : [])),
						);
						const worst = order.find((name) => row.some((each) => each === name));
						expect(result?.details?.['outcome']).toBe(worst);
						expect(result?.failure === undefined).toBe(worst === undefined);
					}
				},
			),
			{ numRuns: 300 },
		);
	});

	it.each([
		[0, [], '0 rows, 0 requests: nothing to send'],
		[1, ['accepted'], '1 row, 1 request: 1 accepted'],
		[2, ['accepted', 'notSent'], '2 rows, 2 requests: 1 accepted, 1 not sent'],
	] as const)('of %i rows is one sentence', (requests, row, expected) => {
		const rows = row.map((name) => ({ values: [0], outcomes: [outcome(name)], outputAs }) as const);
		expect(account(rows, requests, show).summary).toBe(expected);
	});

	it('has one item for each request where they come out together, with all its rows, and failures as ever', () => {
		const to = (batch: number): Outcome => ({
			outcome: 'accepted',
			batch,
			reply: null,
			paired: false,
		});
		const row = (values: number[], outcomes: Outcome[]) =>
			({ values, outcomes, outputAs: 'requests' }) as const;
		const rows = [
			row([1], [to(4)]),
			row([2], [to(2)]),
			row([3], [outcome('unknown')]),
			row([4, 5, 6], [to(4), outcome('rejected'), to(4)]),
		];
		const run = account(rows, 3, show);
		expect(run.shared).toEqual([
			{ item: { batch: 4, values: [1, 4, 6] }, rows: [0, 3] },
			{ item: { batch: 2, values: [2] }, rows: [1] },
		]);
		expect(run.rows.map(({ items, details }) => [items, details?.['outcome']])).toEqual([
			[[], undefined],
			[[], undefined],
			[[], 'unknown'],
			[[], 'rejected'],
		]);
	});

	it('of a row that failed names its request, and counts its values only where it has several', () => {
		const failure = { kind: 'held', message: 'held back' } as const;
		const rows = [
			{ values: [0], outcomes: [outcome('rejected')], outputAs },
			{ values: [1], outcomes: [{ outcome: 'notSent', failure }], outputAs },
			{
				values: [2, 3, 4],
				outcomes: (['accepted', 'unknown', 'rejected'] as const).map(outcome),
				outputAs,
			},
		] as const;
		expect(account(rows, 1, show).rows.map(({ details }) => details)).toStrictEqual([
			{ outcome: 'rejected', batch: 1 },
			{ outcome: 'notSent' },
			{
				outcome: 'unknown',
				batch: 1,
				counts: { accepted: 1, unknown: 1, rejected: 1 },
				failed: [
					{ index: 1, outcome: 'unknown' },
					{ index: 2, outcome: 'rejected' },
				],
			},
		]);
	});

	it('gives invalid rows their problems', () => {
		const problems = [{ path: ['a'], message: 'is empty' }];
		expect(account([{ problems }], 0, show)).toEqual({
			rows: [{ items: [], failure: { kind: 'input', problems }, details: { outcome: 'rejected' } }],
			summary: '1 row, 0 requests: 1 rejected before sending',
		});
	});
});
