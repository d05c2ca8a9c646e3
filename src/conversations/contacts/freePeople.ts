import { difference } from 'lodash';
import { toLeftOut } from '../../bulk/outcomes';
import { filterPending, type Entry, type Findings } from '../../bulk/plan';
import { listSome } from '../../core/words';
import { personKeys, type PlannedConversation } from '../create/plannedConversation';
import type { CreateSettings } from '../create/settings';
import type { Book } from './book';
import type { Contact, Person } from './contact';

/** Frees the people listed under Not Called, in a run that calls no one. */
export async function freePeople(
	entries: ReadonlyArray<Entry<PlannedConversation>>,
	{ notCalled = new Set<string>(), dryRun }: CreateSettings,
	{ book, nowMs, people }: { book: Book; nowMs: number; people: ReadonlyMap<string, Person> },
): Promise<Findings<PlannedConversation>> {
	/** Whether Not Called lists the number or Person ID of an entry. */
	const isListed = ({ content }: Entry<PlannedConversation>): boolean =>
		personKeys(content).some((key) => notCalled.has(key));
	const listed = entries.filter((entry) => people.has(entry.identity) && isListed(entry));
	const listedPeople = listed.flatMap(({ identity }) => people.get(identity) ?? []);
	// The store can test a text only by adding it (`added`), so these are removed in any case. Removing `lastCall` frees a person.
	const listRemoved = ({ added, lastCall, state }: Contact) =>
		dryRun || state === 'free' ? added : [...added, ...lastCall];
	// `readStates` removes the texts that `listRemoved` returns, and returns the states before.
	const states = await book.readStates(listedPeople, nowMs, listRemoved);
	if (!states.ok) return { stop: `${NOT_RECORDED} (${states.failure}). Run the node again` };
	const freed = listed.filter((_, i) => states.value[i] !== 'free');
	const freedKeys = freed.flatMap(({ content }) => personKeys(content));
	const missing = difference([...notCalled], freedKeys);
	const count = `${notCalled.size - missing.length} of ${notCalled.size} people under Not Called`;
	const missingText =
		missing.length > 0
			? `. Not in the rows, or free already: ${listSome(missing)}. Enter numbers with + and their country code`
			: '';
	const freedOutcome = toLeftOut(
		`This person ${dryRun ? 'would be' : 'is'} free for the next run with these settings, because Not Called lists the number or person ID`,
	);
	return {
		leaveOut: new Map([
			...filterPending(entries).map((entry) => [entry, ONLY_FREES] as const),
			...freed.map((entry) => [entry, freedOutcome] as const),
		]),
		notes: [`${dryRun ? 'Would be freed' : 'Freed'}: ${count}${missingText}`],
	};
}

const ONLY_FREES = toLeftOut(
	'Not called, because a run with Not Called only frees the people listed there',
);
const NOT_RECORDED = 'n8n could not record who was not called';
