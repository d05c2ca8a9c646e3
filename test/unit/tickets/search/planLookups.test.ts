import type { Lookup, LookupMember, Question } from '../../../../src/tickets/search/planLookups';
import {
	foldText,
	handOut,
	isAskedBy,
	keyOf,
	lookupQuery,
	MAX_VALUES,
	planLookups,
} from '../../../../src/tickets/search/planLookups';
import type { Query, SortRule } from '../../../../src/tickets/search/query';
import { ticket, upTo } from '../../../support/tickets';

const asking = (
	filters: Query['filters'],
	more: Partial<Query> & { readonly limit?: number } = {},
): Question => {
	const { limit, ...query } = more;
	return {
		query: { filters, sort: [], select: [], ...query },
		...(limit !== undefined && { limit }),
	};
};

const by = (...columns: ReadonlyArray<SortRule['column']>): SortRule[] =>
	columns.map((column) => ({ column, direction: 'asc' }));

const customers = (from: number, to: number): string[] =>
	upTo(to - from + 1).map((n) => `c${from + n - 1}`);

/** What is asked together and what alone, by the places of the questions. */
const plan = (questions: readonly Question[]) => {
	const place = (question: Question) => questions.indexOf(question);
	const { lookups, alone } = planLookups(questions);
	return {
		lookups: lookups.map(({ column, members }) => [
			column,
			members.map(({ question }) => place(question)),
		]),
		alone: alone.map(place),
	};
};

const together = (column: string, places: readonly number[]) => ({
	lookups: [[column, places]],
	alone: [],
});

const apart = (count: number) => ({ lookups: [], alone: upTo(count).map((n) => n - 1) });

describe('questions that share requests', () => {
	it.each<[string, Query['filters'], Query['filters']]>([
		['customerId', { customerId: { eq: 'a' } }, { customerId: { eq: 'b' } }],
		['ticketNumber', { ticketNumber: { eq: 1 } }, { ticketNumber: { eq: 2 } }],
		['priority', { priority: { eq: 'low' } }, { priority: { eq: 'high' } }],
		['source', { source: { eq: 'email' } }, { source: { eq: 'sms' } }],
		['title', { title: { eq: 'a' } }, { title: { eq: 'b' } }],
	])('differ in %s', (column, one, other) => {
		expect(plan([asking(one), asking(other)])).toEqual(together(column, [0, 1]));
	});

	it('say which operator and values they have', () => {
		const one = asking({ customerId: { eq: 'a' } });
		const other = asking({ customerId: { in: ['b', 'c'] } });
		expect(planLookups([one, other])).toMatchObject({
			lookups: [
				{
					column: 'customerId',
					members: [
						{ question: one, operator: 'eq', values: ['a'] },
						{ question: other, operator: 'in', values: ['b', 'c'] },
					],
				},
			],
			alone: [],
		});
	});

	it('may name their filters in any order', () => {
		const own = { customerId: { eq: 'a' } };
		const [isShared, priority] = [{ isShared: { eq: true } }, { priority: { ne: 'low' } }];
		expect(
			plan([
				asking({ ...own, ...isShared, ...priority }),
				asking({ ...priority, customerId: { eq: 'b' }, ...isShared }),
				asking({ ...isShared, ...priority, customerId: { eq: 'c' } }),
			]),
		).toEqual(together('customerId', [0, 1, 2]));
	});

	it('may want different counts of tickets', () => {
		expect(
			plan([1, 2].map((limit) => asking({ customerId: { eq: `c${limit}` } }, { limit }))),
		).toEqual(together('customerId', [0, 1]));
	});

	it('may have more operators on the column, if they are the same', () => {
		expect(plan([1, 2].map((eq) => asking({ ticketNumber: { eq, gte: 0 } })))).toEqual(
			together('ticketNumber', [0, 1]),
		);
	});

	it('may have an order of few values where all tickets are read, or where it says more', () => {
		const each = (more: Parameters<typeof asking>[1]) =>
			plan(['a', 'b'].map((eq) => asking({ customerId: { eq } }, more)));
		const shared = together('customerId', [0, 1]);
		expect(each({ sort: by('priority') })).toEqual(shared);
		expect(each({ limit: 5 })).toEqual(shared);
		for (const column of ['createdAt', 'title', 'ticketNumber', 'statusId'] as const)
			expect(each({ limit: 5, sort: by('priority', column) })).toEqual(shared);
	});

	it('are asked where most others are', () => {
		const pair = (customerId: string, statusId: string) =>
			asking({ customerId: { eq: customerId }, statusId: { eq: statusId } });
		expect(plan([pair('a', 's'), pair('b', 's'), pair('c', 's'), pair('a', 't')])).toEqual({
			lookups: [['customerId', [0, 1, 2]]],
			alone: [3],
		});
		expect(plan([pair('a', 's'), pair('a', 't'), pair('a', 'u'), pair('b', 's')])).toEqual({
			lookups: [['statusId', [0, 1, 2]]],
			alone: [3],
		});
		expect(plan([pair('a', 's'), pair('b', 's'), pair('a', 't')])).toEqual({
			lookups: [['customerId', [0, 1]]],
			alone: [2],
		});
	});
});

