import { createAdaptiveConcurrency } from '../core/pacing';
import { mapConcurrent } from '../core/concurrency';
import { CANCELED } from '../core/http';
import type { OperationContext } from '../core/operation';
import type { BulkOperation, SendSettings, SentFacts } from './operation';
import type { AcceptedOutcome, NotAccepted, Outcome, Verdict } from './outcomes';
import { held, issuesByRow, isVerdict, toOutcome, unknown } from './outcomes';
import type { Guard, Plan, Value } from './plan';
import { pendingOf } from './plan';

export type { SentFacts } from './operation';

/** Max bytes of the values in one request; the interface shows no limit. */
const MAX_BODY_BYTES = 4_000_000;

/**
 * Cuts the pending values into requests, by their number and bytes; a value larger than a request stands alone.
 */
export function* batchesOf<T, Settings extends SendSettings>(
	plan: Plan<T>,
	{ toBody }: Pick<BulkOperation<T, Settings>, 'toBody'>,
	settings: Settings,
): Generator<Array<Value<T>>, void, undefined> {
	let batch: Array<Value<T>> = [];
	let bytes = 0;
	for (const value of pendingOf(plan.values)) {
		const length = Buffer.byteLength(JSON.stringify(toBody(value.content, settings))) + 1;
		const isFull = batch.length >= settings.batchSize || bytes + length > MAX_BODY_BYTES;
		if (batch.length > 0 && isFull) {
			yield batch;
			batch = [];
			bytes = 0;
		}
		batch.push(value);
		bytes += length;
	}
	if (batch.length > 0) yield batch;
}

/** Sends the values that have no outcome yet in batches, and notes their outcomes. */
export async function sendInBatches<T, Settings extends SendSettings>(
	plan: Plan<T>,
	operation: BulkOperation<T, Settings>,
	{
		settings,
		guards,
		context,
	}: {
		readonly settings: Settings;
		readonly guards: ReadonlyArray<Guard<T>>;
		readonly context: OperationContext;
	},
): Promise<SentFacts> {
	const { signal, now, sleep } = context;
	const max = operation.inOrder?.(settings) === true ? 1 : settings.parallelRequests;
	const concurrency = createAdaptiveConcurrency({ start: max, max });
	const onRejection = operation.afterRejection(settings);
	const times = new Map<number, number>();
	let requests = 0;
	let begun = 0;
	/** Max values in a request, as 413 responses have taught. */
	let maxCount = settings.batchSize;

	/** Sends values in one request; what is too large goes in halves, and what is rejected in parts, where that is allowed. */
	async function sendBatch(values: ReadonlyArray<Value<T>>): Promise<void> {
		if (values.length > maxCount) return await sendHalves(values);
		if (settings.pauseMs > 0 && requests > 0) await sleep(settings.pauseMs);
		const batch = await admitted(values);
		if (batch.length === 0) return;
		const outcome = await request(batch);
		for (const guard of guards) await guard.after?.(batch);
		if (batch.length === 1 || outcome.outcome !== 'rejected' || outcome.failure.kind !== 'api')
			return;
		const { status, code } = outcome.failure;
		if (status === 413) {
			maxCount = Math.min(maxCount, Math.ceil(batch.length / 2));
			return await sendHalves(batch);
		}
		// A response of a documented shape rejects the whole request, so what it does not name was not stored.
		if (!isVerdict(status) || code === undefined || onRejection !== 'parts') return;
		const named = issuesByRow(outcome.failure, batch.length);
		if (named.size === 0) return await sendHalves(batch);
		const others = batch.filter((_, i) => !named.has(i));
		if (others.length > 0) await sendBatch(others);
	}

	async function sendHalves(values: ReadonlyArray<Value<T>>): Promise<void> {
		const middle = Math.ceil(values.length / 2);
		await sendBatch(values.slice(0, middle));
		await sendBatch(values.slice(middle));
	}

	/** The values that no guard leaves out of a request that is about to leave. */
	async function admitted(values: ReadonlyArray<Value<T>>): Promise<ReadonlyArray<Value<T>>> {
		let batch = values;
		for (const value of batch) value.outcome = undefined;
		for (const guard of guards.toReversed()) {
			// What the client will not send is not written down either.
			if (signal.aborted || context.client.breaker.openedBy) break;
			await guard.before?.(batch);
			batch = pendingOf(batch);
			if (batch.length === 0) break;
		}
		return batch;
	}

	/** Sends one request, and notes the outcomes of its values. */
	async function request(values: ReadonlyArray<Value<T>>): Promise<AcceptedOutcome | NotAccepted> {
		const contents = values.map(({ content }) => content);
		const bodies = contents.map((content) => operation.toBody(content, settings));
		const deadlineMs = Math.min(...values.map((value) => value.deadlineMs ?? Infinity));
		const made = operation.toRequest(bodies, settings);
		const sent = { ...made, ...(deadlineMs < Infinity && { deadlineMs }) };
		begun += 1;
		// A ledger numbers the requests of all attempts of an execution.
		const batch = values[0]?.batch ?? begun;
		for (const value of values) value.batch = batch;
		times.set(batch, now());
		const delivery = signal.aborted
			? { response: CANCELED, mayHaveArrived: false, attempts: 0 }
			: await context.client.deliver(sent, concurrency);
		if (delivery.attempts > 0) requests += 1;
		const outcome = toOutcome(sent, delivery, { batch, nowMs: now() });
		if (outcome.outcome === 'accepted') {
			const verdicts = operation.judge(outcome.reply, contents);
			for (const [i, value] of values.entries()) value.outcome = judged(verdicts[i], outcome);
		} else noteFailure(values, outcome, onRejection === 'maybeStored');
		return outcome;
	}

	await mapConcurrent(batchesOf(plan, operation, settings), concurrency.limit, sendBatch);
	return { requests, times, zone: context.zone };
}

