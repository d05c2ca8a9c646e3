import type { Query } from '../../../../src/tickets/search/query';
import { keysetQuery } from '../../../../src/tickets/search/query';

const all: Query = { filters: {}, sort: [], select: [] };

describe('a slice of the tickets', () => {
	it('without bounds restricts nothing, and is sorted by number', () => {
		expect(keysetQuery({ ...all, select: ['title'] }, {})).toStrictEqual({
			filters: {},
			sort: [{ column: 'ticketNumber', direction: 'asc' }],
			select: ['title'],
		});
		expect(keysetQuery(all, { direction: 'desc', excludedIds: [] })).toStrictEqual({
			filters: {},
			sort: [{ column: 'ticketNumber', direction: 'desc' }],
			select: [],
		});
	});

	it('has its bounds and what to leave out', () => {
		expect(keysetQuery(all, { gte: 5, lte: 9, excludedIds: ['a'] }).filters).toStrictEqual({
			ticketNumber: { gte: 5, lte: 9 },
			id: { notIn: ['a'] },
		});
		expect(keysetQuery(all, { gte: 0 }).filters).toStrictEqual({ ticketNumber: { gte: 0 } });
		expect(keysetQuery(all, { lte: 0 }).filters).toStrictEqual({ ticketNumber: { lte: 0 } });
	});

	it('keeps the filters of the user, and of two bounds the stricter one', () => {
		const filters = {
			priority: { eq: 'low' },
			ticketNumber: { gte: 7, lte: 8, gt: 1 },
			id: { notIn: ['x'], like: 'a%' },
		};
		expect(keysetQuery({ ...all, filters }, {}).filters).toStrictEqual(filters);
		expect(
			keysetQuery({ ...all, filters }, { gte: 5, lte: 9, excludedIds: ['a'] }).filters,
		).toStrictEqual({
			...filters,
			id: { notIn: ['x', 'a'], like: 'a%' },
		});
		expect(keysetQuery({ ...all, filters }, { gte: 8, lte: 8 }).filters).toMatchObject({
			ticketNumber: { gte: 8, lte: 8, gt: 1 },
		});
	});
});
