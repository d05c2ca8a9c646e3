import { randomUUID } from 'crypto';
import groupBy from 'lodash/groupBy';
import { recallTotals } from '../../bulk/ledger';
import type { Outcome } from '../../bulk/outcomes';
import { held, leftOut } from '../../bulk/outcomes';
import type { Entry, Findings, Guard } from '../../bulk/plan';
import { filterPending } from '../../bulk/plan';
import type { DedupeStore } from '../../core/dedupeStore';
import { NOT_SAVED } from '../../core/dedupeStore';
import type { OperationContext } from '../../core/operation';
import { comparableText } from '../../core/plainText';
import { formatCount, plural } from '../../core/words';
import type { PlannedConversation } from '../create/plannedConversation';
import type { CreateSettings } from '../create/settings';
import type { Claim } from './book';
import { CAMPAIGNS, openBook } from './book';
import { dayAt } from './dailyCount';
import type { Pair } from './freePeople';
import { freePeople } from './freePeople';
import type { Person } from './personNames';
import { MAX_DELAY_MS } from './personNames';

type Planned = Entry<PlannedConversation>;

/** A person of a run, with all values for the person. */
interface RunPerson extends Person {
	readonly entries: readonly Planned[];
}

/** The names of a list are read and written as a whole, on n8n's main thread. */
const MAX_NAMES = 250_000;
const TRIMMED_TO = 150_000;

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

	const pairWithPeople = (entries: readonly Planned[]) =>
		entries.flatMap((entry) => {
			const person = people.get(entry.identity);
			return person ? [{ entry, person }] : [];
		});

	/** Releases a person once all entries have an outcome, and none of them may have been a call. */
	function releaseUncalled(person: RunPerson): void {
		const ends = person.entries.map(({ outcome }) => outcome?.outcome);
		if (!ends.some((end) => end === undefined || end === 'accepted' || end === 'unknown'))
			book.release(person);
	}

	/** Reads before a dry run, or before Maximum Conversations counts, who is not called. */
	async function leaveOutCalled(entries: readonly Planned[]) {
		const pairs = pairWithPeople(entries);
		const states = await book.readStates(listPeople(pairs), now());
		if (!states.ok) return { stop: explainNoList(states.failure) };
		return { leaveOut: leaveOutBy(pairs, (i) => explainClaim(states.value[i], settings)) };
	}

	/** Shows in a dry run who is over the limit of the day, after other safeguards left people out. */
	async function leaveOutOverLimit(entries: readonly Planned[]) {
		const left = await book.countLeft(now());
		if (!left.ok) return { stop: explainNoList(left.failure) };
		const over = pairWithPeople(entries).slice(Math.max(0, left.value));
		return { leaveOut: leaveOutBy(over, () => explainClaim('overDayLimit', settings)) };
	}

	return {
		open: async ({ entries }) => {
			people = groupByPerson(entries, settings, account);
			const pending = filterPending(entries);
			if (settings.notCalled) {
				const freed = await freePeople(pairWithPeople(pending), settings, { book, nowMs: now() });
				if (freed.stop !== undefined) return freed;
				const unlisted = pending.map((entry) => [entry, ONLY_FREES] as const);
				return { ...freed, leaveOut: new Map([...unlisted, ...(freed.leaveOut ?? [])]) };
			}
			if (people.size === 0) return {};
			const unusable = await checkList(settings, store);
			if (unusable && unusable.stop === undefined) people = new Map();
			if (unusable) return unusable;
			const isMore = pending.length + recallTotals(context.ledger).sent > settings.maximumConversations;
			return dryRun || isMore ? await leaveOutCalled(pending) : {};
		},
		before: async (batch) => {
			const nowMs = now();
			const pairs = pairWithPeople(batch);
			const claims = await book.claim(listPeople(pairs), nowMs);
			// A place of a day is for a request that leaves on this day.
			const deadlineMs = Math.min(
				nowMs + MAX_DELAY_MS,
				limit ? dayAt(nowMs, limit).endMs : Infinity,
			);
			const leaveOut = leaveOutBy(pairs, (i) =>
				claims.ok ? explainClaim(claims.value[i], settings) : explainNoRecord(claims.failure),
			);
			return { leaveOut, deadlineMs };
		},
		after: (batch) => {
			for (const { person } of pairWithPeople(batch)) releaseUncalled(person);
		},
		close: async ({ entries }) => {
			if (dryRun) return people.size > 0 ? await leaveOutOverLimit(filterPending(entries)) : {};
			for (const person of people.values()) releaseUncalled(person);
			await book.flush();
			return {};
		},
	};
}

