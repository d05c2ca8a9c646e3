import chunk from 'lodash/chunk';
import clamp from 'lodash/clamp';
import difference from 'lodash/difference';
import intersection from 'lodash/intersection';
import uniq from 'lodash/uniq';
import type { DedupeStore, StoredNames } from '../../core/dedupeStore';
import type { Result } from '../../core/result';
import { ok } from '../../core/result';
import type { Day } from './dailyCount';
import { changeCount } from './dailyCount';
import type { CallRule, Person, PersonNames, Standing } from './personNames';
import { callingNames, isOpen, namesOf, openNames, questionOf, standingOf } from './personNames';

/** What a book is kept by. */
export interface BookSettings {
	readonly rule: CallRule;
	/** How many may be called on a day, and which day it is. */
	readonly limit: { readonly max: number; readonly day: () => Day } | undefined;
	readonly now: () => number;
}

/** Someone of a run, who may be called again where an earlier try of it has called them. */
export interface Contact extends Person {
	readonly isOurs?: boolean;
}

/** What became of someone who was to be claimed: may be called now, or not. */
export type Claim = 'claimed' | 'overDayLimit' | Standing;

/** How a call ended, as a user says. */
export type SettledAs = 'called' | 'notCalled';

/** The people of a node in n8n's own database. */
export interface Book {
	/** Writes people down as being called, except those who may not be. Who was claimed may be claimed again until their call ends. */
	claim(people: readonly Contact[]): Promise<Result<readonly Claim[], string>>;
	/** Says how people stand, and leaves nothing behind. */
	look(people: readonly Person[]): Promise<Result<readonly Standing[], string>>;
	/** Notes how the call ended of someone who was claimed, or found to be calling; the next claim or `flush` writes it down. */
	end(person: Person, how: SettledAs | 'unknown'): void;
	flush(): Promise<Result<void, string>>;
	/** How many may still be called today. */
	left(): Promise<Result<number, string>>;
}

/** A call whose end is not known: the names to remove for each end, and the day on which it counts. */
interface OpenCall extends Readonly<Record<SettledAs, readonly string[]>> {
	readonly isOurs: boolean;
	/** What others write down who call this person, too: where it is there, `notCalled` may be theirs, and stays. */
	readonly shared: readonly string[];
	readonly day?: Day | undefined;
}

/** Someone who was asked about: how they stand, which names were there before, and those of theirs that were not. */
interface Asked {
	readonly person: Contact;
	readonly names: PersonNames;
	readonly standing: Standing;
	readonly has: (name: string) => boolean;
	readonly fresh: readonly string[];
}

/** In a list that has attempts of campaigns, which are kept until somebody settles them. */
export const CAMPAIGNS = 'campaigns';

/** People that are looked up together: the store is free for others in between. */
const LOOKED_UP_AT_ONCE = 500;

