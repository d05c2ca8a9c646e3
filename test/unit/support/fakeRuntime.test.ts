import { fakeRuntime, inTurn, reply } from '../../support/fakeRuntime';

it('lets time pass only after every promise that can settle, however long the chain', async () => {
	const { runtime } = fakeRuntime(inTurn(reply(200)));
	const start = runtime.now();
	const chain = async () => {
		await runtime.sleep(10);
		for (let i = 0; i < 1_000; i++) await Promise.resolve();
		return runtime.now() - start;
	};
	const [end] = await Promise.all([chain(), runtime.sleep(20)]);
	expect(end).toBe(10);
});

it('ends every sleep at once when the user stops', async () => {
	const { runtime, stop } = fakeRuntime(inTurn(reply(200)));
	const start = runtime.now();
	const sleeps = Promise.all([runtime.sleep(10), runtime.sleep(20)]);
	stop();
	await sleeps;
	expect(runtime.signal.aborted).toBe(true);
	expect(runtime.now()).toBe(start);
});
