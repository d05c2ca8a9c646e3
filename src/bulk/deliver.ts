import type { Desk } from '../core/operation';
import { pool } from '../core/pool';
import type { Request } from '../core/request';
import type { ChunkSize } from './chunks';
import { byteLength, chunks } from './chunks';
import { issuesByRow } from './issueRows';
import { ledgerKeys, markSent, recall, settle } from './ledger';
import type { Missed, Outcome } from './outcomes';
import { judge } from './outcomes';
import type { Remembering } from './remember';
import { inTurn, rememberedOutcome, writeDown } from './remember';

/** A kind of bulk request: its name, how large it may be, how many at once, and how it is made of values. */
export interface Bulk<T> {
	readonly operation: string;
	readonly size: ChunkSize;
	readonly parallel: number;
	readonly request: (values: readonly T[]) => Request;
	/** The member of the body that lists the values. */
	readonly list: string;
	/** Splits the reply to a request into one for each of its values. */
	readonly replies: (reply: unknown, count: number) => readonly unknown[];
	/** Whether a refused request may be sent again in parts, to find the values that are to blame. */
	readonly isolate: boolean;
	/** Ms to wait before each request but the first. */
	readonly pause: number;
	/** What the memory across executions knows a value by, where one is kept. */
	readonly memoryKey?: (value: T) => string;
}

/** What all groups of a run share: how many requests were sent, and how often each value occurred. */
export interface Tally {
	requests: number;
	/** The number of the last batch; one that was stopped before it was sent has a number, but is no request. */
	batches: number;
	readonly seen: Map<string, number>;
}

interface Parcel<T> {
	readonly index: number;
	readonly key: string;
	readonly value: T;
	readonly bytes: number;
}

interface Sender<T> {
	readonly bulk: Bulk<T>;
	readonly desk: Desk;
	readonly tally: Tally;
	readonly outcomes: Outcome[];
	/** The most values a request may hold, as 413 replies have taught. */
	most: number;
}

/**
 * Sends values in chunks and returns their outcomes in their order; what the ledger knows as accepted or unknown is
 * answered from there and not sent.
 */
export async function deliver<T>(
	values: readonly T[],
	bulk: Bulk<T>,
	{ desk, tally }: { desk: Desk; tally: Tally },
): Promise<readonly Outcome[]> {
	const texts = values.map((value) => JSON.stringify(value));
	const keys = ledgerKeys(bulk.operation, texts, tally.seen);
	const outcomes = new Array<Outcome>(values.length);
	const unsent: Array<Parcel<T>> = [];
	for (const [index, value] of values.entries()) {
		const key = keys[index] ?? '';
		const known = recall(desk.ledger, key);
		if (known) outcomes[index] = known;
		else unsent.push({ index, key, value, bytes: byteLength(texts[index] ?? '') });
	}
	const sender: Sender<T> = { bulk, desk, tally, outcomes, most: bulk.size.count };
	const batches = chunks(unsent, bulk.size, ({ bytes }) => bytes);
	const memory = inTurn(desk.memory);
	await pool(batches, bulk.parallel, async (batch, index) => {
		if (bulk.pause > 0 && index > 0) await desk.sleep(bulk.pause);
		if (bulk.memoryKey) await sendRemembering(batch, sender, { memory, keyOf: bulk.memoryKey });
		else await sendBatch(batch, sender);
	});
	return outcomes;
}

/** Claims the values of a batch in the memory before they are sent, and sends only those that were new to it. */
async function sendRemembering<T>(
	parcels: ReadonlyArray<Parcel<T>>,
	sender: Sender<T>,
	{ memory, keyOf }: Remembering<T>,
): Promise<void> {
	const keyed = parcels.map((parcel) => ({ parcel, key: keyOf(parcel.value) }));
	const claimed = await memory.claim(keyed.map(({ key }) => key));
	const fresh = keyed.filter(({ parcel, key }) => {
		const known = rememberedOutcome(claimed, key);
		if (known) sender.outcomes[parcel.index] = known;
		return known === undefined;
	});
	if (fresh.length === 0) return;
	await sendBatch(
		fresh.map(({ parcel }) => parcel),
		sender,
	);
	const sent = fresh.map(({ parcel, key }) => ({ key, outcome: sender.outcomes[parcel.index] }));
	await writeDown(memory, sent);
}