/** Opens the book of a node. */
export function openBook(store: DedupeStore, { rule, limit, now }: BookSettings): Book {
	let removals: string[] = [];
	let freed: OpenCall[] = [];
	const givenBack = new Map<string, { readonly day: Day; readonly count: number }>();
	const calls = new Map<string, OpenCall>();

	/**
	 * Writes down what has ended; what cannot be written is kept for the next time. But no one is freed twice: another run may have
	 * claimed them since, where the database failed after it had written.
	 */
	async function settle(names: StoredNames): Promise<void> {
		const ended = removals.length;
		const free = freed;
		freed = [];
		const asked = uniq(free.flatMap(({ shared }) => shared));
		const present = asked.length > 0 ? await names.record(asked) : new Set<string>();
		const own = free.flatMap(({ notCalled, shared }) =>
			shared.some((name) => present.has(name)) ? [] : [...notCalled, ...shared],
		);
		await names.remove(openLast([...removals, ...own]));
		removals = removals.slice(ended);
		for (const [name, { day, count }] of givenBack) {
			givenBack.delete(name);
			await changeCount(names, day, () => -count);
		}
	}

	/** Asks about people by recording their names, until there is nothing more to ask. */
	async function ask(
		names: StoredNames,
		people: readonly Contact[],
		marks: readonly string[] = [],
	): Promise<Asked[]> {
		const all = people.map((person) => ({ person, names: namesOf(person, rule, now()) }));
		const present = new Set<string>();
		const asked = new Set<string>();
		const has = (name: string): boolean => present.has(name);
		const questions = () => all.flatMap((each) => questionOf(each.names, has));
		for (let more = [...questions(), ...marks]; more.length > 0;) {
			for (const name of more) asked.add(name);
			for (const name of await names.record(uniq(more))) present.add(name);
			more = questions().filter((name) => !asked.has(name));
		}
		return all.map((each) => ({
			...each,
			standing: standingOf(each.names, has),
			has,
			fresh: questionOf(each.names, has).filter((name) => !has(name)),
		}));
	}

	async function claimAll(
		names: StoredNames,
		people: readonly Contact[],
	): Promise<readonly Claim[]> {
		await settle(names);
		const day = limit?.day();
		const asked = await ask(names, people, rule.maxAttempts === undefined ? [] : [CAMPAIGNS]);
		const free = asked.filter(({ standing }) => standing === 'free');
		const placesAt = (count: number) => clamp((limit?.max ?? Infinity) - count, 0, free.length);
		const taken = day ? await changeCount(names, day, placesAt) : 0;
		const granted = new Set(free.slice(0, placesAt(taken)));
		const unused: string[] = [];
		const sharing: string[] = [];
		const claims = asked.map((one): Claim => {
			const { person, standing, fresh } = one;
			const before = calls.get(person.key);
			if (!granted.has(one) && !person.isOurs && !before?.isOurs) {
				unused.push(...fresh);
				return standing === 'free' ? 'overDayLimit' : standing;
			}
			const { call, attempts, open, shared } = one.names;
			const called = openNames(one.names);
			const kept = intersection(fresh, [...call, ...attempts, ...called]);
			removals.push(...difference(fresh, kept));
			const notCalled = [...(before?.notCalled ?? []), ...kept];
			if (one.has(open) && call.some(one.has) && !before?.isOurs) sharing.push(shared);
			const ours = { isOurs: true, shared: [shared], day };
			calls.set(person.key, { ...ours, called, notCalled });
			return 'claimed';
		});
		if (sharing.length > 0) await names.record(uniq(sharing));
		await names.remove(openLast(unused));
		return claims;
	}

	async function lookAt(
		names: StoredNames,
		people: readonly Person[],
	): Promise<readonly Standing[]> {
		const asked = await ask(names, people);
		await names.remove(openLast(asked.flatMap(({ fresh }) => fresh)));
		for (const { person, names: own, standing, has } of asked)
			if (standing === 'calling') {
				const notCalled = callingNames(own, has);
				calls.set(person.key, { isOurs: false, shared: [], called: openNames(own), notCalled });
			}
		return asked.map(({ standing }) => standing);
	}

	return {
		claim: async (people) =>
			people.length === 0
				? ok([])
				: await store.alone(async (names) => await claimAll(names, people)),
		look: async (people) => {
			const found: Standing[] = [];
			for (const some of chunk(people, LOOKED_UP_AT_ONCE)) {
				const looked = await store.alone(async (names) => await lookAt(names, some));
				if (!looked.ok) return looked;
				found.push(...looked.value);
			}
			return ok(found);
		},
		end: ({ key }, how) => {
			const call = calls.get(key);
			calls.delete(key);
			if (!call || how === 'unknown') return;
			if (how === 'called') return void removals.push(...call.called);
			freed.push(call);
			const { day } = call;
			if (day) givenBack.set(day.name, { day, count: (givenBack.get(day.name)?.count ?? 0) + 1 });
		},
		flush: async () =>
			removals.length + freed.length + givenBack.size === 0
				? ok(undefined)
				: await store.alone(settle),
		left: async () =>
			limit
				? await store.alone(async (names) =>
						Math.max(0, limit.max - (await changeCount(names, limit.day(), () => 0))),
					)
				: ok(Infinity),
	};
}

/** Someone is unknown while a removal is in progress, and never called. */
const openLast = (names: readonly string[]): string[] =>
	names.toSorted((a, b) => Number(isOpen(a)) - Number(isOpen(b)));
