import type { IExecuteFunctions } from 'n8n-workflow';
import { openDedupeStore, withStoreLock } from '../../../nodes/ConversationDesk/dedupeStore';
import type { Process, World } from '../../support/killableStore';
import { createProcess, createWorld, Table } from '../../support/killableStore';

const START = Date.UTC(2026, 0, 15);

type Helpers = IExecuteFunctions['helpers'];
type Work = (ensureLock: () => Promise<void>) => Promise<void>;

let world: World;
let table: Table;
beforeEach(() => {
	world = createWorld(START);
	table = new Table();
});

/** The parts of a process that a lock needs. */
interface Locking {
	readonly helpers: object;
	readonly sleep: Process['sleep'];
}

/** Works under the lock; a process knows of another only by the table. `chance` is its dice. */
const runLocked = async (
	{ helpers, sleep }: Locking,
	work: Work,
	{ workflow = 'w', chance = 0.5 } = {},
): Promise<void> =>
	await withStoreLock(
		helpers as Helpers,
		{ now: world.now, sleep, random: () => chance, workflow },
		work,
	);

/** Lets all these end, however long that takes. */
async function all(...works: ReadonlyArray<Promise<unknown>>): Promise<void> {
	let isOver = false;
	const ended = Promise.allSettled(works).then(() => (isOver = true));
	await world.until(() => isOver);
	await ended;
}

/** Counts how many are inside at once. */
function door() {
	let inside = 0;
	let most = 0;
	return {
		pass: async (work: () => Promise<void>) => {
			inside += 1;
			most = Math.max(most, inside);
			await work();
			inside -= 1;
		},
		counts: () => [most, inside],
	};
}

/** A process that died with the lock. */
async function die(): Promise<void> {
	const dead = createProcess(world, table);
	void runLocked(dead, async () => {
		dead.kill();
		await dead.never;
	});
	await world.until(() => dead.isDead());
}

it('lets one process at a time work, and is gone afterwards', async () => {
	const { pass, counts } = door();
	const works = Array.from({ length: 8 }, async () => {
		const process = createProcess(world, table);
		await runLocked(process, async () => await pass(async () => await process.sleep(50)));
	});
	await all(...works);
	expect([...counts(), table.records.size]).toEqual([1, 0, 0]);
});

it('is waited for, though a probe found only the token of another process that waits', async () => {
	const other = createProcess(world, table);
	const waiting = createProcess(world, table);
	const order: string[] = [];
	const record = async (name: string) =>
		await other.helpers.checkProcessedAndRecord([name], 'workflow', { mode: 'entries' });
	const holding = record('token').then(async () => {
		await other.sleep(400);
		await record('conversation-desk:lock');
		await other.sleep(1_000);
		order.push('other');
		await other.helpers.clearAllProcessedItems('workflow');
	});
	await world.until(() => table.records.size > 0);
	await all(
		holding,
		runLocked(waiting, async () => void order.push('waiting')),
	);
	expect(order).toEqual(['other', 'waiting']);
});

it.each([[undefined], [{}], [{ new: [], processed: [] }], [{ processed: [] }]])(
	'takes an answer that does not tell of each name for none: %j',
	async (answer) => {
		const process = createProcess(world, table);
		const { checkProcessedAndRecord: real } = process.helpers;
		process.helpers.checkProcessedAndRecord = async (items, scope, options) => {
			const reported = await real(items, scope, options);
			return scope === 'node' ? (answer as typeof reported) : reported;
		};
		const recording = process.store().alone(async ({ record }) => await record(['a', 'b']));
		await all(recording);
		expect(await recording).toEqual({
			ok: false,
			failure: "n8n's store did not say which entries are new",
		});
	},
);

it('is taken over within a minute from a process that died with it', async () => {
	await die();
	const order: string[] = [];
	await all(runLocked(createProcess(world, table), async () => void order.push('done')));
	expect([order, table.records.size]).toEqual([['done'], 0]);
	expect(world.now() - START).toBeLessThan(60_000);
});

