import { checkRows } from '../../../../src/tickets/service/checkRows';
import { uuidOf } from '../../../support/samples';
import { by, ticket } from '../../../support/tickets';

const NOON = '2026-01-15T12:00:00.000Z';

const checked = (filters: object, ...rows: object[]) =>
	checkRows({ filters, sort: [], select: [] }, rows as never)?.message;

it.each<[string, object, object]>([
	['another number', { ticketNumber: { eq: 5 } }, { ticketNumber: 6 }],
	['a number at a bound', { ticketNumber: { gt: 5 } }, { ticketNumber: 5 }],
	['a number beyond a bound', { ticketNumber: { lte: 5 } }, { ticketNumber: 6 }],
	['another enum', { priority: { eq: 'low' } }, { priority: 'high' }],
	['another UUID', { statusId: { eq: uuidOf(1) } }, { statusId: uuidOf(2) }],
	['the other boolean', { isShared: { eq: true } }, { isShared: false }],
	['null for a value', { statusId: { eq: uuidOf(1) } }, { statusId: null }],
	['null for a time', { closedAt: { gte: NOON } }, { closedAt: null }],
	['a value for null', { closedAt: { isNull: true } }, { closedAt: NOON }],
	['null where it must be set', { closedAt: { isNotNull: true } }, { closedAt: null }],
	['a time two seconds off', { createdAt: { eq: NOON } }, { createdAt: '2026-01-15T12:00:02Z' }],
	['a later time', { createdAt: { lt: NOON } }, { createdAt: '2026-01-15T12:00:02Z' }],
])('finds %s', (_, filters, row) => {
	expect(checked(filters, {}, row)).toMatch(/^Tickets with .+ were requested, but ticket .+ has /);
});

it.each<[string, object, object]>([
	['a UUID in capitals', { id: { eq: uuidOf(10) } }, { id: uuidOf(10).toUpperCase() }],
	[
		'the fraction of a second that is not shown',
		{ createdAt: { gt: '2026-01-15T12:00:00.700Z' } },
		{ createdAt: '2026-01-15T12:00:00Z' },
	],
	[
		'text, which only the service compares',
		{ title: { eq: 'Ä', notILike: '%a%' } },
		{ title: 'a' },
	],
	['types that the document does not show', { isShared: { eq: true } }, { isShared: 1 }],
	['times that are no ISO 8601', { createdAt: { gte: NOON } }, { createdAt: 1_768_000_000 }],
	['an empty text for null', { closedAt: { isNull: true } }, { closedAt: '' }],
	['columns that did not come', { priority: { eq: 'low' } }, {}],
	['excluded values', { priority: { ne: 'low' } }, { priority: 'low' }],
])('leaves %s to the service', (_, filters, row) => {
	expect(checked(filters, row)).toBeUndefined();
});

it('finds a ticket that one page has twice', () => {
	expect(checked({}, ticket(1), ticket(2), ticket(1))).toBe('One page has the ticket t1 twice');
	expect(checked({}, { title: 'x' }, { title: 'x' })).toBeUndefined();
});

it.each([
	['ticketNumber', 3, 2],
	['createdAt', '2026-01-15T12:00:02Z', '2026-01-15T12:00:00Z'],
])('finds tickets that are not in the order of %s', (column, high, low) => {
	const inOrder = (direction: string, values: unknown[]) => {
		const query = { filters: {}, sort: by(column, direction), select: [] };
		return checkRows(query, values.map((value) => ({ [column]: value })) as never) === undefined;
	};
	expect([inOrder('asc', [low, high]), inOrder('asc', [high, low])]).toEqual([true, false]);
	expect([inOrder('desc', [high, low]), inOrder('desc', [low, high])]).toEqual([true, false]);
});
