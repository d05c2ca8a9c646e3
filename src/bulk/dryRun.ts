import { callName } from '../core/client';
import { byteLength, chunks } from './chunks';
import type { Bulk, Tally } from './bulk';

/** What a dry run says about a value: the request that would carry it, and the body of that. */
export interface DryItem {
	readonly dryRun: true;
	readonly outcome: 'notSent';
	readonly request: string;
	readonly batch: number;
	/** The value as it would stand in the body. */
	readonly sent: unknown;
	/** The other members of the body. */
	readonly with: Readonly<Record<string, unknown>>;
}

/** Cuts values into requests as they would be sent, and sends nothing. */
export function dryRun<T>(values: readonly T[], bulk: Bulk<T>, tally: Tally): Map<T, DryItem> {
	const items = new Map<T, DryItem>();
	const batches = chunks(values, bulk.size, (value) => byteLength(JSON.stringify(value)));
	for (const batch of batches) {
		tally.batches += 1;
		const request = bulk.request(batch);
		const { [bulk.list]: list, ...others } = request.body as Record<string, unknown>;
		for (const [i, value] of batch.entries()) {
			const sent: unknown = Array.isArray(list) ? list[i] : undefined;
			const facts = { dryRun: true, outcome: 'notSent', request: callName(request) } as const;
			items.set(value, { ...facts, batch: tally.batches, sent, with: others });
		}
	}
	return items;
}
