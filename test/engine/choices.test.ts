import { idChoices, matching, ticketChoices } from '../../nodes/ConversationDesk/choices';
import type { Ticket } from '../../src/tickets/ticket';
import { upTo } from '../support/tickets';

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
			{ name: '00000002… · 2 tickets · newest #4 d', value: id(2) },
			{ name: '00000001… · 1 ticket · newest #5 e', value: id(1) },
		]);
		expect(idChoices(tickets, 'customerId')).toEqual([]);
		const many = upTo(1_200).map((n) => of({ ticketNumber: n, assigneeUserId: id(3) }));
		expect(idChoices(many, 'assigneeUserId')[0]?.name).toBe(
			'00000003… · 1,200 tickets · newest #1',
		);
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
