import { createClient } from '../../../../src/core/client';
import { search } from '../../../../src/tickets/search/search';
import { get } from '../../../../src/tickets/search/get';
import type { Script } from '../../../support/fakeRuntime';
import { fakeRuntime, reply } from '../../../support/fakeRuntime';
import type { Personality, Stored } from '../../../support/personality';
import { PersonalService } from '../../../support/personality';
import { runRows } from '../../../support/runRows';
import { listOf, members, uuidOf } from '../../../support/samples';

const FRIENDLY: Personality = {
	cap: 100,
	hidden: 0,
	leavesOutIds: false,
	numbersAsText: false,
	times: 'utc',
	nullsFirst: 'never',
	priorities: ['urgent', 'high', 'medium', 'low'],
	caseInsensitive: false,
	defaultOrder: 'newest',
	sort: 'field',
	select: 'object',
	otherSpelling: 'named',
	maxRules: 9,
	ignores: 'nothing',
	refusal: 400,
	givesDetails: true,
	ends: 'exactly',
	escapes: true,
	changes: 'none',
	takes: 'all',
	saysWhen: true,
	latency: [0, 0],
	passesOverCase: 'none',
	maxValues: 1_000,
	longerList: 400,
};

/** The tickets 1 to `count`; a thousand customers have them in turn. */
const stored = (count: number): Stored[] =>
	Array.from({ length: count }, (_, i) => ({
		id: uuidOf(i + 1),
		ticketNumber: i + 1,
		title: `Ticket ${i + 1}`,
		priority: 'low',
		isShared: false,
		createdAt: Date.UTC(2026, 0, 1) + ((i * 7919) % 10_007) * 1_000,
		closedAt: null,
		customerId: uuidOf(1 + (i % 1_000)),
	}));

const serving = (count: number, personality: Partial<Personality> = {}): Script => {
	const service = new PersonalService(stored(count), { ...FRIENDLY, ...personality });
	return ({ body }) => service.answer(body);
};

const ofCustomer = (n: number, more: object = {}) => ({
	parameters: {
		returnAll: true,
		filters: { conditions: [{ column: 'customerId', operator: 'eq', value: uuidOf(n) }] },
		...more,
	},
});

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

async function run(operation: typeof search, rows: object[], script: Script, latency = 0) {
	const { sent, context } = fakeRuntime(script, { latency });
	const result = await runRows(operation, rows as never, context());
	return { sent, ...result };
}

/** The values that a request asked for in one list. */
const listIn = (body: unknown): readonly unknown[] =>
	Object.values(members(members(body)['filters'])).flatMap((operands) => listOf(operands, 'in'));

