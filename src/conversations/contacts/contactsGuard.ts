import { sentEarlier } from '../../bulk/ledger';
import type { NotAccepted } from '../../bulk/outcomes';
import { held, leftOut } from '../../bulk/outcomes';
import type { Findings, Guard, Plan, Value } from '../../bulk/plan';
import { pendingOf } from '../../bulk/plan';
import { NOT_SAVED } from '../../core/dedupeStore';
import type { OperationContext } from '../../core/operation';
import { formatCount, plural, sameText } from '../../core/text';
import type { PlannedConversation } from '../create/readRows';
import type { CreateSettings } from '../create/settings';
import type { Book, Claim } from './book';
import { CAMPAIGNS, openBook } from './book';
import { dayAt } from './dailyCount';
import type { Person, Standing } from './personNames';
import { MAX_DELAY_MS } from './personNames';
import { settlePeople } from './settlePeople';

/** The names of a list are read and written as a whole, on n8n's main thread. */
const MAX_NAMES = 250_000;
const TRIMMED_TO = 150_000;

type Planned = Value<PlannedConversation>;

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
	const claims = createClaims(book);
	let people: ReadonlyMap<Planned, Person> = new Map();

	async function look(pending: readonly Planned[]): Promise<Findings> {
		const known = pending.filter((value) => people.has(value));
		const looked = await book.look(known.flatMap((value) => people.get(value) ?? []));
		if (!looked.ok) return { stop: noList(looked.failure) };
		for (const [i, standing] of looked.value.entries()) {
			const value = known[i];
			if (value) value.outcome = outcomeOf(standing.is, settings);
		}
		return {};
	}

	/** Shows in a dry run who is over the limit of the day, as hours and other safeguards leave people out before. */
	async function showLimit(values: readonly Planned[]): Promise<Findings> {
		const left = await book.left();
		if (!left.ok) return { stop: noList(left.failure) };
		const wanted = pendingOf(values).filter((value) => people.has(value));
		for (const value of wanted.slice(left.value))
			value.outcome = outcomeOf('overDayLimit', settings);
		return {};
	}

	return {
		open: async (plan) => {
			people = peopleIn(plan, settings, account);
			if (settings.settled)
				return await settlePeople(plan, { settled: settings.settled, book, people, settings });
			if (people.size === 0) return {};
			// Whom this execution has called already may be sent duplicates that are sent by choice.
			if (settings.duplicates === 'sendAll')
				for (const [value, { key }] of people)
					if (value.outcome?.outcome === 'accepted') claims.grant(key);
			const unusable = await checkList(settings, context);
			if (unusable?.stop === undefined && unusable) people = new Map();
			if (unusable) return unusable;
			const pending = pendingOf(plan.values);
			// Only those who may be called count for a limit.
			const isMore = pending.length + sentEarlier(context.ledger) > settings.maximumConversations;
			return settings.dryRun || isMore ? await look(pending) : {};
		},
		before: async (batch) => {
			const known = batch.filter((value) => people.has(value));
			const asked = new Map(
				known.flatMap((value) => {
					const person = people.get(value);
					return person && !claims.has(person.key) ? [[person.key, person] as const] : [];
				}),
			);
			const claimedMs = now();
			const made = asked.size > 0 ? await book.claim([...asked.values()]) : undefined;
			if (made?.ok) claims.note([...asked.keys()], made.value);
			for (const value of known) {
				const key = people.get(value)?.key ?? '';
				const refusal = claims.refusalOf(key);
				if (made && !made.ok && asked.has(key)) value.outcome = unwritten(made.failure);
				else if (refusal) value.outcome = outcomeOf(refusal, settings);
				else value.deadlineMs = Math.min(value.deadlineMs ?? Infinity, claimedMs + MAX_DELAY_MS);
			}
		},
		after: (batch) => {
			for (const value of batch) {
				const key = people.get(value)?.key;
				if (key === undefined || !value.outcome) continue;
				claims.end(key, endOf(value.outcome.outcome));
				// Of several conversations of one person the strictest end counts, once all are over.
				if (settings.duplicates !== 'sendAll') claims.settle(key);
			}
		},
		close: async ({ values }) => {
			if (settings.dryRun) return limit && people.size > 0 ? await showLimit(values) : {};
			claims.settleAll();
			await book.flush();
			return {};
		},
	};
}

