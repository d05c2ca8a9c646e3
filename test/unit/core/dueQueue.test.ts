import fc from 'fast-check';
import { createDueQueue } from '../../../src/core/dueQueue';

it('hands out the earliest task first, and of equal ones the one that was added first', () => {
	fc.assert(
		fc.property(fc.array(fc.option(fc.nat(20), { freq: 3 })), (steps) => {
			const queue = createDueQueue<number>();
			let model: Array<{ task: number; at: number }> = [];
			for (const [task, at] of steps.entries()) {
				if (at === null) {
					const [first, ...rest] = model;
					expect(queue.first()).toEqual(first && expect.objectContaining(first));
					expect(queue.take()).toEqual(first && expect.objectContaining(first));
					model = rest;
				} else {
					queue.add({ task, at });
					// The sort of JavaScript keeps the order of equal ones.
					model = [...model, { task, at }].sort((a, b) => a.at - b.at);
				}
			}
			expect(model.map(() => queue.take()?.task)).toEqual(model.map(({ task }) => task));
			expect(queue.first()).toBeUndefined();
			expect(queue.take()).toBeUndefined();
		}),
	);
});