const OF_ITEM = { kind: 'api', call: 'an item of the response', status: 200, issues: [] } as const;

/** What an accepted request says of one of its values. */
function judged(verdict: Verdict | undefined, accepted: AcceptedOutcome): Outcome | undefined {
	const { batch } = accepted;
	switch (verdict?.kind) {
		case 'accepted':
			return verdict.paired ? { ...accepted, reply: verdict.reply, paired: true } : accepted;
		case 'rejected':
			return { outcome: 'rejected', batch, failure: { ...OF_ITEM, message: verdict.message } };
		case 'unknown':
			return unknown(verdict.message, batch);
		case undefined:
			return undefined;
	}
}

/** Notes how a request failed; where the service named some of its values, those have its words. */
function noteFailure<T>(
	values: ReadonlyArray<Value<T>>,
	rejected: NotAccepted,
	storesInPart: boolean,
): void {
	const { failure, outcome } = rejected;
	const isRejected = outcome === 'rejected' && failure.kind === 'api' && isVerdict(failure.status);
	const named = isRejected ? issuesByRow(failure, values.length) : new Map<number, unknown[]>();
	for (const [i, value] of values.entries()) {
		const issues = named.get(i);
		if (named.size === 0 || failure.kind !== 'api')
			value.outcome = isRejected && storesInPart ? { ...rejected, outcome: 'unknown' } : rejected;
		else if (issues) value.outcome = { ...rejected, failure: { ...failure, issues } };
		else if (storesInPart) value.outcome = unknown(STORED_IN_PART, rejected.batch);
		else
			value.outcome = { ...rejected, failure: held(together(failure.status, named.size)).failure };
	}
}

const STORED_IN_PART =
	'The service rejected other rows of this request and may have stored this one. Check in the service before you send it again';

const together = (status: number, count: number): string =>
	`Rejected together with ${count === 1 ? 'another row' : `${count} other rows`} of its request, which the service named (${status}). Correct those, then run the node again`;
