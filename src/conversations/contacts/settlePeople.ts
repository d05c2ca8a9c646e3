import uniq from 'lodash/uniq';
import type { Failed, Outcome } from '../../bulk/outcomes';
import { held, leftOut } from '../../bulk/outcomes';
import type { Entry, Findings, Plan } from '../../bulk/plan';
import { formatCount } from '../../core/words';
import { personKeys } from '../create/identity';
import type { PlannedConversation } from '../create/plannedConversation';
import type { CreateSettings, SettledByHand } from '../create/settings';
import type { Book, SettledAs } from './book';
import type { Person } from './personNames';

type Planned = Entry<PlannedConversation>;

interface Settling {
	readonly settled: SettledByHand;
	readonly book: Book;
	readonly people: ReadonlyArray<readonly [Planned, Person]>;
	readonly settings: CreateSettings;
}

/** Settles the people whom the user named, in a run that calls no one: calling becomes called, or free. */
export async function settlePeople(
	{ entries: values }: Plan<PlannedConversation>,
	{ settled, book, people, settings }: Settling,
): Promise<Findings<PlannedConversation>> {
	const looked = await book.look(people.map(([, person]) => person));
	const standings = looked.ok ? looked.value : [];
	const found = new Set<string | undefined>();
	const leaveOut = new Map<Planned, Outcome>();
	for (const [i, [value, person]] of people.entries()) {
		const keys = personKeys(value.content);
		const how = SETTLED_AS.find((each) => keys.some((key) => settled[each].has(key)));
		if (standings[i] !== 'calling') leaveOut.set(value, ONLY_SETTLES);
		else if (how === undefined) leaveOut.set(value, CALLING);
		else {
			for (const key of keys) found.add(settled[how].get(key));
			leaveOut.set(value, settledAs(how, settings));
			if (!settings.dryRun) book.end(person, how);
		}
	}
	const written = looked.ok ? await book.flush() : looked;
	for (const value of values)
		if (written.ok) leaveOut.set(value, leaveOut.get(value) ?? value.outcome ?? ONLY_SETTLES);
		else
			leaveOut.set(
				value,
				held(
					`Nothing was settled, because n8n could not record it (${written.failure}). Run the node again`,
				),
			);
	return { leaveOut, notes: written.ok ? [noteOf(settled, found, settings.dryRun)] : [] };
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

function settledAs(how: SettledAs, { dryRun, maximumPerDay }: CreateSettings): Outcome {
	const settled = dryRun ? 'Would be settled' : 'Settled';
	const said = `${settled} as ${how === 'called' ? 'called' : 'not called'}, because it is listed under Settle Unknown People`;
	if (how === 'called' || dryRun) return leftOut(said);
	const place = maximumPerDay ? ', whose place in Maximum per Day stays taken' : '';
	return leftOut(`${said}. The next run with these safeguards may call this person${place}`);
}

const SETTLED_AS = ['called', 'notCalled'] as const;

const ONLY_SETTLES = leftOut('Not called, because this run only settles unknown people');

const CLAIMED = {
	kind: 'connection',
	call: 'another run of this node',
	sent: 'unknown',
	code: 'CLAIMED',
	message: 'it is in progress, or ended before the response came',
} as const;

/** The outcome of someone whose call nobody knows the end of. */
export const CALLING: Failed = { outcome: 'unknown', failure: CLAIMED };
