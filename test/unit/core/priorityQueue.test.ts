import fc from 'fast-check';
import { createPriorityQueue } from '../../../src/core/schedule';

it('hands out the earliest task first, and of equal ones the one that was added first', () => {
	fc.assert(
		fc.property(fc.array(fc.option(fc.nat(20), { freq: 3 })), (steps) => {
			const queue = createPriorityQueue<number>();
			let model: Array<{ task: number; atMs: number }> = [];
			for (const [task, atMs] of steps.entries()) {
				if (atMs === null) {
					const [first, ...rest] = model;
					expect(queue.first()).toEqual(first && expect.objectContaining(first));
					expect(queue.take()).toEqual(first && expect.objectContaining(first));
					model = rest;
				} else {
					queue.add({ task, atMs });
					// The sort of JavaScript keeps the order of equal ones.
					model = [...model, { task, atMs }].sort((a, b) => a.atMs - b.atMs);
				}
			}
			expect(model.map(() => queue.take()?.task)).toEqual(model.map(({ task }) => task));
			expect(queue.first()).toBeUndefined();
			expect(queue.take()).toBeUndefined();
		}),
	);
});
