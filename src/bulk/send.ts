import { createAdaptiveConcurrency } from '../core/adaptiveConcurrency';
import { mapConcurrent, prefetch } from '../core/concurrency';
import type { OperationContext } from '../core/operation';
import type { RunPlan } from './check';
import { chunks } from './chunks';
import { createCircuitBreaker } from './circuitBreaker';
import type { CircuitBreaker } from './circuitBreaker';
import type { Journal } from './journal';
import type { KeyOf, LedgerBatch } from './ledger';
import { forget, lastBatch, markSent, settle, settleEach } from './ledger';
import type { BulkOperation, SendSettings, SendWindow } from './operation';
import type { AcceptedOutcome, NotAccepted, Outcome } from './outcomes';
import { issuesByRow, itemFailure, toOutcome } from './outcomes';

/** Max bytes of the values in one request; the interface shows no limit. */
export const MAX_BODY_BYTES = 4_000_000;

/** A value that is to be sent: its position, its key in the ledger, and how many bytes it has. */
interface QueuedValue<T> {
	readonly index: number;
	readonly key: string;
	readonly value: T;
	readonly body: object;
	readonly bytes: number;
}

/** One request with the values that it carries. */
interface BatchRequest<T> extends LedgerBatch {
	readonly values: ReadonlyArray<QueuedValue<T>>;
}

type AnyBulkOperation<T, Settings extends SendSettings> = BulkOperation<
	T,
	Settings,
	object,
	object
>;

/** What values are sent with: the settings of the run, its keys in the ledger, and the journal, where one is kept. */
export interface SendOptions<T, Settings extends SendSettings> {
	readonly settings: Settings;
	readonly keyOf: KeyOf;
	readonly journal: Journal | undefined;
	readonly window: SendWindow<T> | undefined;
	readonly context: OperationContext;
	/** When each batch was sent, in ms; noted for the caller. */
	readonly times: Map<number, number>;
	/** Called before each request. */
	readonly renew?: () => Promise<void>;
}

/** What the batches of a run share. */
interface SendState<T, Settings extends SendSettings> extends SendOptions<T, Settings> {
	readonly operation: AnyBulkOperation<T, Settings>;
	readonly outcomes: Array<Outcome | undefined>;
	readonly breaker: CircuitBreaker;
	readonly concurrency: ReturnType<typeof createAdaptiveConcurrency>;
	/** Ends of requests that are being written down while the next request is prepared. */
	readonly settling: Array<Promise<void>>;
	/** Max values in a request, as 413 responses have taught. */
	maxCount: number;
	requests: number;
	/** The number of the last batch, also of earlier attempts. */
	batches: number;
}

/** Sends the values that have no outcome yet in batches, and notes their outcomes. Returns how many requests were sent. */
export async function sendInBatches<T, Settings extends SendSettings>(
	plan: RunPlan<T>,
	operation: AnyBulkOperation<T, Settings>,
	options: SendOptions<T, Settings>,
): Promise<number> {
	const { settings, context } = options;
	const { batchSize } = settings;
	// A newer value must not overtake an older one of the same identity.
	const parallel =
		settings.duplicates === 'sendAll' && operation.resendsChanged?.(settings)
			? 1
			: settings.parallelRequests;
	const state: SendState<T, Settings> = {
		...options,
		operation,
		outcomes: plan.outcomes,
		breaker: createCircuitBreaker(),
		concurrency: createAdaptiveConcurrency({ start: parallel, max: parallel }),
		settling: [],
		maxCount: batchSize,
		requests: 0,
		batches: lastBatch(context.ledger),
	};
	const queue = queueValues(plan, state);
	const batches = chunks(queue, { count: batchSize, bytes: MAX_BODY_BYTES }, ({ bytes }) => bytes);
	const turn = async () => await context.sleep(0);
	try {
		await mapConcurrent(
			prefetch(batches, { max: parallel, turn }),
			state.concurrency.limit,
			async (values) => {
				await sendClaimed(values, state);
			},
		);
	} finally {
		await Promise.all(state.settling);
	}
	return state.requests;
}

