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
import { toDay } from './dailyCount';

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

/** Makes the rule for unsaved workflows, which have no list of people called. A run that needs it stops. */
export const unsavedRule =
	<T>({ needsList }: ContactSettings, { isSaved }: DedupeStore): Rule<T> =>
	() => {
		if (isSaved) return {};
		return needsList ? { stop: NEEDS_SAVING } : { notes: [NOT_KEPT] };
	};

const NEEDS_SAVING =
	'n8n keeps the list of people called only for a saved workflow. Save the workflow, then run the node again';
const NOT_KEPT =
	'This workflow is not saved, so n8n cannot remember who was called: another execution calls everyone again';

/** Opens the list of people called, to enforce Hours Between Calls, Attempts and Maximum per Day across executions and workers. */
export function openContacts(
	entries: Entries,
	settings: ContactSettings,
	context: OperationContext,
): Gate<PlannedConversation> {
	const { dedupeStore: store, now, account, zone } = context;
	const { attempts, hoursBetweenCalls: hours, maximumPerDay } = settings;
	const limit = maximumPerDay === undefined ? undefined : { max: maximumPerDay, zone, account };
	const book = openBook(store, { hours, maxAttempts: attempts?.maximum }, limit);
	// n8n keeps no texts of an unsaved workflow, so none of its people are tracked.
	const people = store.isSaved ? groupByPerson(entries, settings, account) : new Map();
	/** Entries of requests that are sent again in parts. Their attempts and calls of the day are counted already. */
	const resent = new Set<Entries[number]>();
	const notes: string[] = [];

	/** Returns the tracked people of a batch, and whether their requests are sent again. Skips other entries. */
	const findPeople = (batch: Entries): RunPerson[] =>
		batch.flatMap((entry) => {
			const person = people.get(entry.identity);
			return person ? { ...person, isResent: resent.has(entry) } : [];
		});

	/** Returns why the list cannot be used; undefined if it can. Notes an empty list. */
	const findListProblem = once(async (): Promise<Failed | undefined> => {
		const size = await store.size();
		if (!size.ok) return toUnrecorded(size.failure);
		if (size.value === 0) notes.push(CALLED_NO_ONE);
		return size.value >= MAX_TEXTS ? toHeld('notRecorded', LIST_FULL) : undefined;
	});

	/** Releases a person once all entries were certainly not called: rejected or not sent. */
	function releaseUncalled(person: RunPerson): void {
		const ends = person.entries.map(({ outcome }) => outcome?.outcome);
		if (ends.every((end) => end === 'rejected' || end === 'notSent')) book.release(person);
	}

	/** Claims the tracked people of a batch. Returns the entries that may not be sent, with their outcomes. */
	async function claimPeople(batch: Entries, nowMs: number): Promise<Map<Entries[number], Failed>> {
		const tracked = batch.filter(({ identity }) => people.has(identity));
		if (tracked.length === 0) return new Map();
		const leaveOutAll = (failed: Failed) => new Map(tracked.map((entry) => [entry, failed]));
		const problem = await findListProblem();
		if (problem) return leaveOutAll(problem); // People who cannot be recorded are not called.
		const claims = await book.claim(findPeople(tracked), nowMs);
		if (!claims.ok) return leaveOutAll(toUnrecorded(claims.failure));
		const leaveOut = new Map<Entries[number], Failed>();
		for (const [i, entry] of tracked.entries()) {
			const outcome = toUnclaimedOutcome(claims.value[i], settings); // One claim per tracked entry.
			if (outcome) leaveOut.set(entry, outcome);
		}
		return leaveOut;
	}

	return {
		claim: async (batch) => {
			const nowMs = now();
			// Hours Between Calls are checked with MAX_DELAY_MS added, because a call has the time of its claim.
			// Maximum per Day counts the call for the day of its claim, so the request must leave on that day.
			const endMs = limit ? toDay(nowMs, limit).endMs : Infinity;
			const leaveOut = await claimPeople(batch, nowMs);
			return { leaveOut, deadlineMs: Math.min(nowMs + MAX_DELAY_MS, endMs) };
		},
		settle: (batch) => {
			for (const entry of filterPending(batch)) resent.add(entry);
			for (const person of findPeople(batch)) releaseUncalled(person);
		},
		close: async () => {
			// An entry that was to be sent again may end without a request, and so without `settle`.
			for (const person of people.values()) releaseUncalled(person);
			await book.flush();
			return notes;
		},
	};
}

/** Groups entries by person. A chat without a number is left out unless Attempts or Maximum per Day counts it. */
function groupByPerson(
	entries: Entries,
	{ attempts, maximumPerDay }: ContactSettings,
	account: string,
): ReadonlyMap<string, RunPerson> {
	const people = new Map<string, RunPerson>();
	for (const [identity, same] of Object.entries(groupBy(entries, 'identity'))) {
		// The first pending entry is the one that is sent. Its duplicates may be of other campaigns.
		const content = (filterPending(same)[0] ?? same[0])?.content;
		// A number identifies a person, and so does the Person ID that Attempts requires of each chat. Else the identity is the row's.
		const isPerson = attempts !== undefined || content?.conversation.toPhoneNumber !== undefined;
		if (!isPerson && maximumPerDay === undefined) continue;
		people.set(identity, {
			// Maximum per Day counts each conversation, so any other chat gets a key of its own.
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

/** Builds the outcome for a person who is not called, because the call could not be recorded. */
const toUnrecorded = (problem: string): Failed =>
	toHeld(
		'notRecorded',
		`Not called, because n8n could not record who is being called (${problem}). Run the node again`,
	);

/** Builds the outcome of a person whom this run could not claim; undefined if the person may be called. */
function toUnclaimedOutcome(
	// A missing claim counts as called, because no one may be called twice.
	claim: Claim = 'called',
	{ hoursBetweenCalls, attempts, maximumPerDay = 0 }: ContactSettings,
): Failed | undefined {
	if (claim === 'free' || claim === 'claimed') return undefined;
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
