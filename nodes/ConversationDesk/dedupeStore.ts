import get from 'lodash/get';
import memoize from 'lodash/memoize';
import size from 'lodash/size';
import type { IExecuteFunctions } from 'n8n-workflow';
import type { RunExclusive } from '../../src/core/concurrency';
import { createLimiter } from '../../src/core/concurrency';
import type { DedupeStore, StoredNames } from '../../src/core/dedupeStore';
import { NOT_SAVED } from '../../src/core/dedupeStore';
import { attempt, fail } from '../../src/core/result';

type Helpers = IExecuteFunctions['helpers'];

/** The record of this node, and that of the whole workflow, which is the lock. */
const SCOPE = 'node';
const LOCK_SCOPE = 'workflow';
/** n8n drops the oldest entries above a limit in silence, so the limit is far away. */
const OPTIONS = { mode: 'entries', maxEntries: 100_000_000 } as const;

/** n8n reads its store, then writes it: executions of one workflow in this process take turns. */
const turnsOf: (workflow: string) => RunExclusive = memoize(() => createLimiter(() => 1));

/** A store in n8n's own database, for this node of a saved workflow; `turns` are those of this process. */
export function dedupeStoreOf(
	context: Pick<IExecuteFunctions, 'helpers' | 'getWorkflow'>,
	runtime: Omit<LockRuntime, 'workflow'>,
	turns = turnsOf,
): DedupeStore {
	const { helpers } = context;
	const workflow = context.getWorkflow().id ?? '';
	if (workflow === '' || workflow === '__EMPTY__')
		return { size: async () => fail(NOT_SAVED), alone: async () => fail(NOT_SAVED) };
	return {
		size: async () =>
			await attempt(async () => await helpers.getProcessedDataCount(SCOPE, OPTIONS)),
		alone: async (work) =>
			await attempt(
				async () =>
					await turns(workflow)(
						async () =>
							await withStoreLock(
								helpers,
								{ ...runtime, workflow },
								async (lock) => await work(namesOf(helpers, lock)),
							),
					),
			),
	};
}

/** Removing a name takes n8n a search through all of them, on its main thread. */
const SEARCHED_AT_ONCE = 40_000_000;
const MIN_CHUNK = 100;

/** Records names, and says which were there before: an answer that leaves any of them out is none, since who is free is called. */
async function recordNames(
	helpers: Helpers,
	names: readonly string[],
	scope: typeof SCOPE | typeof LOCK_SCOPE,
): Promise<string[]> {
	const told = await helpers.checkProcessedAndRecord([...names], scope, OPTIONS);
	if (size(get(told, 'new')) + size(get(told, 'processed')) !== names.length)
		throw new Error("n8n's store did not say which names are new");
	return told.processed.map(String);
}

/** Each call reads and writes the whole record, without a transaction: it counts only while the lock is ours. */
const namesOf = (helpers: Helpers, lock: StoreLock): StoredNames => ({
	record: async (names) => {
		if (names.length === 0) return new Set();
		await lock.ensure();
		const present = await recordNames(helpers, names, SCOPE);
		await lock.ensure();
		return new Set(present);
	},
	remove: async (names) => {
		const isShort = names.length <= MIN_CHUNK;
		const count = isShort ? 1 : await helpers.getProcessedDataCount(SCOPE, OPTIONS);
		const chunkSize = Math.max(MIN_CHUNK, Math.floor(SEARCHED_AT_ONCE / Math.max(1, count)));
		for (let start = 0; start < names.length; start += chunkSize) {
			await lock.ensure();
			await helpers.removeProcessed(names.slice(start, start + chunkSize), SCOPE, OPTIONS);
		}
	},
	trim: async (count) => {
		await lock.ensure();
		await helpers.checkProcessedAndRecord([], SCOPE, { ...OPTIONS, maxEntries: count });
	},
});

/** What the lock needs besides n8n's helpers: a clock, a pause, and chance. */
interface LockRuntime {
	readonly now: () => number;
	/** May end early, and reject, when the signal says so. */
	readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
	readonly random: () => number;
	/** The ID of the workflow. */
	readonly workflow: string;
}

/** A lock that is held. */
interface StoreLock {
	/** Throws where another process has taken the lock over. */
	ensure(): Promise<void>;
}

/** In every lock of ours, and in nothing that anyone else keeps there. */
const NAME = 'conversation-desk:lock';

/** A holder leaves a new sign of life after so long. */
const RENEW_MS = 4_000;
/** A holder without a sign of life for so long has died. Longer than a slow write of it may take to arrive. */
const STALE_MS = 45_000;
/** A record that has not changed for so long is looked at, whether it is a lock at all. */
const PROBE_MS = 300;
const GIVE_UP_MS = 600_000;
const MAX_ERRORS = 10;
/** A lock that cannot be released is taken over when it is stale. */
const RELEASE_TRIES = 3;

