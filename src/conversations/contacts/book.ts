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
import type { CallRule, ContactState, Person, PersonNames } from './personNames';
import { namePerson } from './personNames';

export type Claim = 'claimed' | 'overDayLimit' | ContactState;

export type Book = ReturnType<typeof openBook>;

/** The names that a claim added to the store, and the day on which it has a place. */
interface ClaimRecord {
	readonly names: readonly string[];
	readonly day: Day | undefined;
}

/** In the store once attempts are counted, because such a list must not be trimmed. */
export const CAMPAIGNS = 'campaigns';

/** Max people per exchange, so other executions get their turn. */
const MAX_PEOPLE = 500;

/** The mark of a name that a second claim relies on. */
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
 * A claim records the hour, two half-days and the next attempt in the call that asks. It removes the other names it added.
 * A certain no removes the names that its claim added, except those that a second claim has marked.
 * An end between any two calls of the store leaves a person called, and never free after a possible call.
 */
export function openBook(
	store: DedupeStore,
	rule: CallRule,
	limit?: { readonly max: number; readonly zone: string; readonly account: string },
) {
	const claims = new Map<string, ClaimRecord>();
	let released: ClaimRecord[] = [];

	/** Asks about people by recording their names, until no question is new. */
	async function ask(
		stored: StoredNames,
		people: readonly Person[],
		nowMs: number,
		marks: readonly string[] = [],
	) {
		const answers = new Map<string, boolean>();
		const has = (name: string): boolean => answers.get(name) === true;
		const named = people.map((person) => ({
			...person,
			...namePerson(person, rule, { nowMs, has }),
		}));
		const listOpen = (): string[] =>
			uniq(named.flatMap((person) => person.listQuestions())).filter((name) => !answers.has(name));
		for (let open = [...marks, ...listOpen()]; open.length > 0; open = listOpen()) {
			const present = await stored.record(open);
			for (const name of open) answers.set(name, present.has(name));
		}
		return named;
	}

	/** Removes the names of released claims, and gives back their places of the day. */
	async function removeReleased(stored: StoredNames): Promise<void> {
		const names = released.flatMap((claim) => claim.names);
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
		const named = await ask(stored, people, nowMs, marks);
		const free = named.filter((person) => person.readState() === 'free');
		const day = limit && dayAt(nowMs, limit);
		const places = await takePlaces(stored, day, free.length);
		const granted = new Set(free.slice(0, places).map(({ key }) => key));
		const isClaimed = ({ key, isRepeat }: Person): boolean =>
			granted.has(key) || claims.has(key) || isRepeat === true;
		const claimed = named.filter(isClaimed);
		const shared: string[] = [];
		for (const person of claimed) {
			const names = claims.get(person.key)?.names ?? [];
			shared.push(...difference(person.listShared(), names));
			claims.set(person.key, { names: uniq([...names, ...person.listClaim()]), day });
		}
		await stored.record(uniq(shared).map(toShareMark));
		const added = named.flatMap((person) => person.listAdded());
		const needed = claimed.flatMap((person) => person.listClaim());
		await stored.remove(difference(added, needed));
		return named.map((person): Claim => {
			if (claims.has(person.key)) return 'claimed';
			const state = person.readState();
			return state === 'free' ? 'overDayLimit' : state;
		});
	}

	/** Reads the states of people in parts, and removes some names of each person. */
	async function readParts(
		people: readonly Person[],
		nowMs: number,
		listRemoved: (names: PersonNames) => string[],
	): Promise<Result<ContactState[], string>> {
		const states: ContactState[] = [];
		for (const part of chunk(people, MAX_PEOPLE)) {
			const read = await store.alone(async (stored) => {
				const named = await ask(stored, part, nowMs);
				await stored.remove(named.flatMap(listRemoved));
				return named.map((person) => person.readState());
			});
			if (!read.ok) return read;
			states.push(...read.value);
		}
		return ok(states);
	}

	return {
		/** Claims the people who are free, and those whom this execution may call again. */
		claim: async (people: readonly Person[], nowMs: number): Promise<Result<Claim[], string>> =>
			people.length === 0
				? ok([])
				: await store.alone(async (stored) => await claimAll(stored, people, nowMs)),

		/** Notes that a claimed person was certainly not called. The next claim or `flush` removes the claim. */
		release: ({ key }: Person): void => {
			const claim = claims.get(key);
			claims.delete(key);
			if (claim) released.push(claim);
		},

		flush: async (): Promise<void> => {
			if (released.length > 0) await store.alone(removeReleased);
		},

		/** Reads whether people are free, and changes nothing. */
		readStates: async (people: readonly Person[], nowMs: number) =>
			await readParts(people, nowMs, (names) => names.listAdded()),

		/** Removes the last call of people, and returns their states before. */
		free: async (people: readonly Person[], nowMs: number) =>
			await readParts(people, nowMs, (names) => [...names.listAdded(), ...names.listLastCall()]),

		/** Counts the calls that the limit of the day still allows. */
		countLeft: async (nowMs: number): Promise<Result<number, string>> =>
			limit
				? await store.alone(
						async (stored) => limit.max - (await changeCount(stored, dayAt(nowMs, limit), () => 0)),
					)
				: ok(Infinity),
	};
}
