import fc from 'fast-check';
import type { RowPlan } from '../../../src/bulk/operation';
import type { Outcome, OutcomeName } from '../../../src/bulk/outcomes';
import { toResults } from '../../../src/bulk/results';

const outcome = (name: OutcomeName): Outcome =>
	name === 'accepted'
		? { outcome: name, batch: 1, reply: null, paired: false }
		: { outcome: name, batch: 1, failure: { kind: 'held', message: name } };
const names: readonly OutcomeName[] = ['accepted', 'rejected', 'unknown', 'notSent'];

const output = {
	toIdentity: (value: number) => ({ id: value }),
	toItem: (value: number) => ({ value }),
	toRequestItem: (accepted: ReadonlyArray<{ value: number }>, batch: number) => ({
		batch,
		values: accepted.map(({ value }) => value),
	}),
	toPreview: (value: number) => ({ value }),
};

/** The results of rows, each with the outcomes of its values. */
function resultsOf(
	rows: ReadonlyArray<{
		readonly values: readonly number[];
		readonly outcomes: readonly Outcome[];
	}>,
	{ requests = 1, outputAs = 'rows' as 'rows' | 'requests' } = {},
) {
	const finished = {
		rows: rows.map(({ values }): RowPlan<number> => ({ values })),
		values: rows.flatMap(({ values }) => values),
		outcomes: rows.flatMap(({ outcomes }) => outcomes),
		requests,
	};
	return toResults(finished, { outputAs, includeResponse: false }, output);
}

describe('the results of a run', () => {
	it('are one for each row, and its worst outcome comes first', () => {
		const order = ['unknown', 'rejected', 'notSent'];
		fc.assert(
			fc.property(
				fc.array(fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 5 })),
				(rows) => {
					const run = resultsOf(
						rows.map((row) => ({ values: row.map((_, i) => i), outcomes: row.map(outcome) })),
					);
					expect(run.rows).toHaveLength(rows.length);
					for (const [i, row] of rows.entries()) {
						const result = run.rows[i];
						expect(result?.items).toEqual(
							row.flatMap((name, value) => (name === 'accepted' ? [{ row: i + 1, value }] : [])),
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
	] as const)('of %i requests are summed up in one sentence', (requests, row, expected) => {
		const rows = row.map((name) => ({ values: [0], outcomes: [outcome(name)] }));
		expect(resultsOf(rows, { requests }).summary).toBe(expected);
	});

	it('have one item for each request where they come together, with all its rows, and failures as ever', () => {
		const to = (batch: number): Outcome => ({
			outcome: 'accepted',
			batch,
			reply: null,
			paired: false,
		});
		const rows = [
			{ values: [1], outcomes: [to(4)] },
			{ values: [2], outcomes: [to(2)] },
			{ values: [3], outcomes: [outcome('unknown')] },
			{ values: [4, 5, 6], outcomes: [to(4), outcome('rejected'), to(4)] },
		];
		const run = resultsOf(rows, { requests: 3, outputAs: 'requests' });
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

	it('name the request of a row that failed, and count its values only where it has several', () => {
		const failure = { kind: 'held', message: 'held back' } as const;
		const run = resultsOf([
			{ values: [0], outcomes: [outcome('rejected')] },
			{ values: [1], outcomes: [{ outcome: 'notSent', failure }] },
			{
				values: [2, 3, 4],
				outcomes: (['accepted', 'unknown', 'rejected'] as const).map(outcome),
			},
		]);
		expect(run.rows.map(({ details }) => details)).toStrictEqual([
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

	it('give invalid rows their problems', () => {
		const problems = [{ path: ['a'], message: 'is empty' }];
		const finished = { rows: [{ values: [], problems }], values: [], outcomes: [], requests: 0 };
		expect(toResults(finished, { outputAs: 'rows', includeResponse: false }, output)).toEqual({
			rows: [{ items: [], failure: { kind: 'input', problems }, details: { outcome: 'rejected' } }],
			summary: '1 row, 0 requests: 1 rejected before sending',
		});
	});

	it('call a value unknown of which no outcome was noted', () => {
		const finished = { rows: [{ values: [1] }], values: [1], outcomes: [undefined], requests: 1 };
		expect(
			toResults(finished, { outputAs: 'rows', includeResponse: false }, output).rows[0]?.details,
		).toEqual({ outcome: 'unknown' });
	});
});
