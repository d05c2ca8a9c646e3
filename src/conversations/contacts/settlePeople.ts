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
	const howOf = (names: readonly string[]): SettledAs | undefined => {
		if (names.some((name) => settled.called.has(name))) return 'called';
		return names.some((name) => settled.notCalled.has(name)) ? 'notCalled' : undefined;
	};
	const asked = values.flatMap((value) => {
		const person = people.get(value);
		const names = namesFor(value);
		return person ? [{ ...person, value, names, how: howOf(names) }] : [];
	});
	const stood = await book.look(
		settings.dryRun ? asked.map(({ key, campaign }) => ({ key, campaign })) : asked,
	);
	if (!stood.ok) {
		for (const value of values) value.outcome = unsettled(stood.failure);
		return {};
	}
	const found = new Set<string>();
	for (const [i, { value, names, how }] of asked.entries()) {
		if (stood.value[i]?.is !== 'calling') value.outcome = ONLY_SETTLES;
		else if (how === undefined) value.outcome = outcomeOf('calling', settings);
		else {
			for (const name of names) found.add(name);
			value.outcome = settledAs(how, settings.dryRun);
		}
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

function settledAs(how: SettledAs, isDryRun: boolean): NotAccepted {
	const settled = isDryRun ? 'Would be settled' : 'Settled';
	const said = `${settled} as ${how === 'called' ? 'called' : 'not called'}, because it is listed under Settle Unknown People`;
	const isFree = how === 'notCalled' && !isDryRun;
	return leftOut(
		isFree ? `${said}. The next run with these safeguards may call this person` : said,
	);
}

const ONLY_SETTLES = leftOut('Not called, because this run only settles unknown people');

const unsettled = (failure: string): NotAccepted =>
	held(`Nothing was settled, because n8n could not record it (${failure}). Run the node again`);
