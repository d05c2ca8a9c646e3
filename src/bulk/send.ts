import { chunk, map, range } from 'lodash';
import { issuesByEntry } from '../core/apiError';
import { mapConcurrent } from '../core/concurrency';
import type { OperationContext } from '../core/operation';
import { createAdaptiveConcurrency } from '../core/pacing';
import { isVerdict } from '../core/retry';
import { recallTotals } from './ledger';
import type { BulkOperation, SendSettings } from './operation';
import { toOutcome, toUnknown, type Failed, type Outcome } from './outcomes';
import { filterPending, type Entry, type Guard } from './plan';

type Batch<T> = ReadonlyArray<Entry<T>>;

/** Max bytes of the body of a request with several entries; the interface shows no limit. */
const MAX_BODY_BYTES = 4_000_000;

interface Sending<T, Settings> {
	readonly settings: Settings;
	readonly guards: ReadonlyArray<Guard<T>>;
	readonly context: OperationContext;
}

/** Sends the pending entries in batches, sets the outcome of each, and returns the number of requests. */
export async function sendAll<T, Settings extends SendSettings>(
	entries: Batch<T>,
	operation: BulkOperation<T, Settings>,
	{ settings, guards, context }: Sending<T, Settings>,
): Promise<number> {
	const { signal, sleep, client } = context;
	const max = settings.parallelRequests;
	const concurrency = createAdaptiveConcurrency(max, max);
	let requests = 0;
	let lastNumber = recallTotals(context.ledger).requests;
	/** Max entries per request, lowered by 413 responses. */
	let maxCount = settings.batchSize;

	/** Sends a batch, and resends the entries that its rejection leaves pending. */
	async function sendBatch(candidates: Batch<T>): Promise<void> {
		const { body } = operation.toRequest(map(candidates, 'content'), settings);
		const isTooLarge = Buffer.byteLength(JSON.stringify(body)) > MAX_BODY_BYTES;
		// The call of `sendBatch` for each half checks its size again.
		const size = Math.min(maxCount, Math.ceil(candidates.length / (isTooLarge ? 2 : 1)));
		if (candidates.length > size) {
			for (const part of chunk(candidates, size)) await sendBatch(part);
			return;
		}
		if (settings.pauseMs > 0 && requests > 0) await sleep(settings.pauseMs);
		lastNumber += 1;
		const { batch, deadlineMs } = await admit(candidates, lastNumber);
		if (batch.length === 0) return;
		await sendRequest(batch, deadlineMs);
		for (const guard of guards) await guard.after?.(batch);
		const remaining = filterPending(batch);
		// Halves find the row that the service rejects without naming it. A single row always gets an outcome.
		const isUnnamed = remaining.length === batch.length;
		const nextSize = isUnnamed ? Math.ceil(batch.length / 2) : remaining.length;
		for (const part of chunk(remaining, nextSize)) await sendBatch(part);
	}

	/** Returns the entries that all guards admit, and the latest time to send them in ms. Guards decide from last to first, so the ledger records as sent only what all others admit. */
	async function admit(candidates: Batch<T>, number: number) {
		let batch = candidates;
		let deadlineMs = Infinity;
		for (const entry of batch) entry.request = number;
		for (const guard of guards.toReversed()) {
			// The client sends nothing then, so no further guard may record the entries as sent.
			if (signal.aborted || client.breaker.openedBy || batch.length === 0) break;
			const findings = (await guard.before?.(batch)) ?? {};
			for (const [entry, outcome] of findings.leaveOut ?? []) entry.outcome = outcome;
			deadlineMs = Math.min(deadlineMs, findings.deadlineMs ?? Infinity);
			batch = filterPending(batch);
		}
		return { batch, deadlineMs };
	}

	/** Sends one request, and sets the outcomes of its entries. Those that a smaller request may send get none. */
	async function sendRequest(batch: Batch<T>, deadlineMs: number): Promise<void> {
		const contents = batch.map(({ content }) => content);
		const request = { ...operation.toRequest(contents, settings), deadlineMs };
		const number = batch[0]?.request ?? 0;
		const delivery = await client.deliver(request, concurrency);
		if (delivery.attempts > 0) requests += 1;
		if (delivery.response.status === 413)
			maxCount = Math.min(maxCount, Math.ceil(batch.length / 2));
		const outcome = toOutcome(delivery, number);
		const outcomes =
			outcome.outcome === 'accepted'
				? (operation.judge?.(outcome, contents) ?? contents.map(() => outcome))
				: spreadFailure(outcome, batch.length, operation.mayStorePart?.(settings) ?? false);
		for (const [position, entry] of batch.entries()) entry.outcome = outcomes[position];
	}

	const batches = chunk(filterPending(entries), settings.batchSize);
	await mapConcurrent(batches, concurrency, sendBatch);
	return requests;
}

/**
 * Spreads the failure of a request over its entries, with the service's message for each named entry.
 * Undefined means that an entry is sent again in a smaller request, because the service certainly stored nothing.
 */
function spreadFailure(
	failed: Failed,
	count: number,
	mayStorePart: boolean,
): ReadonlyArray<Outcome | undefined> {
	const { failure, outcome, request = 0 } = failed;
	const toAllEntries = (each: Outcome | undefined) => range(count).map(() => each);
	if (outcome !== 'rejected' || failure.kind !== 'api') return toAllEntries(failed);
	if (failure.status === 413 && count > 1) return toAllEntries(undefined);
	if (!isVerdict(failure.status)) return toAllEntries(failed);
	const named = issuesByEntry(failure, count);
	const mayBeStoredText = `The service rejected the request (${failure.message}), but may have stored this row. Check in the service before you send it again`;
	// A code marks the documented error body, which means that nothing was stored, so several unnamed rows are sent again. A single
	// row is rejected, and so are all rows under another body. Unlike these, a request that may store a part leaves unnamed rows unknown.
	const unnamedOutcome = count > 1 && failure.code !== undefined ? undefined : failed;
	const unnamed = mayStorePart ? toUnknown(mayBeStoredText, request) : unnamedOutcome;
	return toAllEntries(unnamed).map((each, position) => {
		const issues = named.get(position);
		return issues ? { ...failed, failure: { ...failure, issues } } : each;
	});
}
