import type { IExecuteFunctions } from 'n8n-workflow';
import { messageOf } from '../../src/core/text';

type Helpers = Pick<
	IExecuteFunctions['helpers'],
	'checkProcessedAndRecord' | 'clearAllProcessedItems' | 'getProcessedDataCount' | 'removeProcessed'
>;

/** What the lock needs besides n8n's helpers: a clock, a pause, and chance. */
export interface LockRuntime {
	readonly now: () => number;
	readonly sleep: (ms: number) => Promise<void>;
	readonly random: () => number;
	/** The ID of the workflow. */
	readonly workflow: string;
}

/** A lock that is held. */
export interface StoreLock {
	/** Throws where another process has taken the lock over. */
	ensure(): Promise<void>;
}

const SCOPE = 'workflow';
const OPTIONS = { mode: 'entries', maxEntries: 100_000_000 } as const;

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
	const held = await acquire(helpers, runtime);
	if (!held) return await work({ ensure: async () => {} });
	let isDone = false;
	void keepAlive(held, runtime, () => isDone);
	try {
		return await work(held);
	} finally {
		isDone = true;
		await held.release();
	}
}

/** Leaves signs of life while the work goes on, however slow a single write is. */
async function keepAlive(held: Held, { sleep }: LockRuntime, isDone: () => boolean): Promise<void> {
	for (await sleep(RENEW_MS / 4); !isDone(); await sleep(RENEW_MS / 4)) await held.renew();
}

/** What a look at the record of the lock shows: it is ours now, someone holds it or died with it, or it is no lock at all. */
type Seen = 'acquired' | 'held' | 'stale' | 'foreign';

/** How long a record has had the same count of names. */
interface Unchanged {
	readonly count: number;
	readonly sinceMs: number;
	isProbed: boolean;
}

/** Workflows whose record belongs to another node, so no one waits for it again. */
const foreign = new Set<string>();

/** Waits for the lock; undefined where the record is someone else's. */
async function acquire(
	helpers: Helpers,
	{ now, sleep, random, workflow }: LockRuntime,
): Promise<Held | undefined> {
	const startMs = now();
	const token = `conversation-desk:${workflow}:${now()}:${random().toString(36).slice(2)}`;
	let unchanged: Unchanged = { count: -1, sinceMs: startMs, isProbed: false };
	let errors: string[] = [];
	let more: string[] = [];
	for (;;) {
		const seen = await attempt(async () => {
			const count = await helpers.getProcessedDataCount(SCOPE, OPTIONS);
			if (count !== unchanged.count) unchanged = { count, sinceMs: now(), isProbed: false };
			if (count === 0) return await insert(helpers, [NAME, token, ...more]);
			if (foreign.has(workflow)) return 'foreign';
			return await judge(helpers, unchanged, { ms: now() - unchanged.sinceMs, token });
		});
		if (seen === 'foreign') {
			foreign.add(workflow);
			return undefined;
		}
		if (seen === 'acquired') {
			foreign.delete(workflow);
			// What a holder that died had begun to write may still arrive.
			if (more.length > 0) await sleep(RENEW_MS / 2);
			return createHeld(helpers, { token, now });
		}
		if (seen === 'stale') {
			const { count } = unchanged;
			// Whoever else waits sees the same: chance lets one be first, and the others see that the count has changed.
			await sleep(random() * RENEW_MS);
			if ((await helpers.getProcessedDataCount(SCOPE, OPTIONS)) === count)
				await helpers.clearAllProcessedItems(SCOPE, OPTIONS);
			more = Array.from({ length: count }, (_, i) => `${token}:${i}`);
			continue;
		}
		errors = typeof seen === 'object' ? [...errors, seen.error] : [];
		if (errors.length > MAX_ERRORS) throw new LockError(errors[0] ?? '');
		if (now() - startMs > GIVE_UP_MS) throw new LockError('another execution is not releasing it');
		await sleep(10 + random() * 60);
	}
}

async function attempt(look: () => Promise<Seen>): Promise<Seen | { readonly error: string }> {
	try {
		return await look();
	} catch (error) {
		const message = messageOf(error);
		return /incompatible/i.test(message) ? 'foreign' : { error: message };
	}
}

async function insert(helpers: Helpers, names: readonly string[]): Promise<Seen> {
	const { processed } = await helpers.checkProcessedAndRecord([...names], SCOPE, OPTIONS);
	return processed.includes(NAME) ? 'held' : 'acquired';
}

/** Tells a lock of ours from the list of another node, and one that is held from one whose holder died. */
async function judge(
	helpers: Helpers,
	unchanged: Unchanged,
	{ ms, token }: { readonly ms: number; readonly token: string },
): Promise<Seen> {
	const isStale = ms > STALE_MS;
	if (ms < PROBE_MS || (unchanged.isProbed && !isStale)) return 'held';
	unchanged.isProbed = true;
	const { processed } = await helpers.checkProcessedAndRecord([NAME, token], SCOPE, OPTIONS);
	if (processed.includes(NAME)) return isStale ? 'stale' : 'held';
	// It was released in this moment, so these two names are all there is.
	if ((await helpers.getProcessedDataCount(SCOPE, OPTIONS)) === 2) return 'acquired';
	await helpers.removeProcessed([NAME, token], SCOPE, OPTIONS);
	return 'foreign';
}

interface Held extends StoreLock {
	renew(): Promise<void>;
	release(): Promise<void>;
}

function createHeld(
	helpers: Helpers,
	{ token, now }: { readonly token: string; readonly now: () => number },
): Held {
	let seenMs = now();
	let signs = 0;
	let isLost = false;
	const ask = async (): Promise<void> => {
		const askedMs = now();
		signs += 1;
		const names = [token, `${token}:alive:${signs}`];
		const { processed } = await helpers.checkProcessedAndRecord(names, SCOPE, OPTIONS);
		if (processed.includes(token)) seenMs = askedMs;
		else isLost = true;
	};
	/** No one can have taken over what was renewed a moment ago. */
	const isFresh = (): boolean => now() >= seenMs && now() - seenMs < RENEW_MS;
	const renew = async (): Promise<void> => {
		if (!isLost && !isFresh()) await ask();
	};
	const clear = async (): Promise<void> => {
		await helpers.clearAllProcessedItems(SCOPE, OPTIONS);
	};
	return {
		renew: async () => {
			await succeeds(renew);
		},
		ensure: async () => {
			await renew();
			if (isLost) throw new LockError('another execution took it over');
		},
		release: async () => {
			for (let tries = 0; !isLost && tries < RELEASE_TRIES; tries += 1)
				if ((await succeeds(renew)) && !isLost && (await succeeds(clear))) return;
		},
	};
}

/** A lock that cannot be released is taken over when it is stale. */
const RELEASE_TRIES = 3;

async function succeeds(call: () => Promise<void>): Promise<boolean> {
	try {
		await call();
		return true;
	} catch {
		return false;
	}
}

class LockError extends Error {
	constructor(reason: string) {
		super(`n8n's store is locked: ${reason}`);
	}
}
