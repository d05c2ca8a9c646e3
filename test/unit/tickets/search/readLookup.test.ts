import omit from 'lodash/omit';
import { createAdaptiveConcurrency } from '../../../../src/core/adaptiveConcurrency';
import type { PageReader } from '../../../../src/tickets/search/fetchPage';
import { unknownService } from '../../../../src/tickets/search/fetchPage';
import type { Lookup, LookupMember } from '../../../../src/tickets/search/planLookups';
import type { Query, SortRule } from '../../../../src/tickets/search/query';
import { readLookup } from '../../../../src/tickets/search/readLookup';
import type { Script } from '../../../support/fakeRuntime';
import { reply } from '../../../support/fakeRuntime';
import { wiredReader } from '../../../support/pageReader';
import { listOf, members } from '../../../support/samples';
import type { TicketRow } from '../../../support/tickets';
import { page, searchPage, ticket, upTo } from '../../../support/tickets';

/** A service of these tickets; `eq` passes over case where it says so. */
const serving =
	(rows: readonly TicketRow[], { isLoose = false } = {}): Script =>
	({ body }) => {
		const fold = (value: unknown) => (isLoose ? String(value).toLowerCase() : value);
		const filters = Object.entries(members(members(body)['filters']));
		const found = rows.filter((row) =>
			filters.every(([column, operands]) => {
				const { eq, in: list } = members(operands);
				const isEqual = eq === undefined || fold(eq) === fold(row[column]);
				return isEqual && (list === undefined || listOf(operands, 'in').includes(row[column]));
			}),
		);
		return searchPage(found, body);
	};

/** The service, but the request with this number gets another answer. */
const but =
	(script: Script, number: number, answer: ReturnType<Script>): Script =>
	(sent, count) =>
		count === number ? answer : script(sent, count);

type Values = string | readonly string[];

/** Each value or list is asked for by a question of its own. */
function lookupOf(
	column: Lookup['column'],
	values: readonly Values[],
	{ limits, ...query }: Partial<Query> & { readonly limits?: readonly number[] } = {},
): Lookup {
	const all = values.map((one, i): LookupMember => {
		const [operator, list] = typeof one === 'string' ? (['eq', [one]] as const) : ['in', one];
		const operands = { ...query.filters?.[column], [operator]: one };
		const filters = { ...query.filters, [column]: operands };
		const limit = limits?.[i];
		const question = {
			query: { sort: [], select: [], ...query, filters },
			...(limit !== undefined && { limit }),
		};
		return { operator, values: list, question } as LookupMember;
	});
	return { column, members: all };
}

/** What became of each question: the numbers of its tickets, or undefined where it is open. */
async function read(lookup: Lookup, script: Script, more: Parameters<typeof wiredReader>[1] = {}) {
	const { reader, sent } = wiredReader(script, more);
	const { answers, failure } = await readLookup(lookup, reader);
	const numbers = lookup.members.map(({ question }) =>
		answers.has(question)
			? (answers.get(question) ?? []).map((row) => row['ticketNumber'])
			: undefined,
	);
	return { numbers, failure, sent, bodies: sent.map(({ body }) => members(body)), reader };
}

const asc = (...columns: ReadonlyArray<SortRule['column']>): SortRule[] =>
	columns.map((column) => ({ column, direction: 'asc' }));

/** Tickets 1 to n, of these customers. */
const of = (...customers: readonly string[]) =>
	customers.map((customerId, i) => ticket(i + 1, { customerId }));

const NUMBERS = { field: 'ticketNumber', direction: 'asc' };
const IDS = { field: 'id', direction: 'asc' };