it('is taken over by one of those who wait, however unlike their chances are', async () => {
	await die();
	const { pass, counts } = door();
	const works = [0.1, 0.4, 0.7].map(async (chance) => {
		const process = createProcess(world, table);
		const work: Work = async (ensureLock) =>
			await pass(async () => {
				await process.sleep(10_000);
				await ensureLock();
			});
		await runLocked(process, work, { workflow: `w${chance}`, chance });
	});
	await all(...works);
	expect([...counts(), table.records.size]).toEqual([1, 0, 0]);
});

it.each([
	['works for 10 s', 10_000, {}],
	['works for 150 s', 150_000, {}],
	// The first two calls take the lock.
	['needs half a minute to write its sign of life', 60_000, { slowAt: 3, slowMs: 30_000 }],
])('is not taken from a process that %s', async (_, ms, faults) => {
	const order: string[] = [];
	const slow = createProcess(world, table, faults);
	const first = runLocked(slow, async () => {
		await slow.sleep(ms);
		order.push('first');
	});
	await world.until(() => table.records.size > 0);
	const second = runLocked(createProcess(world, table), async () => void order.push('second'));
	await all(first, second);
	expect(order).toEqual(['first', 'second']);
});

it('tells a holder that was taken for dead, and leaves the lock of the next one alone', async () => {
	const frozen = createProcess(world, table);
	const reported: string[] = [];
	// Its event loop is frozen, so it writes no heartbeat.
	const still = { helpers: frozen.helpers, sleep: async () => await frozen.never };
	const lost = runLocked(still, async (ensureLock) => {
		await frozen.sleep(100_000);
		await ensureLock().catch((error: Error) => reported.push(error.message));
	});
	await world.until(() => table.records.size > 0);
	const next = createProcess(world, table);
	let isHeldInTheEnd = false;
	const second = runLocked(next, async () => {
		await next.sleep(120_000);
		isHeldInTheEnd = table.records.has('workflow');
	});
	await all(lost, second);
	expect(reported).toEqual(["n8n's store is locked: another execution took it over"]);
	expect(isHeldInTheEnd).toBe(true);
});

describe('beside a Remove Duplicates node', () => {
	it.each([
		{ mode: 'latestIncrementalKey', data: 42 },
		{ mode: 'entries', data: ['a', 'b', 'c'] },
	])('does not wait for its record, and leaves it unchanged: %j', async (record) => {
		table.records.set('workflow', record);
		const done: string[] = [];
		const process = createProcess(world, table);
		await all(runLocked(process, async () => void done.push('x'), { workflow: record.mode }));
		expect(done).toEqual(['x']);
		expect(world.now() - START).toBeLessThan(1_000);
		expect(table.records.get('workflow')).toEqual(record);
	});

	it('lets executions of one process take turns, too', async () => {
		table.records.set('workflow', { mode: 'latestIncrementalKey', data: 42 });
		const { pass, counts } = door();
		const works = Array.from({ length: 4 }, async () => {
			const process = createProcess(world, table);
			const helpers = process.helpers as unknown as Helpers;
			const store = openDedupeStore(
				{ helpers, getWorkflow: () => ({ id: 'turns', active: true }) },
				{ now: world.now, sleep: process.sleep, random: () => 0.5 },
			);
			await store.alone(async () => await pass(async () => await process.sleep(50)));
		});
		await all(...works);
		expect(counts()).toEqual([1, 0]);
	});
});

it('says why it cannot be had where the store fails', async () => {
	const { helpers, sleep } = createProcess(world, table);
	const getProcessedDataCount = async (): Promise<never> => {
		throw new Error('FOREIGN KEY constraint failed');
	};
	const failed = runLocked(
		{ helpers: { ...helpers, getProcessedDataCount }, sleep },
		async () => {},
	);
	const message = failed.catch((error: Error) => error.message);
	await all(message);
	expect(await message).toBe("n8n's store is locked: FOREIGN KEY constraint failed");
});
