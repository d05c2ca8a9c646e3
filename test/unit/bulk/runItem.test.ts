import type { RunPlan } from '../../../src/bulk/check';
import type { RowPlan } from '../../../src/bulk/operation';
import type { Outcome } from '../../../src/bulk/outcomes';
import { finishedItem, planItem } from '../../../src/bulk/runItem';

const planOf = (
	rows: ReadonlyArray<RowPlan<number>>,
	outcomes: ReadonlyArray<Outcome | undefined>,
	reasonNotToSend?: string,
): RunPlan<number> => ({
	rows: [...rows],
	values: rows.flatMap(({ values }) => values),
	rowOf: rows.flatMap(({ values }, row) => values.map(() => row)),
	outcomes: [...outcomes],
	reasonNotToSend,
	notes: [],
});

const output = {
	toIdentity: (value: number) => ({ id: value }),
	toItem: (value: number) => ({ value }),
	toRequestItem: () => ({}),
	toPreview: (value: number) => ({ number: value }),
};

const notSent = (message: string, facts?: Readonly<Record<string, unknown>>): Outcome => ({
	outcome: 'notSent',
	failure: { kind: 'skipped', message, ...(facts && { facts }) },
});
const held = (message: string): Outcome => ({
	outcome: 'rejected',
	batch: 1,
	failure: { kind: 'held', message },
});
const accepted = (batch: number, reply: unknown): Outcome => ({
	outcome: 'accepted',
	batch,
	reply,
	paired: false,
});
const row = (value: number): RowPlan<number> => ({ values: [value] });

describe('the item of a plan', () => {
	it('says how many would be sent, when others can be, and why the rest is left out', () => {
		const rows = [
			...Array.from({ length: 9 }, (_, n) => row(n)),
			{
				values: [],
				problems: [
					{ path: ['customer', 'email'], message: "'a' is not an e-mail address" },
					{ path: ['name'], message: 'is "long"' },
				],
			},
		];
		const outcomes = [
			undefined,
			notSent('Outside the hours', { callableAt: '2026-01-16T09:00:00Z' }),
			undefined,
			notSent('Outside the hours', { callableAt: '2026-01-15T09:00:00Z' }),
			undefined,
			notSent('Outside the hours', { callableAt: null }),
			undefined,
			notSent('Left out', { other: 1 }),
			{ outcome: 'unchanged' } as const,
		];
		expect(planItem(planOf(rows, outcomes), { output }, 'p1.x')).toEqual({
			dryRun: true,
			rows: 10,
			wouldSend: 4,
			outsideHours: 3,
			firstCallableAt: '2026-01-15T09:00:00Z',
			skipped: 2,
			invalid: 1,
			reasons: [
				{ outcome: 'notSent', reason: 'Outside the hours', count: 3 },
				{
					outcome: 'invalid',
					reason: 'customer.email \'a\' is not an e-mail address; name is "…"',
					count: 1,
				},
				{ outcome: 'notSent', reason: 'Left out', count: 1 },
			],
			sample: [{ number: 0 }, { number: 2 }, { number: 4 }],
			planId: 'p1.x',
		});
	});

	it('says why nothing may be sent, and the facts that the operation knows', () => {
		const facts = {
			...output,
			toRunFacts: (values: readonly number[]) => ({ sum: values.length }),
		};
		expect(
			planItem(planOf([row(1), row(2)], [undefined, undefined], 'too many'), { output: facts }, ''),
		).toEqual({
			dryRun: true,
			rows: 2,
			wouldSend: 2,
			sum: 2,
			outsideHours: 0,
			skipped: 0,
			invalid: 0,
			reasons: [],
			sample: [{ number: 1 }, { number: 2 }],
			reasonNotToSend: 'too many',
			planId: '',
		});
	});
});

describe('the item of a run', () => {
	const facts = {
		requests: 3,
		times: new Map([
			[1, Date.UTC(2026, 0, 15, 12, 59, 59)],
			[2, Date.UTC(2026, 0, 15, 13)],
		]),
		zone: 'Europe/Berlin',
	};

	it('counts by outcome, by hour and by reason', () => {
		const outcomes = [
			accepted(1, { jobId: 'job-1' }),
			accepted(1, { jobId: 'job-1' }),
			accepted(2, { jobId: 5 }),
			accepted(3, null),
			{ outcome: 'unchanged' } as const,
			held('Number +14155550178 of "Ana" in Row 12 is blocked'),
			held('Number +14155550179 of "Bo" in Row 7 is blocked'),
			held('Code +12345 is blocked'),
			undefined,
		];
		expect(
			finishedItem(
				planOf(
					outcomes.map((_, n) => row(n)),
					outcomes,
				),
				(values) => ({ values }),
				facts,
			),
		).toEqual({
			rows: 9,
			requests: 3,
			accepted: 4,
			unchanged: 1,
			rejected: 3,
			unknown: 1,
			notSent: 0,
			invalid: 0,
			values: [0, 1, 2, 3],
			reasons: [
				{ outcome: 'rejected', reason: 'Number … of "…" in Row … is blocked', count: 2 },
				{ outcome: 'rejected', reason: 'Code +12345 is blocked', count: 1 },
			],
			perHour: [
				{ hour: '2026-01-15T13:00:00+01:00', accepted: 2 },
				{ hour: '2026-01-15T14:00:00+01:00', accepted: 1 },
			],
			jobs: ['job-1'],
		});
	});

	it('names twenty reasons at most, the most frequent first', () => {
		const outcomes = Array.from({ length: 30 }, (_, n) =>
			held(`Reason ${String.fromCharCode(97 + n)}`),
		);
		outcomes.push(held('Reason z'), held('Reason z'), held('Reason y'));
		const item = finishedItem(
			planOf(
				outcomes.map((_, n) => row(n)),
				outcomes,
			),
			undefined,
			facts,
		);
		const reasons = Reflect.get(item, 'reasons') as ReadonlyArray<{
			reason: string;
			count: number;
		}>;
		expect(reasons).toHaveLength(20);
		expect(reasons.slice(0, 3).map(({ reason, count }) => [reason, count])).toEqual([
			['Reason z', 3],
			['Reason y', 2],
			['Reason a', 1],
		]);
	});

	it('says of input that the service found invalid that it is', () => {
		const outcome: Outcome = { outcome: 'rejected', failure: { kind: 'input', problems: [] } };
		const item = finishedItem(planOf([row(1)], [outcome]), undefined, facts);
		expect(Reflect.get(item, 'reasons')).toEqual([
			{ outcome: 'rejected', reason: 'invalid', count: 1 },
		]);
	});
});
