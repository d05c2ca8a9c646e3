import { createAdaptiveConcurrency } from '../core/adaptiveConcurrency';
import { CANCELED } from '../core/client';
import { mapConcurrent, prefetch } from '../core/concurrency';
import { chunks } from './chunks';
import type { BulkOperation, SendSettings } from './operation';
import type { AcceptedOutcome, NotAccepted, Outcome } from './outcomes';
import { held, issuesByRow, toOutcome, unknown } from './outcomes';
import type { Plan, Value } from './plan';
import type { RunParts } from './run';

/** Max bytes of the values in one request; the interface shows no limit. */
export const MAX_BODY_BYTES = 4_000_000;

/** How many requests a run took, and when each of its batches was sent, in ms. */
export interface SentFacts {
	readonly requests: number;
	readonly times: ReadonlyMap<number, number>;
	/** The time zone of the workflow. */
	readonly zone: string;
}

/** A value with its body, ready to be sent. */
interface Ready<T> {
	readonly value: Value<T>;
	readonly body: object;
	readonly bytes: number;
}

/** What the batches of a run share. */
interface SendState<T, Settings extends SendSettings> extends RunParts<T, Settings> {
	readonly operation: BulkOperation<T, Settings>;
	readonly concurrency: ReturnType<typeof createAdaptiveConcurrency>;
	readonly times: Map<number, number>;
	/** Max values in a request, as 413 responses have taught. */
	maxCount: number;
	requests: number;
}

/** Sends the values that have no outcome yet in batches, and notes their outcomes. */
export async function sendInBatches<T, Settings extends SendSettings>(
	plan: Plan<T>,
	operation: BulkOperation<T, Settings>,
	parts: RunParts<T, Settings>,
): Promise<SentFacts> {
	const { settings, context } = parts;
	const max = operation.inOrder?.(settings) === true ? 1 : settings.parallelRequests;
	const state: SendState<T, Settings> = {
		...parts,
		operation,
		concurrency: createAdaptiveConcurrency({ start: max, max }),
		times: new Map(),
		maxCount: settings.batchSize,
		requests: 0,
	};
	const size = { count: settings.batchSize, bytes: MAX_BODY_BYTES };
	const batches = chunks(readied(plan, state), size, ({ bytes }) => bytes);
	const turn = async () => await context.sleep(0);
	await mapConcurrent(prefetch(batches, { max, turn }), state.concurrency.limit, async (ready) => {
		await sendBatch(ready, state);
	});
	return { requests: state.requests, times: state.times, zone: context.zone };
}

/** The values that are to be sent, one by one: they are made ready while others are being sent. */
function* readied<T, Settings extends SendSettings>(
	{ values }: Plan<T>,
	{ operation, settings }: SendState<T, Settings>,
): Generator<Ready<T>, void, undefined> {
	for (const value of values) {
		if (value.outcome) continue;
		const body = operation.toBody(value.content, settings);
		yield { value, body, bytes: Buffer.byteLength(JSON.stringify(body)) };
	}
}

/** Sends values in one request; what is too large goes in halves, and what is rejected in parts, where that is allowed. */
async function sendBatch<T, Settings extends SendSettings>(
	ready: ReadonlyArray<Ready<T>>,
	state: SendState<T, Settings>,
): Promise<void> {
	if (ready.length > state.maxCount) return await sendHalves(ready, state);
	const { context, settings } = state;
	if (settings.pauseMs > 0 && state.requests > 0) await context.sleep(settings.pauseMs);
	const batch = await admitted(ready, state);
	if (batch.length === 0) return;
	const outcome = await request(batch, state);
	for (const guard of state.guards) await guard.after?.(batch.map(({ value }) => value));
	if (outcome.outcome !== 'rejected' || outcome.failure.kind !== 'api') return;
	const { status } = outcome.failure;
	if (status === 413 && batch.length > 1) {
		state.maxCount = Math.min(state.maxCount, Math.ceil(batch.length / 2));
		await sendHalves(batch, state);
	} else if (isVerdict(status)) await resendOthers(batch, outcome, state);
}

/** The values that no guard leaves out of a request that is about to leave. */
async function admitted<T, Settings extends SendSettings>(
	ready: ReadonlyArray<Ready<T>>,
	state: SendState<T, Settings>,
): Promise<ReadonlyArray<Ready<T>>> {
	const { guards, context } = state;
	let batch = ready;
	for (const { value } of batch) value.outcome = undefined;
	for (const guard of guards.toReversed()) {
		// What the user stopped is not written down either.
		if (context.signal.aborted) break;
		if (!guard.before) continue;
		await guard.before(batch.map(({ value }) => value));
		batch = batch.filter(({ value }) => value.outcome === undefined);
		if (batch.length === 0) return batch;
	}
	return batch;
}

