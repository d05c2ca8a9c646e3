import {
	findTickets as find,
	isTicketNumber,
	readRecentTickets,
} from '../../../src/tickets/recentTickets';
import type { Script } from '../../support/fakeRuntime';
import { fakeRuntime, reply } from '../../support/fakeRuntime';
import { members } from '../../support/samples';
import { page, searchPage, ticket, upTo } from '../../support/tickets';

/** So many tickets, the newest first. */
const numbers = (count: number, from = count) => upTo(count).map((n) => from + 1 - n);
const rows = (count: number) => numbers(count).map((n) => ticket(n));
const serving =
	(all: ReturnType<typeof rows>): Script =>
	({ body }) =>
		searchPage(all, body);

/** What a list is made of, and what was asked for it. */
async function read(script: Script, text?: string) {
	const { context, sent } = fakeRuntime(script);
	const { client } = context();
	const result = await (text === undefined ? readRecentTickets(client) : find(client, text));
	return {
		result,
		found: result.ok && result.value.map(({ ticketNumber }) => ticketNumber),
		bodies: sent.map(({ body }) => members(body)),
	};
}

it('the newest tickets are a thousand, with what a list shows, newest first', async () => {
	const { found, bodies } = await read(serving(rows(2_500)));
	expect(found).toEqual(numbers(1_000, 2_500));
	expect(bodies[0]).toMatchObject({ select: { id: true, ticketNumber: true, title: true } });
});

it('the newest tickets are what could be read, unless the first page cannot be', async () => {
	const { found } = await read((sent, number) =>
		number > 2 ? reply(400) : serving(rows(250))(sent, number),
	);
	expect(found).toEqual(numbers(199, 250));
	const { result } = await read(() => reply(403));
	expect(result).toMatchObject({ ok: false, failure: { status: 403 } });
});

describe('tickets of any age', () => {
	it.each(['1042', ' #1042 '])('are found by the number %j', async (text) => {
		expect(isTicketNumber(text)).toBe(true);
		const { bodies, found } = await read(() => page([ticket(1_042)]), text);
		expect(found).toEqual([1_042]);
		expect(bodies).toMatchObject([{ filters: { ticketNumber: { eq: 1_042 } } }]);
	});

	it.each([
		[' Refund ', '%Refund%'],
		['50% a\\b', '%50_ a_b%'],
		['1234567890', '%1234567890%'],
	])('are found by the title %j', async (text, pattern) => {
		expect(isTicketNumber(text)).toBe(false);
		const { bodies } = await read(() => page([ticket(1, { title: text.trim() })]), text);
		expect(bodies).toMatchObject([{ filters: { title: { iLike: pattern } } }]);
	});
});