const listPeople = (pairs: readonly Pair[]): Person[] => pairs.map(({ person }) => person);

/** Gives an outcome to each entry that is not sent. */
function leaveOutBy(
	pairs: readonly Pair[],
	explain: (position: number) => Outcome | undefined,
): Map<Planned, Outcome> {
	const outcomes = pairs.map(({ entry }, i) => [entry, explain(i)] as const);
	return new Map(outcomes.flatMap(([entry, outcome]) => (outcome ? [[entry, outcome]] : [])));
}

/** Groups entries by person. A chat without a number has one only if attempts are counted. */
function groupByPerson(
	entries: readonly Planned[],
	{ attempts, maximumPerDay, duplicates }: CreateSettings,
	account: string,
): ReadonlyMap<string, RunPerson> {
	const hasPerson = ({ content }: Planned): boolean =>
		content.conversation.toPhoneNumber !== undefined || attempts !== undefined;
	const counted = maximumPerDay ? entries : entries.filter(hasPerson);
	return new Map(
		Object.entries(groupBy(counted, 'identity')).map(([identity, same]): [string, RunPerson] => {
			// The campaign of the entry that is sent, because its duplicates may be of other campaigns.
			const [first] = [...filterPending(same), ...same];
			const wasCalled = same.some(({ outcome }) => outcome?.outcome === 'accepted');
			const person: RunPerson = {
				// For Maximum per Day alone, a chat without a number is a new person each time.
				key: same.some(hasPerson) ? JSON.stringify([account, identity]) : randomUUID(),
				campaign: comparableText(first?.content.campaignKey ?? ''),
				isRepeat: wasCalled && duplicates === 'sendAll',
				entries: same,
			};
			return [identity, person];
		}),
	);
}

/** Returns why the list of people cannot be used; undefined if it can. A full list is trimmed. */
async function checkList(
	{ needsList, hoursBetweenCalls }: CreateSettings,
	store: DedupeStore,
): Promise<Findings<PlannedConversation> | undefined> {
	const size = await store.size();
	if (!size.ok) {
		if (!needsList && hoursBetweenCalls === 0) return {};
		const isOptional = size.failure === NOT_SAVED && !needsList;
		return isOptional ? { notes: [NOT_KEPT] } : { stop: explainNoList(size.failure) };
	}
	if (size.value < MAX_NAMES) return undefined;
	// The names are in the order of the calls, with the attempts of campaigns among them.
	const trimmed = await store.alone(async (stored) => {
		const hasAttempts = (await stored.record([CAMPAIGNS])).size > 0;
		if (hasAttempts) return false;
		await stored.remove([CAMPAIGNS]);
		await stored.trim(TRIMMED_TO);
		return true;
	});
	if (!trimmed.ok) return { stop: explainNoList(trimmed.failure) };
	return trimmed.value ? undefined : { stop: explainFull(size.value) };
}

const ONLY_FREES = leftOut(
	'Not called, because a run with Not Called only frees the people listed there',
);
const NOT_KEPT =
	'This workflow is not saved, so n8n cannot remember who was called: another execution calls everyone again';

const explainFull = (size: number): string =>
	`the list of people called is full (${formatCount(size)} entries, up to 12 per person with 3 attempts). Replace the node by a copy of it, which begins with an empty list, once the campaign has ended`;

const explainNoList = (problem: string): string =>
	`n8n's list of people called cannot be used (${problem}). ${problem === NOT_SAVED ? 'Save the workflow' : 'Run the node again'}`;

const explainNoRecord = (problem: string): Outcome =>
	held(
		`Not called, because n8n could not record who is being called (${problem}). Run the node again`,
	);

/** Explains why a person is not called. Without an answer, a call may have been made. */
function explainClaim(
	claim: Claim = 'called',
	{ hoursBetweenCalls, attempts, maximumPerDay }: CreateSettings,
): Outcome | undefined {
	if (claim === 'free' || claim === 'claimed') return undefined;
	const inHours = `in the last ${plural(hoursBetweenCalls, 'hour')}`;
	const times = attempts?.maximum === 1 ? 'once' : `${attempts?.maximum} times`;
	const wasCalled = 'Not called, because this person was called, or may have been called';
	const perDay = formatCount(maximumPerDay ?? 0);
	return {
		called: leftOut(`${wasCalled}, ${inHours}`, `called ${inHours}`),
		calledOften: leftOut(
			`${wasCalled}, ${times} in this campaign (Maximum Attempts)`,
			'called often enough in this campaign',
		),
		overDayLimit: leftOut(
			`Not called, because Maximum per Day (${perDay}) allows no more today`,
			'over the limit of the day',
		),
	}[claim];
}
