import { createClient } from '../../../src/core/client';
import type { Answer, Request } from '../../../src/core/request';
import { sample } from '../../../src/tickets/watch/newest';
import { poll } from '../../../src/tickets/watch/poll';
import type { PollPost } from '../../../src/tickets/watch/poll';
import { reply } from '../../support/fakeWorld';
import { listOf, members } from '../../support/samples';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const NOON = Date.UTC(2026, 0, 15, 12);
const at = (minute: number): string => new Date(NOON + minute * MINUTE).toISOString();

type Row = Readonly<Record<string, unknown>>;
const ticket = (n: number, minute: number): Row => ({
	id: `t${n}`,
	ticketNumber: n,
	title: `Ticket ${n}`,
	updatedAt: at(minute),
});
const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1);

const page = (data: readonly unknown[], hasNextPage = false): Answer =>
	reply(200, { data, metadata: { hasNextPage } });

type Value = string | number;

/** The rows that a search asks for, in its order, a page of them. */
function found(rows: readonly Row[], body: unknown): Answer {
	const filters = Object.entries(members(members(body)['filters']));
	const matching = rows.filter((row) =>
		filters.every(([column, operands]) => {
			const value = row[column] as Value;
			const { gte, lte, lt, notIn } = members(operands);
			return (
				(gte === undefined || value >= (gte as Value)) &&
				(lte === undefined || value <= (lte as Value)) &&
				(lt === undefined || value < (lt as Value)) &&
				!(Array.isArray(notIn) && notIn.includes(value))
			);
		}),
	);
	const rules = listOf(body, 'sort').map(members);
	matching.sort((a, b) => {
		for (const rule of rules) {
			const column = String(rule['field'] ?? rule['column']);
			const [left, right] = [a[column] as Value, b[column] as Value];
			if (left !== right) return (left < right ? -1 : 1) * (rule['direction'] === 'desc' ? -1 : 1);
		}
		return 0;
	});
	const limit = Number(members(members(body)['pagination'])['limit']);
	return page(matching.slice(0, limit), matching.length > limit);
}

/** A trigger and the service it asks; `answer` may stand in for the service, `latency` is in ms. */
class Trigger {
	rows: Row[] = [];

	readonly sent: Request[] = [];

	state: unknown;

	clock = NOON + 60 * MINUTE;

	latency = 0;

	budget = 60 * MINUTE;

	answer: (body: unknown, number: number) => Answer | undefined = () => undefined;

	private readonly parameters: object;

	constructor(parameters: object = {}) {
		this.parameters = { event: 'ticketUpdated', ...parameters };
	}

	readonly poll = async () => await poll(this.parameters, this.post());

	readonly sample = async () => await sample(this.parameters, this.post());

	/** The numbers of the tickets that a poll hands out. */
	readonly numbers = async (): Promise<unknown> => {
		const result = await this.poll();
		return result.ok ? result.value.map((row) => row['ticketNumber']) : result.failure;
	};

	get bodies(): Row[] {
		return this.sent.map(({ body }) => members(body));
	}

	private post(): PollPost {
		const client = createClient({
			send: async (request) => {
				await Promise.resolve();
				const body: unknown = JSON.parse(JSON.stringify(request.body));
				this.sent.push({ ...request, body });
				this.clock += this.latency;
				return this.answer(body, this.sent.length) ?? found(this.rows, body);
			},
			sleep: async (ms) => {
				this.clock += ms;
				await Promise.resolve();
			},
			random: () => 0.5,
			now: () => this.clock,
			stopped: () => false,
		});
		return {
			client,
			zone: 'UTC',
			now: () => this.clock,
			budget: this.budget,
			load: () => this.state,
			save: (state) => {
				this.state = JSON.parse(JSON.stringify(state));
			},
		};
	}
}

/** A trigger that was activated among these tickets. */
async function active(rows: readonly Row[], parameters: object = {}): Promise<Trigger> {
	const trigger = new Trigger(parameters);
	trigger.rows.push(...rows);
	expect(await trigger.numbers()).toEqual([]);
	trigger.sent.length = 0;
	return trigger;
}

