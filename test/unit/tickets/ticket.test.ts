import { pageSchema } from '../../../src/tickets/service/fetchPage';
import { simplifiedTicketSchema } from '../../../src/tickets/ticket';
import { uuidOf } from '../../support/samples';

describe('a page of tickets', () => {
	const row = {
		id: uuidOf(1),
		ticketNumber: 1,
		isShared: 'maybe',
		colour: 'red',
		nested: { a: [1] },
	};

	it('passes its rows on as they are', () => {
		const page = { data: [row, {}], metadata: { hasNextPage: true, more: 1 }, more: 2 };
		expect(pageSchema.parse(page)).toEqual(page);
		expect(pageSchema.parse({ data: [], metadata: { hasNextPage: false } }).data).toEqual([]);
	});

	it.each([
		[{}],
		[{ data: [], metadata: {} }],
		[{ data: [], metadata: { hasNextPage: 'no' } }],
		[{ data: {}, metadata: { hasNextPage: false } }],
		[{ data: [null], metadata: { hasNextPage: false } }],
		[{ data: [[row]], metadata: { hasNextPage: false } }],
	])('is not %j', (reply) => {
		expect(pageSchema.safeParse(reply).success).toBe(false);
	});
});

it('a simplified ticket has null only where a ticket may', () => {
	const isTicket = (row: object) => simplifiedTicketSchema.safeParse(row).success;
	expect(isTicket({ ticketNumber: 1, customerId: null, createdAt: null })).toBe(true);
	expect(isTicket({ title: null })).toBe(false);
	expect(isTicket({ ticketNumber: '1' })).toBe(false);
});