describe('rows that differ in one value', () => {
	it.each<[string, object]>([
		['all of their tickets', {}],
		['a limit that none reaches', { returnAll: false, limit: 50 }],
		[
			'the newest two',
			{ returnAll: false, limit: 2, sort: { rules: [{ column: 'createdAt', direction: 'desc' }] } },
		],
		[
			'an order that the service knows',
			{ sort: { rules: [{ column: 'title', direction: 'asc' }] } },
		],
	])('share requests: 1,000 of them for %s', async (_, more) => {
		const { sent, rows, summary } = await run(
			search,
			upTo(1_000).map((n) => ofCustomer(n, more)),
			serving(3_000),
		);
		const tickets = rows.flatMap(({ items }) => items);
		expect(sent.length).toBeLessThanOrEqual(Math.ceil(tickets.length / 100) + 30);
		expect(rows.map(({ items }) => new Set(items.map((item) => item['customerId'])))).toEqual(
			upTo(1_000).map((n) => new Set([uuidOf(n)])),
		);
		expect(summary).toBe(
			`1,000 rows, ${sent.length} requests: ${tickets.length.toLocaleString('en-US')} tickets`,
		);
	});

	it('are asked once where they are equal, and have items of their own', async () => {
		const { sent, rows } = await run(
			search,
			[1, 1, 1].map((n) => ofCustomer(n)),
			serving(2_000),
		);
		expect(sent).toHaveLength(1);
		expect(rows.map(({ items }) => items.length)).toEqual([2, 2, 2]);
		expect(rows[1]?.items[0]).not.toBe(rows[0]?.items[0]);
	});

	it('each get what they asked for where their lists overlap', async () => {
		const { sent, rows } = await run(
			search,
			upTo(30).map((n) => ({
				parameters: {
					returnAll: true,
					filterMode: 'json',
					filtersJson: { customerId: { in: [uuidOf(n), uuidOf(n + 1)] } },
				},
			})),
			serving(100),
		);
		expect(rows.map(({ items }) => items.map((item) => item['ticketNumber']))).toEqual(
			upTo(30).map((n) => [n, n + 1]),
		);
		expect(sent.length).toBeLessThan(30);
	});

	it('are named where they found nothing', async () => {
		const { summary } = await run(
			search,
			[ofCustomer(1), ofCustomer(5_000), ofCustomer(2), ofCustomer(5_001)],
			serving(1_000),
		);
		expect(summary).toBe('4 rows, 1 request: 2 tickets. Rows 2 and 4 found no tickets');
	});

	it('go in halves where the service refuses a list, and no longer list is tried again', async () => {
		for (const longerList of [400, 413] as const) {
			const { sent, rows } = await run(
				search,
				upTo(400).map((n) => ofCustomer(n)),
				serving(1_000, { maxValues: 25, longerList }),
				5,
			);
			expect(rows.map(({ items }) => items.length)).toEqual(upTo(400).map(() => 1));
			const lengths = sent.map(({ body }) => listIn(body).length);
			expect(Math.max(...lengths.slice(8))).toBeLessThanOrEqual(25);
			expect(sent.length).toBeLessThanOrEqual(16 + 12);
		}
	});

	it('each get the failure of what they shared, and the others their tickets', async () => {
		const script = serving(1_000);
		const { rows } = await run(
			search,
			upTo(250).map((n) => ofCustomer(n)),
			(sent, number) =>
				listIn(sent.body).includes(uuidOf(150)) ? reply(503) : script(sent, number),
		);
		const failed = upTo(250).filter((n) => n > 100 && n <= 200);
		expect(upTo(250).filter((n) => rows[n - 1]?.failure)).toEqual(failed);
		expect(rows[149]).toMatchObject({
			items: [],
			failure: { kind: 'api', status: 503 },
			details: { ticketsRead: 0, continueAt: { offset: 0 } },
		});
		expect(rows[99]?.items).toHaveLength(1);
	});

	it('get only what is broken among what they asked for, each by itself', async () => {
		const script = serving(1_000);
		const { rows, sent } = await run(
			search,
			upTo(100).map((n) => ofCustomer(n)),
			(request, number) => {
				const isBroken = JSON.stringify(request.body).includes(uuidOf(37));
				return isBroken ? reply(200, { data: [null], metadata: {} }) : script(request, number);
			},
		);
		expect(upTo(100).filter((n) => rows[n - 1]?.failure)).toEqual([37]);
		expect(sent.length).toBeLessThan(25);
	});

	it('ask by themselves where text may match that is not the same', async () => {
		const titled = (value: string) => ({
			parameters: {
				returnAll: true,
				filters: { conditions: [{ column: 'title', operator: 'eq', value }] },
			},
		});
		const all = ['Ticket 1', 'ticket 2', 'TICKET 3', 'Ticket 4', 'nothing'];
		const counts = async (personality: Partial<Personality>) =>
			(await run(search, all.map(titled), serving(50, personality))).rows.map(
				({ items }) => items.length,
			);
		expect(await counts({})).toEqual([1, 0, 0, 1, 0]);
		expect(await counts({ passesOverCase: 'all' })).toEqual([1, 1, 1, 1, 0]);
		expect(await counts({ passesOverCase: 'eq' })).toEqual([1, 1, 1, 1, 0]);
	});
});

it('has one limit on requests for all rows together', async () => {
	for (const more of [{}, { sort: { rules: [{ column: 'title', direction: 'asc' }] } }]) {
		let [underWay, most] = [0, 0];
		const script = serving(400);
		const { runtime, context } = fakeRuntime(script, { latency: 10 });
		const client = createClient({
			...runtime,
			send: async (request) => {
				underWay += 1;
				most = Math.max(most, underWay);
				const response = await runtime.send(request);
				underWay -= 1;
				return response;
			},
		});
		const rows = upTo(6).map((n) => ({
			parameters: {
				returnAll: true,
				filters: { conditions: [{ column: 'ticketNumber', operator: 'gte', numberValue: n + 1 }] },
				options: { parallelRequests: 3, pageSize: 50 },
				...more,
			},
		}));
		const run6 = await runRows(search, rows, { ...context(), client });
		expect(run6.rows.map(({ items }) => items.length)).toEqual(upTo(6).map((n) => 400 - n));
		expect(most).toBe(3);
	}
});

describe('tickets that are read by number and ID', () => {
	const wanted = upTo(1_000).map((n) => ({
		parameters: { ticketId: n % 3 === 0 ? uuidOf(n) : String(n) },
	}));

	it('share requests, and those that are missing fail each by itself', async () => {
		const { sent, rows } = await run(get as typeof search, wanted, serving(995));
		expect(sent.length).toBeLessThanOrEqual(14);
		expect(rows.map(({ items }) => items[0]?.['ticketNumber'])).toEqual(
			upTo(1_000).map((n) => (n <= 995 ? n : undefined)),
		);
		expect(rows.slice(995).map(({ failure }) => failure?.kind)).toEqual(
			upTo(5).map(() => 'notFound'),
		);
	});

	it('are never others than those that were asked for', async () => {
		for (const rows of [wanted.slice(0, 40), wanted.slice(0, 1)]) {
			const result = await run(get as typeof search, rows, serving(300, { ignores: 'filters' }));
			expect(new Set(result.rows.map(({ failure }) => failure?.kind))).toEqual(
				new Set(['contract']),
			);
			expect(result.rows[0]?.failure).toMatchObject({
				message: expect.stringContaining('ignores the filter on Ticket Number'),
			});
		}
	});
});
