import { leftOut } from '../../../../src/bulk/outcomes';
import type { Outcome } from '../../../../src/bulk/outcomes';
import { toRunItem } from '../../../../src/conversations/create/runItem';
import type { RowOfPlan } from '../../../support/plan';
import { planOf } from '../../../support/plan';
import { plannedCall, plannedChat } from '../../../support/plannedConversations';
import { members } from '../../../support/samples';

type Row = RowOfPlan<ReturnType<typeof plannedCall>>;

const plan = (rows: readonly Row[]) =>
	planOf(rows, ({ conversation }) => conversation.toPhoneNumber ?? '');

/** Calls with these outcomes, one in each row. */
const callsWith = (outcomes: ReadonlyArray<Outcome | undefined>): Row[] =>
	outcomes.map((outcome, n) => ({ values: [plannedCall(n)], outcomes: [outcome] }));

const outside = (callableAt: string | null): Outcome => ({
	outcome: 'notSent',
	failure: { kind: 'skipped', message: 'Outside the hours', facts: { callableAt } },
});
const rejected = (message: string): Outcome => ({
	outcome: 'rejected',
	batch: 1,
	failure: { kind: 'held', message },
});
const accepted = (batch: number): Outcome => ({
	outcome: 'accepted',
	batch,
	reply: null,
	paired: false,
});

describe('the item of a plan', () => {
	it('says how many would be sent, when others can be, and why the rest is left out', () => {
		const rows = [
			...callsWith([
				undefined,
				outside('2026-01-16T09:00:00Z'),
				undefined,
				outside('2026-01-15T09:00:00Z'),
				undefined,
				outside(null),
				leftOut('Left out'),
				{ outcome: 'unknown', failure: { kind: 'held', message: 'Lost' } },
			]),
			{ values: [plannedCall(90, { country: 'DE' }), plannedChat()] },
			{
				problems: [
					{ path: ['customer', 'email'], reason: "'a' is not an e-mail address" },
					{ path: ['agentId', 0], reason: 'is "long"' },
					{ path: [], reason: 'is long' },
				],
			},
		];
		expect(toRunItem({ ...plan(rows), facts: { planCovers: 5, planId: 'p3.x' } })).toEqual({
			dryRun: true,
			rows: 10,
			wouldSend: 5,
			byCountry: { US: 3, DE: 1, none: 1 },
			outsideHours: 3,
			firstCallableAt: '2026-01-15T09:00:00Z',
			notSent: 1,
			unknown: 1,
			rejected: 1,
			reasons: [
				{ outcome: 'notSent', reason: 'Outside the hours', count: 3 },
				{
					outcome: 'rejected',
					reason: 'Email \'a\' is not an e-mail address. Agent ID is "long". Row is long',
					count: 1,
				},
				{ outcome: 'notSent', reason: 'Left out', count: 1 },
				{ outcome: 'unknown', reason: 'Lost', count: 1 },
			],
			sample: [0, 2, 4].map((n) => plannedCall(n).conversation),
			planCovers: 5,
			planId: 'p3.x',
		});
	});

	it('says why nothing may be sent', () => {
		const rows = callsWith([undefined, undefined]);
		expect(toRunItem({ ...plan(rows), stop: 'too many' })).toEqual({
			dryRun: true,
			rows: 2,
			wouldSend: 2,
			byCountry: { US: 2 },
			outsideHours: 0,
			notSent: 0,
			unknown: 0,
			rejected: 0,
			reasons: [],
			sample: [0, 1].map((n) => plannedCall(n).conversation),
			reasonNotToSend: 'Not sent, because too many',
		});
	});
});

describe('the item of a run', () => {
	const sent = {
		requests: 3,
		times: new Map([
			[1, Date.UTC(2026, 0, 15, 12, 59, 59)],
			[2, Date.UTC(2026, 0, 15, 13)],
		]),
		zone: 'Europe/Berlin',
	};
	const itemOf = (rows: readonly Row[]) => toRunItem(plan(rows), sent);

	it('counts by outcome, by hour and by reason', () => {
		const rows = callsWith([
			accepted(1),
			accepted(1),
			accepted(2),
			accepted(3),
			rejected('The number is blocked'),
			rejected('The number is blocked'),
			rejected('Code +12345 is blocked'),
			undefined,
		]);
		expect(itemOf(rows)).toEqual({
			rows: 8,
			requests: 3,
			accepted: 4,
			unchanged: 0,
			rejected: 3,
			unknown: 1,
			notSent: 0,
			byCountry: { US: 4 },
			reasons: [
				{ outcome: 'rejected', reason: 'The number is blocked', count: 2 },
				{ outcome: 'rejected', reason: 'Code +12345 is blocked', count: 1 },
			],
			perHour: [
				{ hour: '2026-01-15T13:00:00+01:00', accepted: 2 },
				{ hour: '2026-01-15T14:00:00+01:00', accepted: 1 },
			],
		});
	});

	it('names the countries of most numbers first', () => {
		const german = plannedCall(9, { country: 'DE' });
		const outcomes = [accepted(1), accepted(1)];
		const item = itemOf([{ values: [german], outcomes }, ...callsWith(outcomes)]);
		expect(Object.entries(members(members(item)['byCountry']))).toEqual([
			['US', 2],
			['DE', 1],
		]);
	});

	it('names twenty reasons at most, the most frequent first', () => {
		const reasons = Array.from({ length: 30 }, (_, n) => `Reason ${String.fromCharCode(97 + n)}`);
		const item = itemOf(callsWith([...reasons, 'Reason z', 'Reason z', 'Reason y'].map(rejected)));
		const named = members(item)['reasons'] as ReadonlyArray<{ reason: string; count: number }>;
		expect(named).toHaveLength(20);
		expect(named.slice(0, 3).map(({ reason, count }) => [reason, count])).toEqual([
			['Reason z', 3],
			['Reason y', 2],
			['Reason a', 1],
		]);
	});

	it('says of input that the service found invalid that it is', () => {
		const item = itemOf(
			callsWith([{ outcome: 'rejected', failure: { kind: 'input', problems: [] } }]),
		);
		expect(members(item)['reasons']).toEqual([
			{ outcome: 'rejected', reason: 'invalid', count: 1 },
		]);
	});
});
