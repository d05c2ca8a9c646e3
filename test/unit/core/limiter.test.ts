import { createLimiter } from '../../../src/core/concurrency';

/** Calls that end when they are told to. */
function calls(limit: () => number) {
	const limited = createLimiter(limit);
	const begun: number[] = [];
	const ends: Array<(error?: Error) => void> = [];
	const call = async (n: number) =>
		await limited(async () => {
			begun.push(n);
			await new Promise<void>((done, fail) => {
				ends[n] = (error) => {
					if (error) fail(error);
					else done();
				};
			});
			return n;
		});
	const settled = async () => {
		for (let i = 0; i < 10; i++) await Promise.resolve();
	};
	const end = async (n: number, error?: Error) => {
		ends[n]?.(error);
		await settled();
	};
	return { begun, call, end, settled };
}

it('lets so many run at once, and the others wait in line', async () => {
	const { begun, call, end, settled } = calls(() => 2);
	const all = [0, 1, 2, 3].map(call);
	await settled();
	expect(begun).toEqual([0, 1]);
	await end(1);
	expect(begun).toEqual([0, 1, 2]);
	await end(0);
	expect(begun).toEqual([0, 1, 2, 3]);
	await end(2);
	await end(3);
	expect(await Promise.all(all)).toEqual([0, 1, 2, 3]);
});

it('goes on after a call that failed, and throws what that threw', async () => {
	const { begun, call, end, settled } = calls(() => 1);
	const failed = call(0);
	const next = call(1);
	await settled();
	const expected = expect(failed).rejects.toThrow('broken');
	await end(0, new Error('broken'));
	await expected;
	expect(begun).toEqual([0, 1]);
	await end(1);
	expect(await next).toBe(1);
});

it('follows a bound that changes, and lets one run whatever it says', async () => {
	let limit = 0;
	const { begun, call, end, settled } = calls(() => limit);
	const all = [0, 1, 2, 3, 4].map(call);
	await settled();
	expect(begun).toEqual([0]);
	limit = 3;
	await end(0);
	expect(begun).toEqual([0, 1, 2, 3]);
	limit = 1;
	await end(1);
	await end(2);
	expect(begun).toEqual([0, 1, 2, 3]);
	await end(3);
	expect(begun).toEqual([0, 1, 2, 3, 4]);
	await end(4);
	await Promise.all(all);
});
