import { createAdaptiveConcurrency } from '../../../src/core/pacing';

/** Returns the limit after each of the statuses. */
function limitsAfter(statuses: readonly number[], start: number, max: number): number[] {
	const concurrency = createAdaptiveConcurrency(start, max);
	return statuses.map((status) => {
		concurrency.note(status);
		return concurrency.limit;
	});
}

it.each([
	['adds one per success, up to the maximum', [200, 299, 201, 200], 2, 4, [3, 4, 4, 4]],
	['halves the limit at a 429, but not below one', [429, 429, 429, 429], 9, 9, [4, 2, 1, 1]],
	[
		'adds one per full round after a 429',
		[200, 429, 200, 200, 200, 200, 200],
		3,
		4,
		[4, 2, 2, 3, 3, 3, 4],
	],
	['counts a round anew after each 429', [429, 200, 429, 200, 200], 8, 8, [4, 4, 2, 2, 3]],
	['is unchanged by other failures', [100, 300, 400, 500], 2, 4, [2, 2, 2, 2]],
	['is unchanged by failures within a round', [429, 200, 500, 500, 200], 4, 4, [2, 2, 2, 2, 3]],
])('%s', (_, statuses, start, max, limits) => {
	expect(limitsAfter(statuses, start, max)).toEqual(limits);
});

it('starts within its bounds', () => {
	expect(createAdaptiveConcurrency(0, 4).limit).toBe(1);
	expect(createAdaptiveConcurrency(8, 4).limit).toBe(4);
});
