import { sleep } from 'n8n-workflow';
import { createStagger } from '../../../src/core/concurrency';

it('lets the first pass at once, and one of the others with each turn, in their order', async () => {
	const turns: Array<() => void> = [];
	const stagger = createStagger(async () => await new Promise((resolve) => turns.push(resolve)));
	const passed: number[] = [];
	const settle = async () => await sleep(1);
	for (const caller of [1, 2, 3]) void stagger().then(() => passed.push(caller));
	await settle();
	expect(passed).toEqual([1]);
	turns.shift()?.();
	await settle();
	expect(passed).toEqual([1, 2]);
	turns.shift()?.();
	await settle();
	expect(passed).toEqual([1, 2, 3]);
	turns.shift()?.();
	await settle();
	void stagger().then(() => passed.push(4));
	await settle();
	expect(passed).toEqual([1, 2, 3, 4]);
});
