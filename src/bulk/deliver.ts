import type { Desk } from '../core/operation';
import { ahead } from '../core/ahead';
import { pool } from '../core/pool';
import type { Bulk, Parcel, Sender, Tally } from './bulk';
import { byteLength, chunks } from './chunks';
import { ledgerKey, recall } from './ledger';
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
	const outcomes = new Array<Outcome>(values.length);
	const sender: Sender<T> = { bulk, desk, tally, outcomes, most: bulk.size.count };
	const batches = chunks(unsent(values, sender), bulk.size, ({ bytes }) => bytes);
	const ready = ahead(batches, { most: bulk.parallel, turn: async () => await desk.sleep(0) });
	await pool(ready, bulk.parallel, async (batch, index) => {
		if (bulk.pause > 0 && index > 0) await desk.sleep(bulk.pause);
		if (bulk.memoryKey)
			await sendRemembering(batch, sender, { memory: desk.memory, keyOf: bulk.memoryKey });
		else await sendBatch(batch, sender);
	});
	return outcomes;
}

/** The values that are to be sent, one by one: what it takes to know them is done while others are under way. */
function* unsent<T>(
	values: readonly T[],
	{ bulk, desk, tally, outcomes }: Sender<T>,
): Generator<Parcel<T>, void, undefined> {
	for (const [index, value] of values.entries()) {
		const text = JSON.stringify(value);
		const key = ledgerKey(bulk.operation, text, tally.seen);
		// Keys of a run are all different, so that only those of an earlier attempt can be known.
		const known = tally.isFirst ? undefined : recall(desk.ledger, key);
		if (known) outcomes[index] = known;
		else yield { index, key, value, bytes: byteLength(text) };
	}
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
