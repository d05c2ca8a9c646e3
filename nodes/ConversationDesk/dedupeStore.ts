import type { IExecuteFunctions } from 'n8n-workflow';
import { createKeyedMutex } from '../../src/core/concurrency';
import type { DedupeStore, StoredNames } from '../../src/core/dedupeStore';
import { NOT_SAVED } from '../../src/core/dedupeStore';
import type { Result } from '../../src/core/result';
import { fail, ok } from '../../src/core/result';
import { messageOf } from '../../src/core/text';
import type { LockRuntime, StoreLock } from './storeLock';
import { withStoreLock } from './storeLock';

type Helpers = IExecuteFunctions['helpers'];

const SCOPE = 'node';
/** n8n drops the oldest entries above a limit in silence, so the limit is far away. */
const OPTIONS = { mode: 'entries', maxEntries: 100_000_000 } as const;

/** n8n reads its store, then writes it: executions of one workflow in this process take turns. */
const mutex = createKeyedMutex();

/** A store in n8n's own database, for this node of a saved workflow; `turns` are those of this process. */
export function dedupeStoreOf(
	context: Pick<IExecuteFunctions, 'helpers' | 'getWorkflow'>,
	runtime: Omit<LockRuntime, 'workflow'>,
	turns = mutex,
): DedupeStore {
	const { helpers } = context;
	const workflow = context.getWorkflow().id ?? '';
	const exclusive = turns.of(workflow);
	const attempt = async <T>(call: () => Promise<T>): Promise<Result<T, string>> => {
		if (workflow === '' || workflow === '__EMPTY__') return fail(NOT_SAVED);
		try {
			return ok(await call());
		} catch (error) {
			return fail(messageOf(error));
		}
	};
	return {
		size: async () =>
			await attempt(async () => await helpers.getProcessedDataCount(SCOPE, OPTIONS)),
		alone: async (work) =>
			await attempt(
				async () =>
					await exclusive(
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

/** Each call reads and writes the whole record, without a transaction: it counts only while the lock is ours. */
const namesOf = (helpers: Helpers, lock: StoreLock): StoredNames => ({
	record: async (names) => {
		if (names.length === 0) return new Set();
		await lock.ensure();
		const { processed } = await helpers.checkProcessedAndRecord([...names], SCOPE, OPTIONS);
		await lock.ensure();
		return new Set(processed.map(String));
	},
	remove: async (names) => {
		const size = await chunkSize(helpers, names.length);
		for (let start = 0; start < names.length; start += size) {
			await lock.ensure();
			await helpers.removeProcessed(names.slice(start, start + size), SCOPE, OPTIONS);
		}
	},
	trim: async (count) => {
		await lock.ensure();
		await helpers.checkProcessedAndRecord([], SCOPE, { ...OPTIONS, maxEntries: count });
	},
});

/** Removing a name takes n8n a search through all of them, on its main thread. */
const SEARCHED_AT_ONCE = 40_000_000;
const MIN_CHUNK = 100;

async function chunkSize(helpers: Helpers, count: number): Promise<number> {
	if (count <= MIN_CHUNK) return MIN_CHUNK;
	const size = await helpers.getProcessedDataCount(SCOPE, OPTIONS);
	return Math.max(MIN_CHUNK, Math.floor(SEARCHED_AT_ONCE / Math.max(1, size)));
}
