import { workOff } from '../../../src/core/workOff';
import { fakeWorld, inTurn, reply } from '../../support/fakeWorld';

interface Task {
	readonly name: string;
	readonly round: number;
}

/** Works off tasks that take 10 ms each and come back after `pauses`, and notes when each round began. */
async function run(names: readonly string[], parallel: number, pauses: readonly number[]) {
	const { world, stop } = fakeWorld(inTurn(reply(200)));
	const start = world.now();
	const begun: Array<readonly [string, number]> = [];
	let under = 0;
	let most = 0;
	const work = async ({ name, round }: Task) => {
		begun.push([name, world.now() - start]);
		under += 1;
		most = Math.max(most, under);
		await world.sleep(10);
		under -= 1;
		const pause = pauses[round];
		if (pause === undefined) return undefined;
		return { task: { name, round: round + 1 }, at: world.now() + pause };
	};
	const tasks = names.map((name) => ({ name, round: 0 }));
	const done = workOff(tasks, { parallel, work }, world);
	return { done, begun, stop, most: () => most };
}

it('does each task at its time, again and again', async () => {
	const { done, begun } = await run(['a', 'b'], 2, [100, 300]);
	await done;
	expect(begun).toEqual([
		['a', 0],
		['b', 0],
		['a', 110],
		['b', 110],
		['a', 420],
		['b', 420],
	]);
});

it('does no more at once than it may, the longest waiting first', async () => {
	const { done, begun, most } = await run(['a', 'b', 'c'], 1, [5]);
	await done;
	expect(most()).toBe(1);
	// What is due first comes first, even when it was put back.
	expect(begun.map(([name]) => name).join('')).toBe('abcabc');
	expect(begun.map(([, at]) => at)).toEqual([0, 10, 20, 30, 40, 50]);
});

it('ends at once for no tasks', async () => {
	const { done, begun } = await run([], 5, []);
	await done;
	expect(begun).toEqual([]);
});

it('starts nothing after a stop', async () => {
	const { done, begun, stop } = await run(['a', 'b', 'c'], 2, [100]);
	stop();
	await done;
	expect(begun).toEqual([
		['a', 0],
		['b', 0],
	]);
});
