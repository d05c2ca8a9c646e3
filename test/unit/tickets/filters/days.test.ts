import { members } from '../../../support/samples';
import { compile, compileJson, on } from '../../../support/compileFilters';

const START = '2026-01-30T23:00:00.000Z';
const NEXT = '2026-01-31T23:00:00.000Z';

/** The filter of a condition on a time, or the problems that reject it. */
function compiled(operator: string, fields: object, zone?: string): unknown {
	const filters = compile([on('createdAt', operator, fields)], { ...(zone && { zone }) });
	return members(filters)['createdAt'] ?? filters;
}

const cases: Array<[string, object]> = [
	['eq', { gte: START, lt: NEXT }],
	['gt', { gte: NEXT }],
	['gte', { gte: START }],
	['lt', { lt: START }],
	['lte', { lt: NEXT }],
];

describe('a date without a time', () => {
	it.each(cases)('means the whole day in %s, in conditions and in JSON', (operator, expected) => {
		expect(compiled(operator, { dateValue: '2026-01-31' })).toEqual(expected);
		// The date picker of the panel gives midnight for a day.
		expect(compiled(operator, { dateValue: '2026-01-31T00:00:00' })).toEqual(expected);
		const json = compileJson({ createdAt: { [operator]: '2026-01-31' } });
		expect(json).toEqual({ createdAt: expected });
	});

	it('is refused where no filter can say it of a day, and one day in a list is that day', () => {
		const refused = [expect.stringContaining('whole days')];
		expect(compiled('ne', { dateValue: '2026-01-31' })).toEqual(refused);
		for (const operands of [
			{ ne: '2026-01-31' },
			{ notIn: ['2026-01-31'] },
			{ in: ['2026-01-31', '2026-02-01'] },
		])
			expect(compileJson({ createdAt: operands })).toEqual(refused);
		const day = { createdAt: { gte: START, lt: NEXT } };
		expect(compileJson({ createdAt: { in: ['2026-01-31'] } })).toEqual(day);
	});
});

it.each(['2026-01-30T23:00:00Z', '2026-01-31T00:00:00.000+01:00', new Date(START)])(
	'the midnight %j is a moment, or refused where it may mean the day',
	(dateValue) => {
		for (const operator of ['gte', 'lt'])
			expect(compiled(operator, { dateValue })).toEqual({ [operator]: START });
		for (const operator of ['gt', 'lte', 'eq', 'ne'])
			expect(compiled(operator, { dateValue })).toEqual([expect.stringContaining('is midnight')]);
		expect(compileJson({ createdAt: { gt: dateValue } })).toEqual({ createdAt: { gt: START } });
	},
);

it('has both of its midnights where clocks go back then', () => {
	const midnights = ['04', '05'].map((hour) => `2026-11-01T${hour}:00:00.000Z`);
	const on = (dateValue: string): unknown => compiled('eq', { dateValue }, 'America/Havana');
	expect(on('2026-10-31')).toEqual({ gte: '2026-10-31T04:00:00.000Z', lt: midnights[0] });
	expect(on('2026-11-01')).toEqual({ gte: midnights[0], lt: '2026-11-02T05:00:00.000Z' });
});

it('takes a time for a point in time', () => {
	const at = '2026-01-31T08:00:00.000Z';
	for (const dateValue of ['2026-01-31T09:00:00', new Date(at)])
		expect(compiled('eq', { dateValue })).toEqual({ eq: at });
	expect(compiled('lte', { dateValue: '2026-01-31T00:00:00Z' })).toEqual({
		lte: '2026-01-31T00:00:00.000Z',
	});
	const midnight = { createdAt: { lte: '2026-01-31T00:00:00' } };
	expect(compileJson(midnight)).toEqual({ createdAt: { lte: START } });
	expect(compileJson({ createdAt: { gte: at, eq: '2026-01-31' } })).toEqual([
		'createdAt.eq is a second bound at the same end. Remove one',
	]);
});

it('takes a Date that a program gives in JSON for a point in time', () => {
	const midnight = new Date(START);
	const later = new Date(NEXT);
	for (const operator of ['eq', 'gt', 'gte', 'lt', 'lte'])
		expect(compileJson({ createdAt: { [operator]: midnight } })).toEqual({
			createdAt: { [operator]: START },
		});
	expect(compileJson({ createdAt: { in: [midnight, later] } })).toEqual({
		createdAt: { in: [START, NEXT] },
	});
	expect(compileJson({ createdAt: { gt: new Date('x') } })).toEqual([
		expect.stringContaining('createdAt.gt is not a valid date'),
	]);
});

it('takes the last day of all for the moment that it begins with, since no day comes after it', () => {
	const last = '9999-12-31T00:00:00.000Z';
	for (const operator of ['eq', 'gt', 'gte', 'lt', 'lte'])
		expect(compiled(operator, { dateValue: '9999-12-31' }, 'UTC')).toEqual({ [operator]: last });
});
