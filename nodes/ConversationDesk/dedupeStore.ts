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

/** Records texts, and returns those that were recorded before. Throws if n8n omits one, because its person would be called twice. */
async function recordTexts(
	helpers: Helpers,
	texts: readonly string[],
	scope: typeof SCOPE | typeof LOCK_SCOPE,
): Promise<string[]> {
	const answer = await helpers.checkProcessedAndRecord([...texts], scope, OPTIONS);
	if (size(get(answer, 'new')) + size(get(answer, 'processed')) !== texts.length)
		throw new Error("n8n's store did not say which entries are new");
	return answer.processed.map(String);
}

/** Makes the functions that record and remove texts of this node. n8n rewrites its whole list, so they throw without the lock. */
const openTexts = (helpers: Helpers, ensureLock: EnsureLock): StoredTexts => ({
	record: async (texts) => {
		if (texts.length === 0) return new Set();
		await ensureLock();
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

/** Throws if another process has taken the lock over. */
type EnsureLock = () => Promise<void>;

/** The text that proves that a record is a lock of this node. */
const LOCK_TEXT = 'conversation-desk:lock';
/** A holder renews its lock after this time. */
const RENEW_MS = 4_000;
/** A lock that was not renewed for this time is taken over: longer than a slow write may take. */
const STALE_MS = 45_000;
/** A record that is unchanged for this time is probed, because it may not be a lock. */
const PROBE_MS = 200;
/** Probes without our lock that prove another node's record. Fewer may be tokens of waiting processes. */
const FOREIGN_PROBES = 3;
const GIVE_UP_MS = 600_000;
const MAX_ERRORS = 10;

// The process that first inserts LOCK_TEXT into n8n's record of the workflow has the lock. Waiting processes read the count of
// texts, which grows while the holder is alive. If a Remove Duplicates node of the workflow uses that record, no process gets
// the lock. Then only executions of this process take turns.

/** Runs work while this process has the lock of the workflow, or without it if another node uses its record. The work calls `ensureLock` before each write. */
export async function withStoreLock<T>(
	helpers: Helpers,
	runtime: LockRuntime,
	work: (ensureLock: EnsureLock) => Promise<T>,
): Promise<T> {
	const { now, sleep, random, workflow } = runtime;
	const token = `conversation-desk:${workflow}:${now()}:${random().toString(36).slice(2)}`;
	// Another node uses the record, so there is no lock to renew.
	if (!(await acquireLock(helpers, runtime, token))) return await work(async () => {});
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
			await catchFailure(async () => await sleep(RENEW_MS / 4, done.signal));
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

/** The workflows in which a Remove Duplicates node uses the record of the lock. Kept in memory, because probes take time. */
const foreign = new Set<string>();

/** Who has the lock after one try to get it: this process, another one, or another node its record. */
type LockState = 'acquired' | 'held' | 'foreign' | 'unclear';

/** Waits for the lock and returns true; false if another node uses its record. Throws after GIVE_UP_MS, or after MAX_ERRORS errors in a row. */
async function acquireLock(
	helpers: Helpers,
	{ now, sleep, random, workflow }: LockRuntime,
	token: string,
): Promise<boolean> {
	const startMs = now();
	/** The number of texts in the record, since when it is the same, and whether it was probed meanwhile. */
	let unchanged = { count: -1, sinceMs: startMs, isProbed: false };
	let takenOver: string[] = [];
	let probesWithoutLock = 0;
	let errors = 0;
	/** Records the lock to see whether the record already has one. If not, removes it again, unless the record was empty. */
	const probeRecord = async (): Promise<LockState> => {
		unchanged.isProbed = true; // Only the first probe adds the token and raises the count, so a dead holder becomes stale later.
		const present = await recordTexts(helpers, [LOCK_TEXT, token], LOCK_SCOPE);
		if (present.includes(LOCK_TEXT)) {
			probesWithoutLock = 0;
			return 'held';
		}
		// If no text but these two exists, the lock had just been released.
		if ((await helpers.getProcessedDataCount(LOCK_SCOPE, OPTIONS)) === 2) return 'acquired';
		await helpers.removeProcessed([LOCK_TEXT, token], LOCK_SCOPE, OPTIONS);
		unchanged = { ...unchanged, sinceMs: now(), isProbed: false };
		probesWithoutLock += 1;
		return probesWithoutLock < FOREIGN_PROBES ? 'unclear' : 'foreign';
	};
	/** Clears the record of a holder that died, unless another process does so first. */
	const clearDeadLock = async (count: number): Promise<void> => {
		await sleep(random() * RENEW_MS);
		if ((await helpers.getProcessedDataCount(LOCK_SCOPE, OPTIONS)) === count)
			await helpers.clearAllProcessedItems(LOCK_SCOPE, OPTIONS);
		// The next lock of this process also records these texts, because waiting processes need a new count.
		takenOver = Array.from({ length: count }, (_, i) => `${token}:${i}`);
	};
	/** Tries once to get the lock. A live holder adds texts, so a record that does not grow is probed: it may be dead, or another node's. */
	const tryToAcquire = async (): Promise<LockState> => {
		const count = await helpers.getProcessedDataCount(LOCK_SCOPE, OPTIONS);
		if (count !== unchanged.count) unchanged = { count, sinceMs: now(), isProbed: false };
		if (count === 0) {
			// If two processes record it at once, LOCK_TEXT is present for one of them.
			const present = await recordTexts(helpers, [LOCK_TEXT, token, ...takenOver], LOCK_SCOPE);
			return present.includes(LOCK_TEXT) ? 'held' : 'acquired';
		}
		if (foreign.has(workflow)) return 'foreign';
		const unchangedMs = now() - unchanged.sinceMs;
		const isStale = unchangedMs > STALE_MS;
		const mayProbe = unchangedMs >= PROBE_MS && (!unchanged.isProbed || isStale);
		if (!mayProbe) return 'held';
		const probed = await probeRecord();
		// The next try acquires the cleared record.
		if (probed === 'held' && isStale) await clearDeadLock(count);
		return probed;
	};
	for (;;) {
		const tried = await catchFailure(tryToAcquire);
		// n8n rejects a record that Remove Duplicates wrote in another mode, with "an incompatible setting".
		if (tried.ok ? tried.value === 'foreign' : /incompatible/i.test(tried.failure)) {
			foreign.add(workflow);
			return false;
		}
		if (tried.ok && tried.value === 'acquired') {
			// A write that a dead holder had begun may still arrive, and would overwrite the texts of this one.
			if (takenOver.length > 0) await sleep(RENEW_MS / 2);
			return true;
		}
		errors = tried.ok ? 0 : errors + 1;
		if (!tried.ok && errors > MAX_ERRORS) throw lockError(tried.failure);
		if (now() - startMs > GIVE_UP_MS) throw lockError('another execution is not releasing it');
		await sleep(10 + random() * 60);
	}
}

const lockError = (reason: string): Error => new Error(`n8n's store is locked: ${reason}`);
