import type { Parcel, Sender } from './bulk';
import { issuesByRow } from './issueRows';
import { markSent, settle } from './ledger';
import type { Missed, Outcome } from './outcomes';
import { judge } from './outcomes';

/** Sends a batch; one that is too large goes in halves, and one that is refused in parts, where that is allowed. */
export async function sendBatch<T>(
	parcels: ReadonlyArray<Parcel<T>>,
	sender: Sender<T>,
): Promise<void> {
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