describe('questions that are asked alone', () => {
	it.each<[string, readonly Question[]]>([
		['is the only one', [asking({ customerId: { eq: 'a' } })]],
		['differs in a time', ['2026-01-01', '2026-01-02'].map((eq) => asking({ createdAt: { eq } }))],
		['differs in true and false', [true, false].map((eq) => asking({ isShared: { eq } }))],
		['has no filter', [asking({}), asking({})]],
		['names no value', [1, 1].map((gte) => asking({ ticketNumber: { gte } }))],
		[
			'names values in two ways',
			['a', 'b'].map((eq) => asking({ customerId: { eq, in: ['a', 'b'] } })),
		],
		[
			'differs in two columns',
			['a', 'b'].map((eq) => asking({ customerId: { eq }, statusId: { eq } })),
		],
		['differs in another operator', [1, 2].map((eq) => asking({ ticketNumber: { eq, gte: eq } }))],
		[
			'is in another order',
			(['asc', 'desc'] as const).map((direction) =>
				asking({ customerId: { eq: direction } }, { sort: [{ column: 'id', direction }] }),
			),
		],
		[
			'wants all tickets, the other some',
			[asking({ customerId: { eq: 'a' } }), asking({ customerId: { eq: 'b' } }, { limit: 9 })],
		],
		[
			'has an escape in a pattern',
			['a', 'b'].map((eq) => asking({ customerId: { eq }, title: { like: '5\\%' } })),
		],
		...(['priority', 'source', 'isShared'] as const).map((column): [string, Question[]] => [
			`wants some tickets in the order of ${column}`,
			['a', 'b'].map((eq) => asking({ customerId: { eq } }, { sort: by(column), limit: 5 })),
		]),
		[
			'wants some tickets in an order of few values',
			['a', 'b'].map((eq) =>
				asking({ customerId: { eq } }, { sort: by('priority', 'source'), limit: 5 }),
			),
		],
	])('are so where one %s', (_, questions) => {
		expect(plan(questions)).toEqual(apart(questions.length));
	});

	it('come in their order, those that share nothing first', () => {
		const questions = [
			asking({ title: { eq: 'A' } }),
			asking({ isShared: { eq: true } }),
			asking({ title: { eq: 'a' } }),
			asking({ title: { eq: 'b' } }),
			asking({ createdAt: { gte: '2026-01-01' } }),
		];
		expect(plan(questions)).toEqual({ lookups: [['title', [0, 3]]], alone: [1, 4, 2] });
		const strangers = [
			{ customerId: { eq: 'a' } },
			{ isShared: { eq: true } },
			{ id: { eq: 'b' } },
		];
		expect(plan(strangers.map((filters) => asking(filters)))).toEqual(apart(3));
	});
});

