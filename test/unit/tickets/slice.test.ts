import type { Query } from '../../../src/tickets/query';
import { sliceOf } from '../../../src/tickets/readers/slice';

const all: Query = { filters: {}, sort: [], select: [] };

describe('a slice of the tickets', () => {
	it('without bounds restricts nothing, and is sorted by number', () => {
		expect(sliceOf({ ...all, select: ['title'] }, {})).toStrictEqual({
			filters: {},
			sort: [{ column: 'ticketNumber', direction: 'asc' }],
			select: ['title'],
		});
		expect(sliceOf(all, { direction: 'desc', without: [] })).toStrictEqual({
			filters: {},
			sort: [{ column: 'ticketNumber', direction: 'desc' }],
			select: [],
		});
	});

	it('has its bounds and what to leave out', () => {
		expect(sliceOf(all, { gte: 5, lte: 9, without: ['a'] }).filters).toStrictEqual({
			ticketNumber: { gte: 5, lte: 9 },
			id: { notIn: ['a'] },
		});
		expect(sliceOf(all, { gte: 0 }).filters).toStrictEqual({ ticketNumber: { gte: 0 } });
		expect(sliceOf(all, { lte: 0 }).filters).toStrictEqual({ ticketNumber: { lte: 0 } });
	});

	it('keeps the filters of the user, and of two bounds the stricter one', () => {
		const filters = {
			priority: { eq: 'low' },
			ticketNumber: { gte: 7, lte: 8, gt: 1 },
			id: { notIn: ['x'], like: 'a%' },
		};
		expect(sliceOf({ ...all, filters }, {}).filters).toStrictEqual(filters);
		expect(sliceOf({ ...all, filters }, { gte: 5, lte: 9, without: ['a'] }).filters).toStrictEqual({
			...filters,
			id: { notIn: ['x', 'a'], like: 'a%' },
		});
		expect(sliceOf({ ...all, filters }, { gte: 8, lte: 8 }).filters).toMatchObject({
			ticketNumber: { gte: 8, lte: 8, gt: 1 },
		});
	});
});
