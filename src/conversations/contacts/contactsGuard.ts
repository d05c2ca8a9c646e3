import { randomUUID } from 'crypto';
import { groupBy } from 'lodash';
import { recallTotals } from '../../bulk/ledger';
import { toHeld, toLeftOut, type Failed } from '../../bulk/outcomes';
import { filterPending, type Entry, type Guard } from '../../bulk/plan';
import { NOT_SAVED } from '../../core/dedupeStore';
import type { OperationContext } from '../../core/operation';
import { comparableText } from '../../core/plainText';
import { ok, type Result } from '../../core/result';
import { formatCount, plural } from '../../core/words';
import type { PlannedConversation } from '../create/plannedConversation';
import type { CreateSettings } from '../create/settings';
import { openBook, type Claim } from './book';
import { MAX_DELAY_MS, type Person } from './contact';
import { findDay } from './dailyCount';
import { freePeople } from './freePeople';

type Entries = ReadonlyArray<Entry<PlannedConversation>>;

/** A person of a run, with all values for the person. */
interface RunPerson extends Person {
	readonly entries: Entries;
}

/** Keeps Hours Between Calls, Maximum Attempts and Maximum per Day across executions and workers. */
export function contactsGuard(
	settings: CreateSettings,
	context: OperationContext,
): Guard<PlannedConversation> {
	const { dedupeStore: store, now, account, zone } = context;
	const { attempts, hoursBetweenCalls: hours, maximumPerDay, dryRun } = settings;
	const limit = maximumPerDay === undefined ? undefined : { max: maximumPerDay, zone, account };
	const book = openBook(store, { hours, maxAttempts: attempts?.maximum }, limit);
	let people: ReadonlyMap<string, RunPerson> = new Map();
	/** Entries of a request that is sent again in parts. Their attempt and their place of the day are counted already. */
	const resent = new Set<Entries[number]>();

	const findPeople = (entries: Entries): RunPerson[] =>
		entries.flatMap((entry) => {
			const person = people.get(entry.identity);
			return person ? { ...person, isResent: resent.has(entry) } : [];
		});

	/** Asks the book about the people of entries, and returns an outcome for each entry that must not be sent. */
	async function leaveOutCalled(
		entries: Entries,
		ask: (people: readonly Person[]) => Promise<Result<readonly Claim[], string>>,
	): Promise<Map<Entry<PlannedConversation>, Failed>> {
		const withPerson = entries.filter(({ identity }) => people.has(identity));
		const claims = withPerson.length > 0 ? await ask(findPeople(withPerson)) : ok([]);
		const outcomes = withPerson.flatMap((entry, i): Array<[typeof entry, Failed]> => {
			if (!claims.ok) return [[entry, holdUnrecorded(claims.failure)]];
			// A missing answer counts as called, because no one may be called twice.
			const claim = claims.value[i] ?? 'called';
			return claim === 'free' || claim === 'claimed'
				? []
				: [[entry, explainClaim(claim, settings)]];
		});
		return new Map(outcomes);
	}

	/** Releases a person once all entries have an outcome, and none of them may have been a call. */
	function releaseUncalled(person: RunPerson): void {
		const ends = person.entries.map(({ outcome }) => outcome?.outcome);
		if (!ends.some((end) => end === undefined || end === 'accepted' || end === 'unknown'))
			book.release(person);
	}

	return {
		open: async ({ entries }) => {
			people = groupByPerson(entries, settings, account);
			const pending = filterPending(entries);
			if (settings.notCalled)
				return await freePeople(entries, settings, { book, people, nowMs: now() });
			if (people.size === 0) return {};
			const size = await store.size();
			if (!size.ok && size.failure === NOT_SAVED && !settings.needsList) {
				people = new Map(); // No one is checked.
				return { notes: [NOT_KEPT] };
			}
			if (!size.ok) return { stop: explainNoList(size.failure) };
			if (size.value >= MAX_TEXTS) {
				// A campaign needs all its attempts, so its list cannot be trimmed.
				if (attempts) return { stop: explainFull(size.value) };
				// The people of the oldest calls are forgotten, and may be called again. If that fails, the next run repeats it.
				if (!dryRun) await store.alone(async (stored) => await stored.trim(TRIMMED_TO));
			}
			// Each request checks its people later. Now they are checked for a dry run, or because fewer people may keep Maximum Conversations.
			const { sent } = recallTotals(context.ledger);
			if (!dryRun && pending.length + sent <= settings.maximumConversations) return {};
			const ask = async (all: readonly Person[]) => await book.readStates(all, now());
			return { leaveOut: await leaveOutCalled(pending, ask) };
		},
		before: async (batch) => {
			const nowMs = now();
			// A place of a day is for a request that leaves on this day.
			const endMs = limit ? findDay(nowMs, limit).endMs : Infinity;
			return {
				leaveOut: await leaveOutCalled(batch, async (all) => await book.claim(all, nowMs)),
				deadlineMs: Math.min(nowMs + MAX_DELAY_MS, endMs),
			};
		},
		after: (batch) => {
			for (const entry of filterPending(batch)) resent.add(entry);
			for (const person of findPeople(batch)) releaseUncalled(person);
		},
		close: async ({ entries }) => {
			if (!dryRun) {
				for (const person of people.values()) releaseUncalled(person);
				await book.flush();
				return {};
			}
			const pending = filterPending(entries).filter(({ identity }) => people.has(identity));
			// A dry run also shows the people above Maximum per Day.
			const places = pending.length > 0 ? await book.countLeft(now()) : ok(Infinity);
			const reason = places.ok
				? explainClaim('overDayLimit', settings)
				: holdUnrecorded(places.failure);
			const over = pending.slice(places.ok ? Math.max(0, places.value) : 0);
			return { leaveOut: new Map(over.map((entry) => [entry, reason])) };
		},
	};
}

