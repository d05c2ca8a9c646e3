import { createKeyedMutex } from '../../../src/core/concurrency';

/** Waits until everything that can go on has gone on. */
async function settle(): Promise<void> {
	for (let i = 0; i < 20; i++) await Promise.resolve();
}

/** A call that goes on when it is told to, and writes down when it begins and ends. */
function step(name: string, log: string[]) {
	let finish = (): void => undefined;
	const stagger = new Promise<void>((resolve) => {
		finish = resolve;
	});
	const call = async () => {
		log.push(`${name} begins`);
		await stagger;
		log.push(`${name} ends`);
		return name;
	};
	return { call, finish };
}

describe('turns', () => {
	it('make calls under one name wait for each other, and others not', async () => {
		const turns = createKeyedMutex();
		const log: string[] = [];
		const [a, b, c] = [step('a', log), step('b', log), step('c', log)];
		const all = [turns.of('x')(a.call), turns.of('x')(b.call), turns.of('y')(c.call)];
		b.finish();
		await settle();
		expect(log).toEqual(['a begins', 'c begins']);
		a.finish();
		c.finish();
		expect(await Promise.all(all)).toEqual(['a', 'b', 'c']);
		expect(log.indexOf('b begins')).toBeGreaterThan(log.indexOf('a ends'));
	});

	it('go on after a call that fails, which its caller learns', async () => {
		const turn = createKeyedMutex().of('x');
		const failed = turn(async () => await Promise.reject(new Error('no')));
		const next = turn(async () => await Promise.resolve('fine'));
		await expect(failed).rejects.toThrow('no');
		expect(await next).toBe('fine');
	});

	it('are forgotten when no one waits', async () => {
		const turns = createKeyedMutex();
		const [a, b] = [step('a', []), step('b', [])];
		const all = [turns.of('x')(a.call), turns.of('x')(b.call)];
		a.finish();
		await settle();
		expect(turns.names()).toBe(1);
		b.finish();
		await Promise.all(all);
		await settle();
		expect(turns.names()).toBe(0);
	});
});
