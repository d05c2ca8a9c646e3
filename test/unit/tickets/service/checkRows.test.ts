import type { SortRule } from '../../../../src/tickets/service/query';
import { checkRows } from '../../../../src/tickets/service/checkRows';
import { uuidOf } from '../../../support/samples';
import { by, rowsOf, ticket } from '../../../support/tickets';

const NOON = '2026-01-15T12:00:00.000Z';

/** The contradiction of rows, numbered from 1, to filters and a sort. */
const checked = (filters: object, rows: object[], sort: SortRule[] = []) => {
	const numbered = rows.map((row, i) => ({ ticketNumber: i + 1, ...row }));
	return checkRows({ filters, sort, select: [] }, numbered)?.message;
};

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
	expect(checked(filters, [row])).toMatch(/^Tickets with .+ were requested, but ticket .+ has /);
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
	expect(checked(filters, [row])).toBeUndefined();
});

it('finds a ticket that one page has twice, and one without its number', () => {
	expect(
		checked(
			{},
			[1, 2, 1].map((n) => ticket(n)),
		),
	).toBe('One page has the ticket t1 twice');
	expect(checked({}, [{ title: 'x' }, { title: 'x' }])).toBeUndefined();
	expect(checked({}, [ticket(1), { ticketNumber: undefined }])).toBe(
		'A ticket came without a readable Ticket Number',
	);
});

it.each([
	['ticketNumber', 3, 2],
	['createdAt', '2026-01-15T12:00:02Z', '2026-01-15T12:00:00Z'],
])('finds tickets that are not in the order of %s', (column, high, low) => {
	const wrong = expect.stringContaining('came before') as unknown;
	const check = (direction: string, ...values: unknown[]) =>
		checked({}, rowsOf(column, ...values), by(column, direction));
	expect([check('asc', low, high), check('asc', high, low)]).toEqual([undefined, wrong]);
	expect([check('desc', high, low), check('desc', low, high)]).toEqual([undefined, wrong]);
});
