import difference from 'lodash/difference';
import uniq from 'lodash/uniq';
import { leftOut } from '../../bulk/outcomes';
import type { Findings, Value } from '../../bulk/plan';
import { formatCount } from '../../core/words';
import { personKeys } from '../create/identity';
import type { PlannedConversation } from '../create/plannedConversation';
import type { CreateSettings } from '../create/settings';
import type { Book } from './book';
import type { Person } from './personNames';

type Planned = Value<PlannedConversation>;

/** Frees the people listed under Not Called, in a run that calls no one. */
export async function freePeople(
	pending: readonly Planned[],
	planned: ReadonlyArray<{ readonly value: Planned; readonly person: Person }>,
	{
		book,
		settings,
		nowMs,
	}: { readonly book: Book; readonly settings: CreateSettings; readonly nowMs: number },
): Promise<Findings> {
	const { notCalled = new Map<string, string>(), dryRun, maximumPerDay } = settings;
	const findName = ({ content }: Planned): string | undefined =>
		personKeys(content).flatMap((key) => notCalled.get(key) ?? [])[0];
	const listed = planned.filter(({ value }) => findName(value) !== undefined);
	const states = await book.look(
		listed.map(({ person }) => person),
		nowMs,
		!dryRun,
	);
	if (!states.ok)
		return {
			stop: `n8n could not record who was not called (${states.failure}). Run the node again`,
		};
	const freed = listed.filter((_, i) => states.value[i] !== 'free').map(({ value }) => value);
	const place = maximumPerDay ? '. The place in Maximum per Day stays taken' : '';
	const will = dryRun ? 'would be free' : 'is free';
	for (const value of pending) value.outcome = ONLY_FREES;
	for (const value of freed)
		value.outcome = leftOut(
			`This person ${will} for the next run, because Not Called lists the number or person ID${place}`,
		);
	const named = uniq([...notCalled.values()]);
	const others = difference(named, freed.map(findName));
	const count = `${formatCount(named.length - others.length)} of ${formatCount(named.length)}`;
	const rest =
		others.length > 0
			? `. Not in the rows, or free already: ${others.slice(0, 10).join(', ')}`
			: '';
	return {
		notes: [`${count} people under Not Called ${dryRun ? 'would be' : 'were'} freed${rest}`],
	};
}

const ONLY_FREES = leftOut(
	'Not called, because a run with Not Called only frees the people listed there',
);
