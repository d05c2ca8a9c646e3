import memoize from 'lodash/memoize';
import type { IExecuteFunctions } from 'n8n-workflow';
import type { RunExclusive } from '../../src/core/concurrency';
import { createLimiter } from '../../src/core/concurrency';
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
const turnsOf: (workflow: string) => RunExclusive = memoize(() => createLimiter(() => 1));

/** A store in n8n's own database, for this node of a saved workflow; `turns` are those of this process. */
export function dedupeStoreOf(
	context: Pick<IExecuteFunctions, 'helpers' | 'getWorkflow'>,
	runtime: Omit<LockRuntime, 'workflow'>,
	turns = turnsOf,
): DedupeStore {
	const { helpers } = context;
	const workflow = context.getWorkflow().id ?? '';
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
		const isShort = names.length <= MIN_CHUNK;
		const count = isShort ? 1 : await helpers.getProcessedDataCount(SCOPE, OPTIONS);
		const size = Math.max(MIN_CHUNK, Math.floor(SEARCHED_AT_ONCE / Math.max(1, count)));
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