describe('lists of values', () => {
	const one = (eq: string) => asking({ customerId: { eq } });
	const many = (values: readonly string[]) => asking({ customerId: { in: values } });

	it('hold 100 at most, filled one after another', () => {
		expect(MAX_VALUES).toBe(100);
		const sizes = (count: number) => {
			const { lookups, alone } = plan(customers(1, count).map(one));
			return [lookups.map(([, members]) => members?.length), alone];
		};
		expect(sizes(2)).toEqual([[2], []]);
		expect(sizes(100)).toEqual([[100], []]);
		expect(sizes(101)).toEqual([[100], [100]]);
		expect(sizes(102)).toEqual([[100, 2], []]);
		expect(sizes(250)).toEqual([[100, 100, 50], []]);
	});

	it('count a value once that several ask for', () => {
		expect(plan([many(customers(1, 60)), many(customers(41, 100))])).toEqual(
			together('customerId', [0, 1]),
		);
		expect(plan([many(customers(1, 60)), many(customers(41, 101))])).toEqual(apart(2));
	});

	it('of one question may be as long, but not longer', () => {
		expect(plan([many(customers(1, 100)), one('c7')])).toEqual(together('customerId', [0, 1]));
		const pair = (list: readonly string[], eq: string) =>
			asking({ customerId: { in: list }, statusId: { eq } });
		const at = (length: number) =>
			plan([
				pair(customers(1, length), 's'),
				pair(['c1'], 's'),
				pair(['c2'], 's'),
				pair(customers(1, length), 't'),
			]);
		expect(at(100)).toEqual({ lookups: [['customerId', [0, 1, 2]]], alone: [3] });
		expect(at(101)).toEqual({
			lookups: expect.arrayContaining([
				['customerId', [1, 2]],
				['statusId', [0, 3]],
			]),
			alone: [],
		});
	});

	it('begin anew, with any spelling, when one is full', () => {
		const { lookups, alone } = plan([...customers(1, 101), 'C2', 'C101'].map(one));
		expect(lookups).toEqual([
			['customerId', upTo(100).map((n) => n - 1)],
			['customerId', [100, 101]],
		]);
		expect(alone).toEqual([102]);
	});

	it.each<[string, Query['filters'], Query['filters'], Query['filters']]>([
		['case', { title: { eq: 'abc' } }, { title: { eq: 'ABC' } }, { title: { eq: 'abd' } }],
		['accents', { title: { eq: 'cafe' } }, { title: { eq: 'café' } }, { title: { eq: 'x' } }],
		['the case of an ID', { id: { eq: 'abc' } }, { id: { eq: 'ABC' } }, { id: { eq: 'é' } }],
		[
			'number and text',
			{ ticketNumber: { eq: 1 } },
			{ ticketNumber: { eq: '1' } },
			{ ticketNumber: { eq: 2 } },
		],
	])('have no two values that differ in %s only', (_, one, twin, other) => {
		const [column] = Object.keys(one);
		expect(plan([asking(one), asking(twin), asking(other)])).toEqual({
			lookups: [[column, [0, 2]]],
			alone: [1],
		});
	});

	it('tell accents of IDs apart', () => {
		expect(plan(['e', 'é'].map((eq) => asking({ id: { eq } })))).toEqual(together('id', [0, 1]));
	});

	it('of a question that spells one value in two ways are its own', () => {
		const titles = [['a', 'A'], ['b'], ['c']];
		expect(plan(titles.map((list) => asking({ title: { in: list } })))).toEqual({
			lookups: [['title', [1, 2]]],
			alone: [0],
		});
	});

	it('may have a value twice', () => {
		const titles = [['a', 'a'], ['a'], ['b']];
		expect(plan(titles.map((list) => asking({ title: { in: list } })))).toEqual(
			together('title', [0, 1, 2]),
		);
	});
});

it.each([
	['Case', 'case'],
	['Café', 'cafe'],
	['ｗｉｄｅ', 'wide'],
	['ﬁt', 'fit'],
	['a\u200bb\u0000c', 'abc'],
	['a \u00a0 b', 'a b'],
	['  around ', 'around'],
	['ÀÉ  Í', 'ae i'],
])('folds %j to %j', (text, folded) => {
	expect(foldText(text)).toBe(folded);
});