type ClaimedNames = Extract<Claim, { is: 'claimed' }>['names'];
type End = 'called' | 'notCalled' | 'unknown';

/** The people whom a run has claimed, and how their conversations ended. */
function createClaims(book: Book) {
	const claimed = new Map<string, { readonly names?: ClaimedNames; readonly ends: End[] }>();
	const refused = new Map<string, Exclude<Claim['is'], 'claimed'>>();
	const settle = (key: string): void => {
		const claim = claimed.get(key);
		claimed.delete(key);
		if (!claim?.names) return;
		const [end] = (['unknown', 'called'] as const).filter((each) => claim.ends.includes(each));
		// Whoever a later guard left out was not called.
		book.end(claim.names, end ?? 'notCalled');
	};
	return {
		has: (key: string): boolean => claimed.has(key),
		grant: (key: string): void => void claimed.set(key, { ends: [] }),
		note: (keys: readonly string[], claims: readonly Claim[]): void => {
			for (const [i, key] of keys.entries()) {
				const claim = claims[i];
				refused.delete(key);
				if (claim?.is === 'claimed') claimed.set(key, { names: claim.names, ends: [] });
				else if (claim) refused.set(key, claim.is);
			}
		},
		refusalOf: (key: string) => (claimed.has(key) ? undefined : refused.get(key)),
		end: (key: string, end: End): void => void claimed.get(key)?.ends.push(end),
		settle,
		settleAll: (): void => {
			for (const key of [...claimed.keys()]) settle(key);
		},
	};
}

function endOf(outcome: string): End {
	if (outcome === 'accepted') return 'called';
	return outcome === 'unknown' ? 'unknown' : 'notCalled';
}

/** The people of a run. A chat or web conversation without a number has a person only where attempts are counted. */
function peopleIn(
	{ values }: Plan<PlannedConversation>,
	{ attempts }: CreateSettings,
	account: string,
): ReadonlyMap<Planned, Person> {
	const found = values.flatMap((value): Array<[Planned, Person]> => {
		const { numbers, personId, campaignKey } = value.content;
		if (numbers.length === 0 && !(attempts && personId !== '')) return [];
		const key = JSON.stringify([account, value.identity]);
		return [[value, { key, campaign: sameText(campaignKey) }]];
	});
	return new Map(found);
}

/** Why the list of people cannot be used, if there is a reason. Without a saved workflow a run goes on where no one asked for the list. */
async function checkList(
	{ attempts, maximumPerDay, isHoursChosen }: CreateSettings,
	{ dedupeStore: store }: OperationContext,
): Promise<Findings | undefined> {
	const size = await store.size();
	const isChosen = attempts !== undefined || maximumPerDay?.isChosen === true || isHoursChosen;
	if (!size.ok)
		return size.failure === NOT_SAVED && !isChosen
			? { notes: [NOT_KEPT] }
			: { stop: noList(size.failure) };
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
	return trimmed.value ? undefined : { stop: full(size.value) };
}

const NOT_KEPT =
	'This workflow is not saved, so n8n cannot remember who was called: another execution calls everyone again';

const noList = (problem: string): string =>
	`Not sent, because n8n's list of people called cannot be used (${problem}). ${problem === NOT_SAVED ? 'Save the workflow' : 'Run the node again'}`;

const full = (size: number): string =>
	`Not sent, because the list of people called is full (${formatCount(size)} entries, up to 9 per person with 3 attempts). Replace the node by a copy of it, which begins with an empty list, once the campaign has ended`;

const unwritten = (failure: string): NotAccepted =>
	held(
		`Not called, because n8n could not record who is being called (${failure}). Run the node again`,
	);

/** How someone stands who is not called, in words. */
export function outcomeOf(
	standing: Standing['is'] | 'overDayLimit',
	{ hoursBetweenCalls: hours, attempts, maximumPerDay }: CreateSettings,
): NotAccepted | undefined {
	const inHours = plural(hours, 'hour');
	switch (standing) {
		case 'free':
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
				`Not called, because ${formatCount(maximumPerDay?.max ?? 0)} were called today (Maximum per Day)`,
				'over the limit of the day',
			);
		case 'calling':
			return { outcome: 'unknown', failure: CALLING };
	}
}

const CALLING = {
	kind: 'connection',
	call: 'another run of this node',
	sent: 'unknown',
	code: 'CLAIMED',
	message: 'it is in progress, or ended before the response came',
} as const;
