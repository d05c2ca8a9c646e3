import { randomUUID } from 'crypto';
import groupBy from 'lodash/groupBy';
import { countSent } from '../../bulk/ledger';
import type { Outcome } from '../../bulk/outcomes';
import { held, leftOut } from '../../bulk/outcomes';
import type { Entry, Findings, Guard } from '../../bulk/plan';
import { filterPending } from '../../bulk/plan';
import { NOT_SAVED } from '../../core/dedupeStore';
import type { OperationContext } from '../../core/operation';
import { formatCount, plural } from '../../core/words';
import { comparableText } from '../../core/plainText';
import type { PlannedConversation } from '../create/plannedConversation';
import type { CreateSettings } from '../create/settings';
import type { Claim, Contact } from './book';
import { CAMPAIGNS, openBook } from './book';
import { dayAt } from './dailyCount';
import { MAX_DELAY_MS } from './personNames';
import { CALLING, settlePeople } from './settlePeople';

/** The names of a list are read and written as a whole, on n8n's main thread. */
const MAX_NAMES = 250_000;
const TRIMMED_TO = 150_000;

type Planned = Entry<PlannedConversation>;

/**
 * Knows the people of a node across executions, processes and workers: no one is called again within Hours Between Calls, nor more
 * often in a campaign than Maximum Attempts, nor are more called per day than Maximum per Day. It writes people down before they
 * are called, and once it is known how that ended.
 */
export function contactsGuard(
	settings: CreateSettings,
	context: OperationContext,
): Guard<PlannedConversation> {
	const { dedupeStore: store, now, account, zone } = context;
	const { attempts, hoursBetweenCalls: hours, maximumPerDay } = settings;
	const rule = { hours, maxAttempts: attempts?.maximum };
	const limit = maximumPerDay && { ...maximumPerDay, day: () => dayAt(now(), { zone, account }) };
	const book = openBook(store, { rule, limit, now });
	let people: ReadonlyMap<string, RunPerson> = new Map();

	const known = (values: readonly Planned[]): Array<readonly [Planned, RunPerson]> =>
		values.flatMap((value) => {
			const person = people.get(value.identity);
			return person ? [[value, person] as const] : [];
		});

	function settle(person: RunPerson): void {
		const ends = person.values.map(({ outcome }) => outcome?.outcome);
		// Whoever a later guard left out was not called.
		const end = ends.includes('accepted') ? 'called' : 'notCalled';
		// Of several conversations of one person the strictest end counts.
		book.end(person, ends.includes('unknown') ? 'unknown' : end);
	}

	return {
		open: async (plan) => {
			const { entries: values } = plan;
			const { settled } = settings;
			people = peopleIn(values, settings, account);
			if (settled)
				return await settlePeople(plan, { settled, book, people: known(values), settings });
			if (people.size === 0) return {};
			const unusable = await checkList(settings, context);
			if (unusable && !unusable.stop) people = new Map();
			if (unusable) return unusable;
			const pending = filterPending(values);
			// Only those who may be called count for a limit.
			const isMore = pending.length + countSent(context.ledger) > settings.maximumConversations;
			if (!settings.dryRun && !isMore) return {};
			const asked = known(pending);
			const looked = await book.look(asked.map(([, person]) => person));
			if (!looked.ok) return { stop: noList(looked.failure) };
			return { leaveOut: leaveOutBy(asked, (i) => outcomeOf(looked.value[i], settings)) };
		},
		before: async (batch) => {
			const claimedMs = now();
			const asked = known(batch);
			const claims = await book.claim(asked.map(([, person]) => person));
			const leaveOut = leaveOutBy(asked, (i) =>
				claims.ok
					? outcomeOf(claims.value[i], settings)
					: held(
							`Not called, because n8n could not record who is being called (${claims.failure}). Run the node again`,
						),
			);
			return { leaveOut, deadlineMs: claimedMs + MAX_DELAY_MS };
		},
		after: (batch) => {
			// Duplicates that are sent by choice are settled together once all are over.
			if (settings.duplicates === 'sendAll') return;
			for (const [, person] of known(batch)) settle(person);
		},
		close: async ({ entries }) => {
			if (!settings.dryRun) {
				for (const person of people.values()) settle(person);
				await book.flush();
			} else if (people.size > 0) {
				const left = await book.left();
				if (!left.ok) return { stop: noList(left.failure) };
				// Hours and other safeguards have left people out before.
				const over = known(filterPending(entries)).slice(left.value);
				return { leaveOut: leaveOutBy(over, () => outcomeOf('overDayLimit', settings)) };
			}
			return {};
		},
	};
}

