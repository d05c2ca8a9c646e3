import { createHash } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';
import { createLimiter } from '../../src/core/concurrency';
import type { DedupeStore } from '../../src/core/dedupeStore';
import { openDedupeStore } from '../../nodes/ConversationDesk/dedupeStore';
import { macrotask } from './macrotask.mjs';

/** A clock that goes on while everybody waits; what belongs to a killed process never goes on. */
export function createWorld(startMs: number) {
	const timers: Array<{ readonly atMs: number; readonly wake: () => void }> = [];
	let clockMs = startMs;
	const after = (ms: number, wake: () => void): void =>
		void timers.push({ atMs: clockMs + ms, wake });
	return {
		now: () => clockMs,
		advance: (ms: number) => {
			clockMs += ms;
		},
		after,
		/** Lets time go on until something is done. */
		until: async (isDone: () => boolean): Promise<void> => {
			for (let turns = 0; !isDone(); turns += 1) {
				await macrotask();
				if (isDone()) return;
				if (turns > 200_000) throw new Error('It does not come to an end');
				timers.sort((a, b) => a.atMs - b.atMs);
				const next = timers.shift();
				if (!next) continue;
				clockMs = Math.max(clockMs, next.atMs);
				next.wake();
			}
		},
	};
}

export type World = ReturnType<typeof createWorld>;

type Stored = { readonly mode: string; readonly data: readonly string[] | number };

/** What happens to the calls of a process to the database, by their numbers from 1. */
export interface Faults {
	/** The step at which it is killed: a call has one before it reads, one before it writes, and one after it. */
	readonly killAt?: number | undefined;
	/** The call that fails before it does anything. */
	readonly failAt?: number | undefined;
	/** The call that fails though it has written. */
	readonly failAfterAt?: number | undefined;
	/** The call whose write takes so many ms. */
	readonly slowAt?: number | undefined;
	readonly slowMs?: number;
}

/** The table of n8n's processed data: find, insert, update and delete are separate steps. */
export class Table {
	readonly records = new Map<string, Stored>();
	/** Names read or written in all calls, as a measure of the work. */
	touched = 0;
}

const hashed = (item: unknown): string => createHash('md5').update(String(item)).digest('base64');

/** One process of n8n that uses the table; it can be killed between any two steps. */
export function createProcess(world: World, table: Table, faults: Faults = {}) {
	let isDead = false;
	let steps = 0;
	let calls = 0;
	const inTurn = createLimiter({ limit: 1 });
	const never = new Promise<never>(() => undefined);
	const sleep = async (ms: number): Promise<void> => {
		await new Promise<void>((resolve) => {
			world.after(Math.max(ms, 0.01), () => {
				if (!isDead) resolve();
			});
		});
	};
	/** Lets others do something, and this process die. */
	const step = async (ms = 1): Promise<void> => {
		steps += 1;
		if (steps === faults.killAt) isDead = true;
		if (isDead) await never;
		await sleep(ms);
		if (isDead) await never;
	};
	const find = async (key: string): Promise<Stored | undefined> => {
		calls += 1;
		if (calls === faults.failAt) throw new Error('SQLITE_BUSY: database is locked');
		await step();
		const found = table.records.get(key);
		table.touched += Array.isArray(found?.data) ? found.data.length : 0;
		return found;
	};
	/** Ends a call that has written, and may fail all the same. */
	const end = async (): Promise<void> => {
		if (calls === faults.failAfterAt) throw new Error('the connection broke');
		await step();
	};
	const slow = (): number => (calls === faults.slowAt ? (faults.slowMs ?? 0) : 1);
	const insert = async (key: string, record: Stored): Promise<void> => {
		await step(slow());
		if (table.records.has(key)) throw new Error('SQLITE_CONSTRAINT: UNIQUE constraint failed');
		table.records.set(key, record);
		await end();
	};
	const update = async (key: string, record: Stored): Promise<void> => {
		await step(slow());
		if (table.records.has(key)) table.records.set(key, record);
		await end();
	};
	const helpers = {
		checkProcessedAndRecord: async (
			items: readonly unknown[],
			scope: string,
			{ mode, maxEntries }: { readonly mode: string; readonly maxEntries?: number },
		) => {
			const found = await find(scope);
			if (found && found.mode !== mode)
				throw new Error('Deduplication data was originally saved with an incompatible setting');
			if (mode !== 'entries') throw new Error('not modelled');
			const names = items.map(hashed);
			if (!found) {
				await insert(scope, { mode, data: names });
				return { new: items, processed: [] };
			}
			const before = found.data as readonly string[];
			const known = new Set(before);
			const data = [...before, ...names.filter((name) => !known.has(name))];
			const cut = maxEntries === undefined ? 0 : Math.max(0, data.length - maxEntries);
			await update(scope, { mode, data: data.slice(cut) });
			return {
				new: items.filter((_, i) => !known.has(names[i] ?? '')),
				processed: items.filter((_, i) => known.has(names[i] ?? '')),
			};
		},
		removeProcessed: async (items: readonly unknown[], scope: string) => {
			const found = await find(scope);
			if (!found || !Array.isArray(found.data)) return;
			const gone = new Set(items.map(hashed));
			const before = found.data as readonly string[];
			await update(scope, { ...found, data: before.filter((name) => !gone.has(name)) });
		},
		clearAllProcessedItems: async (scope: string) => {
			calls += 1;
			await step();
			table.records.delete(scope);
			await end();
		},
		getProcessedDataCount: async (scope: string) => {
			const found = await find(scope);
			return Array.isArray(found?.data) ? found.data.length : 0;
		},
	};
	const context = {
		helpers,
		getWorkflow: () => ({ id: 'w', active: true }),
	} as unknown as IExecuteFunctions;
	let chance = 1;
	const random = (): number => (chance = (chance * 16_807) % 2_147_483_647) / 2_147_483_647;
	return {
		helpers,
		sleep,
		kill: () => {
			isDead = true;
		},
		isDead: () => isDead,
		store: (): DedupeStore =>
			openDedupeStore(context, { now: world.now, sleep, random }, () => inTurn),
		never,
	};
}

export type Process = ReturnType<typeof createProcess>;
