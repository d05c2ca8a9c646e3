import { chunk, isEqual, map, range } from 'lodash';
import { issuesByEntry } from '../core/apiError';
import { mapConcurrent } from '../core/concurrency';
import type { ApiError } from '../core/failures';
import type { OperationContext } from '../core/operation';
import { createAdaptiveConcurrency } from '../core/pacing';
import { MAX_EQUAL_REFUSALS, MAX_REFUSALS, nameRefusal } from '../core/refusals';
import { isContentRejection } from '../core/retry';
import { recallTotals } from './ledger';
import type { BulkOperation, SendSettings } from './operation';
import { toHeld, toOutcome, toUnknown, type Failed, type Outcome } from './outcomes';
import { filterPending, type Entry, type Gate } from './plan';

type Batch<T> = ReadonlyArray<Entry<T>>;

/** Max bytes of the body of a request with several entries; the interface shows no limit. */
const MAX_BODY_BYTES = 4_000_000;

interface Sending<T, Settings> {
	readonly settings: Settings;
	readonly context: OperationContext;
	readonly gate: Gate<T> | undefined;
}

/** Sends the pending entries in batches, sets the outcome of each, and returns the number of requests. */
export async function sendAll<T, Settings extends SendSettings>(
	entries: Batch<T>,
	operation: BulkOperation<T, Settings>,
	{ settings, context, gate }: Sending<T, Settings>,
): Promise<number> {
	const { signal, sleep, client } = context;
	const concurrency = createAdaptiveConcurrency(settings.parallelRequests);
	const checkRefusals = createRefusalLimit<T>();
	/** The outcome of all further entries; undefined until the service has refused all alike. */
	let refusal: Failed | undefined;
	let requests = 0;
	/** The accepted requests in a row whose responses left the outcomes of all entries unknown. */
	let unknownCount = 0;
	let lastNumber = recallTotals(context.ledger).requests;
	/** Max entries per request, lowered by 413 responses. */
	let maxCount = settings.batchSize;

	/** Sends a batch in one request, or in smaller ones if it is too large. */
	async function sendBatch(candidates: Batch<T>): Promise<void> {
		const { body } = operation.toRequest(map(candidates, 'content'), settings);
		const isTooLarge = Buffer.byteLength(JSON.stringify(body)) > MAX_BODY_BYTES;
		const { length } = candidates;
		// Each half of a body that is too large is checked again. A single entry is always sent.
		const size = Math.min(maxCount, isTooLarge ? Math.ceil(length / 2) : length);
		if (length <= size) return await claimAndSend(candidates);
		for (const part of chunk(candidates, size)) await sendBatch(part);
	}

	/** Records a batch at the gate and sends it. Sends entries without an outcome again in smaller requests. */
	async function claimAndSend(candidates: Batch<T>): Promise<void> {
		const mayPause = requests > 0 && !refusal && client.breaker.openedBy === undefined;
		if (settings.pauseMs > 0 && mayPause) await sleep(settings.pauseMs);
		// `refusal` is checked after the pause, because a parallel request may have set it meanwhile.
		if (refusal) {
			for (const entry of candidates) entry.outcome = refusal;
			return;
		}
		// A number may stay unused, because the gate records it before it leaves entries out.
		lastNumber += 1;
		for (const entry of candidates) entry.request = lastNumber;
		// After a stop or a failing service the client returns without sending, so nothing may be recorded as sent.
		const isOver = signal.aborted || client.breaker.openedBy !== undefined;
		const claimed = gate && !isOver ? await gate.claim(candidates) : undefined;
		for (const [entry, outcome] of claimed?.leaveOut ?? []) entry.outcome = outcome;
		const batch = filterPending(candidates);
		if (batch.length === 0) return;
		await sendRequest(batch, claimed?.deadlineMs); // The end of the calling hours or of the day.
		// Settled entries without an outcome may be claimed again.
		if (claimed) gate?.settle(batch);
		refusal = checkRefusals(batch) ?? refusal;
		const pending = filterPending(batch);
		// Without any outcome, the batch is halved until the rejected entry is alone. A single entry always gets an outcome.
		const nextSize = pending.length < batch.length ? pending.length : Math.ceil(batch.length / 2);
		for (const part of chunk(pending, nextSize)) await sendBatch(part);
	}

	/** Sends one request and sets the outcomes of its entries, undefined for those to send again. A 413 lowers `maxCount`. */
	async function sendRequest(batch: Batch<T>, deadlineMs = Infinity): Promise<void> {
		const contents = map(batch, 'content');
		const request = { ...operation.toRequest(contents, settings), deadlineMs };
		const delivery = await client.deliver(request, concurrency);
		// After a stop or the deadline, the client sends nothing.
		if (delivery.attempts > 0) requests += 1;
		if (delivery.response.status === 413)
			maxCount = Math.min(maxCount, Math.ceil(batch.length / 2));
		const outcome = toOutcome(delivery, batch[0]?.request ?? 0); // A batch is never empty.
		// A rejection in a 2xx proves nothing about an earlier attempt, which may have arrived.
		const toUnknownIfRepeated = (each: Outcome): Outcome =>
			delivery.mayHaveArrived && each.outcome === 'rejected'
				? { ...each, outcome: 'unknown', code: 'unknown' }
				: each;
		const outcomes =
			outcome.outcome === 'accepted'
				? operation.readOutcomes(outcome, contents).map(toUnknownIfRepeated)
				: spreadFailure(outcome, batch.length, operation.mayStorePart?.(settings) ?? false);
		for (const [position, entry] of batch.entries()) entry.outcome = outcomes[position];
		// The client counts responses that are failures.
		if (outcome.outcome !== 'accepted') return;
		const isUnknown = batch.every((entry) => entry.outcome?.outcome === 'unknown');
		unknownCount = isUnknown ? unknownCount + 1 : 0;
		if (unknownCount >= MAX_UNKNOWN) refusal ??= UNKNOWN_RESULTS;
	}

	const batches = chunk(filterPending(entries), settings.batchSize);
	await mapConcurrent(batches, concurrency, sendBatch);
	return requests;
}