describe('all tickets of several questions', () => {
	it('come by number, with one list of values', async () => {
		const { numbers, failure, bodies } = await read(
			lookupOf('customerId', ['a', ['b', 'c'], 'd'], { select: ['title'] }),
			serving(of('b', 'a', 'c', 'x', 'a')),
		);
		expect(numbers).toEqual([[2, 5], [1, 3], []]);
		expect(failure).toBeUndefined();
		expect(bodies).toEqual([
			{
				filters: { customerId: { in: ['a', 'b', 'c', 'd'] } },
				pagination: { limit: 100, offset: 0 },
				sort: [NUMBERS],
				select: { title: true, id: true, ticketNumber: true, customerId: true },
			},
		]);
	});

	it('are sorted here, where their own values say how', async () => {
		const times = ['2026-01-03T00:00:00.5Z', '2026-01-01T00:00:00.5Z', '2026-01-02T00:00:00.5Z'];
		const known = times.map((createdAt, i) => ticket(i + 1, { customerId: 'a', createdAt }));
		const unclear = [4, 5].map((n) =>
			ticket(n, { customerId: 'b', createdAt: '2026-01-01T00:00:00Z' }),
		);
		const { numbers, sent } = await read(
			lookupOf('customerId', ['a', 'b'], { sort: asc('createdAt') }),
			serving([...known, ...unclear]),
		);
		expect(numbers).toEqual([[2, 3, 1], undefined]);
		expect(sent).toHaveLength(1);
	});

	it('come in the order of the service where only it knows that', async () => {
		const rows = ['zoe', 'adam', 'zoe', 'max'].map((title, i) =>
			ticket(i + 1, { customerId: 'ab'[i % 2] ?? '', title }),
		);
		const { numbers, bodies } = await read(
			lookupOf('customerId', ['a', 'b'], { sort: asc('title') }),
			serving(rows),
		);
		expect(numbers).toEqual([
			[1, 3],
			[2, 4],
		]);
		expect(bodies).toMatchObject([{ sort: [{ field: 'title', direction: 'asc' }, NUMBERS, IDS] }]);
	});

	it('are open where the service takes too few rules to tell them apart', async () => {
		const titles = ['max', 'Max', 'adam', 'zoe', 'zoé'];
		const rows = titles.map((title, i) => ticket(i + 1, { customerId: 'aabcc'[i] ?? '', title }));
		const oneRule: Script = (sent) =>
			listOf(sent.body, 'sort').length > 1
				? reply(400)
				: page(['adam', 'Max', 'max', 'zoe', 'zoé'].map((one) => rows[titles.indexOf(one)]));
		const { numbers, reader } = await read(
			lookupOf('customerId', ['a', 'b', 'c'], { sort: asc('title') }),
			oneRule,
		);
		expect(reader.known?.maxRules).toBe(1);
		expect(numbers).toEqual([undefined, [3], undefined]);
	});

	it('are open where two of one question have the same number', async () => {
		const rows = [
			...of('a', 'b'),
			{ ...ticket(2, { customerId: 'a' }), id: 'x' },
			...[3, 3].map((n, i) => ({ ...ticket(n, { customerId: 'c' }), id: `y${i}` })),
		];
		const { numbers } = await read(lookupOf('customerId', ['a', 'b', 'c']), serving(rows));
		expect(numbers).toEqual([[1, 2], [2], undefined]);
	});

	it('come by offset where they cannot be read by number', async () => {
		const unnamed = of('a', 'b').map((row) => omit(row, 'id'));
		const { numbers, bodies } = await read(lookupOf('customerId', ['a', 'b']), serving(unnamed));
		expect(numbers).toEqual([[1], [2]]);
		expect(bodies.map(({ sort }) => sort)).toEqual([[NUMBERS], [NUMBERS, IDS]]);
	});

	it('are open where a ticket came that no one asked for', async () => {
		const { numbers, failure, sent } = await read(lookupOf('customerId', ['a', 'b']), () =>
			page(of('a', 'x')),
		);
		expect(numbers).toEqual([undefined, undefined]);
		expect(failure).toBeUndefined();
		expect(sent).toHaveLength(1);
	});

	it.each([400, 422])('fail at once where the service refuses the list with %s', async (status) => {
		const { numbers, failure, sent } = await read(lookupOf('customerId', ['a', 'b']), () =>
			reply(status),
		);
		expect(failure).toMatchObject({ kind: 'api', status });
		expect(numbers).toEqual([undefined, undefined]);
		expect(sent).toHaveLength(1);
	});

	it('come where a list was refused before', async () => {
		const refusal = { kind: 'api', call: '', status: 400, message: '', issues: [] } as const;
		const { numbers, failure } = await read(
			lookupOf('customerId', ['a', 'b']),
			serving(of('a', 'b')),
			{ refusal },
		);
		expect(numbers).toEqual([[1], [2]]);
		expect(failure).toBeUndefined();
	});

	it.each<[string, readonly SortRule[]]>([
		['number', []],
		['offset', asc('title')],
	])('fail, without what came before, where reading by %s does', async (_, sort) => {
		const rows = of('a', 'a', 'a', 'b', 'b').map((row) => ({ ...row, title: 'a' }));
		const { numbers, failure } = await read(
			lookupOf('customerId', ['a', 'b'], { sort }),
			but(serving(rows), 2, reply(403)),
			{ pageSize: 2 },
		);
		expect(failure).toMatchObject({ kind: 'api', status: 403 });
		expect(numbers).toEqual([undefined, undefined]);
	});
});

