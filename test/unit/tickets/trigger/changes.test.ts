import { isNewTo, limitMemory } from '../../../../src/tickets/trigger/changes';
import { upTo } from '../../../support/tickets';

const memoryOf = (count: number) =>
	Object.fromEntries(upTo(count).map((n) => [`k${n}`, n * 10] as const));

it('forgets the changes before the floor', () => {
	expect(limitMemory({ old: 9, at: 10, new: 11 }, 10)).toEqual({
		seen: { at: 10, new: 11 },
		floorMs: 10,
	});
});

it('keeps the newest 10,000 changes, and raises the floor above the others', () => {
	expect(limitMemory(memoryOf(10_000), 10)).toEqual({ seen: memoryOf(10_000), floorMs: 10 });
	const { seen, floorMs } = limitMemory(memoryOf(10_002), 0);
	expect(Object.keys(seen)).toHaveLength(10_000);
	expect([seen['k2'], seen['k3'], floorMs]).toEqual([undefined, 30, 21]);
});

it('calls a change new from the floor on, unless it is remembered', () => {
	const state = {
		watching: 'x',
		seen: { seen: 12 },
		floorMs: 10,
		quietSinceMs: 0,
		isCrowded: false,
	};
	const isNew = isNewTo(state);
	const at = (atMs: number, key = 'key') => isNew({ atMs, key, ticket: {} });
	expect([at(9), at(10), at(12, 'seen'), at(12)]).toEqual([false, true, false, true]);
});