/**
 * Does work alone among all processes. The lock is the first write of n8n's store for the workflow, an SQL insert on a primary
 * key: of several at once one succeeds. Its count of names can be read without writing, so those who wait change nothing, and see by
 * it that the holder is alive. Where a Remove Duplicates node of the workflow uses that record, only this process is held back.
 */
export async function withStoreLock<T>(
	helpers: Helpers,
	runtime: LockRuntime,
	work: (lock: StoreLock) => Promise<T>,
): Promise<T> {
	const { now, sleep, random, workflow } = runtime;
	const token = `conversation-desk:${workflow}:${now()}:${random().toString(36).slice(2)}`;
	if (!(await acquire(helpers, runtime, token))) return await work({ ensure: async () => {} });
	let seenMs = now();
	let signs = 0;
	let isLost = false;
	const done = new AbortController();
	/** Leaves a sign of life where the last one is not fresh: no one can have taken over what was renewed a moment ago. */
	const ensure = async (): Promise<void> => {
		const askedMs = now();
		if (!isLost && (askedMs < seenMs || askedMs - seenMs >= RENEW_MS)) {
			signs += 1;
			const names = [token, `${token}:alive:${signs}`];
			const present = await recordNames(helpers, names, LOCK_SCOPE);
			if (present.includes(token)) seenMs = askedMs;
			else isLost = true;
		}
		if (isLost) throw new LockError('another execution took it over');
	};
	/** Goes on while the work does, however slow a single write of it is. */
	const keepAlive = async (): Promise<void> => {
		while (!done.signal.aborted) {
			await attempt(async () => await sleep(RENEW_MS / 4, done.signal));
			if (!done.signal.aborted) await attempt(ensure);
		}
	};
	void keepAlive();
	try {
		return await work({ ensure });
	} finally {
		done.abort();
		for (let tries = 0; !isLost && tries < RELEASE_TRIES; tries += 1) {
			const released = await attempt(async () => {
				await ensure();
				await helpers.clearAllProcessedItems(LOCK_SCOPE, OPTIONS);
			});
			if (released.ok) break;
		}
	}
}

/** Workflows whose record belongs to another node, so no one waits for it again. */
const foreign = new Set<string>();

/** Waits for the lock; false where the record is someone else's. */
async function acquire(
	helpers: Helpers,
	{ now, sleep, random, workflow }: LockRuntime,
	token: string,
): Promise<boolean> {
	const startMs = now();
	let unchanged = { count: -1, sinceMs: startMs, isProbed: false };
	let takenOver: string[] = [];
	let errors: string[] = [];
	/** Whether the lock is ours now, someone holds it, or the record is no lock at all. */
	const look = async (): Promise<'acquired' | 'held' | 'foreign'> => {
		const count = await helpers.getProcessedDataCount(LOCK_SCOPE, OPTIONS);
		if (count !== unchanged.count) unchanged = { count, sinceMs: now(), isProbed: false };
		if (count === 0) {
			const names = [NAME, token, ...takenOver];
			const present = await recordNames(helpers, names, LOCK_SCOPE);
			return present.includes(NAME) ? 'held' : 'acquired';
		}
		if (foreign.has(workflow)) return 'foreign';
		const ms = now() - unchanged.sinceMs;
		if (ms < PROBE_MS || (unchanged.isProbed && ms <= STALE_MS)) return 'held';
		unchanged.isProbed = true;
		const present = await recordNames(helpers, [NAME, token], LOCK_SCOPE);
		if (!present.includes(NAME)) {
			// It was released in this moment where these two names are all there is.
			if ((await helpers.getProcessedDataCount(LOCK_SCOPE, OPTIONS)) === 2) return 'acquired';
			await helpers.removeProcessed([NAME, token], LOCK_SCOPE, OPTIONS);
			return 'foreign';
		}
		if (ms <= STALE_MS) return 'held';
		// Whoever else waits sees that its holder died: chance lets one be first, and the others see that the count has changed.
		await sleep(random() * RENEW_MS);
		if ((await helpers.getProcessedDataCount(LOCK_SCOPE, OPTIONS)) === count)
			await helpers.clearAllProcessedItems(LOCK_SCOPE, OPTIONS);
		takenOver = Array.from({ length: count }, (_, i) => `${token}:${i}`);
		return 'held';
	};
	for (;;) {
		const seen = await attempt(look);
		if (seen.ok ? seen.value === 'foreign' : /incompatible/i.test(seen.failure)) {
			foreign.add(workflow);
			return false;
		}
		if (seen.ok && seen.value === 'acquired') {
			foreign.delete(workflow);
			// What a holder that died had begun to write may still arrive.
			if (takenOver.length > 0) await sleep(RENEW_MS / 2);
			return true;
		}
		errors = seen.ok ? [] : [...errors, seen.failure];
		if (errors.length > MAX_ERRORS) throw new LockError(errors[0] ?? '');
		if (now() - startMs > GIVE_UP_MS) throw new LockError('another execution is not releasing it');
		await sleep(10 + random() * 60);
	}
}

class LockError extends Error {
	constructor(reason: string) {
		super(`n8n's store is locked: ${reason}`);
	}
}
