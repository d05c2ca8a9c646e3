import chunk from 'lodash/chunk';
import clamp from 'lodash/clamp';
import difference from 'lodash/difference';
import uniq from 'lodash/uniq';
import uniqBy from 'lodash/uniqBy';
import type { DedupeStore, StoredNames } from '../../core/dedupeStore';
import type { Result } from '../../core/result';
import { ok } from '../../core/result';
import type { Day } from './dailyCount';
import { changeCount, dayAt } from './dailyCount';
import type { CallRule, ContactState, Person } from './personNames';
import { buildNames, listLastCall, listQuestions, readState } from './personNames';

export type Claim = 'claimed' | 'overDayLimit' | ContactState;

export type Book = ReturnType<typeof openBook>;

/** What a claim has added to the store, and the day on which it has a place. */
interface Added {
	readonly names: readonly string[];
	readonly day: Day | undefined;
}

/** In the store once attempts are counted, because such a list must not be trimmed. */
export const CAMPAIGNS = 'campaigns';

/** Other executions get their turn between two exchanges of this many people. */
const LOOKED_UP_AT_ONCE = 500;

/** The mark of a name that a second claim found and relies on. */
const toShareMark = (name: string): string => `${name}&`;

/**
 * Opens the record of people in n8n's store. A person has one of two states:
 *
 *           claim: record, before the request
 *   free ───────────────────────────────────▶ called ── the hours pass ──▶ free
 *    ▲    rejected, or it certainly never left  │        (in a campaign: an attempt, which stays)
 *    └──────────────────────────────────────────┘  or the user says: not called
 *
 * Called: the store has an hour of the person within Hours Between Calls, or all attempts of the campaign. Free: all else.
 * A claim records the hour, the half-day and the next attempt in the call that asks, and removes what it need not have added.
 * A certain no removes what its claim added, unless a second claim found it there and marked it.
 * An end between any two calls of the store leaves a person called, and never free who may have been called.
 */
export function openBook(
	store: DedupeStore,
	rule: CallRule,
	limit?: { readonly max: number; readonly zone: string; readonly account: string },
) {
	const claims = new Map<string, Added>();
	let released: Added[] = [];

	/** Asks about people by recording their names, until no question is new. */
	async function ask(
		stored: StoredNames,
		people: readonly Person[],
		nowMs: number,
		marks: readonly string[] = [],
	) {
		const present = new Set<string>();
		const has = (name: string): boolean => present.has(name);
		const all = people.map((person) => ({ person, has, ...buildNames(person, rule, nowMs) }));
		const listAll = (): string[] => uniq(all.flatMap((names) => listQuestions(names, has)));
		const asked: string[] = [];
		for (
			let next = [...marks, ...listAll()];
			next.length > 0;
			next = difference(listAll(), asked)
		) {
			asked.push(...next);
			for (const name of await stored.record(next)) present.add(name);
		}
		return all.map((names) => ({
			...names,
			state: readState(names, has),
			/** What asking has added to the store. */
			added: listQuestions(names, has).filter((name) => !has(name)),
		}));
	}

	/** Removes what released claims added, and gives back their places of the day. */
	async function removeReleased(stored: StoredNames): Promise<void> {
		const names = released.flatMap((added) => added.names);
		const days = released.flatMap(({ day }) => day ?? []);
		// Only once, because another run may claim the person after a removal that failed late.
		released = [];
		const marked = await stored.record(names.map(toShareMark));
		const unshared = names.filter((name) => !marked.has(toShareMark(name)));
		await stored.remove([...unshared, ...unshared.map(toShareMark)]);
		for (const day of uniqBy(days, 'name'))
			await changeCount(stored, day, () => -days.filter(({ name }) => name === day.name).length);
	}

	/** Takes places of a day for up to `wanted` calls, and returns their number. */
	async function takePlaces(stored: StoredNames, day: Day | undefined, wanted: number) {
		if (!limit || !day) return wanted;
		const countPlaces = (taken: number): number => clamp(limit.max - taken, 0, wanted);
		return countPlaces(await changeCount(stored, day, countPlaces));
	}

	async function claimAll(stored: StoredNames, people: readonly Person[], nowMs: number) {
		if (released.length > 0) await removeReleased(stored);
		const marks = rule.maxAttempts === undefined ? [] : [CAMPAIGNS];
		const answers = await ask(stored, people, nowMs, marks);
		const free = answers.filter(({ state }) => state === 'free');
		const day = limit && dayAt(nowMs, limit);
		const granted = new Set(free.slice(0, await takePlaces(stored, day, free.length)));
		const surplus: string[] = [];
		const shared: string[] = [];
		const result = answers.map((answer): Claim => {
			const { person, state, call, attempts, added, has } = answer;
			const before = claims.get(person.key)?.names;
			if (!granted.has(answer) && !before && !person.isRepeat) {
				surplus.push(...added);
				return state === 'free' ? 'overDayLimit' : state;
			}
			const unneeded = difference(added, call, attempts);
			surplus.push(...unneeded);
			shared.push(...difference(call.filter(has), before ?? []));
			const names = [...(before ?? []), ...difference(added, unneeded)];
			claims.set(person.key, { names: uniq(names), day });
			return 'claimed';
		});
		await stored.record(uniq(shared).map(toShareMark));
		await stored.remove(surplus);
		return result;
	}

	return {
		/** Claims the people who are free, and those whom this execution may call again. */
		claim: async (people: readonly Person[], nowMs: number): Promise<Result<Claim[], string>> =>
			people.length === 0
				? ok([])
				: await store.alone(async (stored) => await claimAll(stored, people, nowMs)),

		/** Notes that a claimed person was certainly not called. The next claim or `flush` removes the claim. */
		release: ({ key }: Person): void => {
			const added = claims.get(key);
			claims.delete(key);
			if (added) released.push(added);
		},

		flush: async (): Promise<void> => {
			if (released.length > 0) await store.alone(removeReleased);
		},

		/** Reads states and leaves nothing behind; `isFreeing` also removes what makes people called. */
		look: async (
			people: readonly Person[],
			nowMs: number,
			isFreeing = false,
		): Promise<Result<ContactState[], string>> => {
			const states: ContactState[] = [];
			for (const some of chunk(people, LOOKED_UP_AT_ONCE)) {
				const looked = await store.alone(async (stored) => {
					const answers = await ask(stored, some, nowMs);
					const lastCalls = answers.flatMap((names) => listLastCall(names, names.has));
					const added = answers.flatMap((names) => names.added);
					await stored.remove(isFreeing ? [...added, ...lastCalls] : added);
					return answers.map(({ state }) => state);
				});
				if (!looked.ok) return looked;
				states.push(...looked.value);
			}
			return ok(states);
		},

		/** Counts the calls that the limit of the day still allows. */
		countLeft: async (nowMs: number): Promise<Result<number, string>> =>
			limit
				? await store.alone(
						async (stored) => limit.max - (await changeCount(stored, dayAt(nowMs, limit), () => 0)),
					)
				: ok(Infinity),
	};
}
