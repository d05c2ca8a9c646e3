import type { ReadSettings } from '../../../../src/tickets/search/answerAll';
import { answerAll } from '../../../../src/tickets/search/answerAll';
import type { Question } from '../../../../src/tickets/search/lookups';
import type { Query } from '../../../../src/tickets/search/query';
import { search } from '../../../../src/tickets/search/search';
import { get } from '../../../../src/tickets/search/get';
import type { Script } from '../../../support/fakeRuntime';
import { fakeRuntime, reply } from '../../../support/fakeRuntime';
import { runRows } from '../../../support/runRows';
import { listOf, members, uuidOf } from '../../../support/samples';
import { page, pageOf, pagination, ticket, upTo } from '../../../support/tickets';
import type { World } from '../../../support/world';
import { friendly, kept, WorldService } from '../../../support/world';

/** A service with the tickets 1 to `count`; a thousand customers have them in turn. */
const serving = (count: number, is: Partial<World> = {}): Script => {
	const tickets = upTo(count).map((n) =>
		kept(n, {
			id: uuidOf(n),
			title: `Ticket ${n}`,
			createdAt: (Date.UTC(2026, 0, 1) + (((n - 1) * 7919) % 10_007) * 1_000) * 1_000,
			customerId: uuidOf(1 + ((n - 1) % 1_000)),
		}),
	);
	const service = new WorldService(tickets, { ...friendly, ...is });
	return ({ body }) => service.answer(body);
};

const ofCustomer = (n: number, more: object = {}) => ({
	parameters: {
		returnAll: true,
		filters: { conditions: [{ column: 'customerId', operator: 'eq', value: uuidOf(n) }] },
		...more,
	},
});

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
			upTo(30).map((n) => [n + 1, n]),
		);
		expect(sent.length).toBeLessThan(30);
	});

	it('are named where they found nothing', async () => {
		const { summary } = await run(
			search,
			[ofCustomer(1), ofCustomer(5_000), ofCustomer(2), ofCustomer(5_001)],
			serving(1_000),
		);
		// What stands behind the last value that found something is asked for once more.
		expect(summary).toBe('4 rows, 2 requests: 2 tickets. Rows 2 and 4 found no tickets');
	});

	it('go in halves where the service refuses a list, and no longer list is tried again', async () => {
		for (const longList of [400, 413] as const) {
			const { sent, rows } = await run(
				search,
				upTo(400).map((n) => ofCustomer(n)),
				serving(1_000, { listCap: 25, longList }),
				5,
			);
			expect(rows.map(({ items }) => items.length)).toEqual(upTo(400).map(() => 1));
			const lengths = sent.map(({ body }) => listIn(body).length);
			expect(Math.max(...lengths.slice(8))).toBeLessThanOrEqual(25);
			expect(sent.length).toBeLessThanOrEqual(16 + 12);
		}
	});

	it('get their tickets where a list fails and each of them works alone', async () => {
		const script = serving(1_000);
		const { rows } = await run(
			search,
			upTo(250).map((n) => ofCustomer(n)),
			(sent, number) =>
				listIn(sent.body).includes(uuidOf(150)) ? reply(503) : script(sent, number),
		);
		expect(upTo(250).filter((n) => rows[n - 1]?.failure)).toEqual([]);
		expect(rows.map(({ items }) => items.length)).toEqual(upTo(250).map(() => 1));
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
		const counts = async (is: Partial<World>) =>
			(await run(search, all.map(titled), serving(50, is))).rows.map(({ items }) => items.length);
		expect(await counts({})).toEqual([1, 0, 0, 1, 0]);
		for (const exact of ['none', 'lists'] as const)
			expect(await counts({ collation: 'ignoresCase', exact })).toEqual([1, 1, 1, 1, 0]);
	});
});

