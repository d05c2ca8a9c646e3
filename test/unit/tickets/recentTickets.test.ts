import {
	findTickets as find,
	idChoices,
	isTicketNumber,
	matching,
	readRecentTickets,
	ticketChoices,
} from '../../../src/tickets/recentTickets';
import type { Ticket } from '../../../src/tickets/ticket';
import type { Script } from '../../support/fakeRuntime';
import { fakeRuntime, reply } from '../../support/fakeRuntime';
import { members } from '../../support/samples';
import { page, pageOf, pagination, ticket, upTo } from '../../support/tickets';

async function recent(script: Script, latency = 0) {
	const { context, sent } = fakeRuntime(script, { latency });
	const read = await readRecentTickets(context().client);
	return {
		read,
		sent,
		pages: sent.map(({ body }) => pagination(body)),
		at: sent.map((each) => each.at - (sent[0]?.at ?? 0)),
	};
}

/** So many tickets, the newest first. */
const rows = (count: number) => numbers(count).map((n) => ticket(n));
const numbers = (count: number, from = count) => upTo(count).map((n) => from + 1 - n);
const serving =
	(all: ReturnType<typeof rows>, cap = 100): Script =>
	({ body }) => {
		const { limit, offset } = pagination(body);
		const end = offset + Math.min(limit, cap);
		return page(all.slice(offset, end), end < all.length);
	};

describe('the newest tickets', () => {
	it('are asked for with what a list shows, newest first', async () => {
		const { sent } = await recent(serving(rows(3)));
		expect(sent).toHaveLength(1);
		expect(sent[0]).toMatchObject({ method: 'POST', path: '/tickets/search' });
		const body = members(sent[0]?.body);
		expect(body['sort']).toEqual([expect.objectContaining({ direction: 'desc' })]);
		expect(JSON.stringify(body['sort'])).toContain('ticketNumber');
		expect(body['filters']).toBeUndefined();
		const selected = JSON.stringify(body['select'] ?? body['columns'] ?? body);
		for (const column of ['id', 'ticketNumber', 'title', 'assigneeUserId'])
			expect(selected).toContain(column);
	});

	it('are the first page, then the others at once', async () => {
		const { read, pages, at } = await recent(serving(rows(2_500)), 10);
		expect(read).toMatchObject({ ok: true });
		expect(read.ok && read.value.map((each) => each['ticketNumber'])).toEqual(
			numbers(1_000, 2_500),
		);
		expect(pages).toEqual(upTo(10).map((n) => ({ limit: 100, offset: (n - 1) * 100 })));
		expect(at).toEqual([0, ...upTo(9).map(() => 10)]);
	});

	it('are asked for no further than there are pages', async () => {
		const { read, pages } = await recent(serving(rows(100)));
		expect(pages).toHaveLength(1);
		expect(read.ok && read.value).toHaveLength(100);
		const none = await recent(serving([]));
		expect([none.read, none.pages.length]).toEqual([{ ok: true, value: [] }, 1]);
	});

	it('go on where a shorter page ended, forty pages at most', async () => {
		const { read, pages } = await recent(serving(rows(2_500), 60));
		expect(pages.slice(1, 3)).toEqual([
			{ limit: 60, offset: 60 },
			{ limit: 60, offset: 120 },
		]);
		expect(pages).toHaveLength(17);
		expect(read.ok && read.value).toHaveLength(1_000);
		const short = await recent(serving(rows(2_500), 10));
		expect(short.pages).toHaveLength(40);
		expect(short.read.ok && short.read.value).toHaveLength(400);
	});

	it('stand there once, though pages shift, and those without an ID all', async () => {
		const shifting: Script = ({ body }) => {
			const { offset } = pagination(body);
			return page(
				offset === 0
					? rows(100)
					: offset === 100
						? [
								ticket(2),
								ticket(1),
								{ ticketNumber: 0 },
								{ ticketNumber: 0 },
								{ title: 'a' },
								{ title: 'b' },
							]
						: [],
				offset === 0,
			);
		};
		const { read } = await recent(shifting);
		expect(read.ok && read.value.map((each) => each['ticketNumber'] ?? each['title'])).toEqual([
			...numbers(100),
			0,
			'a',
			'b',
		]);
	});

	it('are what could be read, unless the first page cannot be', async () => {
		const { read } = await recent(({ body }) =>
			pagination(body).offset === 100 ? reply(400) : page(...pageOf(rows(250), body)),
		);
		expect(read.ok && read.value.map((each) => each['ticketNumber'])).toEqual([
			...numbers(100, 250),
			...numbers(50),
		]);
		expect((await recent(() => reply(403))).read).toMatchObject({
			ok: false,
			failure: { status: 403 },
		});
	});
});

