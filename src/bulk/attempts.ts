import type { DedupeStore } from '../core/dedupeStore';
import type { Result } from '../core/result';
import { fail, ok } from '../core/result';
import { plural } from '../core/text';
import type { Outcome } from './outcomes';

/** How often someone may be contacted. */
export interface AttemptLimit {
	readonly max: number;
	readonly onePerDay: boolean;
}

interface AttemptOptions {
	/** The keys of people, one per value. */
	readonly keys: readonly string[];
	readonly indexes: readonly number[];
	readonly limit: AttemptLimit;
	/** The date where the workflow is. */
	readonly day: string;
}

/** The keys of the attempts that may be made, and the outcomes of values for which none may. */
export interface PlannedAttempts {
	readonly keys: readonly string[];
	readonly known: ReadonlyMap<number, Outcome>;
}

/** The first attempt has the key of its person: someone who was contacted before attempts were counted had one. */
const attemptKey = (key: string, attempt: number): string =>
	attempt === 1 ? key : `${key}#${attempt}`;

/** The entry that says that a person had an attempt on a day. */
export const dayEntry = (key: string, day: string): string => `k:day:${day}:${key}`;

/** Finds out which attempt is the next for each person. One that is not settled is still the next, and the journal blocks it. */
export async function planAttempts(
	store: DedupeStore,
	{ keys, indexes, limit, day }: AttemptOptions,
): Promise<Result<PlannedAttempts, string>> {
	const next = [...keys];
	const known = new Map<number, Outcome>();
	const keyOf = (index: number): string => keys[index] ?? '';
	const exchanged = await store.exchange({
		tests: testsFor(indexes.map(keyOf), limit.max, day),
		decide: (present) => {
			if (present.size === 0) return {};
			for (const index of indexes) {
				const key = keyOf(index);
				const made = attemptsMade(key, limit.max, present);
				next[index] = attemptKey(key, made + 1);
				if (made >= limit.max) known.set(index, reached(limit.max));
				else if (limit.onePerDay && present.has(dayEntry(key, day))) known.set(index, TODAY);
			}
			return {};
		},
	});
	return exchanged.ok ? ok({ keys: next, known }) : fail(exchanged.failure);
}

/** The entry of a settled attempt in a journal that is kept for good, as the journal itself writes it. */
export const keptDone = (key: string): string => `k:done:${key}`;

function testsFor(keys: readonly string[], max: number, day: string): string[] {
	const tests: string[] = [];
	for (const key of keys) {
		for (let attempt = 1; attempt <= max; attempt++) tests.push(keptDone(attemptKey(key, attempt)));
		tests.push(dayEntry(key, day));
	}
	return tests;
}

function attemptsMade(key: string, max: number, present: ReadonlySet<string>): number {
	let made = max;
	while (made > 0 && !present.has(keptDone(attemptKey(key, made)))) made -= 1;
	return made;
}

const skipped = (message: string): Outcome => ({
	outcome: 'notSent',
	failure: { kind: 'skipped', message },
});

const reached = (max: number): Outcome =>
	skipped(`Not sent, because this person had ${plural(max, 'attempt')} already (Maximum Attempts)`);

const TODAY = skipped(
	'Not sent, because this person had an attempt today already (At Most One per Day)',
);
