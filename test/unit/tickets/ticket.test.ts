import { pageSchema } from '../../../src/tickets/service/fetchPage';
import { simplifiedTicketSchema } from '../../../src/tickets/ticket';
import { uuidOf } from '../../support/samples';

it('a page passes its rows on as they are', () => {
	const data = [{ id: uuidOf(1), isShared: 'maybe', colour: 'red', nested: { a: [1] } }, {}];
	const page = { data, metadata: { hasNextPage: true, more: 1 }, more: 2 };
	expect(pageSchema.parse(page)).toEqual(page);
});

it.each([
	[{ data: [], metadata: {} }],
	[{ data: [], metadata: { hasNextPage: 'no' } }],
	[{ data: {}, metadata: { hasNextPage: false } }],
	[{ data: [null], metadata: { hasNextPage: false } }],
])('%j is no page', (reply) => {
	expect(pageSchema.safeParse(reply).success).toBe(false);
});

it('a simplified ticket has null only where a ticket may', () => {
	const isTicket = (row: object) => simplifiedTicketSchema.safeParse(row).success;
	expect(isTicket({ ticketNumber: 1, customerId: null, createdAt: null })).toBe(true);
	expect(isTicket({ title: null })).toBe(false);
	expect(isTicket({ ticketNumber: '1' })).toBe(false);
});