describe('tickets of any age', () => {
	const found = async (text: string, script: Script = () => page(rows(2), true)) => {
		const { context, sent } = fakeRuntime(script);
		const read = await find(context().client, text);
		return {
			read,
			filters: sent.map(({ body }) => members(body)['filters']),
			pages: sent.map(({ body }) => pagination(body)),
		};
	};

	it.each([
		['1042', 1_042],
		[' #1042 ', 1_042],
		['#7', 7],
		['123456789', 123_456_789],
	])('are found by the number %j', async (text, number) => {
		expect(isTicketNumber(text)).toBe(true);
		expect((await found(text)).filters).toEqual([{ ticketNumber: { eq: number } }]);
	});

	it.each([
		[' Refund ', '%Refund%'],
		['50% _off_', '%50\\% \\_off\\_%'],
		['a\\b', '%a\\\\b%'],
		['x1042', '%x1042%'],
		['1042x', '%1042x%'],
		['##1', '%##1%'],
		['1234567890', '%1234567890%'],
		['10 42', '%10 42%'],
	])('are found by the title %j', async (text, pattern) => {
		expect(isTicketNumber(text)).toBe(false);
		expect((await found(text)).filters).toEqual([{ title: { iLike: pattern } }]);
	});

	it('are fifty at most, and fail with what the service said', async () => {
		const { read, pages } = await found('a');
		expect(pages).toEqual([{ limit: 50, offset: 0 }]);
		expect(read).toEqual({ ok: true, value: rows(2) });
		expect((await found('a', () => reply(403))).read).toMatchObject({
			ok: false,
			failure: { status: 403 },
		});
	});
});

describe('choices', () => {
	const of = (more: object): Ticket => more as Ticket;

	it('of tickets are called by number and title', () => {
		expect(
			ticketChoices([
				of({ id: 'a', ticketNumber: 1_042, title: ' Refund ' }),
				of({ id: 'b', ticketNumber: 7, title: 'x'.repeat(60) }),
				of({ id: 'c', ticketNumber: 7, title: 'x'.repeat(61) }),
				of({ id: 'd', title: 5 }),
				of({ ticketNumber: 9, title: 'No ID' }),
				of({ title: 'Nothing' }),
				of({ id: ' ' }),
			]),
		).toEqual([
			{ name: '#1042 Refund', value: 'a' },
			{ name: `#7 ${'x'.repeat(60)}`, value: 'b' },
			{ name: `#7 ${'x'.repeat(60)}…`, value: 'c' },
			{ name: '#?', value: 'd' },
			{ name: '#9 No ID', value: '9' },
		]);
	});

	it('of IDs are the most frequent first, each with its newest ticket', () => {
		const id = (n: number) => `0000000${n}-0000-4000-8000-000000000000`;
		const tickets = [
			of({ ticketNumber: 5, title: 'e', assigneeUserId: id(1) }),
			of({ ticketNumber: 4, title: 'd', assigneeUserId: id(2) }),
			of({ ticketNumber: 3, title: 'c', assigneeUserId: id(2) }),
			of({ ticketNumber: 2, title: 'b', assigneeUserId: '' }),
			of({ ticketNumber: 1, title: 'a', assigneeUserId: null }),
			of({ ticketNumber: 0, assigneeUserId: 5 }),
		];
		expect(idChoices(tickets, 'assigneeUserId')).toEqual([
			{ name: '2 tickets (00000002…), newest #4 d', value: id(2) },
			{ name: '#5 e (00000001…)', value: id(1) },
		]);
		expect(idChoices(tickets, 'customerId')).toEqual([]);
		const agents = [
			of({ ticketNumber: 5, agentId: id(1), createdAt: '2026-11-20T09:00:00Z' }),
			of({ ticketNumber: 4, agentId: id(1), createdAt: '2026-11-19T09:00:00Z' }),
			of({ ticketNumber: 3, agentId: id(2), createdAt: null }),
		];
		expect(idChoices(agents, 'agentId').map(({ name }) => name)).toEqual([
			'00000001… · 2 tickets · last 2026-11-20',
			'00000002… · 1 ticket',
		]);
		const many = upTo(1_200).map((n) => of({ ticketNumber: n, assigneeUserId: id(3) }));
		expect(idChoices(many, 'assigneeUserId')[0]?.name).toBe('1,200 tickets (00000003…), newest #1');
	});

	it('are narrowed by a part of the name, or by the beginning of the value', () => {
		const choices = [
			{ name: '#1 Refund', value: 'ABC-1' },
			{ name: '#2 abc', value: 'xyz' },
			{ name: '#3 other', value: 'x-abc' },
		];
		const values = (text?: string) => matching(choices, text).map(({ value }) => value);
		expect(values(' Abc ')).toEqual(['ABC-1', 'xyz']);
		expect(values('REF')).toEqual(['ABC-1']);
		expect(values('x-')).toEqual(['x-abc']);
		expect(values('none')).toEqual([]);
		expect(values()).toEqual(['ABC-1', 'xyz', 'x-abc']);
	});
});