describe('what a service ignores', () => {
	it.each([[undefined], [[9, 9]]])('makes all open where it is the filter', async (limits) => {
		const lookup = lookupOf('customerId', ['a', 'b'], { ...(limits && { limits }) });
		const { numbers, failure, sent, reader } = await read(lookup, () => page(of('a', 'b', 'x')), {
			filters: { customerId: { in: ['a', 'b'] } },
		});
		expect(reader.unmatched).toBe('customerId');
		expect(numbers).toEqual([undefined, undefined]);
		expect(failure).toBeUndefined();
		expect(sent).toHaveLength(1);
	});

	it.each([[undefined], [[9, 9]]])('makes all open where it is the sort', async (limits) => {
		const lookup = lookupOf('customerId', ['a', 'b'], { ...(limits && { limits }) });
		const { numbers, failure, reader } = await read(lookup, () => page(of('a', 'b').reverse()));
		expect([...(reader.known?.ignored ?? [])]).toEqual(['sort']);
		expect(numbers).toEqual([undefined, undefined]);
		expect(failure).toBeUndefined();
	});
});

it('is read again where it came in two orders', async () => {
	const { numbers, sent, reader } = await read(
		lookupOf('customerId', ['a', 'b']),
		but(serving(of('a', 'b')), 1, page([])),
		{ isMixed: true },
	);
	expect(sent).toHaveLength(2);
	expect(reader.isMixed).toBe(false);
	expect(numbers).toEqual([[1], [2]]);
});

