import { clamp, difference, uniq, uniqBy } from 'lodash';
import type { DedupeStore, StoredTexts } from '../../core/dedupeStore';
import type { Result } from '../../core/result';
import type { CallRule, Contact, ContactState, Person } from './contact';
import { readContact } from './contact';
import { changeCount, toDay, type Day } from './dailyCount';

export type Claim = 'claimed' | 'overDayLimit' | ContactState;

/** The texts that a claim added to the store, and the day on which its call is counted. */
interface ClaimRecord {
	readonly texts: readonly string[];
	readonly day: Day | undefined;
}

/** Builds the share mark of a text that two claims use. Releasing a claim does not remove a marked text. */
const toShareMark = (text: string): string => `${text}&`;

/**
 * Opens the record of called people in n8n's store. After a crash, everyone who may have been called counts as called.
 *
 *           claim: record, before the request
 *   free ───────────────────────────────────▶ called ── the hours pass ──▶ free
 *    ▲    rejected, or it certainly never left  │        (in a campaign: an attempt, which stays)
 *    └──────────────────────────────────────────┘
 */
export function openBook(
	store: DedupeStore,
	rule: CallRule,
	limit?: { readonly max: number; readonly zone: string; readonly account: string },
) {
	const claims = new Map<string, ClaimRecord>();
	let released: ClaimRecord[] = [];

	/** Reads people's records by looking up their texts, until no answer requires more texts. */
	async function readContacts(
		stored: StoredTexts,
		people: readonly Person[],
		nowMs: number,
	): Promise<Contact[]> {
		const wasRecorded = new Map<string, boolean>();
		const has = (text: string): boolean => wasRecorded.get(text) === true;
		for (;;) {
			const contacts = people.map((person) => readContact(person, rule, { nowMs, has }));
			const texts = uniq(contacts.flatMap(({ lookups }) => lookups));
			const open = texts.filter((text) => !wasRecorded.has(text));
			if (open.length === 0) return contacts;
			// n8n's store says whether a text exists only by recording it.
			const present = await stored.record(open);
			for (const text of open) wasRecorded.set(text, present.has(text));
		}
	}

	/** Removes the texts of released claims, except those that another claim shares, and subtracts their calls from the days. */
	async function removeReleased(stored: StoredTexts): Promise<void> {
		const texts = released.flatMap((claim) => claim.texts);
		const days = released.flatMap(({ day }) => day ?? []);
		// Emptied first, because a removal that is repeated could remove a later claim of another execution.
		released = [];
		// Recording is the only way to read the share marks. Those that it adds are removed below.
		const marked = await stored.record(texts.map(toShareMark));
		const unshared = texts.filter((text) => !marked.has(toShareMark(text)));
		await stored.remove([...unshared, ...unshared.map(toShareMark)]);
		for (const day of uniqBy(days, 'text'))
			await changeCount(stored, day, () => -days.filter(({ text }) => text === day.text).length);
	}

	/** Counts today's calls to free people under Maximum per Day. Returns the people within the limit, and those over it. */
	async function countCalls(stored: StoredTexts, contacts: readonly Contact[], day?: Day) {
		// The call of a request that is sent again is counted already, unless a new day has begun.
		const uncounted = contacts.filter(({ key, state, isResent }) =>
			isResent ? claims.get(key)?.day?.text !== day?.text : state === 'free',
		);
		if (!limit || !day) return { withinLimit: uncounted, overLimit: [] }; // No limit, so no day.
		const allowAfter = (countBefore: number): number =>
			clamp(limit.max - countBefore, 0, uncounted.length);
		const callsBefore = await changeCount(stored, day, allowAfter);
		const allowed = allowAfter(callsBefore);
		return { withinLimit: uncounted.slice(0, allowed), overLimit: uncounted.slice(allowed) };
	}

	/** Adds a contact's kept texts to the person's claim. Returns the call texts that an earlier run's claim also uses. */
	function addToClaim({ key, kept, shared }: Contact, day: Day | undefined): string[] {
		const { texts: claimedTexts = [], day: countedDay } = claims.get(key) ?? {};
		claims.set(key, { texts: uniq([...claimedTexts, ...kept]), day: day ?? countedDay });
		return difference(shared, claimedTexts);
	}

	/** Undoes released claims, then claims the free people whom Maximum per Day allows. Removes the texts that no claim keeps. */
	async function claimAll(stored: StoredTexts, people: readonly Person[], nowMs: number) {
		if (released.length > 0) await removeReleased(stored);
		const contacts = await readContacts(stored, people, nowMs);
		const day = limit && toDay(nowMs, limit);
		const { withinLimit, overLimit } = await countCalls(stored, contacts, day);
		const counted = new Set(withinLimit);
		// A person whose request is sent again stays claimed.
		const claimed = difference(contacts, overLimit).filter(
			(contact) => counted.has(contact) || claims.has(contact.key),
		);
		const sharedTexts = claimed.flatMap((contact) =>
			addToClaim(contact, counted.has(contact) ? day : undefined),
		);
		// When this claim is released, a share mark keeps the texts that an earlier run's claim also uses.
		await stored.record(uniq(sharedTexts).map(toShareMark));
		// Looking up a text adds it, so the texts that no claim keeps are removed.
		const added = contacts.flatMap((contact) => contact.added);
		const keptTexts = claimed.flatMap(({ kept }) => kept);
		await stored.remove(difference(added, keptTexts));
		return contacts.map((contact): Claim => {
			if (overLimit.includes(contact)) return 'overDayLimit';
			return claims.has(contact.key) ? 'claimed' : contact.state;
		});
	}

	return {
		/** Claims the people who are free. Returns one claim or state per person, or why the store failed. */
		claim: async (people: readonly Person[], nowMs: number): Promise<Result<Claim[], string>> =>
			await store.alone(async (stored) => await claimAll(stored, people, nowMs)),

		/** Releases a person who was certainly not called. The next claim of anyone, or `flush`, undoes the claim. */
		release: ({ key }: Person): void => {
			const claim = claims.get(key);
			claims.delete(key);
			if (claim) released.push(claim);
		},

		/** Undoes released claims that are still recorded. If that fails, their people count as called. */
		flush: async (): Promise<void> => {
			if (released.length > 0) await store.alone(removeReleased);
		},
	};
}
