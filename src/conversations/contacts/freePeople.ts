import difference from 'lodash/difference';
import uniq from 'lodash/uniq';
import { leftOut } from '../../bulk/outcomes';
import type { Entry, Findings } from '../../bulk/plan';
import { formatCount } from '../../core/words';
import { personKeys } from '../create/identity';
import type { PlannedConversation } from '../create/plannedConversation';
import type { CreateSettings } from '../create/settings';
import type { Book } from './book';
import type { Person } from './personNames';

type Planned = Entry<PlannedConversation>;

/** Frees the people listed under Not Called, in a run that calls no one. */
export async function freePeople(
	pending: readonly Planned[],
	planned: ReadonlyArray<{ readonly entry: Planned; readonly person: Person }>,
	{
		book,
		settings,
		nowMs,
	}: { readonly book: Book; readonly settings: CreateSettings; readonly nowMs: number },
): Promise<Findings<PlannedConversation>> {
	const { notCalled = new Map<string, string>(), dryRun, maximumPerDay } = settings;
	const findName = ({ content }: Planned): string | undefined =>
		personKeys(content).flatMap((key) => notCalled.get(key) ?? [])[0];
	const listed = planned.filter(({ entry }) => findName(entry) !== undefined);
	const states = await book.look(
		listed.map(({ person }) => person),
		nowMs,
		!dryRun,
	);
	if (!states.ok)
		return {
			stop: `n8n could not record who was not called (${states.failure}). Run the node again`,
		};
	const freed = listed.filter((_, i) => states.value[i] !== 'free').map(({ entry }) => entry);
	const place = maximumPerDay ? '. The place in Maximum per Day stays taken' : '';
	const will = dryRun ? 'would be free' : 'is free';
	const isFree = leftOut(
		`This person ${will} for the next run, because Not Called lists the number or person ID${place}`,
	);
	const named = uniq([...notCalled.values()]);
	const missing = difference(named, freed.map(findName));
	const count = `${formatCount(named.length - missing.length)} of ${formatCount(named.length)}`;
	const rest =
		missing.length > 0
			? `. Not in the rows, or free already: ${missing.slice(0, 10).join(', ')}`
			: '';
	return {
		leaveOut: new Map([
			...pending.map((entry) => [entry, ONLY_FREES] as const),
			...freed.map((entry) => [entry, isFree] as const),
		]),
		notes: [`${count} people under Not Called ${dryRun ? 'would be' : 'were'} freed${rest}`],
	};
}

const ONLY_FREES = leftOut(
	'Not called, because a run with Not Called only frees the people listed there',
);