describe('the first tickets of several questions', () => {
	const limited = (
		values: readonly Values[],
		limits: readonly number[],
		more: Partial<Query> = {},
	) => lookupOf('customerId', values, { ...more, limits });

	it('come in a total order, no more of them than are wanted', async () => {
		const { numbers, failure, bodies } = await read(
			limited(['a', 'b', 'c'], [2, 1, 1]),
			serving(of('a', 'b', 'a', 'a', 'b')),
		);
		expect(numbers).toEqual([[1, 3], [2], []]);
		expect(failure).toBeUndefined();
		expect(bodies).toEqual([
			{
				filters: { customerId: { in: ['a', 'b', 'c'] } },
				pagination: { limit: 100, offset: 0 },
				sort: [NUMBERS, IDS],
			},
		]);
	});

	it('are read on without those that have enough, from where the others stand', async () => {
		const { numbers, bodies } = await read(
			limited(['a', 'b', 'c'], [2, 2, 1]),
			serving(of('a', 'b', 'a', 'b', 'b', 'a', 'a', 'a', 'c')),
			{ pageSize: 3 },
		);
		expect(numbers).toEqual([[1, 3], [2, 4], [9]]);
		expect(
			bodies.map(({ filters, pagination: asked }) => [
				listOf(members(filters)['customerId'], 'in'),
				asked,
			]),
		).toEqual([
			[['a', 'b', 'c'], { limit: 3, offset: 0 }],
			[['b', 'c'], { limit: 3, offset: 0 }],
			[['c'], { limit: 3, offset: 0 }],
		]);
	});

	it('are asked for ahead while none has enough', async () => {
		const rows = of(...upTo(600).map((n) => (n % 2 === 0 ? 'a' : 'b')));
		const { numbers, sent } = await read(limited(['a', 'b'], [300, 300]), serving(rows), {
			pageSize: 20,
			latency: 20,
			concurrency: createAdaptiveConcurrency({ start: 8, max: 8 }),
		});
		expect(numbers.map((list) => list?.length)).toEqual([300, 300]);
		const tookMs = (sent.at(-1)?.at ?? 0) - (sent[0]?.at ?? 0);
		expect(tookMs).toBeLessThan((sent.length * 20) / 3);
	});

	it('stop at a ticket that no one asked for', async () => {
		const { numbers, failure, sent } = await read(
			limited(['a', 'b'], [9, 9]),
			() => page(of('a', 'x', 'b'), true),
			{ pageSize: 3 },
		);
		expect(numbers).toEqual([undefined, undefined]);
		expect(failure).toBeUndefined();
		expect(sent).toHaveLength(1);
	});

	it('are known before a failure where nothing could come between', async () => {
		const { numbers, failure } = await read(
			limited(['a', 'b', 'c'], [1, 2, 1]),
			but(serving(of('a', 'a', 'b', 'b', 'b', 'c')), 2, reply(403)),
			{ pageSize: 3 },
		);
		expect(failure).toMatchObject({ kind: 'api', status: 403 });
		expect(numbers).toEqual([[1], undefined, undefined]);
	});

	it('fail where none came', async () => {
		const { numbers, failure, sent } = await read(limited(['a', 'b'], [1, 2]), () => reply(403));
		expect(failure).toMatchObject({ kind: 'api', status: 403 });
		expect(numbers).toEqual([undefined, undefined]);
		expect(sent).toHaveLength(1);
	});

	describe('in an order of the user', () => {
		const first = async (
			rows: readonly TicketRow[],
			limit: number,
			{ pageSize = 100, sort = asc('statusId') } = {},
		) => {
			const asked = limited(['a', 'b'], [limit, 1], { sort });
			return (await read(asked, () => page(rows), { pageSize })).numbers[0];
		};
		/** Tickets of the first customer with these statuses, and one of the other behind them. */
		const status = (...all: ReadonlyArray<string | null | undefined>) => [
			...all.map((statusId, i) => ticket(i + 1, { customerId: 'a', statusId })),
			ticket(9, { customerId: 'b', statusId: 'z' }),
		];

		it('are open where two of them tie, or the last with the next', async () => {
			expect(await first(status('p', 'q', 'r'), 2)).toEqual([1, 2]);
			expect(await first(status('p', 'p', 'r'), 2)).toBeUndefined();
			expect(await first(status('p', 'q', 'q'), 2)).toBeUndefined();
			expect(await first(status('p', 'q', 'r', 'r'), 2)).toEqual([1, 2]);
			expect(await first(status('p', 'p'), 2)).toBeUndefined();
			expect(await first(status('p'), 2)).toEqual([1]);
		});

		it('tie where they may be the same to a service', async () => {
			expect(await first(status('p', 'q', 'Q'), 2)).toBeUndefined();
			expect(await first(status('p', null, undefined), 2)).toBeUndefined();
			expect(await first(status('p', null, 'q'), 2)).toEqual([1, 2]);
			const rows = status('p', 'p', 'p').map((row, i) => ({ ...row, flowId: `f${i}` }));
			expect(await first(rows, 2, { sort: asc('statusId', 'flowId') })).toEqual([1, 2]);
		});

		it('do not tie in several pages, which have a total order', async () => {
			const rows = status('p', 'p', 'p');
			expect(await first(rows, 4, { pageSize: 4 })).toBeUndefined();
			expect(await first(rows, 5, { pageSize: 4 })).toEqual([1, 2, 3]);
		});
	});

	describe('that are asked for no longer', () => {
		const rowsOf = (all: string) =>
			all.split(' ').map((one, i) => ticket(i + 1, { customerId: one[0] ?? '', statusId: one[1] }));

		/** Whom the second request asks for, after a page of these customers and statuses. */
		const left = async (
			rows: string,
			limits: readonly number[],
			{ sort = asc('statusId'), ...more }: Partial<PageReader> & { sort?: SortRule[] } = {},
		) => {
			const { bodies } = await read(
				limited(['a', 'b', 'c'], limits, { sort }),
				but(() => reply(403), 1, page(rowsOf(rows), true)),
				{ pageSize: 3, ...more },
			);
			return listOf(members(bodies[1]?.['filters'])['customerId'], 'in').join('');
		};

		it('have more than they want, or what they want before something else', async () => {
			expect(await left('ap bq cr', [2, 2, 2])).toBe('abc');
			expect(await left('ap ap bp', [1, 2, 2])).toBe('bc');
			expect(await left('ap bq cr', [1, 1, 2])).toBe('c');
			expect(await left('ap bq cq', [1, 1, 2])).toBe('bc');
			expect(await left('ap bq cQ', [1, 1, 2])).toBe('bc');
		});

		it('have what they want up to the last ticket in a total order only', async () => {
			expect(await left('ap bq cr', [2, 2, 1])).toBe('abc');
			expect(await left('ap ap ar', [3, 2, 2])).toBe('abc');
			expect(await left('ap bq cr', [2, 2, 1], { sort: [] })).toBe('ab');
			expect(await left('ap bp cp', [1, 2, 1], { sort: [] })).toBe('b');
			const known = { ...unknownService(), maxRules: 1 };
			expect(await left('ap bp cp', [1, 2, 1], { sort: [], known })).toBe('bc');
		});
	});
});

