import type { IExecuteFunctions } from 'n8n-workflow';
import { openDedupeStore, withStoreLock } from '../../nodes/ConversationDesk/dedupeStore';
import type { Process, World } from '../support/killableStore';
import { createProcess, createWorld, Table } from '../support/killableStore';

const START = Date.UTC(2026, 0, 15);

type Helpers = IExecuteFunctions['helpers'];

/** What one process has of n8n's store: the lock of another is known to it through the table only. */
const lockedIn = async (world: World, process: Process, work: () => Promise<void>): Promise<void> =>
	await withStoreLock(
		process.helpers as unknown as Helpers,
		{ now: world.now, sleep: process.sleep, random: () => 0.5, workflow: 'w' },
		work,
	);

/** Lets all these end, however long that takes. */
async function all(world: World, works: ReadonlyArray<Promise<unknown>>): Promise<void> {
	let isOver = false;
	const ended = Promise.allSettled(works).then(() => (isOver = true));
	await world.until(() => isOver);
	await ended;
}

describe('the lock of the store', () => {
	it('lets one process at a time work, and is gone afterwards', async () => {
		const world = createWorld(START);
		const table = new Table();
		let inside = 0;
		let most = 0;
		const works = Array.from({ length: 8 }, async () => {
			const process = createProcess(world, table);
			await lockedIn(world, process, async () => {
				inside += 1;
				most = Math.max(most, inside);
				await process.sleep(50);
				inside -= 1;
			});
		});
		await all(world, works);
		expect([most, inside, table.records.size]).toEqual([1, 0, 0]);
	});

	it.each([[undefined], [{}], [{ new: [], processed: [] }], [{ processed: [] }]])(
		'takes an answer that does not tell of each name for none: %j',
		async (answer) => {
			const world = createWorld(START);
			const process = createProcess(world, new Table());
			const { checkProcessedAndRecord: real } = process.helpers;
			process.helpers.checkProcessedAndRecord = async (items, scope, options) => {
				const told = await real(items, scope, options);
				return scope === 'node' ? (answer as typeof told) : told;
			};
			const recording = process.store().alone(async ({ record }) => await record(['a', 'b']));
			await all(world, [recording]);
			expect(await recording).toEqual({
				ok: false,
				failure: "n8n's store did not say which names are new",
			});
		},
	);

	it('is taken over within a minute from a process that died with it', async () => {
		const world = createWorld(START);
		const table = new Table();
		const dead = createProcess(world, table);
		void lockedIn(world, dead, async () => {
			dead.kill();
			await dead.never;
		});
		await world.until(() => dead.isDead());
		const order: string[] = [];
		const next = createProcess(world, table);
		await all(world, [lockedIn(world, next, async () => void order.push('done'))]);
		expect(order).toEqual(['done']);
		expect(world.now() - START).toBeLessThan(60_000);
		expect(table.records.size).toBe(0);
	});

	it('is taken over by one of those who wait, however unlike their chances are', async () => {
		const world = createWorld(START);
		const table = new Table();
		const dead = createProcess(world, table);
		void lockedIn(world, dead, async () => {
			dead.kill();
			await dead.never;
		});
		await world.until(() => dead.isDead());
		let inside = 0;
		let most = 0;
		const works = [0.1, 0.4, 0.7].map(async (chance) => {
			const { helpers, sleep } = createProcess(world, table);
			await withStoreLock(
				helpers as unknown as Helpers,
				{ now: world.now, sleep, random: () => chance, workflow: `w${chance}` },
				async (ensureLock) => {
					inside += 1;
					most = Math.max(most, inside);
					await sleep(10_000);
					await ensureLock();
					inside -= 1;
				},
			);
		});
		await all(world, works);
		expect([most, inside, table.records.size]).toEqual([1, 0, 0]);
	});

	it('is not taken from a process whose sign of life takes half a minute to be written', async () => {
		const world = createWorld(START);
		const table = new Table();
		const order: string[] = [];
		// The first two calls take the lock.
		const slow = createProcess(world, table, { slowAt: 3, slowMs: 30_000 });
		const quick = createProcess(world, table);
		const first = lockedIn(world, slow, async () => {
			await slow.sleep(60_000);
			order.push('first');
		});
		await world.until(() => table.records.size > 0);
		const second = lockedIn(world, quick, async () => void order.push('second'));
		await all(world, [first, second]);
		expect(order).toEqual(['first', 'second']);
	});

	it.each([10_000, 150_000])(
		'is not taken from a process whose work takes %d ms, since it leaves signs of life',
		async (ms) => {
			const world = createWorld(START);
			const table = new Table();
			const order: string[] = [];
			const slow = createProcess(world, table);
			const quick = createProcess(world, table);
			const first = lockedIn(world, slow, async () => {
				await slow.sleep(ms);
				order.push('first');
			});
			await world.until(() => table.records.size > 0);
			const second = lockedIn(world, quick, async () => void order.push('second'));
			await all(world, [first, second]);
			expect(order).toEqual(['first', 'second']);
		},
	);

	it('tells a holder that was taken for dead, and leaves the lock of the next one alone', async () => {
		const world = createWorld(START);
		const table = new Table();
		const frozen = createProcess(world, table);
		const told: string[] = [];
		const lost = withStoreLock(
			frozen.helpers as unknown as Helpers,
			{ now: world.now, sleep: async () => await frozen.never, random: () => 0.5, workflow: 'w' },
			async (ensureLock) => {
				// Its event loop stands still, so it leaves no sign of life.
				await frozen.sleep(100_000);
				await ensureLock().catch((error: Error) => told.push(error.message));
			},
		);
		await world.until(() => table.records.size > 0);
		const next = createProcess(world, table);
		let isHeldInTheEnd = false;
		const second = lockedIn(world, next, async () => {
			await next.sleep(120_000);
			isHeldInTheEnd = table.records.has('workflow');
		});
		await all(world, [lost, second]);
		expect(told).toEqual(["n8n's store is locked: another execution took it over"]);
		expect(isHeldInTheEnd).toBe(true);
	});

	it('does not wait for the record of a Remove Duplicates node, and leaves it as it is', async () => {
		for (const record of [
			{ mode: 'latestIncrementalKey', data: 42 },
			{ mode: 'entries', data: ['a', 'b', 'c'] },
		]) {
			const world = createWorld(START);
			const table = new Table();
			table.records.set('workflow', record);
			const process = createProcess(world, table);
			const done: string[] = [];
			await all(world, [
				withStoreLock(
					process.helpers as unknown as Helpers,
					{ now: world.now, sleep: process.sleep, random: () => 0.5, workflow: record.mode },
					async () => void done.push('done'),
				),
			]);
			expect(done).toEqual(['done']);
			expect(world.now() - START).toBeLessThan(1_000);
			expect(table.records.get('workflow')).toEqual(record);
		}
	});

	it('lets executions of one process take turns beside a Remove Duplicates node, too', async () => {
		const world = createWorld(START);
		const table = new Table();
		table.records.set('workflow', { mode: 'latestIncrementalKey', data: 42 });
		let inside = 0;
		let most = 0;
		const works = Array.from({ length: 4 }, async () => {
			const process = createProcess(world, table);
			const store = openDedupeStore(
				{
					helpers: process.helpers as unknown as Helpers,
					getWorkflow: () => ({ id: 'turns', active: true }),
				},
				{ now: world.now, sleep: process.sleep, random: () => 0.5 },
			);
			await store.alone(async () => {
				inside += 1;
				most = Math.max(most, inside);
				await process.sleep(50);
				inside -= 1;
			});
		});
		await all(world, works);
		expect([most, inside]).toEqual([1, 0]);
	});

	it('says why it cannot be had where the store fails', async () => {
		const world = createWorld(START);
		const process = createProcess(world, new Table());
		const failing = async (): Promise<never> => {
			throw new Error('FOREIGN KEY constraint failed');
		};
		let message = '';
		await all(world, [
			withStoreLock(
				{ ...process.helpers, getProcessedDataCount: failing } as unknown as Helpers,
				{ now: world.now, sleep: process.sleep, random: () => 0.5, workflow: 'w' },
				async () => {},
			).catch((error: Error) => (message = error.message)),
		]);
		expect(message).toBe("n8n's store is locked: FOREIGN KEY constraint failed");
	});
});