/** Sends one request, and notes the outcomes of its values. */
async function request<T, Settings extends SendSettings>(
	batch: ReadonlyArray<Ready<T>>,
	state: SendState<T, Settings>,
): Promise<Outcome> {
	const { operation, settings, context, concurrency } = state;
	const values = batch.map(({ value }) => value);
	const deadlineMs = Math.min(...values.map((value) => value.deadlineMs ?? Infinity));
	const made = operation.toRequest(
		batch.map(({ body }) => body),
		settings,
	);
	const sent = { ...made, ...(deadlineMs < Infinity && { deadlineMs }) };
	const number = values[0]?.batch ?? 0;
	state.times.set(number, context.now());
	const delivery = context.signal.aborted
		? { response: CANCELED, mayHaveArrived: false, attempts: 0 }
		: await context.client.deliver(sent, concurrency);
	if (delivery.attempts > 0) state.requests += 1;
	const outcome = toOutcome(sent, delivery, { batch: number, nowMs: context.now() });
	if (outcome.outcome === 'accepted') judge(values, outcome, operation);
	else noteFailure(values, outcome, operation.afterRejection(settings) === 'maybeStored');
	return outcome;
}

/** Notes what an accepted request says of each of its values. */
function judge<T, Settings extends SendSettings>(
	values: ReadonlyArray<Value<T>>,
	accepted: AcceptedOutcome,
	operation: BulkOperation<T, Settings>,
): void {
	const { batch } = accepted;
	const contents = values.map(({ content }) => content);
	for (const [i, verdict] of operation.judge(accepted.reply, contents).entries()) {
		const value = values[i];
		if (!value) continue;
		if (verdict.kind === 'accepted')
			value.outcome = verdict.paired
				? { ...accepted, reply: verdict.reply, paired: true }
				: accepted;
		else if (verdict.kind === 'unknown') value.outcome = unknown(verdict.message, batch);
		else value.outcome = { outcome: 'rejected', batch, failure: refused(verdict.message) };
	}
}

const refused = (message: string) =>
	({
		kind: 'api',
		call: 'an item of the response',
		status: 200,
		message,
		issues: [],
	}) as const;

async function sendHalves<T, Settings extends SendSettings>(
	ready: ReadonlyArray<Ready<T>>,
	state: SendState<T, Settings>,
): Promise<void> {
	const middle = Math.ceil(ready.length / 2);
	await sendBatch(ready.slice(0, middle), state);
	await sendBatch(ready.slice(middle), state);
}

/**
 * Values that the service named keep its words. The others were not stored, because a response of a documented shape rejects the
 * whole request, and are resent where that is wanted; only a partial insert may have stored them.
 */
async function resendOthers<T, Settings extends SendSettings>(
	batch: ReadonlyArray<Ready<T>>,
	rejected: NotAccepted,
	state: SendState<T, Settings>,
): Promise<void> {
	const { failure } = rejected;
	if (failure.kind !== 'api') return;
	const named = issuesByRow(failure, batch.length);
	const resends =
		state.operation.afterRejection(state.settings) === 'parts' &&
		failure.code !== undefined &&
		batch.length > 1;
	if (named.size === 0) return resends ? await sendHalves(batch, state) : undefined;
	const others = batch.filter((_, i) => !named.has(i));
	if (resends && others.length > 0) await sendBatch(others, state);
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
		if (named.size === 0 || failure.kind !== 'api') value.outcome = rejected;
		else if (issues) value.outcome = { ...rejected, failure: { ...failure, issues } };
		else if (storesInPart) value.outcome = unknown(STORED_IN_PART, rejected.batch);
		else
			value.outcome = { ...rejected, failure: held(together(failure.status, named.size)).failure };
	}
}

const isVerdict = (status: number): boolean => status === 400 || status === 422;

const STORED_IN_PART =
	'The service rejected other rows of this request and may have stored this one. Check in the service before you send it again';

const together = (status: number, count: number): string =>
	`Rejected together with ${count === 1 ? 'another row' : `${count} other rows`} of its request, which the service named (${status}). Correct those, then run the node again`;
