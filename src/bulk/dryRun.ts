import { callName } from '../core/client';
import type { Request } from '../core/request';
import { byteLength, chunks } from './chunks';
import type { Bulk, Tally } from './bulk';
import type { Show } from './order';

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

/** What a dry run says about a request: how many values it would carry, and its body. */
export interface DryRequestItem {
	readonly dryRun: true;
	readonly outcome: 'notSent';
	readonly request: string;
	readonly batch: number;
	readonly count: number;
	readonly body: unknown;
}

/** The request that would carry a value, and where in its body. */
export interface Planned {
	readonly request: Request;
	readonly list: string;
	readonly position: number;
	readonly batch: number;
}

/** Cuts values into requests as they would be sent, and sends nothing. */
export function dryRun<T>(values: readonly T[], bulk: Bulk<T>, tally: Tally): Map<T, Planned> {
	const planned = new Map<T, Planned>();
	const batches = chunks(values, bulk.size, (value) => byteLength(JSON.stringify(value)));
	for (const batch of batches) {
		tally.batches += 1;
		const facts = { request: bulk.request(batch), list: bulk.list, batch: tally.batches };
		for (const [position, value] of batch.entries()) planned.set(value, { ...facts, position });
	}
	return planned;
}

/** Shows planned values as what would be sent, and all others as what was. */
export const showPlanned = <T, Item, RequestItem>(
	planned: ReadonlyMap<T, Planned>,
	{ one, all }: Show<T, Item, RequestItem>,
): Show<T, Item | DryItem, RequestItem | DryRequestItem> => ({
	one: (value, accepted) => {
		const plan = planned.get(value);
		return plan ? dryItem(plan) : one(value, accepted);
	},
	all: (taken, batch) => {
		const first = taken[0] && planned.get(taken[0].value);
		return first ? dryRequestItem(first, taken.length) : all(taken, batch);
	},
});

const factsOf = ({ request, batch }: Planned) =>
	({ dryRun: true, outcome: 'notSent', request: callName(request), batch }) as const;

function dryItem(plan: Planned): DryItem {
	const { [plan.list]: list, ...others } = plan.request.body as Record<string, unknown>;
	const sent: unknown = Array.isArray(list) ? list[plan.position] : undefined;
	return { ...factsOf(plan), sent, with: others };
}

const dryRequestItem = (plan: Planned, count: number): DryRequestItem => ({
	...factsOf(plan),
	count,
	body: plan.request.body,
});
