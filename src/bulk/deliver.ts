import type { Desk } from '../core/operation';
import { pool } from '../core/pool';
import type { Bulk, Parcel, Sender, Tally } from './bulk';
import { byteLength, chunks } from './chunks';
import { ledgerKeys, recall } from './ledger';
import type { Outcome } from './outcomes';
import type { Remembering } from './remember';
import { rememberedOutcome, writeDown } from './remember';
import { sendBatch } from './sendBatch';

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
	await pool(batches, bulk.parallel, async (batch, index) => {
		if (bulk.pause > 0 && index > 0) await desk.sleep(bulk.pause);
		if (bulk.memoryKey)
			await sendRemembering(batch, sender, { memory: desk.memory, keyOf: bulk.memoryKey });
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