describe('the first poll', () => {
	it('begins at the newest change by the clock of the service, and hands out nothing old', async () => {
		const trigger = new Trigger();
		trigger.rows.push(ticket(1, 0), ticket(2, 7), ticket(3, 9));
		expect(await trigger.poll()).toEqual({ ok: true, value: [] });
		expect(trigger.state).toEqual({
			column: 'updatedAt',
			cursor: Date.parse(at(9)),
			floor: Date.parse(at(4)),
			seen: expect.anything() as unknown,
			spelling: { sort: 'field', select: 'object' },
		});
		expect(Object.values(members(trigger.state)['seen'] as object)).toEqual([
			Date.parse(at(7)),
			Date.parse(at(9)),
		]);
	});

	it('asks for one ticket of all, then for those in the overlap, with no more columns than it needs', async () => {
		const trigger = new Trigger({
			filterMode: 'json',
			filtersJson: { priority: { eq: 'urgent' } },
		});
		trigger.rows.push(ticket(1, 0));
		await trigger.poll();
		expect(trigger.bodies).toEqual([
			{
				filters: { updatedAt: { isNotNull: true } },
				pagination: { limit: 1, offset: 0 },
				sort: [{ field: 'updatedAt', direction: 'desc' }],
				select: { id: true, updatedAt: true },
			},
			{
				filters: { priority: { eq: 'urgent' }, updatedAt: { gte: at(-5) } },
				pagination: { limit: 100, offset: 0 },
				sort: [
					{ field: 'updatedAt', direction: 'asc' },
					{ field: 'ticketNumber', direction: 'asc' },
					{ field: 'id', direction: 'asc' },
				],
				select: { id: true, ticketNumber: true, updatedAt: true },
			},
		]);
	});

	it('begins where time begins when there are no tickets yet', async () => {
		const trigger = await active([]);
		expect(trigger.state).toMatchObject({ cursor: 0, floor: 0, seen: {} });
		trigger.rows.push(ticket(1, -9_999));
		expect(await trigger.numbers()).toEqual([1]);
	});

	it('begins now where the newest ticket is dated in the future, so that it hides none before it', async () => {
		const trigger = await active([ticket(1, 600)]);
		expect(trigger.state).toMatchObject({ cursor: NOON + 60 * MINUTE });
		trigger.rows.push(ticket(2, 60));
		expect(await trigger.numbers()).toEqual([2]);
	});

	it('begins where time begins where the newest ticket shows no time', async () => {
		const trigger = new Trigger();
		trigger.rows.push(ticket(1, 0));
		trigger.answer = (_, number) => (number === 1 ? page([{ id: 't1' }]) : undefined);
		expect(await trigger.numbers()).toEqual([]);
		expect(trigger.state).toMatchObject({ cursor: Date.parse(at(0)), floor: Date.parse(at(-5)) });
		expect(await trigger.numbers()).toEqual([]);
	});

	it('notes all that matches, however many pages that takes', async () => {
		const trigger = await active(upTo(250).map((n) => ticket(n, n / 100)));
		expect(await trigger.numbers()).toEqual([]);
	});

	it.each([1, 2])('fails with its request %i, and begins anew', async (failing) => {
		const trigger = new Trigger();
		trigger.rows.push(ticket(1, 0));
		trigger.answer = (_, number) => (number === failing ? reply(403) : undefined);
		expect(await trigger.numbers()).toMatchObject({ kind: 'api', status: 403 });
		expect(trigger.state).toBeUndefined();
	});
});

