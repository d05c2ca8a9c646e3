import type { Question } from '../../../../src/tickets/search/lookups';
import { lookupQuery, planLookups, valuesOf } from '../../../../src/tickets/search/lookups';
import { uuidOf } from '../../../support/samples';

const question = (filters: object, more: object = {}, limit?: number): Question => ({
	query: { filters, sort: [], select: [], ...more },
	...(limit !== undefined && { limit }),
});
const ids = (count: number, from = 0): string[] =>
	Array.from({ length: count }, (_, i) => uuidOf(from + i));
const of = (id: number, more: object = {}) => ({ customerId: { eq: uuidOf(id) }, ...more });
const by = (column: string, direction = 'desc') => ({ sort: [{ column, direction }] });

it.each<[string, Question[], shared: number[][]]>([
	['one value each', [question(of(1)), question(of(2)), question(of(1))], [[0, 1, 2]]],
	['a list and a value', [question({ customerId: { in: ids(2) } }), question(of(3))], [[0, 1]]],
	['one alone', [question(of(1))], []],
	[
		'a list and a value at once',
		[question({ customerId: { eq: uuidOf(1), in: ids(2) } }), question(of(1))],
		[],
	],
	[
		'an empty list',
		[question({ customerId: { in: [] } }), question(of(1)), question(of(2))],
		[[1, 2]],
	],
	[
		'another operator',
		[question({ customerId: { ne: uuidOf(1) } }), question({ customerId: { ne: uuidOf(2) } })],
		[],
	],
	[
		'text, which only the service compares',
		[question({ title: { eq: 'a' } }), question({ title: { eq: 'b' } })],
		[],
	],
	[
		'the same text with two limits',
		[question({ title: { eq: 'a' } }, {}, 5), question({ title: { eq: 'a' } }, {}, 7)],
		[],
	],
	[
		'a value beside lists that are too long',
		[
			question({ customerId: { in: ids(101) }, priority: { eq: 'low' } }),
			question({ customerId: { in: ids(101, 1) }, priority: { eq: 'low' } }),
			question({ customerId: { in: ids(101) }, priority: { eq: 'high' } }),
		],
		[[0, 2]],
	],
	[
		'numbers',
		[question({ ticketNumber: { eq: 1 } }), question({ ticketNumber: { eq: 2 } })],
		[[0, 1]],
	],
	[
		'other conditions in another order',
		[
			question(of(1, { priority: { ne: 'low' }, isShared: { eq: true } })),
			question({ isShared: { eq: true }, priority: { ne: 'low' }, ...of(2) }),
		],
		[[0, 1]],
	],
	[
		'other conditions',
		[question(of(1, { isShared: { eq: true } })), question(of(2, { isShared: { eq: false } }))],
		[],
	],
	['another sort', [question(of(1), by('createdAt')), question(of(2), by('createdAt', 'asc'))], []],
	['a limit and none', [question(of(1), {}, 5), question(of(2))], []],
	['two limits', [question(of(1), {}, 5), question(of(2), {}, 7)], [[0, 1]]],
	[
		'a limit in an order without ties',
		[question(of(1), by('createdAt'), 5), question(of(2), by('createdAt'), 5)],
		[[0, 1]],
	],
	[
		'a limit in an order with ties',
		[question(of(1), by('priority'), 5), question(of(2), by('priority'), 5)],
		[],
	],
	[
		'no limit in an order with ties',
		[question(of(1), by('priority')), question(of(2), by('priority'))],
		[[0, 1]],
	],
	[
		'lists as long as one request takes',
		[60, 40, 60, 41].map((n, i) => question({ customerId: { in: ids(n, 100 * i) } })),
		[[0, 1]],
	],
	[
		'the longest list',
		[question({ customerId: { in: ids(100) } }), question(of(200)), question(of(201))],
		[[1, 2]],
	],
	['too long a list', [question({ customerId: { in: ids(101) } }), question(of(200))], []],
	[
		'the column that most differ in',
		[
			question(of(1, { priority: { eq: 'low' } })),
			question(of(1, { priority: { eq: 'high' } })),
			question(of(2, { priority: { eq: 'low' } })),
			question(of(3, { priority: { eq: 'low' } })),
		],
		[[0, 2, 3]],
	],
])('searches share requests where they differ in values alone: %s', (_, questions, shared) => {
	const { lookups, alone } = planLookups(questions);
	const placesOf = (some: readonly Question[]) => some.map((one) => questions.indexOf(one));
	expect(lookups.map((lookup) => placesOf(lookup.questions))).toEqual(shared);
	expect(placesOf(alone)).toEqual(
		questions.map((__, i) => i).filter((i) => !shared.flat().includes(i)),
	);
});

it('asks for each value once, with the other conditions', () => {
	const rest = { isShared: { eq: true }, ticketNumber: { gt: 5 } };
	const questions = [7, 8, 7].map((eq) => question({ ...rest, ticketNumber: { gt: 5, eq } }));
	const [lookup] = planLookups(questions).lookups;
	if (!lookup) throw new Error('nothing is shared');
	expect(valuesOf(lookup)).toEqual([7, 8]);
	expect(lookupQuery(lookup, { in: [7, 8] }).filters).toEqual({
		...rest,
		ticketNumber: { gt: 5, in: [7, 8] },
	});
});
