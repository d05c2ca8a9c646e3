import { chunk, get, memoize, size } from 'lodash';
import type { IExecuteFunctions } from 'n8n-workflow';
import { createLimiter, type RunInTurn } from '../../src/core/concurrency';
import type { DedupeStore, StoredTexts } from '../../src/core/dedupeStore';
import { catchFailure } from '../../src/core/result';

type Helpers = IExecuteFunctions['helpers'];

/** The record of this node, and the record of the whole workflow, which is the lock. */
const SCOPE = 'node';
const LOCK_SCOPE = 'workflow';
/** Above `maxEntries` n8n silently drops the oldest entries, so this limit is never reached. */
const OPTIONS = { mode: 'entries', maxEntries: 100_000_000 } as const;

/** Returns the queue of a workflow, in which executions of this process use the store one at a time. */
const getWorkflowTurns: (workflow: string) => RunInTurn = memoize(() =>
	createLimiter({ limit: 1 }),
);

/** Opens n8n's store of texts for this node. `alone` runs work that no other execution interrupts. */
export function openDedupeStore(
	context: Pick<IExecuteFunctions, 'helpers' | 'getWorkflow'>,
	runtime: Omit<LockRuntime, 'workflow'>,
	turns = getWorkflowTurns,
): DedupeStore {
	const { helpers } = context;
	const workflow = context.getWorkflow().id ?? '';
	return {
		// '__EMPTY__' is n8n's ID of an unsaved workflow, which has no store.
		isSaved: workflow !== '' && workflow !== '__EMPTY__',
		size: async () =>
			await catchFailure(async () => await helpers.getProcessedDataCount(SCOPE, OPTIONS)),
		alone: async (work) => {
			const withTexts = async (ensureLock: EnsureLock) =>
				await work(openTexts(helpers, ensureLock));
			const lockAndWork = async () =>
				await withStoreLock(helpers, { ...runtime, workflow }, withTexts);
			// The turns are for executions in this process, the lock is for other processes.
			return await catchFailure(async () => await turns(workflow)(lockAndWork));
		},
	};
}

/** Max texts per removal, because n8n searches its whole list on its main thread for each. */
const REMOVED_AT_ONCE = 500;

/** Records texts, and returns those that were recorded before. Throws if n8n's answer lacks one. */
async function recordTexts(
	helpers: Helpers,
	texts: readonly string[],
	scope: typeof SCOPE | typeof LOCK_SCOPE,
): Promise<string[]> {
	const answer = await helpers.checkProcessedAndRecord([...texts], scope, OPTIONS);
	// A person who is missing from the answer would be called twice.
	if (size(get(answer, 'new')) + size(get(answer, 'processed')) !== texts.length)
		throw new Error("n8n's store did not say which entries are new");
	return answer.processed.map(String);
}

/** Makes functions that record and remove this node's texts. `record` returns the texts recorded before. Both need the lock. */
const openTexts = (helpers: Helpers, ensureLock: EnsureLock): StoredTexts => ({
	record: async (texts) => {
		if (texts.length === 0) return new Set();
		await ensureLock(); // n8n rewrites its whole list, so without the lock texts would be lost.
		const recordedBefore = await recordTexts(helpers, texts, SCOPE);
		// A lock that was lost during the write makes the answer unreliable.
		await ensureLock();
		return new Set(recordedBefore);
	},
	remove: async (texts) => {
		for (const some of chunk(texts, REMOVED_AT_ONCE)) {
			await ensureLock();
			await helpers.removeProcessed(some, SCOPE, OPTIONS);
		}
	},
});

/** The host of the lock: a clock, a pause, and random numbers. */
interface LockRuntime {
	readonly now: () => number;
	/** May end early and reject when the signal is aborted. */
	readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
	readonly random: () => number;
	/** The ID of the workflow. */
	readonly workflow: string;
}

/** Throws if another process has taken the lock over. It is called before each write. */
type EnsureLock = () => Promise<void>;

