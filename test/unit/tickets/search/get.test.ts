import { getTicket } from '../../../../src/tickets/search/get';
import { fakeRuntime, inTurn, reply } from '../../../support/fakeRuntime';
import { members, uuidOf } from '../../../support/samples';
import { runRows } from '../../../support/runRows';
import { page, ticket } from '../../../support/tickets';

const pageOf = (...numbers: number[]) => page(numbers.map((n) => ticket(n, { id: uuidOf(n) })));

/** A response with tickets of one number. */
const twins = (n: number) => page([1, 2].map((i) => ticket(n, { id: uuidOf(100 * i + n) })));

async function run(response: ReturnType<typeof reply>, parameters: Record<string, unknown>) {
	const { sent, context } = fakeRuntime(inTurn(response));
	const { rows } = await runRows(getTicket, [{ parameters }], context());
	return { sent, row: rows[0], filters: sent.map(({ body }) => members(body)['filters']) };
}

describe('reading a ticket', () => {
	it.each([
		[1042, { ticketNumber: { eq: 1042 } }],
		[' 01042 ', { ticketNumber: { eq: 1042 } }],
		[' #1042 ', { ticketNumber: { eq: 1042 } }],
		[` ${uuidOf(7)}\n`, { id: { eq: uuidOf(7) } }],
		[uuidOf(10).toUpperCase(), { id: { eq: uuidOf(10) } }],
	])('finds it by %j', async (ticketId, expected) => {
		const { ticketNumber, id } = expected as { ticketNumber?: { eq: number }; id?: { eq: string } };
		const found7 = ticket(ticketNumber?.eq ?? 7, { id: id?.eq ?? uuidOf(7) });
		const { filters, row } = await run(page([found7]), { ticketId });
		expect(filters).toEqual([expected]);
		expect(row).toEqual({ items: [found7] });
	});

	it.each([
		['', '', 'is empty'],
		[uuidOf(1).slice(1), uuidOf(1).slice(1), 'is neither'],
		[{ id: 5 }, '(an object)', 'is neither'],
		['2147483648', '2147483648', 'is neither'],
		[1.5, '1.5', 'is neither'],
	])('refuses %j and sends nothing', async (ticketId, shown, reason) => {
		const { sent, row } = await run(pageOf(7), { ticketId });
		expect(sent).toEqual([]);
		const problems = row?.failure?.kind === 'input' ? row.failure.problems : [];
		expect(problems.map(({ path, value = '' }) => [path, value])).toEqual([[['ticketId'], shown]]);
		expect(problems[0]?.reason).toContain(reason);
	});

	it.each([
		['no ticket', pageOf(), uuidOf(7), `no ticket with the ID ${uuidOf(7)}`],
		['two tickets', twins(7), 7, 'more than one ticket with the number 7'],
	])('says that there is %s', async (_, response, ticketId, message) => {
		const { row } = await run(response, { ticketId });
		expect(row).toMatchObject({ items: [], failure: { kind: 'notFound' } });
		expect(String(members(row?.failure)['message'])).toContain(message);
	});

	it('asks for the ID beside the selected columns', async () => {
		const chosen = { ticketId: 7, output: 'selected', columns: ['title'] };
		const { sent, row } = await run(pageOf(7), chosen);
		expect(members(sent[0]?.body)['select']).toMatchObject({ id: true, title: true });
		expect(row?.items).toEqual([{ id: uuidOf(7), title: null }]);
	});
});
