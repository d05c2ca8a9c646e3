import { getTicket } from '../../../../src/tickets/search/get';
import { fakeRuntime, inTurn, reply } from '../../../support/fakeRuntime';
import { members, uuidOf } from '../../../support/samples';
import { runRows } from '../../../support/runRows';
import { page, ticket } from '../../../support/tickets';

const found = (...numbers: number[]) => page(numbers.map((n) => ticket(n, { id: uuidOf(n) })));

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
		['-5', { ticketNumber: { eq: -5 } }],
		[2_147_483_647, { ticketNumber: { eq: 2_147_483_647 } }],
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
		['', undefined],
		[undefined, undefined],
		[uuidOf(1).slice(1), uuidOf(1).slice(1)],
		[{ id: 5 }, '(an object)'],
		[true, 'true'],
		['x1042', 'x1042'],
		['2147483648', '2147483648'],
		[1.5, '1.5'],
		['x'.repeat(70), 'x'.repeat(60)],
	])('refuses %j and sends nothing', async (ticketId, value) => {
		const { sent, row } = await run(found(7), { ticketId });
		expect(sent).toEqual([]);
		expect(row).toMatchObject({
			items: [],
			failure: {
				kind: 'input',
				problems: [
					{
						path: ['ticketId'],
						...(value !== undefined && { value }),
						reason: expect.stringMatching(
							value === undefined ? /^is empty$/ : /^is neither a/,
						) as string,
					},
				],
			},
		});
	});

	it.each([
		[7, 'the number 7'],
		[uuidOf(7), `the ID ${uuidOf(7)}`],
	])('says that there is none, or more than one, with %s', async (ticketId, name) => {
		expect((await run(found(), { ticketId })).row).toEqual({
			items: [],
			failure: {
				kind: 'notFound',
				message: `There is no ticket with ${name}, or the credential may not see it`,
				advice: 'Check it, and that the credential is for the same workspace',
			},
		});
		if (ticketId !== 7) return;
		expect((await run(twins(7), { ticketId })).row).toEqual({
			items: [],
			failure: {
				kind: 'notFound',
				message: `There is more than one ticket with ${name}`,
				advice: 'Enter the ID of the ticket instead of its number',
			},
		});
	});

	it('asks for ten columns of a simplified ticket, and always for the ID beside the selected ones', async () => {
		const selected = async (parameters: object) =>
			Object.keys(
				members(
					members((await run(found(7), { ticketId: 7, ...parameters })).sent[0]?.body)['select'],
				),
			);
		expect(await selected({ output: 'simplified' })).toEqual(
			expect.arrayContaining(['ticketNumber', 'title', 'statusId', 'updatedAt']),
		);
		expect(await selected({ output: 'selected', columns: ['title'] })).toEqual(
			expect.arrayContaining(['id', 'title']),
		);
		const { row } = await run(found(7), { ticketId: 7, output: 'selected', columns: ['title'] });
		expect(row?.items).toEqual([{ id: uuidOf(7) }]);
	});
});