describe('a poll', () => {
	it('hands out each change once, in the order of their times', async () => {
		const trigger = await active([ticket(1, 0)]);
		trigger.rows.push(ticket(3, 3), ticket(2, 1));
		expect(await trigger.numbers()).toEqual([2, 3]);
		expect(await trigger.numbers()).toEqual([]);
		trigger.rows[0] = ticket(1, 4);
		expect(await trigger.numbers()).toEqual([1]);
	});

	it('looks back by the overlap, and no further', async () => {
		const trigger = await active([ticket(1, 30)], { options: { overlap: 10 } });
		trigger.rows.push(ticket(2, 19), ticket(3, 20));
		expect(await trigger.numbers()).toEqual([3]);
		expect(trigger.bodies[0]).toMatchObject({ filters: { updatedAt: { gte: at(20) } } });
	});

	it('does not look back behind its floor when the overlap was made longer', async () => {
		const trigger = await active([ticket(1, 30)]);
		const longer = new Trigger({ options: { overlap: 20 } });
		longer.state = trigger.state;
		await longer.poll();
		expect(longer.bodies[0]).toMatchObject({ filters: { updatedAt: { gte: at(25) } } });
	});

	it.each([
		['of another event', { column: 'createdAt', cursor: NOON, floor: NOON, seen: {} }],
		['that is broken', { column: 'updatedAt', cursor: 'x' }],
		['that is none', undefined],
	])('begins anew with a state %s', async (_, state) => {
		const trigger = new Trigger();
		trigger.rows.push(ticket(1, 5));
		trigger.state = state;
		expect(await trigger.numbers()).toEqual([]);
		expect(trigger.state).toMatchObject({ column: 'updatedAt', cursor: Date.parse(at(5)) });
	});

	it('hands out no more than it may, and reads no more pages for it', async () => {
		const trigger = await active([ticket(0, 0)], { options: { maximumTickets: 99 } });
		trigger.rows.push(...upTo(350).map((n) => ticket(n, 1 + n / 100)));
		expect(await trigger.numbers()).toEqual(upTo(99));
		expect(trigger.sent).toHaveLength(1);
		expect(await trigger.numbers()).toEqual(upTo(198).slice(99));
	});

	it('hands out nothing that another one handed out meanwhile', async () => {
		const trigger = await active([ticket(0, 0)]);
		trigger.rows.push(...upTo(150).map((n) => ticket(n, 1 + n / 100)));
		const both = await Promise.all([trigger.numbers(), trigger.numbers()]);
		expect(both).toEqual([upTo(150), []]);
	});

	it('reads all tickets of one moment, though they fill more than a page', async () => {
		const trigger = await active([ticket(0, 0)]);
		trigger.rows.push(...upTo(250).map((n) => ticket(n, 1)), ticket(251, 2));
		expect(await trigger.numbers()).toEqual(upTo(251));
	});

	it('does not go on behind a moment that it could not read to its end', async () => {
		const trigger = await active([ticket(0, 0)]);
		trigger.rows.push(...upTo(150).map((n) => ticket(n, 9)), ticket(151, 30));
		trigger.answer = (body) =>
			members(listOf(body, 'sort')[0])['field'] === 'ticketNumber' ? reply(403) : undefined;
		expect(await trigger.numbers()).toEqual(upTo(100));
		trigger.answer = () => undefined;
		expect(await trigger.numbers()).toEqual(upTo(151).slice(100));
	});

	it('reads by number where the service does not sort by time', async () => {
		const trigger = await active([ticket(0, 0)]);
		trigger.answer = (body) =>
			members(listOf(body, 'sort')[0])['field'] === 'updatedAt'
				? page([ticket(2, 9), ticket(1, 8)], true)
				: page([ticket(1, 8), ticket(2, 9), ticket(3, 7)]);
		expect(await trigger.numbers()).toEqual([3, 1, 2]);
	});

	it('says why it can read in no way', async () => {
		const trigger = await active([ticket(0, 0)]);
		trigger.answer = (body) =>
			members(listOf(body, 'sort')[0])['field'] === 'updatedAt'
				? page([ticket(2, 9), ticket(1, 8)])
				: reply(400, { message: 'no' });
		expect(await trigger.numbers()).toEqual({
			kind: 'contract',
			call: 'POST /tickets/search',
			status: 200,
			message:
				'Tickets could neither be read in the order of their times nor by number: the service refused it',
		});
	});

	it('hands out nothing where the reading by number fails midway, and moves nothing', async () => {
		const trigger = await active([ticket(0, 0)]);
		const before = trigger.state;
		trigger.answer = (body) => {
			const { field, direction } = members(listOf(body, 'sort')[0]);
			if (field === 'updatedAt') return page([ticket(2, 9), ticket(1, 8)], true);
			return direction === 'asc' ? page([ticket(1, 8)], true) : reply(403);
		};
		expect(await trigger.numbers()).toMatchObject({ kind: 'api', status: 403 });
		expect(trigger.state).toEqual(before);
	});

	const incomplete = {
		kind: 'contract',
		call: 'POST /tickets/search',
		status: 200,
		message: 'A ticket came without its ID or without a time in updatedAt',
	};

	it('fails at a ticket without its ID or its time', async () => {
		const trigger = await active([ticket(0, 0)]);
		trigger.answer = () => page([ticket(1, 1), { ticketNumber: 2, updatedAt: at(2) }]);
		expect(await trigger.numbers()).toEqual(incomplete);
		trigger.answer = (body) =>
			members(listOf(body, 'sort')[0])['field'] === 'updatedAt'
				? page([ticket(2, 9), ticket(1, 8)])
				: page([{ id: 'x', ticketNumber: 2 }]);
		expect(await trigger.numbers()).toEqual(incomplete);
	});

	it('ends at a page without tickets, whatever it says about a next one', async () => {
		const trigger = await active([ticket(0, 0)]);
		trigger.answer = () => page([], true);
		expect(await trigger.numbers()).toEqual([]);
		expect(trigger.sent).toHaveLength(1);
	});

	it('hands out what it read before a failure, and the rest with the next poll', async () => {
		const trigger = await active([ticket(0, 0)]);
		trigger.rows.push(...upTo(150).map((n) => ticket(n, n)));
		trigger.clock = NOON + 600 * MINUTE;
		trigger.answer = (_, number) => (number === 2 ? reply(403) : undefined);
		expect(await trigger.numbers()).toEqual(upTo(99));
		expect(await trigger.numbers()).toEqual(upTo(150).slice(99));
	});

	it('fails where it read nothing new, and moves nothing', async () => {
		const trigger = await active([ticket(1, 0)]);
		const before = trigger.state;
		trigger.answer = () => reply(403);
		expect(await trigger.numbers()).toMatchObject({ kind: 'api', status: 403 });
		expect(trigger.state).toEqual(before);
	});

	it('keeps the filters of the user, also those on the time itself', async () => {
		const filtersJson = { priority: { eq: 'urgent' }, updatedAt: { gte: at(3), lte: at(9) } };
		const trigger = await active([], { filterMode: 'json', filtersJson });
		await trigger.poll();
		expect(trigger.bodies[0]?.['filters']).toEqual(filtersJson);
		expect((await trigger.sample()).ok).toBe(true);
		expect(trigger.bodies[1]?.['filters']).toEqual({
			...filtersJson,
			updatedAt: { isNotNull: true, ...filtersJson.updatedAt },
		});
	});

	it('reads a moment that fills a page within the filters of the user', async () => {
		const filtersJson = { updatedAt: { lte: at(1) } };
		const trigger = await active([ticket(0, 0)], { filterMode: 'json', filtersJson });
		trigger.rows.push(...upTo(150).map((n) => ticket(n, 1)), ticket(151, 2));
		expect(await trigger.numbers()).toEqual(upTo(150));
		for (const { filters } of trigger.bodies)
			expect(filters).toMatchObject({ updatedAt: { lte: at(1) } });
	});
});

