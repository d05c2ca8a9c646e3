import { createHash } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';
import { createLimiter } from '../../src/core/concurrency';
import type { DedupeStore } from '../../src/core/dedupeStore';
import { openDedupeStore } from '../../nodes/ConversationDesk/dedupeStore';
import { macrotask } from './macrotask.mjs';
import type { Stored } from './dedupeTable';
import { openTable } from './dedupeTable';

/** A clock that advances while all processes wait. Killed processes never continue. */
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

/** The faults of a process in its calls to the database, which are numbered from 1. */
export interface Faults {
	/** The step at which it is killed: a call has one before it reads, one before it writes, and one after it. */
	readonly killAt?: number | undefined;
	/** The call that fails before it does anything. */
	readonly failAt?: number | undefined;
	/** The call that fails though it has written. */
	readonly failAfterAt?: number | undefined;
	/** The call whose write takes `slowMs`. */
	readonly slowAt?: number | undefined;
	readonly slowMs?: number;
}

/** The table of n8n's processed data: find, insert, update and delete are separate steps. */
export class Table {
	readonly records = new Map<string, Stored>();
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
	const opened = openTable(table.records, {
		read: async () => {
			calls += 1;
			if (calls === faults.failAt) throw new Error('SQLITE_BUSY: database is locked');
			await step();
		},
		write: async () => await step(calls === faults.slowAt ? faults.slowMs : 1),
		// A call that has written may fail all the same.
		end: async () => {
			if (calls === faults.failAfterAt) throw new Error('the connection broke');
			await step();
		},
		nameOf: hashed,
	});
	const helpers = {
		checkProcessedAndRecord: async (
			items: readonly unknown[],
			scope: string,
			options: { readonly mode: string; readonly maxEntries?: number },
		) => await opened.check(scope, items, options),
		removeProcessed: async (items: readonly unknown[], scope: string) =>
			await opened.remove(scope, items),
		clearAllProcessedItems: async (scope: string) => await opened.clear(scope),
		getProcessedDataCount: async (scope: string) => await opened.count(scope),
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
