import { DateTime } from 'luxon';
import type { DedupeStore } from '../core/dedupeStore';
import type { Result } from '../core/result';
import { fail, ok } from '../core/result';
import { formatCount } from '../core/text';
import type { Journal } from './journal';
import { KEPT } from './journalEntries';
import type { Outcome } from './outcomes';

/** How many values may be sent on one day, whichever execution sends them. */
export interface DailyLimit {
	readonly max: number;
	readonly store: DedupeStore;
	/** The workspace and its address. */
	readonly account: string;
	/** The time zone of the workflow, whose days count. */
	readonly zone: string;
	readonly now: () => number;
}

/** A count is kept in binary, one entry per bit, so a few tests read it. */
const BITS = 20;
const PAST_DAYS = 10;

/** The date where the workflow is. */
export const dayOf = (nowMs: number, zone: string): string =>
	DateTime.fromMillis(nowMs, { zone }).toISODate() ?? '';

function bitsOf({ account, zone, now }: DailyLimit, daysBack = 0): readonly string[] {
	const date = DateTime.fromMillis(now(), { zone }).minus({ days: daysBack }).toISODate() ?? '';
	return Array.from({ length: BITS }, (_, bit) => `n:${account}:${date}:${bit}`);
}

const countIn = (bits: readonly string[], present: ReadonlySet<string>): number =>
	bits.reduce((count, entry, bit) => count + (present.has(entry) ? 2 ** bit : 0), 0);

/** How many values may still be sent today. */
export async function leftToday(limit: DailyLimit): Promise<Result<number, string>> {
	const bits = bitsOf(limit);
	let left = 0;
	const exchanged = await limit.store.exchange({
		tests: bits,
		decide: (present) => {
			left = Math.max(0, limit.max - countIn(bits, present));
			return {};
		},
	});
	return exchanged.ok ? ok(left) : fail(exchanged.failure);
}

/** Adds to the count of a day, but not above the limit; returns what was added. */
async function add(
	limit: DailyLimit,
	bits: readonly string[],
	wanted: number,
): Promise<Result<number, string>> {
	let added = 0;
	const exchanged = await limit.store.exchange({
		tests: bits,
		decide: (present) => {
			const count = countIn(bits, present);
			added =
				wanted < 0 ? Math.max(wanted, -count) : Math.max(0, Math.min(wanted, limit.max - count));
			const isSet = (bit: number): boolean => Math.floor((count + added) / 2 ** bit) % 2 === 1;
			const past =
				count === 0
					? Array.from({ length: PAST_DAYS }, (_, back) => bitsOf(limit, back + 1)).flat()
					: [];
			return {
				add: [KEPT, ...bits.filter((_, bit) => isSet(bit))],
				remove: [...bits.filter((_, bit) => !isSet(bit)), ...past],
			};
		},
	});
	return exchanged.ok ? ok(added) : fail(exchanged.failure);
}

/** Makes a journal claim no more values than may be sent today. Those that were certainly not sent do not count. */
export function withDailyLimit(journal: Journal, limit: DailyLimit): Journal {
	/** The days on which values were counted. */
	const counted = new Map<number, readonly string[]>();
	async function release(indexes: readonly number[]): Promise<void> {
		const byDay = new Map<string, { readonly bits: readonly string[]; count: number }>();
		for (const index of indexes) {
			const bits = counted.get(index);
			if (!bits) continue;
			counted.delete(index);
			const day = byDay.get(bits[0] ?? '') ?? { bits, count: 0 };
			day.count += 1;
			byDay.set(bits[0] ?? '', day);
		}
		for (const { bits, count } of byDay.values()) await add(limit, bits, -count);
	}
	return {
		...journal,
		claim: async (indexes) => {
			const bits = bitsOf(limit);
			const granted = await add(limit, bits, indexes.length);
			if (!granted.ok) return indexes.map(() => uncounted(granted.failure));
			const allowed = indexes.slice(0, granted.value);
			for (const index of allowed) counted.set(index, bits);
			const known = allowed.length > 0 ? await journal.claim(allowed) : [];
			await release(allowed.filter((_, i) => known[i] !== undefined));
			return indexes.map((_, i) => (i < allowed.length ? known[i] : overLimit(limit.max)));
		},
		settle: async (indexes, outcomes) => {
			await journal.settle(indexes, outcomes);
			await release(
				indexes.filter((_, i) => ['notSent', 'rejected'].includes(outcomes[i]?.outcome ?? '')),
			);
		},
	};
}

/** The outcome of a value above the limit of a day. */
export const overLimit = (max: number): Outcome => ({
	outcome: 'notSent',
	failure: {
		kind: 'skipped',
		message: `Not sent, because ${formatCount(max)} were sent today (Maximum per Day)`,
	},
});

const uncounted = (failure: string): Outcome => ({
	outcome: 'notSent',
	failure: {
		kind: 'held',
		message: `Not sent, because n8n could not count today's calls (${failure}). Run the node again`,
	},
});