/** Groups entries by person. A chat without a number counts only for Attempts or Maximum per Day. */
function groupByPerson(
	entries: Entries,
	{ attempts, maximumPerDay, duplicates }: CreateSettings,
	account: string,
): ReadonlyMap<string, RunPerson> {
	const people = new Map<string, RunPerson>();
	for (const [identity, same] of Object.entries(groupBy(entries, 'identity'))) {
		// The first pending entry is the one that is sent. Its duplicates may be of other campaigns.
		const [{ content } = { content: undefined }] = [...filterPending(same), ...same];
		// Attempts needs a Person ID for a chat without a number, so its identity lasts.
		const isPerson = attempts !== undefined || content?.conversation.toPhoneNumber !== undefined;
		// The ledger guard has set the outcomes of entries that this execution sent before. Only sendAll repeats an accepted one.
		const wasAccepted = same.some(({ outcome }) => outcome?.outcome === 'accepted');
		if (!isPerson && maximumPerDay === undefined) continue;
		people.set(identity, {
			// Maximum per Day counts conversations, so each chat without a number takes a place of its own.
			key: isPerson ? JSON.stringify([account, identity]) : randomUUID(),
			campaign: comparableText(content?.campaignKey ?? ''),
			isRepeat: wasAccepted && duplicates === 'sendAll',
			entries: same,
		});
	}
	return people;
}

/** n8n reads and writes all texts of a node at once, on its main thread. */
const MAX_TEXTS = 250_000;
const TRIMMED_TO = 150_000;

const NOT_KEPT =
	'This workflow is not saved, so n8n cannot remember who was called: another execution calls everyone again';

const explainFull = (size: number): string =>
	`the list of people called is full (${formatCount(size)} entries, up to 12 per person with 3 attempts). Replace the node by a copy of it, which begins with an empty list, once the campaign has ended`;

const explainNoList = (problem: string): string =>
	`n8n's list of people called cannot be used (${problem}). ${problem === NOT_SAVED ? 'Save the workflow' : 'Run the node again'}`;

const holdUnrecorded = (problem: string): Failed =>
	toHeld(
		`Not called, because n8n could not record who is being called (${problem}). Run the node again`,
	);

/** Explains why a person is not called. */
function explainClaim(
	claim: Exclude<Claim, 'free' | 'claimed'>,
	{ hoursBetweenCalls, attempts, maximumPerDay = 0 }: CreateSettings,
): Failed {
	const inHours = `in the last ${plural(hoursBetweenCalls, 'hour')}`;
	const times = attempts?.maximum === 1 ? 'once' : `${attempts?.maximum} times`;
	const wasCalled = 'Not called, because this person was called, or may have been called';
	const limit = formatCount(maximumPerDay);
	return {
		called: toLeftOut(`${wasCalled}, ${inHours}`, `called ${inHours}`),
		calledOften: toLeftOut(
			`${wasCalled}, at least ${times} in this campaign (Maximum Attempts)`,
			'called often enough in this campaign',
		),
		overDayLimit: toLeftOut(
			`Not called, because Maximum per Day (${limit}) allows no more today`,
			'over the limit of the day',
		),
	}[claim];
}
