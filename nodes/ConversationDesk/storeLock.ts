import type { IExecuteFunctions } from 'n8n-workflow';
import { messageOf } from '../../src/core/text';

type Helpers = Pick<
	IExecuteFunctions['helpers'],
	'checkProcessedAndRecord' | 'clearAllProcessedItems'
>;

interface LockRuntime {
	readonly now: () => number;
	readonly sleep: (ms: number) => Promise<void>;
	readonly random: () => number;
}

const SCOPE = 'workflow';
const MODE = { mode: 'latestIncrementalKey' } as const;

/** A holder that was not heard of for so long has died. */
const STALE_MS = 20_000;
const GIVE_UP_MS = 90_000;
const MAX_ERRORS = 10;

/** Below every value that anyone else stores in this mode. */
const FLOOR = -Number.MAX_VALUE;

/** A time as a number that no user of the store has: it is the heartbeat of a holder. */
const heartbeat = (ms: number): number => ms - 4e15;

type Attempt = 'acquired' | 'held' | 'foreign' | { readonly error: string };

/**
 * Does work alone among all processes. The lock is the first write of n8n's store for the workflow, which is an SQL insert on a
 * primary key: of several at once one succeeds. Where a Remove Duplicates node of the workflow uses that record, its data is left
 * alone, and only this process is held back.
 */
export async function withStoreLock<T>(
	helpers: Helpers,
	runtime: LockRuntime,
	work: () => Promise<T>,
): Promise<T> {
	const isOurs = await acquire(helpers, runtime);
	try {
		return await work();
	} finally {
		if (isOurs) await helpers.clearAllProcessedItems(SCOPE, MODE);
	}
}

/** Waits for the lock; false where the record is someone else's. */
async function acquire(helpers: Helpers, { now, sleep, random }: LockRuntime): Promise<boolean> {
	const start = now();
	for (let errors = 0; ;) {
		const attempt = await tryAcquire(helpers);
		if (attempt === 'acquired') {
			await helpers.checkProcessedAndRecord([heartbeat(now())], SCOPE, MODE);
			return true;
		}
		if (attempt === 'foreign') return false;
		errors = attempt === 'held' ? 0 : errors + 1;
		if (typeof attempt === 'object' && errors > MAX_ERRORS) throw new LockError(attempt.error);
		const waited = now() - start;
		if (waited > GIVE_UP_MS) throw new LockError('another execution is not releasing it');
		if (waited > STALE_MS && (await isStale(helpers, now()))) {
			// Whoever else waits notices the same: chance lets one of them be first, and the others see its heartbeat.
			await sleep(random() * 5_000);
			if (await isStale(helpers, now())) await helpers.clearAllProcessedItems(SCOPE, MODE);
			continue;
		}
		await sleep(10 + random() * 60);
	}
}

async function tryAcquire(helpers: Helpers): Promise<Attempt> {
	try {
		const { new: fresh } = await helpers.checkProcessedAndRecord([FLOOR], SCOPE, MODE);
		return fresh.length > 0 ? 'acquired' : 'held';
	} catch (error) {
		const message = messageOf(error);
		return /incompatible/i.test(message) ? 'foreign' : { error: message };
	}
}

/** Whether the last heartbeat is too old; to ask is to raise it to that age, which changes nothing. */
async function isStale(helpers: Helpers, now: number): Promise<boolean> {
	const asked = heartbeat(now - STALE_MS);
	const { new: fresh } = await helpers.checkProcessedAndRecord([asked], SCOPE, MODE);
	return fresh.length > 0;
}

class LockError extends Error {
	constructor(reason: string) {
		super(`n8n's store is locked: ${reason}`);
	}
}