describe('the time of a poll', () => {
	/** Polls until nothing comes any more; how many pages each poll read, and what came out of all of them. */
	async function pollAll(trigger: Trigger): Promise<{ pages: number[]; numbers: unknown[] }> {
		const [pages, numbers]: [number[], unknown[]] = [[], []];
		for (let polls = 0; polls < 20; polls++) {
			trigger.sent.length = 0;
			const came = await trigger.numbers();
			pages.push(trigger.sent.length);
			if (!Array.isArray(came) || came.length === 0) break;
			numbers.push(...(came as unknown[]));
		}
		return { pages, numbers };
	}

	it('ends the reading, and the next poll goes on', async () => {
		const trigger = await active([ticket(0, 0)]);
		trigger.rows.push(...upTo(350).map((n) => ticket(n, 10 * n)));
		trigger.clock = NOON + 9_999 * MINUTE;
		trigger.latency = 2 * SECOND;
		trigger.budget = MINUTE + 3 * SECOND;
		const { pages, numbers } = await pollAll(trigger);
		expect(pages.slice(0, 2)).toEqual([2, 2]);
		expect(numbers).toEqual(upTo(350));
	});

	it('does not end it among what is known already, or nothing new would ever come out', async () => {
		const trigger = await active([ticket(0, 0)]);
		trigger.rows.push(...upTo(350).map((n) => ticket(n, 1 + n / 100)));
		trigger.budget = 0;
		const { pages, numbers } = await pollAll(trigger);
		expect(pages.slice(0, 2)).toEqual([1, 2]);
		expect(numbers).toEqual(upTo(350));
	});

	it('leaves a request that begins at the last moment its own time', async () => {
		const trigger = await active([], { options: { timeout: 20 } });
		trigger.budget = 50 * SECOND;
		const start = trigger.clock;
		await trigger.poll();
		expect(trigger.sent[0]).toMatchObject({ timeout: 20 * SECOND, until: start + 30 * SECOND });
	});

	it('gives a request 60 seconds where nothing else is said', async () => {
		const trigger = await active([]);
		await trigger.poll();
		expect(trigger.sent[0]).toMatchObject({ timeout: MINUTE });
	});
});

describe('the columns', () => {
	it('are all where none are chosen', async () => {
		const trigger = await active([]);
		trigger.rows.push(ticket(1, 0));
		expect(await trigger.poll()).toEqual({ ok: true, value: [ticket(1, 0)] });
		expect(trigger.bodies[0]).not.toHaveProperty('select');
	});

	it('are asked for with those that a watch needs, and come without them', async () => {
		const trigger = await active([], { options: { columns: ['title', 'id'] } });
		trigger.rows.push(ticket(1, 0));
		const shown = { ok: true, value: [{ title: 'Ticket 1', id: 't1' }] };
		expect(await trigger.poll()).toEqual(shown);
		expect(await trigger.sample()).toEqual(shown);
		for (const { select } of trigger.bodies)
			expect(select).toEqual({ title: true, id: true, ticketNumber: true, updatedAt: true });
	});
});