/** The values that are to be sent, one by one: they are made ready while others are being sent. */
function* queueValues<T, Settings extends SendSettings>(
	{ values, outcomes }: RunPlan<T>,
	{ operation, settings, keyOf }: SendState<T, Settings>,
): Generator<QueuedValue<T>, void, undefined> {
	for (const [index, value] of values.entries()) {
		if (outcomes[index]) continue;
		const body = operation.toBody(value, settings);
		const json = JSON.stringify(body);
		yield { index, key: keyOf(index, json), value, body, bytes: Buffer.byteLength(json) };
	}
}

/** Writes people down before they are contacted, and sends only those that no other run contacted. */
async function sendClaimed<T, Settings extends SendSettings>(
	values: ReadonlyArray<QueuedValue<T>>,
	state: SendState<T, Settings>,
): Promise<void> {
	const { journal, context, breaker, outcomes } = state;
	// What will not be sent is not written down either.
	if (context.signal.aborted || breaker.reason() || !journal) return await sendBatch(values, state);
	const allowed = allowedNow(values, state);
	if (allowed.length === 0) return;
	const indexes = allowed.map(({ index }) => index);
	const known = await journal.claim(indexes);
	const fresh = allowed.filter((_, i) => known[i] === undefined);
	for (const [i, { index }] of allowed.entries()) outcomes[index] = known[i];
	if (fresh.length === 0) return;
	await sendBatch(fresh, state);
	const sent = fresh.map(({ index }) => index);
	// It is not waited for, so the store writes it down together with the people of the next request.
	state.settling.push(
		journal.settle(
			sent,
			sent.map((index) => outcomes[index]),
		),
	);
}

/** The values that may be sent at this moment; the others have their outcome. */
function allowedNow<T, Settings extends SendSettings>(
	values: ReadonlyArray<QueuedValue<T>>,
	{ window, outcomes, context }: SendState<T, Settings>,
): ReadonlyArray<QueuedValue<T>> {
	if (!window) return values;
	const nowMs = context.now();
	return values.filter(({ index, value }) => {
		const reason = window.reason(value, nowMs);
		if (reason) outcomes[index] = reason;
		return reason === undefined;
	});
}

/** Sends values in one request; what is too large goes in halves, and what is rejected in parts, where that is allowed. */
async function sendBatch<T, Settings extends SendSettings>(
	queued: ReadonlyArray<QueuedValue<T>>,
	state: SendState<T, Settings>,
): Promise<void> {
	if (queued.length > state.maxCount) return await sendHalves(queued, state);
	const { context, operation, settings, breaker, window } = state;
	if (settings.pauseMs > 0 && state.requests > 0) await context.sleep(settings.pauseMs);
	const values = allowedNow(queued, state);
	if (values.length === 0) return;
	const reason = breaker.reason();
	const batch = { number: state.batches + 1, values, keys: values.map(({ key }) => key) };
	if (reason !== undefined) return note(batch, state, () => withheld(reason));
	const request = {
		...operation.toRequest(
			values.map(({ body }) => body),
			settings,
		),
		// A pause that the service asks for must not end after the hours.
		...(window && { deadlineMs: closesMs(values, window, context.now()) }),
	};
	state.batches = batch.number;
	await state.renew?.();
	markSent(context.ledger, batch, context.round);
	state.times.set(batch.number, context.now());
	const delivery = await context.client.deliver(request, state.concurrency);
	if (delivery.attempts > 0) state.requests += 1;
	const outcome = toOutcome(request, delivery, { batch: batch.number, nowMs: context.now() });
	breaker.note(outcome);
	if (outcome.outcome === 'accepted') return noteAccepted(batch, outcome, state);
	settle(context.ledger, batch, { outcome, round: context.round });
	note(batch, state, () => outcome);
	const status = rejectedWith(outcome);
	if (status === 413 && values.length > 1) {
		state.maxCount = Math.min(state.maxCount, Math.ceil(values.length / 2));
		return await sendHalves(values, state);
	}
	if (status === 400 || status === 422) await resendOthers(batch, outcome, state);
}

