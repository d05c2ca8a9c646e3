import { withStoreLock } from '../../nodes/ConversationDesk/storeLock';
import { N8nStore } from '../support/n8nStore';

type Helpers = Parameters<typeof withStoreLock>[0];

const context = { workflow: { id: 'w' }, node: { id: 'n' } } as never;

/** What one process has of n8n's store; the lock of another process is known to it through the store only. */
const helpersOf = (store: N8nStore): Helpers => ({
	checkProcessedAndRecord: async (items, scope, options) =>
		await store.checkProcessedAndRecord(items, scope, context, options),
	clearAllProcessedItems: async (scope) => await store.clearAllProcessedItems(scope, context),
});

/** A clock that goes on while anyone sleeps. */
function clock() {
	let nowMs = Date.UTC(2026, 0, 15);
	return {
		now: () => nowMs,
		random: () => 0.5,
		sleep: async (ms: number) => {
			nowMs += ms;
			for (let i = 0; i < 20; i++) await Promise.resolve();
		},
	};
}

describe('the lock of the store', () => {
	it('lets one process at a time work, and is gone afterwards', async () => {
		const store = new N8nStore();
		const runtime = clock();
		let inside = 0;
		let most = 0;
		const work = async () => {
			inside += 1;
			most = Math.max(most, inside);
			for (let i = 0; i < 50; i++) await Promise.resolve();
			inside -= 1;
		};
		await Promise.all(
			Array.from({ length: 8 }, async () => await withStoreLock(helpersOf(store), runtime, work)),
		);
		expect([most, inside, store.records.size]).toEqual([1, 0, 0]);
	});

	it('is taken over within a minute from a process that died with it', async () => {
		const store = new N8nStore();
		const runtime = clock();
		const start = runtime.now();
		// Never released: its process was killed.
		void withStoreLock(
			helpersOf(store),
			runtime,
			async () => await new Promise<void>(() => undefined),
		);
		for (let i = 0; i < 100; i++) await Promise.resolve();
		expect(await withStoreLock(helpersOf(store), runtime, async () => 'done')).toBe('done');
		expect(runtime.now() - start).toBeLessThan(60_000);
		expect(store.records.size).toBe(0);
	});

	it('is not taken from a process that works for some seconds', async () => {
		const store = new N8nStore();
		const runtime = clock();
		const order: string[] = [];
		const slow = withStoreLock(helpersOf(store), runtime, async () => {
			await runtime.sleep(10_000);
			order.push('first');
		});
		const second = withStoreLock(helpersOf(store), runtime, async () => void order.push('second'));
		await Promise.all([slow, second]);
		expect(order).toEqual(['first', 'second']);
	});

	it('says why it cannot be had where the store fails', async () => {
		const store = new N8nStore();
		store.failure = new Error('FOREIGN KEY constraint failed');
		await expect(withStoreLock(helpersOf(store), clock(), async () => 'done')).rejects.toThrow(
			"n8n's store is locked: FOREIGN KEY constraint failed",
		);
	});
});
