import type { NotAccepted } from '../../bulk/outcomes';
import { held, leftOut } from '../../bulk/outcomes';
import type { Findings, Plan, Value } from '../../bulk/plan';
import { formatCount } from '../../core/text';
import type { PlannedConversation } from '../create/readRows';
import type { CreateSettings } from '../create/settings';
import type { Book, SettledAs } from './book';
import { outcomeOf } from './contactsGuard';
import type { Person } from './personNames';
import type { SettledByHand } from '../create/safeguards';

type Planned = Value<PlannedConversation>;

interface Settling {
	readonly settled: SettledByHand;
	readonly book: Book;
	readonly people: ReadonlyMap<Planned, Person>;
	readonly settings: CreateSettings;
}

/** Settles the people whom the user named, in a run that calls no one: calling becomes called, or free. */
export async function settlePeople(
	{ values }: Plan<PlannedConversation>,
	{ settled, book, people, settings }: Settling,
): Promise<Findings> {
	const known = values.filter((value) => people.has(value));
	const howOf = (value: Planned): SettledAs | undefined => {
		const names = namesFor(value);
		if (names.some((name) => settled.called.has(name))) return 'called';
		return names.some((name) => settled.notCalled.has(name)) ? 'notCalled' : undefined;
	};
	const asked = known.flatMap((value) => {
		const person = people.get(value);
		return person ? [{ person, how: settings.dryRun ? undefined : howOf(value) }] : [];
	});
	const stood = await book.settle(asked);
	if (!stood.ok) {
		for (const value of values) value.outcome = unsettled(stood.failure);
		return {};
	}
	const found = new Set<string>();
	for (const [i, { is }] of stood.value.entries()) {
		const value = known[i];
		if (!value) continue;
		const how = is === 'calling' ? howOf(value) : undefined;
		if (how) for (const name of namesFor(value)) found.add(name);
		if (how === undefined)
			value.outcome = is === 'calling' ? outcomeOf(is, settings) : ONLY_SETTLES;
		else if (settings.dryRun) value.outcome = how === 'called' ? WOULD_BE_CALLED : WOULD_BE_FREE;
		else value.outcome = how === 'called' ? CALLED : FREE;
	}
	for (const value of values) value.outcome ??= ONLY_SETTLES;
	return { notes: [noteOf(settled, found, settings.dryRun)] };
}

/** How a user may name someone. */
const namesFor = ({ content: { conversation, personId } }: Planned): string[] =>
	[conversation.toPhoneNumber, personId].flatMap((name) =>
		name === undefined || name === '' ? [] : [name],
	);

function noteOf(
	{ called, notCalled }: SettledByHand,
	found: ReadonlySet<string>,
	isDryRun: boolean,
): string {
	const named = [...called, ...notCalled];
	const missing = named.filter((name) => !found.has(name));
	const count = named.length - missing.length;
	const said = `${formatCount(count)} of ${formatCount(named.length)} named people ${isDryRun ? 'would be' : 'were'} settled`;
	return missing.length > 0
		? `${said}. Not unknown, or not among the rows: ${missing.slice(0, 10).join(', ')}`
		: said;
}

const CALLED = leftOut('Settled as called, because it is listed under Settle Unknown People');
const FREE = leftOut(
	'Settled as not called, because it is listed under Settle Unknown People. The next run with these safeguards may call this person',
);
const WOULD_BE_CALLED = leftOut(
	'Would be settled as called, because it is listed under Settle Unknown People',
);
const WOULD_BE_FREE = leftOut(
	'Would be settled as not called, because it is listed under Settle Unknown People',
);
const ONLY_SETTLES = leftOut('Not called, because this run only settles unknown people');

const unsettled = (failure: string): NotAccepted =>
	held(`Nothing was settled, because n8n could not record it (${failure}). Run the node again`);
