import chunk from 'lodash/chunk';
import clamp from 'lodash/clamp';
import uniq from 'lodash/uniq';
import type { DedupeStore, StoredNames } from '../../core/dedupeStore';
import type { Result } from '../../core/result';
import type { Day } from './dailyCount';
import { changeCount } from './dailyCount';
import type { CallRule, Person, PersonNames, Standing } from './personNames';
import {
	firstQuestion,
	keptNames,
	namesOf,
	secondQuestion,
	settledNames,
	standingOf,
} from './personNames';

/** How many may be called on a day, and which day it is. */
export interface DayLimit {
	readonly max: number;
	readonly day: () => Day;
}

/** What a book is kept by. */
export interface BookSettings {
	readonly rule: CallRule;
	readonly limit: DayLimit | undefined;
	readonly now: () => number;
}

/** What became of someone who was to be claimed: may be called now, with what to do once the end is known, or not. */
export type Claim = { readonly is: 'claimed'; readonly names: ClaimedNames } | Refusal;

type Refusal = { readonly is: 'called' | 'calling' | 'calledOften' | 'overDayLimit' };

/** The names that a claim wrote down, and nobody before it. */
interface ClaimedNames {
	readonly kept: readonly string[];
	/** What was only asked. */
	readonly surplus: readonly string[];
	/** The day on which it counts. */
	readonly day: Day | undefined;
}

/** The claim of someone for whom nothing has to be written down. */
export const CLAIMED_EARLIER: Claim = {
	is: 'claimed',
	names: { kept: [], surplus: [], day: undefined },
};

/** The people of a node in n8n's own database. */
export interface Book {
	/** Writes people down as being called, except those who may not be. */
	claim(people: readonly Person[]): Promise<Result<readonly Claim[], string>>;
	/** Notes how a call ended; it is written down with the next claim, or by `flush`. */
	end(claimed: ClaimedNames, how: 'called' | 'notCalled' | 'unknown'): void;
	flush(): Promise<Result<void, string>>;
	/** How many may still be called today. */
	left(): Promise<Result<number, string>>;
	/** Says how people stand, and leaves nothing behind. Calls that someone knows the end of are ended. */
	look(people: readonly PersonAsked[]): Promise<Result<readonly Standing[], string>>;
}

/** How a call ended, as a user says. */
export type SettledAs = 'called' | 'notCalled';

interface PersonAsked extends Person {
	readonly how?: SettledAs | undefined;
}

/** In a list that has attempts of campaigns, which are kept until somebody settles them. */
export const CAMPAIGNS = 'campaigns';

/** People that are looked up together: the store is free for others in between. */
const LOOKED_UP_AT_ONCE = 500;

