import uniq from 'lodash/uniq';
import type { NotAccepted } from '../../bulk/outcomes';
import { held, leftOut } from '../../bulk/outcomes';
import type { Findings, Plan, Value } from '../../bulk/plan';
import { formatCount } from '../../core/text';
import { ownKeys } from '../create/identity';
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
	const asked = values.flatMap((value) => {
		const person = people.get(value);
		const keys = ownKeys(value.content);
		const how = SETTLED_AS.find((each) => keys.some((key) => settled[each].has(key)));
		return person ? [{ ...person, value, keys, how }] : [];
	});
	const stood = await book.look(
		settings.dryRun ? asked.map(({ key, campaign }) => ({ key, campaign })) : asked,
	);
	if (!stood.ok) {
		for (const value of values) value.outcome = unsettled(stood.failure);
		return {};
	}
	const found = new Set<string | undefined>();
	for (const [i, { value, keys, how }] of asked.entries()) {
		if (stood.value[i]?.is !== 'calling') value.outcome = ONLY_SETTLES;
		else if (how === undefined) value.outcome = outcomeOf('calling', settings);
		else {
			for (const key of keys) found.add(settled[how].get(key));
			value.outcome = settledAs(how, settings);
		}
	}
	for (const value of values) value.outcome ??= ONLY_SETTLES;
	return { notes: [noteOf(settled, found, settings.dryRun)] };
}

function noteOf(
	{ called, notCalled }: SettledByHand,
	found: ReadonlySet<string | undefined>,
	isDryRun: boolean,
): string {
	const named = uniq([...called.values(), ...notCalled.values()]);
	const missing = named.filter((name) => !found.has(name));
	const count = named.length - missing.length;
	const said = `${formatCount(count)} of ${formatCount(named.length)} named people ${isDryRun ? 'would be' : 'were'} settled`;
	return missing.length > 0
		? `${said}. Not unknown, or not among the rows: ${missing.slice(0, 10).join(', ')}`
		: said;
}

function settledAs(how: SettledAs, { dryRun, maximumPerDay }: CreateSettings): NotAccepted {
	const settled = dryRun ? 'Would be settled' : 'Settled';
	const said = `${settled} as ${how === 'called' ? 'called' : 'not called'}, because it is listed under Settle Unknown People`;
	if (how === 'called' || dryRun) return leftOut(said);
	const place = maximumPerDay ? ', whose place in Maximum per Day stays taken' : '';
	return leftOut(`${said}. The next run with these safeguards may call this person${place}`);
}

const SETTLED_AS = ['called', 'notCalled'] as const;

const ONLY_SETTLES = leftOut('Not called, because this run only settles unknown people');

const unsettled = (failure: string): NotAccepted =>
	held(`Nothing was settled, because n8n could not record it (${failure}). Run the node again`);
