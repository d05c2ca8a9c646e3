import type { Desk } from '../core/operation';
import { pool } from '../core/pool';
import type { Request } from '../core/request';
import type { ChunkSize } from './chunks';
import { byteLength, chunks } from './chunks';
import { ledgerKeys, markSent, recall, settle } from './ledger';
import type { Outcome } from './outcomes';
import { judge } from './outcomes';

/** A kind of bulk request: its name, how large it may be, how many at once, and how it is made of values. */
export interface Bulk<T> {
	readonly operation: string;
	readonly size: ChunkSize;
	readonly parallel: number;
	/** The number of requests sent before in this run, so that batches count on. */
	readonly batchesBefore: number;
	/** How often each value occurred before in this run, for the ledger. */
	readonly seen: Map<string, number>;
	readonly request: (values: readonly T[]) => Request;
	/** Splits the reply to a request into one for each of its values. */
	readonly replies: (reply: unknown, count: number) => readonly unknown[];
}

/** What became of the values, in their order, and how many requests carried them. */
export interface Delivered {
	readonly outcomes: readonly Outcome[];
	readonly requests: number;
}

interface Parcel<T> {
	readonly index: number;
	readonly key: string;
	readonly value: T;
	readonly bytes: number;
}

/** Sends values in chunks; what the ledger knows as accepted or unknown is answered from there and not sent. */
export async function deliver<T>(
	values: readonly T[],
	bulk: Bulk<T>,
	desk: Desk,
): Promise<Delivered> {
	const outcomes = new Array<Outcome>(values.length);
	const texts = values.map((value) => JSON.stringify(value));
	const keys = ledgerKeys(bulk.operation, texts, bulk.seen);
	const unsent: Array<Parcel<T>> = [];
	for (const [index, value] of values.entries()) {
		const key = keys[index] ?? '';
		const known = recall(desk.ledger, key);
		if (known) outcomes[index] = known;
		else unsent.push({ index, key, value, bytes: byteLength(texts[index] ?? '') });
	}
	const batches = chunks(unsent, bulk.size, ({ bytes }) => bytes);
	const requests = await pool(batches, bulk.parallel, async (parcels, index) => {
		const sent = await sendBatch(parcels, bulk.batchesBefore + index + 1, { bulk, desk });
		for (const [i, { index: at }] of parcels.entries()) {
			const outcome = sent.outcomes[i];
			if (outcome) outcomes[at] = outcome;
		}
		return sent.sendings > 0;
	});
	return { outcomes, requests: requests.filter(Boolean).length };
}

async function sendBatch<T>(
	parcels: ReadonlyArray<Parcel<T>>,
	batch: number,
	{ bulk, desk }: { bulk: Bulk<T>; desk: Desk },
): Promise<{ outcomes: Outcome[]; sendings: number }> {
	const request = bulk.request(parcels.map(({ value }) => value));
	const keys = parcels.map(({ key }) => key);
	markSent(desk.ledger, keys, batch);
	const delivery = await desk.client.deliver(request);
	const outcome = judge(request, delivery, { batch, now: desk.now() });
	const outcomes = spread(outcome, bulk.replies, parcels.length);
	for (const [i, key] of keys.entries()) settle(desk.ledger, [key], outcomes[i] ?? outcome);
	return { outcomes, sendings: delivery.sendings };
}

function spread(outcome: Outcome, replies: Bulk<unknown>['replies'], count: number): Outcome[] {
	if (outcome.outcome !== 'accepted') return new Array<Outcome>(count).fill(outcome);
	const each = replies(outcome.reply, count);
	return Array.from({ length: count }, (_, i) => ({ ...outcome, reply: each[i] }));
}