/** Accepted requests in a row with unknown outcomes that end a run. */
const MAX_UNKNOWN = 3;

const UNKNOWN_RESULTS = toHeld(
	'serviceFailed',
	'Not sent, because the results of three requests in a row are unknown',
);

/** Makes a check of each sent batch. After too many refused requests, it returns the outcome of all further entries. */
function createRefusalLimit<T>(): (batch: Batch<T>) => Failed | undefined {
	let hasAccepted = false;
	let refusalCount = 0;
	let lastMessage = '';
	/** The batches whose entries were all refused with `lastMessage`. At the limit they become notSent. */
	let refused: Array<Batch<T>> = [];
	return (batch) => {
		const outcomes = map(batch, 'outcome');
		hasAccepted ||= outcomes.some((outcome) => outcome?.outcome === 'accepted');
		const refusal = outcomes.find(isRefusal);
		// A service that has accepted an entry does not refuse everything.
		if (hasAccepted || !refusal) return undefined;
		refusalCount += 1;
		const { failure } = refusal;
		const isSameForAll = outcomes.every((outcome) => isEqual(outcome, refusal));
		// A reason that names no entry may concern all entries of the run, so a few equal refusals are enough.
		if (isSameForAll && issuesByEntry(failure, batch.length).size === 0) {
			refused = failure.message === lastMessage ? [...refused, batch] : [batch];
			lastMessage = failure.message;
			if (refused.length >= MAX_EQUAL_REFUSALS) return holdAfterRefusals(refused.flat(), refusal);
		}
		// Refusals for different reasons may concern single rows, so the limit is higher.
		if (refusalCount < MAX_REFUSALS) return undefined;
		const reason = `${MAX_REFUSALS} requests, the last with ${nameRefusal(failure)}, and accepted none`;
		return toHeld('refused', `Not sent, because the service rejected ${reason}`);
	};
}

/** Changes entries that were refused for one reason to notSent, and returns the outcome of all further entries. */
function holdAfterRefusals<T>(entries: Batch<T>, refusal: Refusal): Failed {
	// The reason concerns all requests, so no entry counts as rejected because of its row.
	const code = refusal.outcome === 'rejected' ? 'refused' : refusal.code;
	for (const entry of entries) entry.outcome = { ...refusal, outcome: 'notSent', code };
	const reason = `${MAX_EQUAL_REFUSALS} requests for the same reason (${nameRefusal(refusal.failure)})`;
	return toHeld(code, `Not sent, because the service rejected ${reason}`);
}

type Refusal = Failed & { readonly failure: ApiError };

/** Whether the service certainly did nothing, and gave a reason. With 401 and the like, an entry is notSent. */
const isRefusal = (outcome?: Outcome): outcome is Refusal =>
	(outcome?.outcome === 'rejected' || outcome?.outcome === 'notSent') &&
	outcome.failure.kind === 'api';

/** Returns the outcome of each entry of a failed request; undefined for entries to send again in smaller requests. */
function spreadFailure(
	failed: Failed,
	count: number,
	mayStorePart: boolean,
): ReadonlyArray<Outcome | undefined> {
	const repeatForEntries = (each: Outcome | undefined) => range(count).map(() => each);
	// Only a rejection can differ between entries. A refusal that is notSent, e.g. a 401, concerns the whole request.
	if (!isRefusal(failed) || failed.outcome !== 'rejected') return repeatForEntries(failed);
	const { failure } = failed;
	if (failure.status === 413 && count > 1) return repeatForEntries(undefined); // It was too large.
	if (!isContentRejection(failure.status)) return repeatForEntries(failed);
	const issuesByPosition = issuesByEntry(failure, count);
	const withoutIssues = decideUnnamed(failed, count, mayStorePart);
	return range(count).map((position) => {
		const issues = issuesByPosition.get(position);
		return issues ? { ...failed, failure: { ...failure, issues } } : withoutIssues;
	});
}

/** Returns the outcome of the entries that a rejection does not name; undefined to send them in smaller requests. */
function decideUnnamed(refusal: Refusal, count: number, storesParts: boolean): Outcome | undefined {
	const { failure, request = 0 } = refusal; // A refusal always has a request.
	const storedText = `The service rejected the request (${nameRefusal(failure)}), but may have stored this row. Check in the service before you send it again`;
	// A service that stores parts may have stored the entries that it does not name.
	if (storesParts) return toUnknown(storedText, request);
	// Without a documented body, which has a code, smaller requests might store an entry twice.
	if (failure.code === undefined) return refusal;
	return count > 1 ? undefined : refusal; // Smaller requests find the rejected entry.
}
