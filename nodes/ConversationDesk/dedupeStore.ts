import { chunk, get, memoize, size } from 'lodash';
import type { IExecuteFunctions } from 'n8n-workflow';
import { createLimiter, type RunInTurn } from '../../src/core/concurrency';
import type { DedupeStore, StoredTexts } from '../../src/core/dedupeStore';
import { catchFailure } from '../../src/core/result';

type Helpers = IExecuteFunctions['helpers'];

/** The record of this node, and the record of the whole workflow, which is the lock. */
const SCOPE = 'node';
const LOCK_SCOPE = 'workflow';
/** The limit is never reached, because n8n silently drops the oldest entries above it. */
const OPTIONS = { mode: 'entries', maxEntries: 100_000_000 } as const;

/** Lets executions of one workflow in this process take turns, because n8n reads its store and then writes it. */
const getWorkflowTurns: (workflow: string) => RunInTurn = memoize(() =>
	createLimiter({ limit: 1 }),
);

/** Opens n8n's store for this node. An unsaved workflow, whose ID is '__EMPTY__', has none. */
export function openDedupeStore(
	context: Pick<IExecuteFunctions, 'helpers' | 'getWorkflow'>,
	runtime: Omit<LockRuntime, 'workflow'>,
	turns = getWorkflowTurns,
): DedupeStore {
	const { helpers } = context;
	const workflow = context.getWorkflow().id ?? '';
	return {
		isSaved: workflow !== '' && workflow !== '__EMPTY__',
		size: async () =>
			await catchFailure(async () => await helpers.getProcessedDataCount(SCOPE, OPTIONS)),
		alone: async (work) => {
			const lockAndWork = async () =>
				await withStoreLock(
					helpers,
					{ ...runtime, workflow },
					async (ensureLock) => await work(openTexts(helpers, ensureLock)),
				);
			// The turns are for executions in this process, the lock is for other processes.
			return await catchFailure(async () => await turns(workflow)(lockAndWork));
		},
	};
}

/** Max texts per removal, because n8n searches its whole list on its main thread for each. */
const REMOVED_AT_ONCE = 500;

/** Records texts and returns those that existed. Throws if n8n omits one, because its person would be called twice. */
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

/** Accesses the texts of this node. Each call reads and writes all of them, so it requires the lock. */
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

/** In every lock of ours, and in no other record. */
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

/** Runs work while no other process does. */
export async function withStoreLock<T>(
	helpers: Helpers,
	runtime: LockRuntime,
	work: (ensureLock: EnsureLock) => Promise<T>,
): Promise<T> {
	const { now, sleep, random, workflow } = runtime;
	const token = `conversation-desk:${workflow}:${now()}:${random().toString(36).slice(2)}`;
	// Nothing to renew. `openDedupeStore` lets executions of this process take turns.
	if (!(await acquireLock(helpers, runtime, token))) return await work(async () => {});
	let renewedMs = now();
	let renewals = 0;
	let isLost = false;
	const done = new AbortController();
	/** Renews the lock unless it is fresh, and throws if another process has taken it over. */
	const ensureLock = async (): Promise<void> => {
		const nowMs = now();
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
	/** Renews the lock, even during a slow write. Ignores failures, because `ensureLock` repeats them in the work. */
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
		// A lock that cannot be released is taken over when it is stale.
		await catchFailure(async () => {
			await ensureLock();
			await helpers.clearAllProcessedItems(LOCK_SCOPE, OPTIONS);
		});
	}
}

/** Workflows whose record belongs to another node. They stay until n8n restarts, because probes take time. */
const foreign = new Set<string>();

/** Waits for the lock, which its holder renews and clears. Returns false for another node's record. */
async function acquireLock(
	helpers: Helpers,
	{ now, sleep, random, workflow }: LockRuntime,
	token: string,
): Promise<boolean> {
	const startMs = now();
	let unchanged = { count: -1, sinceMs: startMs, isProbed: false };
	let takenOver: string[] = [];
	let probesWithoutLock = 0;
	let errors = 0;
	/** Tries once to get the lock. Probes a record that does not grow: it may be dead, or another node's. */
	const tryToAcquire = async (): Promise<'acquired' | 'held' | 'foreign'> => {
		const count = await helpers.getProcessedDataCount(LOCK_SCOPE, OPTIONS);
		if (count !== unchanged.count) unchanged = { count, sinceMs: now(), isProbed: false };
		if (count === 0) {
			const texts = [LOCK_TEXT, token, ...takenOver];
			const present = await recordTexts(helpers, texts, LOCK_SCOPE);
			return present.includes(LOCK_TEXT) ? 'held' : 'acquired';
		}
		if (foreign.has(workflow)) return 'foreign';
		const unchangedMs = now() - unchanged.sinceMs;
		if (unchangedMs < PROBE_MS || (unchanged.isProbed && unchangedMs <= STALE_MS)) return 'held';
		unchanged.isProbed = true; // It adds the token once, so a dead holder seems alive only once.
		const present = await recordTexts(helpers, [LOCK_TEXT, token], LOCK_SCOPE);
		if (!present.includes(LOCK_TEXT)) {
			// The probe recorded these two texts. If no other text exists, the lock had just been released.
			if ((await helpers.getProcessedDataCount(LOCK_SCOPE, OPTIONS)) === 2) return 'acquired';
			await helpers.removeProcessed([LOCK_TEXT, token], LOCK_SCOPE, OPTIONS);
			unchanged = { ...unchanged, sinceMs: now(), isProbed: false };
			return ++probesWithoutLock < FOREIGN_PROBES ? 'held' : 'foreign';
		}
		probesWithoutLock = 0;
		if (unchangedMs <= STALE_MS) return 'held';
		// The holder died. After a random pause one process clears its record. The next lock gets `count` more texts, so others see a new count.
		await sleep(random() * RENEW_MS);
		if ((await helpers.getProcessedDataCount(LOCK_SCOPE, OPTIONS)) === count)
			await helpers.clearAllProcessedItems(LOCK_SCOPE, OPTIONS);
		takenOver = Array.from({ length: count }, (_, i) => `${token}:${i}`);
		return 'held';
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
