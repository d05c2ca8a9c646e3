import { randomUUID } from 'crypto';
import { groupBy, once } from 'lodash';
import { toHeld, toLeftOut, type Failed } from '../../bulk/outcomes';
import { filterPending, type Entry, type Gate, type Rule } from '../../bulk/plan';
import type { DedupeStore } from '../../core/dedupeStore';
import type { OperationContext } from '../../core/operation';
import { comparableText } from '../../core/plainText';
import { formatCount, plural } from '../../core/words';
import type { PlannedConversation } from '../plannedConversation';
import { openBook, type Claim } from './book';
import { MAX_DELAY_MS, type Person } from './contact';
import { findDay } from './dailyCount';

type Entries = ReadonlyArray<Entry<PlannedConversation>>;

/** The settings of a run that decide who is called again. */
interface ContactSettings {
	readonly attempts?: { readonly maximum: number } | undefined;
	readonly hoursBetweenCalls: number;
	readonly maximumPerDay: number | undefined;
	/** Whether the user added a safeguard that needs the list of people called. */
	readonly needsList: boolean;
}

/** A person of a run, with all entries for the person. */
interface RunPerson extends Person {
	readonly entries: Entries;
}

/** Stops a run whose safeguards need the list of people called, in a workflow that is not saved. */
export const listRule =
	<T>({ needsList }: ContactSettings, { isSaved }: DedupeStore): Rule<T> =>
	() => {
		if (isSaved) return {};
		return needsList ? { stop: NEEDS_SAVING } : { notes: [NOT_KEPT] };
	};

const NEEDS_SAVING =
	'n8n keeps the list of people called only for a saved workflow. Save the workflow, then run the node again';
const NOT_KEPT =
	'This workflow is not saved, so n8n cannot remember who was called: another execution calls everyone again';

/** Opens the list of people called. It keeps Hours Between Calls, Attempts and Maximum per Day across executions and workers. */
export function openContacts(
	entries: Entries,
	settings: ContactSettings,
	context: OperationContext,
): Gate<PlannedConversation> {
	const { dedupeStore: store, now, account, zone } = context;
	const { attempts, hoursBetweenCalls: hours, maximumPerDay } = settings;
	const limit = maximumPerDay === undefined ? undefined : { max: maximumPerDay, zone, account };
	const book = openBook(store, { hours, maxAttempts: attempts?.maximum }, limit);
	const people = store.isSaved ? groupByPerson(entries, settings, account) : new Map();
	/** Entries of a request that is sent again in parts. Their attempt and place of the day are already counted. */
	const resent = new Set<Entries[number]>();
	const notes: string[] = [];

	const findPeople = (batch: Entries): RunPerson[] =>
		batch.flatMap((entry) => {
			const person = people.get(entry.identity);
			return person ? { ...person, isResent: resent.has(entry) } : [];
		});

	/** Returns why the list cannot be used; undefined if it can. */
	const checkList = once(async (): Promise<Failed | undefined> => {
		const size = await store.size();
		if (!size.ok) return toUnrecorded(size.failure);
		if (size.value === 0) notes.push(CALLED_NO_ONE);
		return size.value >= MAX_TEXTS ? toHeld('notRecorded', LIST_FULL) : undefined;
	});

	/** Releases a person once all entries have an outcome, and none of them may have been a call. */
	function releaseUncalled(person: RunPerson): void {
		const ends = person.entries.map(({ outcome }) => outcome?.outcome);
		if (!ends.some((end) => end === undefined || end === 'accepted' || end === 'unknown'))
			book.release(person);
	}

	return {
		claim: async (batch) => {
			const nowMs = now();
			// A place of a day is for a request that leaves on this day.
			const endMs = limit ? findDay(nowMs, limit).endMs : Infinity;
			const deadlineMs = Math.min(nowMs + MAX_DELAY_MS, endMs);
			const leaveOut = new Map<Entry<PlannedConversation>, Failed>();
			const withPerson = batch.filter(({ identity }) => people.has(identity));
			if (withPerson.length === 0) return { leaveOut, deadlineMs };
			const problem = await checkList();
			const claims = problem ? undefined : await book.claim(findPeople(withPerson), nowMs);
			for (const [i, entry] of withPerson.entries()) {
				// A missing answer counts as called, because no one may be called twice.
				const claim = claims?.ok ? (claims.value[i] ?? 'called') : 'free';
				if (problem) leaveOut.set(entry, problem);
				else if (claims?.ok === false) leaveOut.set(entry, toUnrecorded(claims.failure));
				else if (claim !== 'free' && claim !== 'claimed')
					leaveOut.set(entry, toCalledOutcome(claim, settings));
			}
			return { leaveOut, deadlineMs };
		},
		settle: (batch) => {
			for (const entry of filterPending(batch)) resent.add(entry);
			for (const person of findPeople(batch)) releaseUncalled(person);
		},
		close: async () => {
			for (const person of people.values()) releaseUncalled(person);
			await book.flush();
			return notes;
		},
	};
}

/** Groups entries by person. A chat without a number counts only for Attempts or Maximum per Day. */
function groupByPerson(
	entries: Entries,
	{ attempts, maximumPerDay }: ContactSettings,
	account: string,
): ReadonlyMap<string, RunPerson> {
	const people = new Map<string, RunPerson>();
	for (const [identity, same] of Object.entries(groupBy(entries, 'identity'))) {
		// The first pending entry is the one that is sent. Its duplicates may be of other campaigns.
		const content = (filterPending(same)[0] ?? same[0])?.content;
		// Attempts needs a Person ID for a chat without a number, so its identity lasts.
		const isPerson = attempts !== undefined || content?.conversation.toPhoneNumber !== undefined;
		if (!isPerson && maximumPerDay === undefined) continue;
		people.set(identity, {
			// Maximum per Day counts conversations, so each chat without a number takes a place of its own.
			key: isPerson ? JSON.stringify([account, identity]) : randomUUID(),
			campaign: comparableText(content?.campaignKey ?? ''),
			entries: same,
		});
	}
	return people;
}

/** n8n reads and writes all texts of a node at once, on its main thread. */
const MAX_TEXTS = 250_000;

const LIST_FULL = `Not called, because the list of people called is full (${formatCount(MAX_TEXTS)} entries, 3 or 4 per call). Once the campaign has ended and its hours have passed, replace the node by a copy of it, which begins with an empty list`;

const CALLED_NO_ONE =
	'This node had called no one before. A copy of a workflow or node does not remember the calls of the original';

const toUnrecorded = (problem: string): Failed =>
	toHeld(
		'notRecorded',
		`Not called, because n8n could not record who is being called (${problem}). Run the node again`,
	);

/** Builds the outcome of a person who is not called again. */
function toCalledOutcome(
	claim: Exclude<Claim, 'free' | 'claimed'>,
	{ hoursBetweenCalls, attempts, maximumPerDay = 0 }: ContactSettings,
): Failed {
	if (claim === 'called')
		return toLeftOut(
			'calledBefore',
			`Called, or maybe called, in the last ${plural(hoursBetweenCalls, 'hour')}`,
		);
	if (claim === 'overDayLimit')
		return toLeftOut('overDayLimit', `Maximum per Day (${formatCount(maximumPerDay)}) is reached`);
	const times = attempts?.maximum === 1 ? 'once' : `${attempts?.maximum} times`;
	return toLeftOut('attemptsUsed', `Called, or maybe called, ${times} in this campaign`);
}
