import memoize from 'lodash/memoize';
import type { IExecuteFunctions } from 'n8n-workflow';
import type { RunExclusive } from '../../src/core/concurrency';
import { createLimiter } from '../../src/core/concurrency';
import type { DedupeStore, StoredNames } from '../../src/core/dedupeStore';
import { NOT_SAVED } from '../../src/core/dedupeStore';
import { attempt, fail } from '../../src/core/result';
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