/** Opens the book of a node. */
export function openBook(store: DedupeStore, { rule, limit, now }: BookSettings): Book {
	let removals: string[] = [];
	const givenBack = new Map<string, { readonly day: Day; readonly count: number }>();

	/** Writes down what has ended; what cannot be written is kept for the next time. */
	async function settle(names: StoredNames): Promise<void> {
		const settled = removals.length;
		await names.remove(openLast(removals));
		removals = removals.slice(settled);
		for (const [name, { day, count }] of givenBack) {
			givenBack.delete(name);
			await changeCount(names, day, () => -count);
		}
	}

	async function grant(names: StoredNames, wanted: number): Promise<number> {
		if (!limit || wanted === 0) return wanted;
		const placesAt = (count: number): number => clamp(limit.max - count, 0, wanted);
		return placesAt(await changeCount(names, limit.day(), placesAt));
	}

	async function claimAll(
		names: StoredNames,
		people: readonly Person[],
	): Promise<readonly Claim[]> {
		await settle(names);
		const asked = await ask(names, people, rule.maxAttempts === undefined ? [] : [CAMPAIGNS]);
		const free = asked.filter(({ standing }) => standing.is === 'free');
		const granted = new Set(free.slice(0, await grant(names, free.length)));
		const day = limit?.day();
		const unused: string[] = [];
		const claims = asked.map((one): Claim => {
			const { standing } = one;
			if (standing.is === 'free' && granted.has(one)) {
				// A further attempt that was only asked would count as made, should this process die.
				const { further, ...claimed } = claimedOf(one, standing.attempt);
				unused.push(...further);
				return { is: 'claimed', names: { ...claimed, day } };
			}
			unused.push(...one.fresh);
			return standing.is === 'free' ? { is: 'overDayLimit' } : standing;
		});
		await names.remove(openLast(unused));
		return claims;
	}

	/** Asks about people: what is there of each, and what is new since it was asked. */
	async function ask(
		names: StoredNames,
		people: readonly Person[],
		marks: readonly string[] = [],
	): Promise<Asked[]> {
		const all = people.map((person) => namesOf(person, rule, now()));
		const present = new Set(await names.record(uniq([...all.flatMap(firstQuestion), ...marks])));
		const more = all.flatMap((each) => secondQuestion(each, present));
		for (const name of await names.record(uniq(more))) present.add(name);
		return all.map((each) => ({
			names: each,
			standing: standingOf(each, present),
			present,
			fresh: [...firstQuestion(each), ...secondQuestion(each, present)].filter(
				(name) => !present.has(name),
			),
		}));
	}

	return {
		claim: async (people) =>
			people.length === 0
				? { ok: true, value: [] }
				: await store.alone(async (names) => await claimAll(names, people)),
		end: ({ kept, surplus, day }, how) => {
			if (how === 'notCalled' && day)
				givenBack.set(day.name, { day, count: (givenBack.get(day.name)?.count ?? 0) + 1 });
			const over = how === 'unknown' ? [] : how === 'called' ? kept.filter(isOpen) : kept;
			removals.push(...surplus, ...over);
		},
		flush: async () =>
			removals.length + givenBack.size === 0
				? { ok: true, value: undefined }
				: await store.alone(settle),
		left: async () =>
			await store.alone(async (names) =>
				limit
					? Math.max(0, limit.max - (await changeCount(names, limit.day(), () => 0)))
					: Infinity,
			),
		look: async (people) => {
			const found: Standing[] = [];
			for (const some of chunk(people, LOOKED_UP_AT_ONCE)) {
				const looked = await store.alone(async (names) => {
					const asked = await ask(names, some);
					await names.remove(openLast(asked.flatMap((one, i) => goneAfter(one, some[i]?.how))));
					return asked.map(({ standing }) => standing);
				});
				if (!looked.ok) return looked;
				found.push(...looked.value);
			}
			return { ok: true, value: found };
		},
	};
}

const isOpen = (name: string): boolean => name.endsWith('?');
/** Someone is unknown while a removal is in progress, and never called. */
const openLast = (names: readonly string[]): string[] =>
	names.toSorted((a, b) => Number(isOpen(a)) - Number(isOpen(b)));

/** Someone who was asked about: how they stand, all names that were there before, and those of theirs that were not. */
interface Asked {
	readonly names: PersonNames;
	readonly standing: Standing;
	readonly present: ReadonlySet<string>;
	readonly fresh: readonly string[];
}

/** What a look removes: what was only asked, and a call that has ended, as someone says. */
const goneAfter = (
	{ names, standing, present, fresh }: Asked,
	how: SettledAs | undefined,
): readonly string[] =>
	how && standing.is === 'calling' ? [...fresh, ...settledNames(names, how, present)] : fresh;

/** What a claim wrote down, and nobody before it; and further attempts that were only asked. */
function claimedOf({ names, fresh }: Asked, attempt: number) {
	const own = new Set(keptNames(names, attempt));
	const others = fresh.filter((name) => !own.has(name));
	return {
		kept: fresh.filter((name) => own.has(name)),
		surplus: others.filter((name) => !names.attempts.includes(name)),
		further: others.filter((name) => names.attempts.includes(name)),
	};
}
