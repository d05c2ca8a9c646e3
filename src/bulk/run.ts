import type { Operation, OperationContext, Run } from '../core/operation';
import { allInvalid, parseRow } from '../core/operation';
import type { RunPlan } from './check';
import { checkRows } from './check';
import type { Journal } from './journal';
import { openJournal } from './journal';
import { ledgerKeys, recallSent, sentEarlier } from './ledger';
import type { BulkOperation, SendSettings, SendWindow } from './operation';
import type { Outcome } from './outcomes';
import { preview } from './preview';
import { toResults } from './results';
import { sendInBatches } from './send';

/** Runs a bulk operation: checks all rows, then previews or sends those that may be sent, and accounts for every one. */
export const runInBulk =
	<T, Settings extends SendSettings>(
		operation: BulkOperation<T, Settings, object, object>,
	): Operation['run'] =>
	async ({ settings, rows }, context) => {
		const read = parseRow(operation.settings, settings);
		if ('problems' in read) return rejectAll(allInvalid(rows, read.problems));
		const plan = checkRows(rows, operation, read.input);
		const keys = ledgerKeys(plan.values, operation, read.input, context);
		recallSent(plan, keys, context);
		withholdOlder(plan, operation, read.input);
		const journal = await journalOf(plan, operation, { settings: read.input, context });
		const notes = [...plan.notes, ...('problem' in journal ? [journal.problem] : [])];
		const opened = 'opened' in journal ? journal.opened : undefined;
		if (opened) await recallContacted(plan, opened);
		const window = operation.sendWindow?.(read.input, context.zone);
		if (window) withholdNow(plan, window, context.now());
		const windowNote = () => [window?.note(plan.outcomes, context.now()) ?? []].flat();
		const pending = pendingOf(plan).length;
		const reason =
			plan.reasonNotToSend ??
			('reasonNotToSend' in journal ? journal.reasonNotToSend : undefined) ??
			operation.tooMany?.({ pending, earlier: sentEarlier(context.ledger) }, read.input);
		if (read.input.dryRun)
			return noted(preview({ ...plan, reasonNotToSend: reason }, operation, read.input), [
				...notes,
				...windowNote(),
			]);
		if (reason !== undefined) {
			const outcomes = plan.outcomes.map((outcome) => outcome ?? withheld(reason));
			return noted(toResults({ ...plan, outcomes, requests: 0 }, 'rows', operation.output), notes);
		}
		const requests = await sendInBatches(plan, operation, {
			settings: read.input,
			keys,
			journal: opened,
			window,
			context,
		});
		const run = toResults({ ...plan, requests }, read.input.outputAs, operation.output);
		const close = opened && { close: opened.close };
		return noted({ ...run, ...close }, [...notes, ...windowNote()]);
	};

/** Notes values that must not be sent at this moment. */
function withholdNow<T>(plan: RunPlan<T>, window: SendWindow<T>, nowMs: number): void {
	for (const [index, value] of plan.values.entries())
		plan.outcomes[index] ??= window.reason(value, nowMs);
}

const pendingOf = <T>({ outcomes }: RunPlan<T>): number[] =>
	[...outcomes.keys()].filter((index) => outcomes[index] === undefined);

/** An older value must not be sent after a newer one of the same identity, as a retry would. */
function withholdOlder<T, Settings extends SendSettings>(
	{ values, outcomes }: RunPlan<T>,
	operation: BulkOperation<T, Settings, object, object>,
	settings: Settings,
): void {
	if (settings.duplicates !== 'sendAll' || !operation.resendsChanged?.(settings)) return;
	const newer = new Set<string>();
	for (let index = values.length - 1; index >= 0; index--) {
		const id = operation.identity.of(values[index] as T);
		if (outcomes[index]) newer.add(id);
		else if (newer.has(id)) outcomes[index] = OLDER;
	}
}

const OLDER: Outcome = {
	outcome: 'notSent',
	failure: {
		kind: 'skipped',
		message: 'Not sent, because a newer row of the same customer was sent already',
	},
};

/** The journal of a run, where one is kept and can be. */
async function journalOf<T, Settings extends SendSettings>(
	{ values }: RunPlan<T>,
	{ journalKey, keepsJournal }: BulkOperation<T, Settings, object, object>,
	{ settings, context }: { readonly settings: Settings; readonly context: OperationContext },
): Promise<
	| { readonly opened?: Journal }
	| { readonly problem: string }
	| { readonly reasonNotToSend: string }
> {
	if (!journalKey || values.length === 0) return {};
	const isKept = keepsJournal?.(settings) === true;
	const seen = new Map<string, number>();
	const keys = values.map((value) => {
		const key = journalKey(value, settings);
		const occurrence = (seen.get(key) ?? 0) + 1;
		seen.set(key, occurrence);
		// Only duplicates that are sent by choice are told apart: of others, any one stands for the person.
		const isCounted = settings.duplicates === 'sendAll' && occurrence > 1;
		return JSON.stringify([context.account, key, ...(isCounted ? [occurrence] : [])]);
	});
	const journal = await openJournal(context.dedupeStore, { keys, isKept, nowMs: context.now() });
	if (!('problem' in journal)) return { opened: journal };
	if (isKept)
		return {
			reasonNotToSend: `Not sent, because n8n's list of people already contacted cannot be used (${journal.problem}). Save the workflow, or turn 'Skip People Already Contacted' off`,
		};
	return {
		problem: `n8n keeps no list of who is contacted (${journal.problem}), so after a crash a new run contacts everyone again`,
	};
}

/** Notes the outcomes of people whom other runs contacted. */
async function recallContacted<T>(plan: RunPlan<T>, journal: Journal): Promise<void> {
	const pending = pendingOf(plan);
	const known = await journal.recall(pending);
	for (const [i, index] of pending.entries()) plan.outcomes[index] = known[i];
}

/** Rows of a run with invalid settings end like invalid rows. */
const rejectAll = (run: Run): Run => ({
	...run,
	rows: run.rows.map((row) => ({ ...row, details: { outcome: 'rejected' } })),
});

const withheld = (message: string): Outcome => ({
	outcome: 'notSent',
	failure: { kind: 'held', message },
});

const noted = (run: Run, notes: readonly string[]): Run =>
	notes.length === 0
		? run
		: { ...run, summary: [run.summary, ...notes].join('. ').replaceAll('.. ', '. ') };