describe('the spelling', () => {
	const columnsOnly = (rows: readonly Row[]) => (body: unknown) =>
		'column' in members(listOf(body, 'sort')[0])
			? found(rows, body)
			: reply(400, { message: 'sort is wrong' });

	it('is found out once, and kept for the next polls', async () => {
		const trigger = new Trigger();
		trigger.answer = columnsOnly(trigger.rows);
		expect(await trigger.numbers()).toEqual([]);
		expect(trigger.sent).toHaveLength(3);
		expect(await trigger.numbers()).toEqual([]);
		expect(trigger.sent).toHaveLength(4);
		expect(trigger.state).toMatchObject({ spelling: { sort: 'column', select: 'object' } });
	});

	it.each([
		['formal', 'field', { sort: 'column', select: 'list' }],
		['narrative', 'column', { sort: 'field', select: 'object' }],
	] as const)(
		'is kept where it is fixed to %s, whatever was found out',
		async (spelling, key, other) => {
			const trigger = await active([], { options: { spelling } });
			trigger.state = { ...members(trigger.state), spelling: other };
			trigger.answer = () => reply(400, { message: 'sort is wrong' });
			expect(await trigger.numbers()).toMatchObject({ kind: 'api', status: 400 });
			expect(trigger.sent).toHaveLength(1);
			expect(listOf(trigger.bodies[0], 'sort')[0]).toHaveProperty(key, 'updatedAt');
		},
	);
});

describe('a manual test', () => {
	it('shows the newest ten tickets that have the time, and keeps no state', async () => {
		const trigger = new Trigger();
		trigger.rows.push(...upTo(12).map((n) => ticket(n, n)));
		const shown = await trigger.sample();
		expect(shown.ok && shown.value).toEqual(
			[12, 11, 10, 9, 8, 7, 6, 5, 4, 3].map((n) => ticket(n, n)),
		);
		expect(trigger.bodies).toEqual([
			{
				filters: { updatedAt: { isNotNull: true } },
				pagination: { limit: 10, offset: 0 },
				sort: [{ field: 'updatedAt', direction: 'desc' }],
			},
		]);
		expect(trigger.state).toBeUndefined();
	});

	it('hands on what went wrong', async () => {
		const trigger = new Trigger();
		trigger.answer = () => reply(403);
		expect(await trigger.sample()).toMatchObject({ ok: false, failure: { status: 403 } });
	});
});

it.each<[object, string, string]>([
	[{ event: 'ticketLost' }, 'event', 'is not an event. Choose one from the list'],
	[
		{ options: { maximumTickets: 0 } },
		'options.maximumTickets',
		'must be a whole number, 1 or more',
	],
	[{ options: { overlap: -1 } }, 'options.overlap', 'must be a whole number from 0 to 1440'],
	[{ options: { overlap: 1_441 } }, 'options.overlap', 'must be a whole number from 0 to 1440'],
	[{ options: { spelling: 'x' } }, 'options.spelling', 'must be one of auto, formal, narrative'],
	[{ options: { emptyValue: 'x' } }, 'options.emptyValue', 'must be one of stop, skip, matchEmpty'],
	[{ options: { timeout: 0 } }, 'options.timeout', 'must be a number of seconds from 1 to 3600'],
	[{ options: { columns: ['x'] } }, 'options.columns.0', 'holds a name that is no ticket column'],
	[
		{ filters: { conditions: [{ column: 'title', operator: 'eq', value: '' }] } },
		'filters.conditions.0.value',
		'is empty. Enter a value or remove the condition',
	],
])('refuses %j before it sends anything', async (parameters, path, message) => {
	const trigger = new Trigger(parameters);
	for (const result of [await trigger.poll(), await trigger.sample()]) {
		const problems = !result.ok && result.failure.kind === 'input' ? result.failure.problems : [];
		expect(problems.map((problem) => problem.path.join('.'))).toEqual([path]);
		expect(problems[0]?.message).toContain(message);
	}
	expect(trigger.sent).toEqual([]);
});

it('leaves out an empty condition where that is chosen', async () => {
	const trigger = new Trigger({
		filters: { conditions: [{ column: 'title', operator: 'eq', value: '' }] },
		options: { emptyValue: 'skip' },
	});
	expect((await trigger.sample()).ok).toBe(true);
	expect(trigger.bodies[0]?.['filters']).toEqual({ updatedAt: { isNotNull: true } });
});
