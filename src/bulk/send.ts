import { mapConcurrent } from '../core/concurrency';
import { CANCELED } from '../core/http';
import type { OperationContext } from '../core/operation';
import { createAdaptiveConcurrency } from '../core/pacing';
import { lastRequestNumber } from './ledger';
import type { BulkOperation, SendSettings, SentFacts } from './operation';
import type { Accepted, Failed, Outcome, EntryVerdict } from './outcomes';
import { held, issuesByEntry, isVerdict, toOutcome, unknown } from './outcomes';
import type { Entry, Guard } from './plan';
import { filterPending } from './plan';

type Batch<T> = ReadonlyArray<Entry<T>>;

/** Max bytes of the contents of one request; the interface shows no limit. */
const MAX_BODY_BYTES = 4_000_000;

/** Cuts pending entries into requests by count and bytes. A larger entry gets its own request. */
export function* cutIntoBatches<T, Settings extends SendSettings>(
	entries: Batch<T>,
	{ toRequest }: Pick<BulkOperation<T, Settings>, 'toRequest'>,
	settings: Settings,
): Generator<Array<Entry<T>>, void, undefined> {
	let batch: Array<Entry<T>> = [];
	let bytes = 0;
	for (const entry of filterPending(entries)) {
		const length = Buffer.byteLength(JSON.stringify(toRequest([entry.content], settings).body));
		const isFull = batch.length >= settings.batchSize || bytes + length > MAX_BODY_BYTES;
		if (batch.length > 0 && isFull) {
			yield batch;
			batch = [];
			bytes = 0;
		}
		batch.push(entry);
		bytes += length;
	}
	if (batch.length > 0) yield batch;
}

interface Sending<T, Settings> {
	readonly settings: Settings;
	readonly guards: ReadonlyArray<Guard<T>>;
	readonly context: OperationContext;
}

/** Sends the pending entries in batches, and sets the outcome of each. */
export async function sendAll<T, Settings extends SendSettings>(
	entries: Batch<T>,
	operation: BulkOperation<T, Settings>,
	{ settings, guards, context }: Sending<T, Settings>,
): Promise<SentFacts> {
	const { signal, now, sleep, client } = context;
	const max = settings.parallelRequests;
	const concurrency = createAdaptiveConcurrency({ start: max, max });
	const afterRejection = operation.afterRejection(settings);
	const times = new Map<number, number>();
	let requests = 0;
	let lastNumber = lastRequestNumber(context.ledger);
	/** Max entries per request, lowered by 413 responses. */
	let maxCount = settings.batchSize;

	async function sendBatch(admissible: Batch<T>): Promise<void> {
		if (admissible.length > maxCount) return await sendHalves(admissible);
		if (settings.pauseMs > 0 && requests > 0) await sleep(settings.pauseMs);
		lastNumber += 1;
		const { batch, deadlineMs } = await admit(admissible, lastNumber);
		if (batch.length === 0) return;
		const outcome = await sendRequest(batch, deadlineMs);
		for (const guard of guards) await guard.after?.(batch);
		if (batch.length > 1) await resendParts(batch, outcome);
	}

	/** Resends a batch that is too large in halves, and a rejected batch in allowed parts. */
	async function resendParts(batch: Batch<T>, outcome: Accepted | Failed): Promise<void> {
		if (outcome.outcome !== 'rejected' || outcome.failure.kind !== 'api') return;
		const { status, code } = outcome.failure;
		if (status === 413) {
			maxCount = Math.min(maxCount, Math.ceil(batch.length / 2));
			return await sendHalves(batch);
		}
		// A response of a documented shape rejects the whole request, so no row was stored.
		if (!isVerdict(status) || code === undefined || afterRejection !== 'parts') return;
		const named = issuesByEntry(outcome.failure, batch.length);
		if (named.size === 0) return await sendHalves(batch);
		const unnamed = batch.filter((_, position) => !named.has(position));
		if (unnamed.length > 0) await sendBatch(unnamed);
	}

	async function sendHalves(batch: Batch<T>): Promise<void> {
		const middle = Math.ceil(batch.length / 2);
		await sendBatch(batch.slice(0, middle));
		await sendBatch(batch.slice(middle));
	}

	/** Applies the guards to the entries of a request, the last guard first. */
	async function admit(admissible: Batch<T>, number: number) {
		let batch = admissible;
		let deadlineMs = Infinity;
		for (const entry of batch) Object.assign(entry, { outcome: undefined, request: number });
		for (const guard of guards.toReversed()) {
			// No request is recorded that the client will not send.
			if (signal.aborted || client.breaker.openedBy) break;
			const findings = (await guard.before?.(batch)) ?? {};
			for (const [entry, outcome] of findings.leaveOut ?? []) entry.outcome = outcome;
			deadlineMs = Math.min(deadlineMs, findings.deadlineMs ?? Infinity);
			batch = filterPending(batch);
			if (batch.length === 0) break;
		}
		return { batch, deadlineMs };
	}

	/** Sends one request, and sets the outcome of each entry. */
	async function sendRequest(batch: Batch<T>, deadlineMs: number): Promise<Accepted | Failed> {
		const contents = batch.map(({ content }) => content);
		const made = operation.toRequest(contents, settings);
		const request = { ...made, ...(deadlineMs < Infinity && { deadlineMs }) };
		const number = batch[0]?.request ?? 0;
		times.set(number, now());
		const delivery = signal.aborted
			? { response: CANCELED, mayHaveArrived: false, attempts: 0 }
			: await client.deliver(request, concurrency);
		if (delivery.attempts > 0) requests += 1;
		const outcome = toOutcome(request, delivery, { number, nowMs: now() });
		const outcomes =
			outcome.outcome === 'accepted'
				? readVerdicts(operation.judge(outcome.reply, contents), outcome)
				: spreadFailure(outcome, batch.length, afterRejection === 'maybeStored');
		for (const [position, entry] of batch.entries()) entry.outcome = outcomes[position];
		return outcome;
	}

	const batches = cutIntoBatches(entries, operation, settings);
	await mapConcurrent(batches, concurrency.limit, sendBatch);
	return { requests, times, zone: context.zone };
}

