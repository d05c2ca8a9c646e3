import { isDeeperThan } from '../../../src/core/http';

const nested = (levels: number): unknown =>
	levels === 0 ? 'x' : { one: 1, more: nested(levels - 1) };

describe('the depth of a value', () => {
	it.each(['x', 1, null, undefined, {}, []])('of %j is none', (value) => {
		expect(isDeeperThan(value, 0)).toBe(false);
	});

	it('is deeper only from the level on that would be too much', () => {
		expect([2, 3, 4, 5].map((levels) => isDeeperThan(nested(levels), 3))).toEqual([
			false,
			false,
			false,
			true,
		]);
	});

	it('is not made of nothing', () => {
		expect(isDeeperThan({ one: null }, 0)).toBe(false);
	});

	it('is that of its deepest part, whatever stands beside it', () => {
		expect(isDeeperThan([1, null, 'x', [[[1]]]], 2)).toBe(true);
		expect(isDeeperThan([[], [[]], null], 2)).toBe(false);
	});
});
