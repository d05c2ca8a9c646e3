import type { PlannedSend } from '../../../../src/conversations/create/approvedPlan';
import {
	isPlanId,
	planDifference,
	buildPlanId,
} from '../../../../src/conversations/create/approvedPlan';

const planned = (count: number, content: unknown = { name: 'Ana' }): PlannedSend[] =>
	Array.from({ length: count }, (_, n) => ({ identity: `+1415555${1000 + n}`, content }));

const difference = (before: readonly PlannedSend[], now: readonly PlannedSend[]) =>
	planDifference(buildPlanId(before, 'workspace'), buildPlanId(now, 'workspace'));

it('depends on the contents of rows, but not on their order', () => {
	const id = (content: unknown) => buildPlanId([{ identity: 'a', content }], 'workspace');
	expect(id({ a: [1, 2] })).not.toBe(id({ a: [2, 1] }));
	expect(difference(planned(9), planned(9).toReversed())).toBeUndefined();
});

it.each<[PlannedSend[], PlannedSend[], string]>([
	[planned(5), planned(6), '1 more row'],
	[planned(5), planned(4), '1 fewer row'],
	[planned(1500), planned(1), '1,499 fewer rows'],
	[planned(5), planned(6).slice(1), 'other people than in the plan'],
	[planned(5), planned(5, { name: 'Bo' }), 'the content of rows changed'],
])('says what differs (%#)', (before, now, said) => {
	expect(difference(before, now)).toBe(said);
	const elsewhere = planDifference(buildPlanId(before, 'workspace'), buildPlanId(now, 'another'));
	expect(elsewhere).toBe('it was made for another workspace');
});

it('takes no other text for an ID, and none that was damaged for the same plan', () => {
	const id = buildPlanId(planned(3), 'workspace');
	expect(isPlanId(id)).toBe(true);
	for (let at = 0; at < id.length; at++) {
		const damaged = id.slice(0, at) + (id[at] === '0' ? '1' : '0') + id.slice(at + 1);
		expect([damaged, planDifference(damaged, id)]).toEqual([damaged, expect.any(String)]);
	}
	for (const text of [`x${id}`, `${id}x`, `${id}\n${id}`, '', 'p3', id.slice(0, -1)])
		expect([text, isPlanId(text)]).toEqual([text, false]);
});