/** The text that proves that a record is a lock of this node. */
const LOCK_TEXT = 'conversation-desk:lock';
/** A holder renews its lock after this time, and checks four times as often whether it is over. */
const RENEW_MS = 4_000;
/** A lock that was not renewed for this time is taken over: longer than a slow write may take. */
const STALE_MS = 45_000;
/** A record that is unchanged for this time is probed, because it may not be a lock. */
const PROBE_MS = 200;
/** Probes without our lock that prove another node's record. Fewer may be tokens of waiting processes. */
const FOREIGN_PROBES = 3;
const GIVE_UP_MS = 600_000;
const MAX_ERRORS = 10;

/** Runs work under the lock of the workflow, or without it if another node uses the record of the lock. */
export async function withStoreLock<T>(
	helpers: Helpers,
	runtime: LockRuntime,
	work: (ensureLock: EnsureLock) => Promise<T>,
): Promise<T> {
	const { now, sleep, random, workflow } = runtime;
	const token = `conversation-desk:${workflow}:${now()}:${random().toString(36).slice(2)}`;
	// Another node uses the record, so there is no lock to renew.
	if (!(await takeLock(helpers, runtime, token))) return await work(async () => {});
	let renewedMs = now();
	let renewals = 0;
	let isLost = false;
	const done = new AbortController();
	/** Renews the lock after RENEW_MS, and throws if another process has taken it over. */
	const ensureLock = async (): Promise<void> => {
		const nowMs = now();
		// A clock that was set back also renews the lock.
		if (!isLost && (nowMs < renewedMs || nowMs - renewedMs >= RENEW_MS)) {
			renewals += 1;
			// A new text raises the count that waiting processes watch. Recording also tests whether the token exists.
			const texts = [token, `${token}:alive:${renewals}`];
			const present = await recordTexts(helpers, texts, LOCK_SCOPE);
			if (present.includes(token)) renewedMs = nowMs;
			else isLost = true; // Another process has cleared the record to take the lock over.
		}
		if (isLost) throw lockError('another execution took it over');
	};
	/** Renews the lock during slow writes. Ignores its loss, because the next `ensureLock` of the work throws. */
	const keepAlive = async (): Promise<void> => {
		while (!done.signal.aborted) {
			await catchFailure(async () => await sleep(RENEW_MS / 4, done.signal)); // A renewal is at most this late.
			if (!done.signal.aborted) await catchFailure(ensureLock);
		}
	};
	void keepAlive();
	try {
		return await work(ensureLock);
	} finally {
		done.abort();
		// Only a lock that is not lost is cleared. One that cannot be released is taken over when it is stale.
		await catchFailure(async () => {
			await ensureLock();
			await helpers.clearAllProcessedItems(LOCK_SCOPE, OPTIONS);
		});
	}
}

/** The workflows in which Remove Duplicates uses the record of the lock, kept because probes take time. */
const foreignWorkflows = new Set<string>();

/** The result of a try: this process has the lock, another process, or none, because another node uses the record. */
type LockState = 'acquired' | 'held' | 'foreign' | 'unclear';