/** Gives an outcome to each entry that is not sent. */
function leaveOutBy(
	asked: ReadonlyArray<readonly [Planned, RunPerson]>,
	decide: (index: number) => Outcome | undefined,
): Map<Planned, Outcome> {
	const leaveOut = new Map<Planned, Outcome>();
	for (const [i, [entry]] of asked.entries()) {
		const outcome = decide(i);
		if (outcome) leaveOut.set(entry, outcome);
	}
	return leaveOut;
}

/** Someone of a run, with all that is for them. */
interface RunPerson extends Contact {
	readonly values: readonly Planned[];
}

/**
 * The people of a run. A chat or web conversation without a number has a person only where attempts are counted; where only those
 * of a day are, it is someone new each time.
 */
function peopleIn(
	values: readonly Planned[],
	{ attempts, maximumPerDay }: CreateSettings,
	account: string,
): ReadonlyMap<string, RunPerson> {
	const isKnown = ({ content }: Planned): boolean =>
		content.conversation.toPhoneNumber !== undefined || attempts !== undefined;
	const withPerson = maximumPerDay ? values : values.filter(isKnown);
	return new Map(
		Object.entries(groupBy(withPerson, 'identity')).map(([identity, own]): [string, RunPerson] => {
			// The campaign of the one that is sent: duplicates may be of others.
			const [sent] = [...filterPending(own), ...own];
			const person: RunPerson = {
				key: own.some(isKnown) ? JSON.stringify([account, identity]) : randomUUID(),
				campaign: comparableText(sent?.content.campaignKey ?? ''),
				// Whom this execution has called already may be sent duplicates that are sent by choice.
				isOurs: own.some(({ outcome }) => outcome?.outcome === 'accepted'),
				values: own,
			};
			return [identity, person];
		}),
	);
}

/** Why the list of people cannot be used, if there is a reason. Without a saved workflow a run goes on where no one asked for the list. */
async function checkList(
	{ attempts, maximumPerDay, isHoursChosen, hoursBetweenCalls }: CreateSettings,
	{ dedupeStore: store }: OperationContext,
): Promise<Findings<PlannedConversation> | undefined> {
	const size = await store.size();
	const isCounted = attempts !== undefined || maximumPerDay?.isChosen === true;
	if (!size.ok) {
		if (!isCounted && hoursBetweenCalls === 0) return {};
		const isOptional = size.failure === NOT_SAVED && !isCounted && !isHoursChosen;
		return isOptional ? { notes: [NOT_KEPT] } : { stop: noList(size.failure) };
	}
	if (size.value < MAX_NAMES) return undefined;
	// Calls are in the order in which they were made, the attempts of campaigns among them.
	const trimmed = await store.alone(async (names) => {
		const hasAttempts = (await names.record([CAMPAIGNS])).size > 0;
		if (hasAttempts) return false;
		await names.remove([CAMPAIGNS]);
		await names.trim(TRIMMED_TO);
		return true;
	});
	if (!trimmed.ok) return { stop: noList(trimmed.failure) };
	if (trimmed.value) return undefined;
	return {
		stop: `the list of people called is full (${formatCount(size.value)} entries, up to 9 per person with 3 attempts). Replace the node by a copy of it, which begins with an empty list, once the campaign has ended`,
	};
}

const NOT_KEPT =
	'This workflow is not saved, so n8n cannot remember who was called: another execution calls everyone again';

const noList = (problem: string): string =>
	`n8n's list of people called cannot be used (${problem}). ${problem === NOT_SAVED ? 'Save the workflow' : 'Run the node again'}`;

/** How someone stands who is not called, in words; who is in no answer may have been called. */
function outcomeOf(
	standing: Claim | undefined,
	{ hoursBetweenCalls: hours, attempts, maximumPerDay }: CreateSettings,
): Outcome | undefined {
	const inHours = plural(hours, 'hour');
	switch (standing) {
		case 'free':
		case 'claimed':
			return undefined;
		case 'called':
			return leftOut(
				`Not called, because this node called this person in the last ${inHours}. To call again now, set Hours Between Calls to 0`,
				`called in the last ${inHours}`,
			);
		case 'calledOften':
			return leftOut(
				`Not called, because this person was called ${attempts?.maximum === 1 ? 'once' : `${attempts?.maximum} times`} in this campaign (Maximum Attempts)`,
				'called often enough in this campaign',
			);
		case 'overDayLimit':
			return leftOut(
				`Not called, because Maximum per Day (${formatCount(maximumPerDay?.max ?? 0)}) allows no more today`,
				'over the limit of the day',
			);
		case 'calling':
		case undefined:
			return CALLING;
	}
}
