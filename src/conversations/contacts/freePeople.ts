import difference from 'lodash/difference';
import { leftOut } from '../../bulk/outcomes';
import type { Entry, Findings } from '../../bulk/plan';
import { formatCount } from '../../core/words';
import type { PlannedConversation } from '../create/plannedConversation';
import { personKeys } from '../create/plannedConversation';
import type { CreateSettings } from '../create/settings';
import type { Book } from './book';
import type { Person } from './personNames';

/** A conversation and the person it is for. */
export interface Pair {
	readonly entry: Entry<PlannedConversation>;
	readonly person: Person;
}

/** Frees the people listed under Not Called, in a run that calls no one. */
export async function freePeople(
	pairs: readonly Pair[],
	{ notCalled = new Set<string>(), dryRun, maximumPerDay }: CreateSettings,
	{ book, nowMs }: { readonly book: Book; readonly nowMs: number },
): Promise<Findings<PlannedConversation>> {
	const findName = ({ entry }: Pair): string | undefined =>
		personKeys(entry.content).find((key) => notCalled.has(key));
	const listed = pairs.filter((pair) => findName(pair) !== undefined);
	const people = listed.map(({ person }) => person);
	const states = await (dryRun ? book.readStates(people, nowMs) : book.free(people, nowMs));
	if (!states.ok)
		return {
			stop: `n8n could not record who was not called (${states.failure}). Run the node again`,
		};
	const freed = listed.filter((_, i) => states.value[i] !== 'free');
	const names = [...notCalled];
	const missing = difference(names, freed.map(findName));
	const count = `${formatCount(names.length - missing.length)} of ${formatCount(names.length)}`;
	const suffix =
		missing.length > 0
			? `. Not in the rows, or free already: ${missing.slice(0, 10).join(', ')}`
			: '';
	const place = maximumPerDay ? '. The place in Maximum per Day stays taken' : '';
	const reason = `This person ${dryRun ? 'would be' : 'is'} free for the next run, because Not Called lists the number or person ID${place}`;
	return {
		leaveOut: new Map(freed.map(({ entry }) => [entry, leftOut(reason)])),
		notes: [`${count} people under Not Called ${dryRun ? 'would be' : 'were'} freed${suffix}`],
	};
}