/** Sends a batch; one that is too large goes in halves, and one that is refused in parts, where that is allowed. */
async function sendBatch<T>(parcels: ReadonlyArray<Parcel<T>>, sender: Sender<T>): Promise<void> {
	if (parcels.length > sender.most) return await sendHalves(parcels, sender);
	const { bulk, desk, tally } = sender;
	const request = bulk.request(parcels.map(({ value }) => value));
	tally.batches += 1;
	const batch = tally.batches;
	markSent(
		desk.ledger,
		parcels.map(({ key }) => key),
		batch,
	);
	const delivery = await desk.client.deliver(request);
	if (delivery.sendings > 0) tally.requests += 1;
	const outcome = judge(request, delivery, { batch, now: desk.now() });
	if (outcome.outcome === 'accepted') {
		const replies = bulk.replies(outcome.reply, parcels.length);
		return settleAll(parcels, sender, (i) => ({ ...outcome, reply: replies[i] }));
	}
	if (isTooLarge(outcome) && parcels.length > 1) {
		sender.most = Math.min(sender.most, Math.ceil(parcels.length / 2));
		return await sendHalves(parcels, sender);
	}
	return await settleRefused(parcels, outcome, sender);
}

const isTooLarge = ({ outcome, failure }: Missed): boolean =>
	outcome === 'rejected' && failure.kind === 'api' && failure.status === 413;

async function sendHalves<T>(parcels: ReadonlyArray<Parcel<T>>, sender: Sender<T>): Promise<void> {
	const middle = Math.ceil(parcels.length / 2);
	await sendBatch(parcels.slice(0, middle), sender);
	await sendBatch(parcels.slice(middle), sender);
}

/** Values that the service named keep its words; the others were refused because of them, or may go on without them. */
async function settleRefused<T>(
	parcels: ReadonlyArray<Parcel<T>>,
	missed: Missed,
	sender: Sender<T>,
): Promise<void> {
	const { failure, outcome } = missed;
	if (outcome !== 'rejected' || failure.kind !== 'api' || ![400, 422].includes(failure.status)) {
		return settleAll(parcels, sender, () => missed);
	}
	const named = issuesByRow(failure, parcels.length);
	const isolate = sender.bulk.isolate && parcels.length > 1;
	if (named.size === 0 && isolate) return await sendHalves(parcels, sender);
	if (named.size === 0) return settleAll(parcels, sender, () => missed);
	const isNamed = (i: number) => named.has(i);
	const others = parcels.filter((_, i) => !isNamed(i));
	settleAll(parcels, sender, (i) =>
		isNamed(i)
			? { ...missed, failure: { ...failure, issues: named.get(i) ?? [] } }
			: { ...missed, failure: { kind: 'held', message: withOthers(failure.status, named.size) } },
	);
	if (isolate && others.length > 0) await sendBatch(others, sender);
}

const withOthers = (status: number, count: number): string =>
	`Refused together with ${count === 1 ? 'another row' : `${count} other rows`} of its request, which the service named (${status}). Correct those, then run the node again`;

function settleAll<T>(
	parcels: ReadonlyArray<Parcel<T>>,
	{ desk, outcomes }: Sender<T>,
	outcomeOf: (i: number) => Outcome,
): void {
	for (const [i, { index, key }] of parcels.entries()) {
		const outcome = outcomeOf(i);
		outcomes[index] = outcome;
		settle(desk.ledger, [key], outcome);
	}
}
