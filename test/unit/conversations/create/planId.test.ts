import type { PlannedSend } from '../../../../src/conversations/create/planId';
import { isPlanId, planDifference, planIdOf } from '../../../../src/conversations/create/planId';

const planned = (count: number, content: unknown = { name: 'Ana' }): PlannedSend[] =>
	Array.from({ length: count }, (_, n) => ({ identity: `+1415555${1000 + n}`, content }));

const difference = (before: readonly PlannedSend[], now: readonly PlannedSend[]) =>
	planDifference(planIdOf(before, 'workspace'), planIdOf(now, 'workspace'));

/** A plan that was approved with one version of this package is still approved with the next. */
it('has the same ID in every version of this package', () => {
	expect(planIdOf([], 'workspace')).toBe(
		`p2.0.21a323.47DEQpj8HBSa-_TImW-5JC.${'0'.repeat(64)}.${'0'.repeat(64)}.CLxs`,
	);
	expect(
		planIdOf(
			[
				{ identity: '+14155551000', content: [{ b: 1, a: [2, { d: null, c: 'x' }] }, 'agent'] },
				{ identity: '+14155551001', content: [{}, 'agent'] },
				{ identity: '+14155551002', content: [{}, 'agent'] },
			],
			'workspace',
		),
	).toBe(
		'p2.3.21a323.Sq2gbFkiPyMyKlBWPa5NFp.0000000000000000002c000000000000000000642d0000000000000000000000.0000000000000000008300000000000000000076690000000000000000000000.efxV',
	);
});

it('does not depend on the order of keys at any depth, but on that of lists', () => {
	const id = (content: unknown) => planIdOf([{ identity: 'a', content }], 'workspace');
	const nested = { a: 1, b: 2, c: { d: [1, 2], e: { f: 1, g: 2 } } };
	expect(id({ c: { e: { g: 2, f: 1 }, d: [1, 2] }, b: 2, a: 1 })).toBe(id(nested));
	expect(id({ b: 2, c: { d: [1, 2], e: { f: 1, g: 2 } }, a: 1 })).toBe(id(nested));
	expect(id({ ...nested, c: { d: [2, 1], e: { f: 1, g: 2 } } })).not.toBe(id(nested));
});

it.each<[PlannedSend[], PlannedSend[], string]>([
	[planned(5), planned(6), '1 more row'],
	[planned(5), planned(8), '3 more rows'],
	[planned(5), planned(4), '1 fewer row'],
	[planned(5), planned(3), '2 fewer rows'],
	[planned(1500), planned(1), '1,499 fewer rows'],
	[planned(5), planned(6).slice(1), '1 number changed'],
	[
		planned(5),
		[...planned(4), { identity: 'x', content: 0 }, { identity: 'y', content: 0 }],
		'1 more row, 1 number changed',
	],
	[
		planned(5),
		[
			...planned(4),
			...planned(1, { name: 'Bo' }).map((each) => ({ ...each, identity: '+14155551004' })),
		],
		'the content of 1 row changed',
	],
	[planned(5), planned(5, { name: 'Bo' }), 'the content of 5 rows changed'],
])('says what differs (%#)', (before, now, said) => {
	expect(difference(before, now)).toBe(said);
});

it('tells the ID of a plan by its checksum', () => {
	const id = planIdOf(planned(3), 'workspace');
	expect(isPlanId(id)).toBe(true);
	for (let at = 0; at < id.length; at++) {
		const other = id[at] === '0' ? '1' : '0';
		const damaged = id.slice(0, at) + other + id.slice(at + 1);
		expect([damaged, isPlanId(damaged)]).toEqual([damaged, false]);
		expect(planDifference(damaged, id)).toBe('rows were replaced or changed');
		expect(planDifference(id, damaged)).toBe('rows were replaced or changed');
	}
	for (const text of [`x${id}`, `${id}x`, `${id}\n${id}`, '', 'p1'])
		expect([text, isPlanId(text)]).toEqual([text, false]);
});
