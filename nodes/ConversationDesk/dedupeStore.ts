import type { IExecuteFunctions } from 'n8n-workflow';
import { createKeyedMutex } from '../../src/core/concurrency';
import type { DedupeStore, Exchange } from '../../src/core/dedupeStore';
import type { Result } from '../../src/core/result';
import { fail, ok } from '../../src/core/result';
import { messageOf } from '../../src/core/text';
import { withStoreLock } from './storeLock';

type Helpers = IExecuteFunctions['helpers'];

/** n8n drops the oldest entries above a limit, also those that are there for a test only, so the limit is far away. */
const OPTIONS = { mode: 'entries', maxEntries: 100_000_000 } as const;

/** Tests are written down for a moment: so many at a time. */
const MAX_TESTS = 20_000;

/** n8n reads its store, then writes it: executions of one workflow in this process take turns. */
const mutex = createKeyedMutex();

/** An exchange that waits for its turn; those of one node that wait together are done together. */
interface Waiting extends Exchange {
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
		exchange: async (exchange) =>
			await new Promise((done) => {
				const queue = waiting.get(name);
				if (queue) {
					queue.push({ ...exchange, done });
					return;
				}
				waiting.set(name, [{ ...exchange, done }]);
				void attempt(
					async () =>
						await locked(async () => {
							const together = waiting.get(name) ?? [];
							waiting.delete(name);
							await exchangeAll(helpers, together);
						}),
				).then((result) => {
					if (result.ok) return;
					// Those whose turn never came get an answer, too.
					const together = waiting.get(name) ?? [];
					waiting.delete(name);
					for (const each of together) each.done(fail(result.failure));
				});
			}),
	};
}

/** Does several exchanges as if one after the other, with few calls: each call reads and writes everything. */
async function exchangeAll(helpers: Helpers, exchanges: readonly Waiting[]): Promise<void> {
	try {
		const size = await helpers.getProcessedDataCount('node', OPTIONS);
		const mayBePresent = exchanges.some(
			({ tests, sizeWithout }) => tests.length > 0 && size !== (sizeWithout?.() ?? 0),
		);
		const tests = mayBePresent ? [...new Set(exchanges.flatMap((each) => each.tests))] : [];
		const before = size > 0 ? await presentOf(helpers, tests) : new Set<string>();
		const { isCleared, after, removes } = decideAll(exchanges, before, size);
		if (isCleared && size > 0) await helpers.clearAllProcessedItems('node', OPTIONS);
		const old = isCleared ? new Set<string>() : before;
		const fresh = [...after].filter(([entry, isThere]) => isThere && !old.has(entry));
		const gone = isCleared ? [] : [...after].filter(([, isThere]) => !isThere);
		if (fresh.length > 0) await recorded(helpers, namesOf(fresh));
		// Whoever only adds need not wait for what others remove.
		for (const { done } of exchanges.filter((_, i) => !removes[i])) done(ok(undefined));
		if (gone.length > 0) await helpers.removeProcessed(namesOf(gone), 'node', OPTIONS);
		for (const { done } of exchanges) done(ok(undefined));
	} catch (error) {
		for (const { done } of exchanges) done(fail(messageOf(error)));
	}
}

const namesOf = (entries: ReadonlyArray<readonly [string, boolean]>) =>
	entries.map(([entry]) => entry);

/** What all decisions together change: for each entry whether it is there afterwards. */
function decideAll(exchanges: readonly Waiting[], before: ReadonlySet<string>, size: number) {
	const present = new Set(before);
	const after = new Map<string, boolean>();
	const removes: boolean[] = [];
	let isCleared = false;
	let count = size;
	const set = (entry: string, isThere: boolean) => {
		if (present.has(entry) !== isThere) count += isThere ? 1 : -1;
		if (isThere) present.add(entry);
		else present.delete(entry);
		after.set(entry, isThere);
	};
	for (const { tests, decide } of exchanges) {
		const found = new Set(tests.filter((entry) => present.has(entry)));
		const { add = [], remove = [], clear = false } = decide(found, count);
		if (clear) {
			isCleared = true;
			present.clear();
			after.clear();
			count = 0;
		}
		removes.push(remove.length > 0);
		for (const entry of remove) set(entry, false);
		for (const entry of add) set(entry, true);
	}
	return { isCleared, after, removes };
}

/** Which of some entries are there. To look is to record, so what was not there is removed again. */
async function presentOf(helpers: Helpers, tests: readonly string[]): Promise<ReadonlySet<string>> {
	const present = new Set<string>();
	for (let start = 0; start < tests.length; start += MAX_TESTS) {
		const some = tests.slice(start, start + MAX_TESTS);
		const found = await recorded(helpers, some);
		for (const entry of found) present.add(entry);
		const absent = some.filter((entry) => !found.has(entry));
		if (absent.length > 0) await helpers.removeProcessed(absent, 'node', OPTIONS);
	}
	return present;
}

async function recorded(
	helpers: Helpers,
	entries: readonly string[],
): Promise<ReadonlySet<string>> {
	const { processed } = await helpers.checkProcessedAndRecord([...entries], 'node', OPTIONS);
	return new Set(processed.map(String));
}
