import fc from 'fast-check';
import type { OutputMapper } from '../../../src/bulk/operation';
import type { Outcome } from '../../../src/bulk/outcomes';
import { toResults } from '../../../src/bulk/results';
import type { RowOfPlan } from '../../support/plan';
import { planOf } from '../../support/plan';

/** A value that was taken by a request, with the reply to it. */
const to = (batch: number, reply: unknown = null, paired = false): Outcome => ({
	outcome: 'accepted',
	batch,
	reply,
	paired,
});
const outcome = (name: Outcome['outcome']): Outcome =>
	name === 'accepted'
		? to(1)
		: { outcome: name, batch: 1, failure: { kind: 'held', message: name } };
const names: ReadonlyArray<Outcome['outcome']> = ['accepted', 'rejected', 'unknown', 'notSent'];

const output: OutputMapper<number> = {
	toIdentity: (value) => ({ id: value }),
	toItem: (value) => ({ value }),
	toRequestItem: (accepted, batch) => ({ batch, values: accepted.map(({ content }) => content) }),
	toUnchangedItem: (value) => ({ same: value }),
	toPreview: (value) => ({ value }),
};

/** The results of rows, each with the outcomes of its values. */
const resultsOf = (
	rows: ReadonlyArray<RowOfPlan<number>>,
	{
		requests = 1,
		outputAs = 'rows' as 'rows' | 'requests' | 'run',
		includeResponse = false,
		invalidRows = 'stop' as 'stop' | 'sendValid',
	} = {},
) =>
	toResults(planOf(rows), output, {
		settings: { outputAs, includeResponse, invalidRows },
		sent: { requests, times: new Map(), zone: 'utc' },
	});

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

	it.each([
		['stop', [1], undefined],
		['sendValid', [1], { row: 2, outcome: 'rejected' }],
		// Where no row is valid, it is an error.
		['sendValid', [], undefined],
	] as const)('have an item for an invalid row, %s beside %j', (invalidRows, values, item) => {
		const invalid = { problems: [{ path: ['phone'], reason: 'is empty' }] };
		const { rows } = resultsOf([{ values, outcomes: values.map(() => to(1)) }, invalid], {
			invalidRows,
		});
		expect(rows[1]).toMatchObject({ failure: { kind: 'input' }, details: { outcome: 'rejected' } });
		expect(rows[1]?.failureItem).toEqual(item);
	});

	it('have one item for each request where they come together, with all its rows, and failures as ever', () => {
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
		const problems = [{ path: ['a'], reason: 'is empty' }];
		expect(resultsOf([{ problems }], { requests: 0 })).toEqual({
			rows: [{ items: [], failure: { kind: 'input', problems }, details: { outcome: 'rejected' } }],
			summary: '1 row, 0 requests: 1 rejected before sending',
		});
	});

	it('call a value unknown of which no outcome was noted', () => {
		expect(resultsOf([{ values: [1] }]).rows[0]?.details).toEqual({ outcome: 'unknown' });
	});
});

describe('rows that were not sent by choice', () => {
	const unchanged: Outcome = { outcome: 'unchanged' };
	const skipped = (countedAs?: string): Outcome => ({
		outcome: 'notSent',
		failure: {
			kind: 'skipped',
			message: 'Left out',
			...(countedAs !== undefined && { countedAs }),
		},
	});
	const rows = [
		{ values: [1], outcomes: [unchanged] },
		{ values: [2, 3], outcomes: [unchanged, outcome('accepted')] },
		{ values: [4], outcomes: [skipped()] },
		{ values: [5], outcomes: [skipped('marked Do Not Call')] },
		{ values: [6], outcomes: [skipped('marked Do Not Call')] },
	];

	it('have items of their own, and are counted by their reasons', () => {
		const run = resultsOf(rows);
		expect(run.rows.map(({ items }) => items)).toEqual([
			[{ row: 1, same: 1 }],
			[
				{ row: 2, same: 2 },
				{ row: 2, value: 3 },
			],
			[],
			[],
			[],
		]);
		expect(run.shared).toBeUndefined();
		expect(run.rows.map(({ details }) => details).slice(2)).toEqual([
			{ outcome: 'notSent', id: 4 },
			{ outcome: 'notSent', id: 5 },
			{ outcome: 'notSent', id: 6 },
		]);
		expect(run.summary).toBe(
			'5 rows: 2 unchanged, 1 sent in 1 request, 1 left out, 2 marked Do Not Call',
		);
	});

	it('are no failures in the item for the whole run, others are', () => {
		const run = resultsOf(
			[
				...rows,
				{ values: [7], outcomes: [outcome('rejected')] },
				{ values: [8], outcomes: [outcome('accepted')] },
			],
			{ outputAs: 'run' },
		);
		expect(run.rows.map(({ failure }) => failure?.kind)).toEqual([
			...Array.from({ length: 5 }, () => undefined),
			'held',
			undefined,
		]);
		expect(run.rows.every(({ items }) => Array.isArray(items))).toBe(true);
		expect(run.shared).toBeUndefined();
	});

	it.each<[string, ...Outcome[]]>([
		['1 row: 1 unchanged, nothing sent', unchanged],
		[
			'3 rows: 1 unchanged, 2 sent in 2 requests (sent: 1 accepted, 1 rejected by the service)',
			...[unchanged, outcome('accepted'), outcome('rejected')],
		],
		[
			'3 rows: 1 unchanged, 1 sent in 2 requests, 1 not sent (sent: 1 unknown (may have arrived))',
			...[unchanged, outcome('unknown'), outcome('notSent')],
		],
		['2 rows, 2 requests: 1 accepted, 1 left out', outcome('accepted'), skipped()],
		[
			'3 rows, 2 requests: 1 rejected by the service, 1 unknown (may have arrived), 1 not sent',
			...[outcome('rejected'), outcome('unknown'), outcome('notSent')],
		],
	])('are summed up: %s', (summary, ...outcomes) => {
		const some = outcomes.map((one, i) => ({ values: [i], outcomes: [one] }));
		expect(resultsOf(some, { requests: 2 }).summary).toBe(summary);
	});

	it('are counted apart from rows that were invalid', () => {
		const problems = [{ path: ['a'], reason: 'is empty' }];
		const rows = [{ problems }, { values: [1], outcomes: [unchanged] }];
		expect(resultsOf(rows, { requests: 0 }).summary).toBe(
			'2 rows: 1 unchanged, nothing sent, 1 rejected before sending',
		);
	});
});

describe('the response of the service', () => {
	const rows = [
		{ values: [1], outcomes: [to(1, { a: 1 })] },
		{ values: [2], outcomes: [to(1, { a: 1 })] },
		{ values: [3], outcomes: [to(2, 'x', true)] },
		{ values: [4], outcomes: [to(2, 'y', true)] },
		{ values: [5], outcomes: [to(3, undefined)] },
	];

	it('stands in each item where that is wanted', () => {
		const run = resultsOf(rows, { includeResponse: true });
		expect(run.rows.flatMap(({ items }) => items)).toEqual([
			{ row: 1, value: 1, response: { a: 1 } },
			{ row: 2, value: 2, response: { a: 1 } },
			{ row: 3, value: 3, response: 'x' },
			{ row: 4, value: 4, response: 'y' },
			{ row: 5, value: 5, response: null },
		]);
	});

	it('is whole in the item of a request, or a list where each value had its own', () => {
		const run = resultsOf(rows, { includeResponse: true, outputAs: 'requests' });
		expect(run.shared?.map(({ item }) => Reflect.get(item, 'response'))).toEqual([
			{ a: 1 },
			['x', 'y'],
			null,
		]);
	});
});