it('matches numbers by value, text by letter, and all else without case', () => {
	expect(keyOf(7, 'number')).toBe('7');
	expect(keyOf(' 7 ', 'number')).toBe('7');
	expect(keyOf('7.0', 'number')).toBe('7');
	expect(keyOf('Ab', 'text')).toBe('Ab');
	expect(keyOf(5, 'text')).toBe('5');
	expect(keyOf('Ab', 'identifier')).toBe('ab');
	expect(keyOf('LOW', 'priority')).toBe('low');
});

/** A lookup of these questions: each names its values, or has one. */
const lookupOf = (
	column: Lookup['column'],
	...lists: ReadonlyArray<readonly unknown[]>
): Lookup & { readonly questions: readonly Question[] } => {
	const members = lists.map((values): LookupMember => ({
		question: asking({ [column]: { in: values } }),
		operator: 'in',
		values,
	}));
	return { column, members, questions: members.map(({ question }) => question) };
};

describe('the query of a lookup', () => {
	it('asks for each value once, and keeps all else', () => {
		const member = (eq: number): LookupMember => ({
			question: asking(
				{ isShared: { eq: true }, ticketNumber: { eq, gte: 0 } },
				{ sort: by('createdAt'), select: ['title'] },
			),
			operator: 'eq',
			values: [eq],
		});
		expect(lookupQuery({ column: 'ticketNumber', members: [3, 1, 3, 2].map(member) })).toEqual({
			filters: { isShared: { eq: true }, ticketNumber: { gte: 0, in: [3, 1, 2] } },
			sort: by('createdAt'),
			select: ['title'],
		});
	});

	it('has the lists of all members', () => {
		expect(lookupQuery(lookupOf('id', ['a', 'b'], ['b', 'c']))).toEqual({
			filters: { id: { in: ['a', 'b', 'c'] } },
			sort: [],
			select: [],
		});
	});

	it('asks for nothing where no one does', () => {
		expect(lookupQuery({ column: 'id', members: [] })).toEqual({
			filters: { id: { in: [] } },
			sort: [],
			select: [],
		});
	});
});

describe('tickets that came for a lookup', () => {
	it('go to all who asked for them, in their order', () => {
		const lookup = lookupOf('customerId', ['a', 'b'], ['b'], ['c']);
		const rows = ['b', 'a', 'b'].map((customerId, i) => ticket(i, { customerId }));
		expect([...(handOut(lookup, rows) ?? [])]).toEqual([
			[lookup.questions[0], rows],
			[lookup.questions[1], [rows[0], rows[2]]],
			[lookup.questions[2], []],
		]);
	});

	it('go once to who spells a value in two ways', () => {
		const lookup = lookupOf('customerId', ['a', 'A']);
		const rows = [ticket(1, { customerId: 'A' })];
		expect([...(handOut(lookup, rows)?.values() ?? [])]).toEqual([rows]);
	});

	it('are of the number that was asked for, also as text', () => {
		const lookup = lookupOf('ticketNumber', [1], ['2']);
		const rows = [{ ticketNumber: '1' }, { ticketNumber: 2 }];
		expect([...(handOut(lookup, rows)?.values() ?? [])]).toEqual([[rows[0]], [rows[1]]]);
	});

	it.each<[string, Lookup['column'], unknown, object]>([
		['is of another value', 'customerId', 'a', { customerId: 'b' }],
		['has none', 'customerId', 'a', { customerId: null }],
		['does not show it', 'title', 'undefined', {}],
		['differs in case', 'title', 'a', { title: 'A' }],
	])('are of no use where one %s', (_, column, value, row) => {
		const fits = { [column]: value };
		const lookup = lookupOf(column, [value]);
		expect(handOut(lookup, [fits])?.size).toBe(1);
		expect(handOut(lookup, [fits, { ...row }])).toBeUndefined();
	});

	it('show whether a member asked for them', () => {
		const isAsked = isAskedBy(lookupOf('customerId', ['a', 'b'], ['c']));
		const rows = ['a', 'B', 'c', 'd'].map((customerId) => ({ customerId }));
		expect([...rows, {}].map(isAsked)).toEqual([true, true, true, false, false]);
		expect(isAskedBy(lookupOf('ticketNumber', [5]))({ ticketNumber: '5' })).toBe(true);
	});
});
