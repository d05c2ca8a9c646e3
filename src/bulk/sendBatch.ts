import type { Parcel, Sender } from './bulk';
import { issuesByRow } from './issueRows';
import { markSent, settle, settleEach } from './ledger';
import type { Accepted, Missed, Outcome } from './outcomes';
import { judge } from './outcomes';

/** The values of a request with its number. */
interface Batch<T> {
	readonly number: number;
	readonly parcels: ReadonlyArray<Parcel<T>>;
	readonly keys: readonly string[];
}

/** Sends values in one request; what is too large goes in halves, and what is refused in parts, where that is allowed. */
export async function sendBatch<T>(
	parcels: ReadonlyArray<Parcel<T>>,
	sender: Sender<T>,
): Promise<void> {
	if (parcels.length > sender.most) return await sendHalves(parcels, sender);
	const { bulk, desk, tally } = sender;
	const request = bulk.request(parcels.map(({ value }) => value));
	tally.batches += 1;
	const batch = { number: tally.batches, parcels, keys: parcels.map(({ key }) => key) };
	markSent(desk.ledger, batch.keys, batch.number);
	const delivery = await desk.client.deliver(request);
	if (delivery.sendings > 0) tally.requests += 1;
	const outcome = judge(request, delivery, { batch: batch.number, now: desk.now() });
	if (outcome.outcome === 'accepted') return accept(batch, outcome, sender);
	settle(desk.ledger, batch.keys, batch.number, outcome);
	tell(batch, sender, () => outcome);
	if (isTooLarge(outcome) && parcels.length > 1) {
		sender.most = Math.min(sender.most, Math.ceil(parcels.length / 2));
		return await sendHalves(parcels, sender);
	}
	if (isRefused(outcome)) await sendOthers(batch, outcome, sender);
}

function accept<T>(batch: Batch<T>, accepted: Accepted, sender: Sender<T>): void {
	const { bulk, desk } = sender;
	const replies = bulk.replies?.(accepted.reply, batch.keys.length);
	if (!replies) {
		settle(desk.ledger, batch.keys, batch.number, accepted);
		return tell(batch, sender, () => accepted);
	}
	settleEach(desk.ledger, batch.keys, batch.number, replies);
	tell(batch, sender, (i) => ({ ...accepted, reply: replies[i], paired: true }));
}

const isTooLarge = ({ outcome, failure }: Missed): boolean =>
	outcome === 'rejected' && failure.kind === 'api' && failure.status === 413;

const isRefused = ({ outcome, failure }: Missed): boolean =>
	outcome === 'rejected' && failure.kind === 'api' && [400, 422].includes(failure.status);

async function sendHalves<T>(parcels: ReadonlyArray<Parcel<T>>, sender: Sender<T>): Promise<void> {
	const middle = Math.ceil(parcels.length / 2);
	await sendBatch(parcels.slice(0, middle), sender);
	await sendBatch(parcels.slice(middle), sender);
}

/** Values that the service named keep its words; the others were refused because of them, or may go on without them. */
async function sendOthers<T>(batch: Batch<T>, missed: Missed, sender: Sender<T>): Promise<void> {
	const { failure } = missed;
	if (failure.kind !== 'api') return;
	const { parcels } = batch;
	const named = issuesByRow(failure, parcels.length);
	const isolate = sender.bulk.isolate && parcels.length > 1;
	if (named.size === 0) return isolate ? await sendHalves(parcels, sender) : undefined;
	const message = withOthers(failure.status, named.size);
	tell(batch, sender, (i) => {
		const issues = named.get(i);
		return { ...missed, failure: issues ? { ...failure, issues } : { kind: 'held', message } };
	});
	const others = parcels.filter((_, i) => !named.has(i));
	if (isolate && others.length > 0) await sendBatch(others, sender);
}

const withOthers = (status: number, count: number): string =>
	`Refused together with ${count === 1 ? 'another row' : `${count} other rows`} of its request, which the service named (${status}). Correct those, then run the node again`;

function tell<T>(
	{ parcels }: Batch<T>,
	{ outcomes }: Sender<T>,
	outcomeOf: (i: number) => Outcome,
): void {
	for (const [i, { index }] of parcels.entries()) outcomes[index] = outcomeOf(i);
}
