import { readRecentTickets } from '../../../src/tickets/recentTickets';
import type { Script } from '../../support/fakeRuntime';
import { fakeRuntime, reply } from '../../support/fakeRuntime';
import { members } from '../../support/samples';
import { searchPage, ticket, upTo } from '../../support/tickets';

/** So many tickets, the newest first. */
const numbers = (count: number, from = count) => upTo(count).map((n) => from + 1 - n);
const rows = (count: number) => numbers(count).map((n) => ticket(n));
const serving =
	(all: ReturnType<typeof rows>): Script =>
	({ body }) =>
		searchPage(all, body);

/** What a list is made of, and what was asked for it. */
async function read(script: Script) {
	const { context, sent } = fakeRuntime(script);
	const { client } = context();
	const result = await readRecentTickets(client);
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