/** Makes the function that tries to get the lock once. It may clear the lock of a dead holder before. */
function createLockTries(helpers: Helpers, runtime: LockRuntime, token: string) {
	// The process that first inserts LOCK_TEXT into n8n's record of the workflow has the lock. Waiting processes read the count of
	// texts, which grows while the holder is alive. If a Remove Duplicates node of the workflow uses that record, no process gets
	// the lock. Then only executions of this process take turns.
	const { now, sleep, random, workflow } = runtime;
	/** The last change of the number of texts: the new count, its time, and whether the record was probed since. */
	let lastChange = { count: -1, sinceMs: now(), isProbed: false };
	let extraTexts: string[] = [];
	let probesWithoutLock = 0;
	/** Records the lock to find whether one exists. Removes it again if the record has only other texts. */
	const probeRecord = async (): Promise<LockState> => {
		lastChange.isProbed = true; // Only the first probe raises the count (by the token), so the record of a dead holder becomes stale.
		const present = await recordTexts(helpers, [LOCK_TEXT, token], LOCK_SCOPE);
		if (present.includes(LOCK_TEXT)) {
			probesWithoutLock = 0;
			return 'held';
		}
		// If only these two texts exist, the lock had just been released.
		if ((await helpers.getProcessedDataCount(LOCK_SCOPE, OPTIONS)) === 2) return 'acquired';
		await helpers.removeProcessed([LOCK_TEXT, token], LOCK_SCOPE, OPTIONS);
		lastChange = { ...lastChange, sinceMs: now(), isProbed: false };
		probesWithoutLock += 1;
		return probesWithoutLock < FOREIGN_PROBES ? 'unclear' : 'foreign'; // Foreign: of a Remove Duplicates node.
	};
	/** Clears the record of a holder that died, unless another process does so first. */
	const clearDeadLock = async (count: number): Promise<void> => {
		await sleep(random() * RENEW_MS); // Random, because one of several waiting processes should be the first.
		if ((await helpers.getProcessedDataCount(LOCK_SCOPE, OPTIONS)) === count)
			await helpers.clearAllProcessedItems(LOCK_SCOPE, OPTIONS);
		// Waiting processes watch the count, so the next lock starts with more texts than the dead one had.
		extraTexts = Array.from({ length: count }, (_, i) => `${token}:${i}`);
	};
	/** Tries once to get the lock. A record that does not grow is probed, because a live holder adds texts. */
	const tryToAcquire = async (): Promise<LockState> => {
		const count = await helpers.getProcessedDataCount(LOCK_SCOPE, OPTIONS);
		if (count !== lastChange.count) lastChange = { count, sinceMs: now(), isProbed: false };
		if (count === 0) {
			// If two processes record it at once, LOCK_TEXT is present for one. After a dead lock, extra texts raise the count.
			const present = await recordTexts(helpers, [LOCK_TEXT, token, ...extraTexts], LOCK_SCOPE);
			return present.includes(LOCK_TEXT) ? 'held' : 'acquired';
		}
		if (foreignWorkflows.has(workflow)) return 'foreign'; // A Remove Duplicates node fills the record.
		const unchangedMs = now() - lastChange.sinceMs;
		const isStale = unchangedMs > STALE_MS;
		// One probe per count finds another node's record. A stale record is probed again to find a dead holder.
		if (unchangedMs < PROBE_MS || (lastChange.isProbed && !isStale)) return 'held';
		const probed = await probeRecord();
		// The next try acquires the cleared record.
		if (probed === 'held' && isStale) await clearDeadLock(count);
		return probed;
	};
	return { tryToAcquire, hasFoundDeadLock: () => extraTexts.length > 0 };
}

/** Waits for the lock: true when acquired, false if another node uses its record. Throws after GIVE_UP_MS or repeated errors. */
async function takeLock(helpers: Helpers, runtime: LockRuntime, token: string): Promise<boolean> {
	const { now, sleep, random, workflow } = runtime;
	const { tryToAcquire, hasFoundDeadLock } = createLockTries(helpers, runtime, token);
	const startMs = now();
	let errors = 0;
	for (;;) {
		const tried = await catchFailure(tryToAcquire);
		// n8n rejects a record that Remove Duplicates wrote in another mode, with "an incompatible setting".
		if (tried.ok ? tried.value === 'foreign' : /incompatible/i.test(tried.failure)) {
			foreignWorkflows.add(workflow);
			return false;
		}
		if (tried.ok && tried.value === 'acquired') {
			// A write of the dead holder may still arrive, and would overwrite new texts. It had STALE_MS to end, so a short wait is enough.
			if (hasFoundDeadLock()) await sleep(RENEW_MS / 2);
			return true;
		}
		errors = tried.ok ? 0 : errors + 1;
		if (!tried.ok && errors > MAX_ERRORS) throw lockError(tried.failure);
		if (now() - startMs > GIVE_UP_MS) throw lockError('another execution is not releasing it');
		await sleep(10 + random() * 60);
	}
}

const lockError = (reason: string): Error => new Error(`n8n's store is locked: ${reason}`);
