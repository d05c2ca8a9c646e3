import type { IExecuteFunctions } from 'n8n-workflow';
import { createKeyedMutex } from '../../src/core/concurrency';
import type { DedupeStore, StoreChange } from '../../src/core/dedupeStore';
import { MAX_ENTRIES } from '../../src/core/dedupeStore';
import type { Result } from '../../src/core/result';
import { fail, ok } from '../../src/core/result';
import { messageOf } from '../../src/core/text';
import { withStoreLock } from './storeLock';

type Helpers = IExecuteFunctions['helpers'];

const OPTIONS = { mode: 'entries', maxEntries: MAX_ENTRIES } as const;

/** n8n reads its store, then writes it: executions of one workflow in this process take turns. */
const mutex = createKeyedMutex();

/** An exchange that waits for its turn; those of one node that wait together are done together. */
interface Waiting {
	readonly tests: readonly string[];
	readonly change: (present: ReadonlySet<string>) => StoreChange;
	readonly done: (result: Result<void, string>) => void;
}

const waiting = new Map<string, Waiting[]>();

/** What the store needs besides n8n's helpers: a clock, a pause, and chance. */
export interface StoreRuntime {
	readonly now: () => number;
	readonly sleep: (ms: number) => Promise<void>;
	readonly random: () => number;
}

/** A store in n8n's own database, for this node of a saved workflow. */
export function dedupeStoreOf(context: IExecuteFunctions, runtime: StoreRuntime): DedupeStore {
	const { helpers } = context;
	const workflowId = context.getWorkflow().id;
	const name = JSON.stringify([workflowId, context.getNode().id]);
	const exclusive = mutex.of(String(workflowId));
	const attempt = async <T>(call: () => Promise<T>): Promise<Result<T, string>> => {
		if (workflowId === undefined || workflowId === '' || workflowId === '__EMPTY__')
			return fail('the workflow is not saved');
		try {
			return ok(await call());
		} catch (error) {
			return fail(messageOf(error));
		}
	};
	const locked = async <T>(work: () => Promise<T>): Promise<T> =>
		await exclusive(async () => await withStoreLock(helpers, runtime, work));
	return {
		size: async () =>
			await attempt(async () => await helpers.getProcessedDataCount('node', OPTIONS)),
		exchange: async (tests, change) =>
			await new Promise((done) => {
				const queue = waiting.get(name);
				if (queue) {
					queue.push({ tests, change, done });
					return;
				}
				waiting.set(name, [{ tests, change, done }]);
				void attempt(
					async () =>
						await locked(async () => {
							const together = waiting.get(name) ?? [];
							waiting.delete(name);
							await exchangeAll(helpers, together);
						}),
				).then((result) => {
					if (result.ok) return;
					// Those whose turn never came are told, too.
					const together = waiting.get(name) ?? [];
					waiting.delete(name);
					for (const each of together) each.done(fail(result.failure));
				});
			}),
		clear: async (expected) =>
			await attempt(
				async () =>
					await locked(async () => {
						const count = await helpers.getProcessedDataCount('node', OPTIONS);
						if (count !== expected) return false;
						await helpers.clearAllProcessedItems('node', OPTIONS);
						return true;
					}),
			),
	};
}

/** Does several exchanges as if one after the other, with few calls: each of them reads and writes everything. */
async function exchangeAll(helpers: Helpers, exchanges: readonly Waiting[]): Promise<void> {
	const settled: Array<() => void> = [];
	try {
		const tests = [...new Set(exchanges.flatMap((each) => each.tests))];
		// To look is to record, so that what does not belong there is removed again.
		const before = tests.length > 0 ? await recorded(helpers, tests) : new Set<string>();
		const present = new Set(before);
		const added = new Set<string>();
		const removed = new Set<string>();
		for (const { tests: mine, change, done } of exchanges) {
			const { add, remove } = change(new Set(mine.filter((entry) => present.has(entry))));
			for (const entry of remove) {
				present.delete(entry);
				added.delete(entry);
				removed.add(entry);
			}
			for (const entry of add) {
				present.add(entry);
				added.add(entry);
				removed.delete(entry);
			}
			settled.push(() => done(ok(undefined)));
		}
		const absent = tests.filter((entry) => !present.has(entry));
		const gone = [...new Set([...removed, ...absent])];
		const fresh = [...added].filter((entry) => !tests.includes(entry));
		if (fresh.length > 0) await recorded(helpers, fresh);
		if (gone.length > 0) await helpers.removeProcessed(gone, 'node', OPTIONS);
		for (const settle of settled) settle();
	} catch (error) {
		for (const { done } of exchanges) done(fail(messageOf(error)));
	}
}

async function recorded(helpers: Helpers, entries: string[]): Promise<ReadonlySet<string>> {
	const { processed } = await helpers.checkProcessedAndRecord(entries, 'node', OPTIONS);
	return new Set(processed.map(String));
}