it('has one limit on requests for all rows together', async () => {
	for (const more of [{}, { sort: { rules: [{ column: 'title', direction: 'asc' }] } }]) {
		const { context, maxInProgress } = fakeRuntime(serving(400), { latency: 10 });
		const rows = upTo(6).map((n) => ({
			parameters: {
				returnAll: true,
				filters: { conditions: [{ column: 'ticketNumber', operator: 'gte', numberValue: n + 1 }] },
				options: { parallelRequests: 3, pageSize: 50 },
				...more,
			},
		}));
		const run6 = await runRows(search, rows, context());
		expect(run6.rows.map(({ items }) => items.length)).toEqual(upTo(6).map((n) => 400 - n));
		expect(maxInProgress()).toBe(3);
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
			const result = await run(get as typeof search, rows, serving(300, { ignores: ['filters'] }));
			expect(new Set(result.rows.map(({ failure }) => failure?.kind))).toEqual(
				new Set(['contract']),
			);
			expect(result.rows[0]?.failure).toMatchObject({
				message: expect.stringContaining('ignores the filter on Ticket Number'),
			});
		}
	});
});

describe('the questions of a run', () => {
	const asking = (filters: Query['filters'], more: Partial<Query> & { limit?: number } = {}) => {
		const { limit, ...query } = more;
		const question: Question = {
			query: { filters, sort: [], select: [], ...query },
			...(limit !== undefined && { limit }),
		};
		return question;
	};
	const customer = (eq: string, more: Parameters<typeof asking>[1] = {}) =>
		asking({ customerId: { eq } }, more);
	/** Questions about so many customers, with other filters. */
	const group = (count: number, source: string) =>
		upTo(count).map((n) => asking({ customerId: { eq: `${source}${n}` }, source: { ne: source } }));
	const byTitle: Query['sort'] = [{ column: 'title', direction: 'asc' }];

	/** What a request asks for: one value, or the length of a list. */
	const asks = (body: unknown) => {
		const operands = members(members(members(body)['filters'])['customerId']);
		return operands['eq'] ?? listOf(operands, 'in').length;
	};
	/** Refuses lists that are longer, and has one ticket of each customer. */
	const upToLength =
		(most: number, status = 413): Script =>
		({ body }) => {
			const { eq, in: list } = members(members(members(body)['filters'])['customerId']);
			const wanted = Array.isArray(list) ? (list as readonly unknown[]) : [eq];
			if (wanted.length > most) return reply(status);
			return page(wanted.map((customerId, i) => ticket(i + 1, { customerId, title: 'x' })));
		};

	async function answer(
		questions: readonly Question[],
		script: Script,
		{ latency = 0, ...more }: Partial<ReadSettings> & { latency?: number } = {},
	) {
		const { sent, context, runtime } = fakeRuntime(script, { latency });
		const startMs = runtime.now();
		const settings: ReadSettings = {
			offset: 0,
			pageSize: 100,
			parallelRequests: 20,
			timeoutMs: 1_000,
			...more,
		};
		const { answers, requests } = await answerAll(questions, settings, context().client);
		expect(requests).toBe(sent.length);
		return {
			answers: questions.map((question) => answers.get(question)),
			asked: sent.map(({ body }) => asks(body)),
			bodies: sent.map(({ body }) => members(body)),
			times: sent.map(({ at }) => at - startMs),
			tookMs: runtime.now() - startMs,
		};
	}

	it('may be none', async () => {
		expect(await answer([], upToLength(9))).toMatchObject({ answers: [], asked: [] });
	});

	it('are asked alone behind an offset', async () => {
		const questions = ['a', 'b'].map((eq) => customer(eq, { limit: 3 }));
		expect((await answer(questions, () => page([]))).asked).toEqual([2, 0]);
		const { bodies } = await answer(questions, () => page([]), { offset: 1 });
		expect(bodies.filter(({ filters }) => asks({ filters }) === 'a')[0]).toEqual({
			filters: { customerId: { eq: 'a' } },
			pagination: { limit: 5, offset: 1 },
			sort: [
				{ field: 'ticketNumber', direction: 'desc' },
				{ field: 'id', direction: 'desc' },
			],
		});
		expect(bodies.map((body) => asks(body))).not.toContain(2);
	});

	it('get the selected columns only', async () => {
		const questions = ['a', 'b'].map((eq) => customer(eq, { select: ['title'] }));
		const { answers, asked } = await answer(questions, upToLength(9));
		expect(answers).toEqual([{ rows: [{ title: 'x' }] }, { rows: [{ title: 'x' }] }]);
		expect(asked).toEqual([2]);
	});

	it('begin with those that share, and wait for their first page only', async () => {
		const rows = upTo(30).map((n) => ticket(n, { customerId: n % 2 ? 'a' : 'b', title: 'x' }));
		const { asked, times } = await answer(
			[
				asking({ isShared: { eq: true } }, { sort: byTitle }),
				customer('a', { sort: byTitle }),
				customer('b', { sort: byTitle }),
				asking({ isShared: { eq: false } }, { sort: byTitle }),
			],
			({ body }) => (asks(body) === 2 ? page(...pageOf(rows, body)) : page([])),
			{ pageSize: 5, latency: 10 },
		);
		expect(asked[0]).toBe(2);
		const others = times.filter((_, i) => asked[i] === 0);
		expect(others).toEqual([10, 10]);
		expect(times.at(-1)).toBeGreaterThan(10);
	});

	it('share what may be in progress, so none asks ahead for what another could have', async () => {
		const rows = upTo(30).map((n) => ticket(n, { title: 'x' }));
		const questions = [1, 2, 3].map((gte) => asking({ ticketNumber: { gte } }, { sort: byTitle }));
		const { bodies, times } = await answer(
			questions,
			({ body }) => page(...pageOf(rows.slice(3), body)),
			{ pageSize: 10, parallelRequests: 3, latency: 10 },
		);
		expect(bodies.map((body) => pagination(body).offset)).toEqual([0, 0, 0, 9, 9, 9, 18, 18, 18]);
		expect(times.at(-1)).toBe(30);
	});

	it('leave what they had to those that go on', async () => {
		const rows = upTo(400).map((n) => ticket(n, { title: 'x' }));
		const { bodies, tookMs } = await answer(
			[1, 2, 3, 4].map((gte) => asking({ ticketNumber: { gte } }, { sort: byTitle })),
			({ body }) => {
				const { gte } = members(members(members(body)['filters'])['ticketNumber']);
				return page(...pageOf(gte === 1 ? rows : rows.slice(0, 3), body));
			},
			{ pageSize: 10, parallelRequests: 4, latency: 10 },
		);
		expect(bodies.length).toBeGreaterThan(44);
		expect(tookMs).toBeLessThan(44 * 10 * 0.5);
	});

	it.each([400, 413, 414, 422])('go in halves where a list is refused with %s', async (status) => {
		const { answers, asked } = await answer(group(8, 'a'), upToLength(3, status));
		const again = [400, 422].includes(status) ? [8] : [];
		expect(asked).toEqual([8, ...again, 'a1', 4, 'a2', 2, 'a5', 2, 'a8']);
		expect(answers.map((one) => one?.rows.map((row) => row['customerId']))).toEqual(
			upTo(8).map((n) => [`a${n}`]),
		);
	});

	it('go in halves where what came for a list is broken', async () => {
		const { answers, asked } = await answer(group(4, 'a'), (sent, number) =>
			number === 1 ? reply(200, 'broken') : upToLength(9)(sent, number),
		);
		expect(asked).toEqual([4, 'a1', 2, 'a4']);
		expect(answers.map((one) => one?.rows.length)).toEqual([1, 1, 1, 1]);
	});

	it.each([401, 404])('fail together where they are refused with %s', async (status) => {
		const { answers, asked } = await answer(group(4, 'a'), () => reply(status));
		expect(asked).toEqual([4]);
		expect(answers).toMatchObject(
			upTo(4).map(() => ({ rows: [], failure: { status }, position: { offset: 0 } })),
		);
	});

	it('have no list that is longer than half of one that was refused', async () => {
		expect((await answer(group(5, 'a'), upToLength(4))).asked).toEqual([5, 'a1', 2, 2]);
	});

	it('have lists as long as one that was taken', async () => {
		const questions = [...group(3, 'a'), ...group(5, 'b')];
		expect((await answer(questions, upToLength(3))).asked).toEqual([3, 5, 'b1', 2, 2]);
	});

	it('have no longer lists where a longer one is refused later', async () => {
		const questions = [...group(2, 'a'), ...group(8, 'b'), ...group(20, 'c')];
		const { asked } = await answer(questions, upToLength(4), { latency: 10 });
		expect(asked.slice(0, 3)).toEqual([2, 8, 20]);
		const lists = asked.slice(3).filter((one) => typeof one === 'number');
		expect(Math.max(...lists)).toBe(10);
		expect(lists.filter((length) => length > 4)).toHaveLength(2);
	});

	it('know a number however it is written', async () => {
		const questions = [7, 8].map((eq) => asking({ ticketNumber: { eq } }));
		const rows = [' 7', '008'].map((ticketNumber, i) => ({ id: `t${i}`, ticketNumber }));
		const { answers, bodies } = await answer(questions, () => page(rows));
		expect(answers).toEqual(rows.map((row) => ({ rows: [row] })));
		expect(bodies).toHaveLength(1);
	});

	it('are asked alone where tickets do not show what they were asked for by', async () => {
		const { answers, asked } = await answer(
			['a', 'b'].map((eq) => customer(eq)),
			() => page([ticket(1)]),
		);
		expect(asked).toEqual([2, 'a', 'b']);
		expect(answers.map((one) => one?.rows)).toEqual([[ticket(1)], [ticket(1)]]);
	});

	it('show once whether a service refuses some filters or any search', async () => {
		const questions = ['a', 'b', 'c'].map((eq) => asking({ title: { eq } }));
		const titleIn = ({ filters }: Readonly<Record<string, unknown>>) =>
			members(members(filters)['title'])['eq'];
		const refuse = () => reply(400, { message: 'Unknown filter' });
		const some = await answer(questions, ({ body }) =>
			titleIn(members(body)) === undefined ? page([]) : refuse(),
		);
		expect(some.bodies.map(titleIn).slice(0, 2)).toEqual(['a', undefined]);
		expect(some.bodies[1]).toMatchObject({ pagination: { limit: 1, offset: 0 } });
		expect(some.bodies.filter((body) => titleIn(body) === undefined)).toHaveLength(1);
		const all = await answer(questions, refuse);
		expect(all.bodies.map(titleIn)).toEqual(['a', undefined, undefined]);
		expect(all.bodies[2]).toEqual({ pagination: { limit: 1, offset: 0 } });
		expect(all.answers).toMatchObject(questions.map(() => ({ failure: { status: 400 } })));
	});

	/** Searches by title, which of them were sent, and which failed. */
	async function titles(count: number, script: Script) {
		const { sent, context } = fakeRuntime(script);
		const questions = upTo(count).map((n) => asking({ title: { eq: `${n}` } }));
		const settings = { offset: 0, pageSize: 100, parallelRequests: 20, timeoutMs: 1_000 };
		const { answers } = await answerAll(questions, settings, context().client);
		const asked = sent.map(({ body }) => members(members(members(body)['filters'])['title'])['eq']);
		const failed = questions.filter((one) => answers.get(one)?.failure);
		return {
			asked: [...new Set(asked)].map(Number),
			failed: failed.map((one) => 1 + questions.indexOf(one)),
		};
	}

	it.each([
		['three searches', 503, upTo(3)],
		['one search', 401, [1]],
	])('are not sent to a service after %s that ended in %s', async (_, status, sent) => {
		const { asked, failed } = await titles(6, () => reply(status));
		expect(asked).toEqual(sent);
		expect(failed).toEqual(upTo(6));
	});

	it('are sent on where no three outages come in a row', async () => {
		const { asked, failed } = await titles(6, ({ body }) =>
			/"eq":"[1245]"/.test(JSON.stringify(body)) ? reply(503) : page([]),
		);
		expect(asked).toEqual(upTo(6));
		expect(failed).toEqual([1, 2, 4, 5]);
	});

	it('keep what came before a failure', async () => {
		const rows = ['a', 'a', 'b'].map((customerId, i) => ticket(9 - i, { customerId }));
		const { answers } = await answer(
			['a', 'b'].map((eq) => customer(eq, { limit: 2 })),
			(_, number) => (number === 1 ? page(rows, true) : reply(404)),
			{ pageSize: 3 },
		);
		expect(answers).toMatchObject([
			{ rows: rows.slice(0, 2) },
			{ rows: [], failure: { kind: 'api', status: 404 }, position: { offset: 0 } },
		]);
		expect(answers[0]).not.toHaveProperty('failure');
	});
});