describe('text', () => {
	const titled = (...titles: readonly string[]) =>
		titles.map((title, i) => ticket(i + 1, { title, isShared: true }));
	const rows = titled('10', 'Ab 1é', 'c');

	it('that is compared letter by letter is answered, as another spelling shows', async () => {
		const { numbers, bodies, reader } = await read(
			lookupOf('title', ['10', 'Ab 1é', 'c', 'd'], {
				filters: { isShared: { eq: true }, title: { ne: 'x' } },
				select: ['ticketNumber'],
			}),
			serving(rows),
			{ pageSize: 50 },
		);
		expect(numbers).toEqual([[1], [2], [3], []]);
		expect(bodies[1]).toEqual({
			filters: { isShared: { eq: true }, title: { ne: 'x', eq: 'aB 1é' } },
			pagination: { limit: 50, offset: 0 },
			select: { ticketNumber: true, id: true, isShared: true, title: true },
		});
		expect(bodies).toHaveLength(2);
		expect(reader.known?.comparesExactly).toEqual({ title: true });
	});

	it('fails where the service does', async () => {
		const { numbers, failure } = await read(lookupOf('title', ['ab', 'c']), () => reply(403));
		expect(failure).toMatchObject({ kind: 'api', status: 403 });
		expect(numbers).toEqual([undefined, undefined]);
	});

	it('that has the other spelling, too, is compared letter by letter', async () => {
		const { numbers, sent } = await read(
			lookupOf('title', ['ab', '1']),
			serving(titled('ab', 'AB')),
		);
		expect(numbers).toEqual([[1], []]);
		expect(sent).toHaveLength(2);
	});

	it('that is compared in another way is open', async () => {
		for (const spellings of [['ab'], ['ab', 'AB'], ['AB', 'ab']]) {
			const { numbers, sent, failure, reader } = await read(
				lookupOf('title', ['ab', '1']),
				serving(titled(...spellings), { isLoose: true }),
			);
			expect(numbers).toEqual([undefined, undefined]);
			expect(failure).toBeUndefined();
			expect(sent).toHaveLength(2);
			expect(reader.known?.comparesExactly).toEqual({ title: false });
		}
	});

	it('that is asked for in lists is answered as it is', async () => {
		const lists = await read(lookupOf('title', [['10', 'c'], ['Ab 1é']]), serving(rows));
		expect(lists.numbers).toEqual([[1, 3], [2]]);
		expect(lists.sent).toHaveLength(1);
		const mixed = await read(lookupOf('title', [['10', 'c'], 'Ab 1é']), serving(rows));
		expect(mixed.numbers).toEqual([[1, 3], [2]]);
		expect(mixed.sent).toHaveLength(2);
	});

	it.each([
		[true, [[2], [3]]],
		[false, [undefined, undefined]],
	])('is not asked for again where exactness is known: %s', async (comparesExactly, expected) => {
		const { numbers, sent } = await read(lookupOf('title', ['Ab 1é', 'c']), serving(rows), {
			known: { ...unknownService(), comparesExactly: { title: comparesExactly } },
		});
		expect(numbers).toEqual(expected);
		expect(sent).toHaveLength(1);
	});

	it('is compared in its own way in each column', async () => {
		const known = { ...unknownService(), comparesExactly: { description: false } };
		const { numbers, reader } = await read(lookupOf('title', ['Ab 1é', 'c']), serving(rows), {
			known,
		});
		expect(numbers).toEqual([[2], [3]]);
		expect(reader.known?.comparesExactly).toEqual({ description: false, title: true });
	});

	it('that a list beside it leaves out shows in another spelling all the same', async () => {
		const loose = serving(titled('alpha', 'ALPHA', '10'), { isLoose: true });
		for (const list of [['none'], ['10']]) {
			const { numbers, bodies } = await read(lookupOf('title', [list, 'alpha']), loose);
			expect(numbers).toEqual([undefined, undefined]);
			expect(bodies[1]).toMatchObject({ filters: { title: { eq: 'ALPHA' } } });
			expect(JSON.stringify(bodies[1])).not.toContain('"in"');
		}
	});

	it('that came before a failure is an answer only where it is compared letter by letter', async () => {
		const lookup = lookupOf('title', ['alpha', 'beta'], { limits: [1, 1], sort: asc('title') });
		const all = titled('alpha', 'beta', 'beta', 'beta', 'beta');
		const failing = (isLoose: boolean): Script => {
			const script = serving(all, { isLoose });
			return but(script, 2, reply(403));
		};
		const exact = { ...unknownService(), comparesExactly: { title: true } };
		const known = await read(lookup, failing(false), { pageSize: 2, known: exact });
		expect(known.numbers).toEqual([[1], undefined]);
		expect(known.failure).toMatchObject({ status: 403 });
		const loose = { ...unknownService(), comparesExactly: { title: false } };
		const open = await read(lookup, failing(true), { pageSize: 2, known: loose });
		expect(open.numbers).toEqual([undefined, undefined]);
		expect(open.failure).toMatchObject({ status: 403 });
	});

	it('without a letter shows nothing', async () => {
		const { numbers, sent, reader } = await read(
			lookupOf('title', ['10', 'nothing']),
			serving(rows),
		);
		expect(numbers).toEqual([undefined, undefined]);
		expect(sent).toHaveLength(1);
		expect(reader.known?.comparesExactly).toEqual({});
	});

	it('is open where there may be more, and where the service does not say', async () => {
		for (const [second, comparesExactly] of [
			[page([], true), { title: false }],
			[reply(403), {}],
		] as const) {
			const { numbers, failure, reader } = await read(
				lookupOf('title', ['Ab 1é', 'c']),
				but(serving(rows), 2, second),
			);
			expect(numbers).toEqual([undefined, undefined]);
			expect(failure).toBeUndefined();
			expect(reader.known?.comparesExactly).toEqual(comparesExactly);
		}
	});
});
