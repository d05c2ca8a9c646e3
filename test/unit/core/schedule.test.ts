import fc from 'fast-check';
import { runScheduled } from '../../../src/core/schedule';
import { fakeRuntime, inTurn, reply } from '../../support/fakeRuntime';

interface Task {
	readonly name: string;
	readonly round: number;
}

/** Works off tasks that take 10 ms each and come back after `pauses`, and notes when each round began. */
async function run(names: readonly string[], parallel: number, pauses: readonly number[]) {
	const { runtime, stop } = fakeRuntime(inTurn(reply(200)));
	const start = runtime.now();
	const begun: Array<readonly [string, number]> = [];
	let under = 0;
	let max = 0;
	const work = async ({ name, round }: Task) => {
		begun.push([name, runtime.now() - start]);
		under += 1;
		max = Math.max(max, under);
		await runtime.sleep(10);
		under -= 1;
		const pause = pauses[round];
		if (pause === undefined) return undefined;
		return { task: { name, round: round + 1 }, atMs: runtime.now() + pause };
	};
	const tasks = names.map((name) => ({ name, round: 0 }));
	const done = runScheduled(tasks, { parallel, work }, runtime);
	return { done, begun, stop, max: () => max };
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
	const { done, begun, max } = await run(['a', 'b', 'c'], 1, [5]);
	await done;
	expect(max()).toBe(1);
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

it('takes what is due first, and of what is due at the same time what was put back first', async () => {
	const dues = fc.array(fc.nat(20), { minLength: 1, maxLength: 30 });
	await fc.assert(
		fc.asyncProperty(dues, async (pauses) => {
			const { runtime } = fakeRuntime(inTurn(reply(200)));
			const startMs = runtime.now() + 100;
			const begun: number[] = [];
			const work = async ({ number, isDue }: { number: number; isDue: boolean }) => {
				if (!isDue) return { task: { number, isDue: true }, atMs: startMs + (pauses[number] ?? 0) };
				begun.push(number);
				return undefined;
			};
			const tasks = pauses.map((_, number) => ({ number, isDue: false }));
			await runScheduled(tasks, { parallel: 1, work }, runtime);
			// The sort of JavaScript keeps the order of equal ones.
			const expected = [...pauses.keys()].sort((a, b) => (pauses[a] ?? 0) - (pauses[b] ?? 0));
			expect(begun).toEqual(expected);
		}),
	);
});