const closesMs = <T>(
	values: ReadonlyArray<QueuedValue<T>>,
	window: SendWindow<T>,
	nowMs: number,
): number =>
	window.closesMs(
		values.map(({ value }) => value),
		nowMs,
	);

const withheld = (message: string): Outcome => ({
	outcome: 'notSent',
	failure: { kind: 'held', message },
});

function noteAccepted<T, Settings extends SendSettings>(
	batch: BatchRequest<T>,
	accepted: AcceptedOutcome,
	{ context: { ledger, round }, operation, outcomes }: SendState<T, Settings>,
): void {
	const replies = operation.splitResponse?.(
		accepted.reply,
		batch.values.map(({ value }) => value),
	);
	if (!replies) {
		settle(ledger, batch, { outcome: accepted, round });
		return note(batch, { outcomes }, () => accepted);
	}
	settleEach(ledger, batch, { replies, round });
	const failures = replies.map(itemFailure);
	forget(
		ledger,
		batch.keys.filter((_, i) => failures[i] !== undefined),
	);
	note(batch, { outcomes }, (i) => {
		const failure = failures[i];
		return failure
			? { outcome: 'rejected', batch: batch.number, failure }
			: { ...accepted, reply: replies[i], paired: true };
	});
}

const rejectedWith = ({ outcome, failure }: NotAccepted): number | undefined =>
	outcome === 'rejected' && failure.kind === 'api' ? failure.status : undefined;

async function sendHalves<T, Settings extends SendSettings>(
	values: ReadonlyArray<QueuedValue<T>>,
	state: SendState<T, Settings>,
): Promise<void> {
	const middle = Math.ceil(values.length / 2);
	await sendBatch(values.slice(0, middle), state);
	await sendBatch(values.slice(middle), state);
}

/**
 * Values that the service named keep its words. The others were not stored, because a response of a documented shape rejects the
 * whole request, and are resent where that is wanted; only a partial insert may have stored them.
 */
async function resendOthers<T, Settings extends SendSettings>(
	batch: BatchRequest<T>,
	rejected: NotAccepted,
	state: SendState<T, Settings>,
): Promise<void> {
	const { failure } = rejected;
	if (failure.kind !== 'api') return;
	const { operation, settings, context } = state;
	const { values } = batch;
	const named = issuesByRow(failure, values.length);
	const storesInPart = operation.storesInPart?.(settings) === true;
	const isDocumented = failure.code !== undefined;
	const resends =
		operation.resendsParts(settings) && isDocumented && !storesInPart && values.length > 1;
	if (named.size === 0) return resends ? await sendHalves(values, state) : undefined;
	const message = rejectedWithOthers(failure.status, named.size);
	note(batch, state, (i) => {
		const issues = named.get(i);
		if (issues) return { ...rejected, failure: { ...failure, issues } };
		return storesInPart
			? {
					outcome: 'unknown',
					batch: batch.number,
					failure: { kind: 'held', message: STORED_IN_PART },
				}
			: { ...rejected, failure: { kind: 'held', message } };
	});
	const others = values.filter((_, i) => !named.has(i));
	if (storesInPart && others.length > 0) {
		const unnamed = { number: batch.number, keys: others.map(({ key }) => key) };
		markSent(context.ledger, unnamed, context.round);
		const outcome = {
			outcome: 'unknown',
			failure: { kind: 'held', message: STORED_IN_PART },
		} as const;
		settle(context.ledger, unnamed, { outcome, round: context.round });
	}
	if (resends && others.length > 0) await sendBatch(others, state);
}

const STORED_IN_PART =
	'The service rejected other rows of this request and may have stored this one. Check in the service before you send it again';

const rejectedWithOthers = (status: number, count: number): string =>
	`Rejected together with ${count === 1 ? 'another row' : `${count} other rows`} of its request, which the service named (${status}). Correct those, then run the node again`;

function note<T>(
	{ values }: BatchRequest<T>,
	{ outcomes }: { readonly outcomes: Array<Outcome | undefined> },
	outcomeOf: (i: number) => Outcome,
): void {
	for (const [i, { index }] of values.entries()) outcomes[index] = outcomeOf(i);
}