const OF_ITEM = { kind: 'api', call: 'an item of the response', status: 200, issues: [] } as const;

/** Converts the verdicts of an accepted request to outcomes. */
function readVerdicts(verdicts: readonly EntryVerdict[], accepted: Accepted): Outcome[] {
	const { request } = accepted;
	return verdicts.map((verdict): Outcome => {
		if (verdict.kind === 'accepted')
			return verdict.isPaired ? { ...accepted, reply: verdict.reply, isPaired: true } : accepted;
		if (verdict.kind === 'unknown') return unknown(verdict.message, request);
		return { outcome: 'rejected', request, failure: { ...OF_ITEM, message: verdict.message } };
	});
}

/** Sets a failure on the entries of its request, with the service's message for each named entry. */
function spreadFailure(failed: Failed, count: number, maybeStored: boolean): Outcome[] {
	const { failure, outcome } = failed;
	const isRejection = outcome === 'rejected' && failure.kind === 'api' && isVerdict(failure.status);
	const named = isRejection ? issuesByEntry(failure, count) : new Map<number, unknown[]>();
	const unnamed = (): Outcome => {
		if (!isRejection) return failed;
		if (named.size === 0) return maybeStored ? { ...failed, outcome: 'unknown' } : failed;
		return maybeStored
			? unknown(MAYBE_STORED, failed.request)
			: { ...failed, failure: held(rejectedTogether(failure.status, named.size)).failure };
	};
	return Array.from({ length: count }, (_, position): Outcome => {
		const issues = named.get(position);
		return issues && failure.kind === 'api'
			? { ...failed, failure: { ...failure, issues } }
			: unnamed();
	});
}

const MAYBE_STORED =
	'The service rejected other rows of this request and may have stored this one. Check in the service before you send it again';

const rejectedTogether = (status: number, count: number): string =>
	`Rejected together with ${count === 1 ? 'another row' : `${count} other rows`} of its request, which the service named (${status}). Correct those, then run the node again`;
