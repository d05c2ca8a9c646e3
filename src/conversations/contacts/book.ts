import { chunk, clamp, difference, uniq, uniqBy } from 'lodash';
import type { DedupeStore, StoredNames } from '../../core/dedupeStore';
import { ok, type Result } from '../../core/result';
import type { CallRule, Contact, ContactState, Person } from './contact';
import { readContact } from './contact';
import { changeCount, findDay, type Day } from './dailyCount';

export type Claim = 'claimed' | 'overDayLimit' | ContactState;

export type Book = ReturnType<typeof openBook>;

/** The names that a claim added to the store, and the day on which it has a place. */
interface ClaimRecord {
	readonly names: readonly string[];
	readonly day: Day | undefined;
}

/** Max people per exchange, so other executions get their turn. */
const MAX_PEOPLE = 500;

/** Builds the mark of a name that a later claim also uses, so releasing the first claim keeps the name. */
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
 * A claim keeps its hour, its half-day, the half-day before and the next attempt. Asking records more names, which it removes.
 * A certain no removes the names that its claim added, except names with the mark of a later claim.
 * A crash between two calls of the store leaves a person called, never free after a possible call.
 */
export function openBook(
	store: DedupeStore,
	rule: CallRule,
	limit?: { readonly max: number; readonly zone: string; readonly account: string },
) {
	const claims = new Map<string, ClaimRecord>();
	let released: ClaimRecord[] = [];

	/** Reads people's records by recording the names asked; `added` are the new ones. Repeats while answers lead to questions. */
	async function readContacts(
		stored: StoredNames,
		people: readonly Person[],
		nowMs: number,
	): Promise<Contact[]> {
		const wasRecorded = new Map<string, boolean>();
		const has = (name: string): boolean => wasRecorded.get(name) === true;
		for (;;) {
			const contacts = people.map((person) => readContact(person, rule, { nowMs, has }));
			const names = uniq(contacts.flatMap(({ questions }) => questions));
			const open = names.filter((name) => !wasRecorded.has(name));
			if (open.length === 0) return contacts;
			// n8n's store says whether a name exists only by recording it.
			const present = await stored.record(open);
			for (const name of open) wasRecorded.set(name, present.has(name));
		}
	}

	/** Removes the names of released claims, except those that another claim shares, and gives back their places of the day. */
	async function removeReleased(stored: StoredNames): Promise<void> {
		const names = released.flatMap((claim) => claim.names);
		const days = released.flatMap(({ day }) => day ?? []);
		// Emptied first, because a removal that is repeated could remove a later claim of another execution.
		released = [];
		// Recording is the only way to read the share marks. Those that it adds are removed below.
		const marked = await stored.record(names.map(toShareMark));
		const unshared = names.filter((name) => !marked.has(toShareMark(name)));
		await stored.remove([...unshared, ...unshared.map(toShareMark)]);
		for (const day of uniqBy(days, 'name'))
			await changeCount(stored, day, () => -days.filter(({ name }) => name === day.name).length);
	}

	/** Claims free people while the day has places, and records their names. */
	async function claimAll(stored: StoredNames, people: readonly Person[], nowMs: number) {
		if (released.length > 0) await removeReleased(stored);
		const contacts = await readContacts(stored, people, nowMs);
		const free = contacts.filter(({ state }) => state === 'free');
		const day = limit && findDay(nowMs, limit);
		const max = limit?.max ?? Infinity;
		/** Counts the free people who fit into the day, if `taken` of its places are already taken. */
		const countPlaces = (taken: number): number => clamp(max - taken, 0, free.length);
		// `changeCount` adds the places to the count of the day, and returns the count before.
		const places = day ? countPlaces(await changeCount(stored, day, countPlaces)) : free.length;
		const granted = new Set(free.slice(0, places).map(({ key }) => key));
		// A person whom this run claimed before, or may call again, is claimed also without a new place.
		const claimed = contacts.filter(
			({ key, isRepeat }) => granted.has(key) || claims.has(key) || isRepeat,
		);
		// Names that an earlier claim has recorded get a share mark, so its release keeps them.
		const sharedNames: string[] = [];
		for (const { key, claim, shared } of claimed) {
			const names = claims.get(key)?.names ?? [];
			sharedNames.push(...difference(shared, names));
			const placeDay = granted.has(key) ? day : claims.get(key)?.day;
			claims.set(key, { names: uniq([...names, ...claim]), day: placeDay });
		}
		await stored.record(uniq(sharedNames).map(toShareMark));
		// Reading a name adds it, so the names that no claim keeps are removed.
		const added = contacts.flatMap((contact) => contact.added);
		const kept = claimed.flatMap(({ claim }) => claim);
		await stored.remove(difference(added, kept));
		return contacts.map(({ key, state }): Claim => {
			if (claims.has(key)) return 'claimed';
			return state === 'free' ? 'overDayLimit' : state;
		});
	}

	return {
		/** Claims the people who are free, and those whom this execution may call again (`isRepeat`). */
		claim: async (people: readonly Person[], nowMs: number): Promise<Result<Claim[], string>> =>
			await store.alone(async (stored) => await claimAll(stored, people, nowMs)),

		/** Releases a person who was certainly not called. The next claim of anyone, or `flush`, removes the names. */
		release: ({ key }: Person): void => {
			const claim = claims.get(key);
			claims.delete(key);
			if (claim) released.push(claim);
		},

		/** Removes the names of released claims that are still recorded. */
		flush: async (): Promise<void> => {
			if (released.length > 0) await store.alone(removeReleased);
		},

		/** Reads people's states, and removes the names in `listRemoved`: by default those that reading has recorded. */
		readStates: async (
			people: readonly Person[],
			nowMs: number,
			listRemoved: (contact: Contact) => readonly string[] = ({ added }) => added,
		): Promise<Result<ContactState[], string>> => {
			const states: ContactState[] = [];
			for (const part of chunk(people, MAX_PEOPLE)) {
				const read = await store.alone(async (stored) => {
					const contacts = await readContacts(stored, part, nowMs);
					await stored.remove(contacts.flatMap(listRemoved));
					return contacts.map(({ state }) => state);
				});
				if (!read.ok) return read;
				states.push(...read.value);
			}
			return ok(states);
		},

		/** Counts the calls that the day still allows; Infinity without a limit. A change by 0 reads the count. */
		countLeft: async (nowMs: number): Promise<Result<number, string>> =>
			limit
				? await store.alone(
						async (stored) =>
							limit.max - (await changeCount(stored, findDay(nowMs, limit), () => 0)),
					)
				: ok(Infinity),
	};
}
