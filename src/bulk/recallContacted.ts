import memoize from 'lodash/memoize';
import type { OperationContext } from '../core/operation';
import { ok } from '../core/result';
import { dayEntry, planAttempts } from './attempts';
import type { RunPlan } from './check';
import { pendingOf } from './check';
import type { Journal } from './journal';
import { openJournal } from './journal';
import { dayOf } from './dailyLimit';
import type { BulkOperation, SendSettings } from './operation';
import type { Outcome } from './outcomes';

/** What a run can do about people other runs contacted: it has a journal, goes on without one, or sends nothing. */
export interface Contacted {
	readonly journal?: Journal;
	readonly note?: string;
	readonly reasonNotToSend?: string;
	/** The keys of the values in the journal, and whether that is kept for good. */
	readonly keys?: readonly string[];
	readonly isKept?: boolean;
	/** The entries that say that a value had an attempt today. */
	readonly dayEntries?: (index: number) => readonly string[];
}

interface RecallOptions<Settings> {
	readonly settings: Settings;
	/** Values that an earlier attempt of this execution contacted. */
	readonly earlier: readonly number[];
	readonly context: OperationContext;
}

/** Opens the journal of a run, and notes the outcomes of people other runs contacted. */
export async function recallContacted<T, Settings extends SendSettings>(
	plan: RunPlan<T>,
	operation: BulkOperation<T, Settings, object, object>,
	{ settings, earlier, context }: RecallOptions<Settings>,
): Promise<Contacted> {
	const { journalKey, keepsJournal, attempts } = operation;
	if (!journalKey || plan.values.length === 0) return {};
	const option = keepsJournal?.(settings);
	const isKept = option !== undefined;
	const { account, dedupeStore, now, parent, zone } = context;
	const sendsDuplicates = settings.duplicates === 'sendAll';
	const names = plan.values.map((value) => journalKey(value, settings));
	const people = toKeys(names, { account, sendsDuplicates });
	const limit = attempts?.(settings);
	// It is asked for each person, and the calendar is slow.
	const dayAt = memoize((second: number) => dayOf(second * 1000, zone));
	const day = () => dayAt(Math.floor(now() / 1000));
	const planned = limit
		? await planAttempts(dedupeStore, {
				keys: people,
				indexes: pendingOf(plan),
				limit,
				day: day(),
			})
		: ok({ keys: people, known: new Map<number, Outcome>() });
	if (!planned.ok) return { reasonNotToSend: noList(planned.failure, option ?? '') };
	for (const [index, outcome] of planned.value.known) plan.outcomes[index] = outcome;
	const { keys } = planned.value;
	const indexes = pendingOf(plan);
	const dayEntries = limit && ((index: number) => [dayEntry(people[index] ?? '', day())]);
	const opened = await openJournal(
		dedupeStore,
		{
			keys,
			isKept,
			earlier,
			now,
			keptEntries: dayEntries,
			// Who sends duplicates by choice may do so in another sub-execution.
			parent: sendsDuplicates ? undefined : parent,
		},
		{ indexes, sends: !settings.dryRun },
	);
	if ('journal' in opened) {
		for (const [i, index] of indexes.entries()) plan.outcomes[index] = opened.known[i];
		return { journal: opened.journal, keys, isKept, ...(dayEntries && { dayEntries }) };
	}
	if (option !== undefined) return { reasonNotToSend: noList(opened.problem, option) };
	return {
		note: `n8n cannot keep a list of people contacted (${opened.problem}), so after a crash a new run contacts everyone again`,
	};
}

const noList = (problem: string, option: string): string =>
	`Not sent, because n8n's list of people already contacted cannot be used (${problem}). Save the workflow, or turn '${option}' off`;

/** The keys of people. Only duplicates that are sent by choice are told apart: of others, any one stands for the person. */
function toKeys(
	names: readonly string[],
	{ account, sendsDuplicates }: { readonly account: string; readonly sendsDuplicates: boolean },
): readonly string[] {
	const seen = new Map<string, number>();
	return names.map((name) => {
		const occurrence = (seen.get(name) ?? 0) + 1;
		seen.set(name, occurrence);
		const isCounted = sendsDuplicates && occurrence > 1;
		return JSON.stringify([account, name, ...(isCounted ? [occurrence] : [])]);
	});
}
