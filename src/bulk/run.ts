import type { Operation, Run } from '../core/operation';
import { allInvalid, parseRow } from '../core/operation';
import type { RunPlan } from './check';
import { checkRows, pendingOf } from './check';
import { ledgerKeys, recallSent, sentEarlier } from './ledger';
import type { BulkOperation, SendSettings, SendWindow } from './operation';
import type { Outcome } from './outcomes';
import { planDifference, planIdOf } from './planId';
import { preview } from './preview';
import { limitToday } from './limitToday';
import { recallContacted } from './recallContacted';
import { toResults } from './results';
import { finishedItem, planItem } from './runItem';
import { sendInBatches } from './send';
import { settleByHand } from './settleByHand';
import { openSentRecord } from './sentState';

/** Runs a bulk operation: checks all rows, then previews or sends those that may be sent, and accounts for every one. */
export const runInBulk =
	<T, Settings extends SendSettings>(
		operation: BulkOperation<T, Settings, object, object>,
	): Operation['run'] =>
	async ({ settings, rows }, context) => {
		const read = parseRow(operation.settings, settings);
		if ('problems' in read) return rejectAll(allInvalid(rows, read.problems));
		const plan = checkRows(rows, operation, read.input);
		const planId = approvalId(plan, operation, read.input);
		const candidates = pendingOf(plan);
		const keyOf = ledgerKeys(plan.values, operation, read.input, context);
		const earlier = recallSent(plan, keyOf, context);
		withholdOlder(plan, operation, read.input);
		const recalled = await recallContacted(plan, operation, {
			settings: read.input,
			earlier,
			context,
		});
		const { journal, note, reasonNotToSend } = recalled;
		const settled = await settleByHand(plan, operation, {
			settings: read.input,
			recalled,
			context,
		});
		const notes = [...plan.notes, ...[note ?? [], settled ?? []].flat()];
		const window = operation.sendWindow?.(read.input, context.zone);
		if (window) withholdNow(plan, window, context.now());
		const limited = await limitToday(plan, operation, { settings: read.input, journal, context });
		const windowNote = () => [window?.note(plan.outcomes, context.now()) ?? []].flat();
		const pending = pendingOf(plan).length;
		const refusal =
			plan.reasonNotToSend ??
			notApproved(operation.approval?.approvedPlan(read.input), planId) ??
			reasonNotToSend ??
			limited.reasonNotToSend ??
			operation.tooMany?.({ pending, earlier: sentEarlier(context.ledger) }, read.input);
		const allRows = [...plan.rows.keys()];
		const { dryRun, outputAs } = read.input;
		const sent =
			dryRun || refusal === undefined
				? await openSentRecord(plan, operation, { settings: read.input, context, candidates })
				: {};
		const reason = refusal ?? sent.reasonNotToSend;
		if (sent.note !== undefined) notes.push(sent.note);
		if (dryRun) {
			const judged = { ...plan, reasonNotToSend: reason };
			const shown = preview(judged, operation, read.input);
			if (outputAs !== 'run') return noted(shown, [...notes, ...windowNote()]);
			const { summary = '' } = shown;
			const shared = [{ item: planItem(judged, operation, planId), rows: allRows }];
			const rows = plan.rows.map(() => ({ items: [] }));
			return noted({ rows, shared, summary }, [...notes, ...windowNote()]);
		}
		if (reason !== undefined || operation.settledByHand?.(read.input)) {
			await journal?.leave();
			const outcomes = plan.outcomes.map((outcome) => outcome ?? withheld(reason ?? ''));
			const asRows = { ...read.input, outputAs: 'rows' as const };
			return noted(toResults({ ...plan, outcomes, requests: 0 }, asRows, operation.output), notes);
		}
		const times = new Map<number, number>();
		const requests = await sendInBatches(plan, operation, {
			settings: read.input,
			keyOf,
			journal: limited.journal,
			window,
			times,
			context,
			...(sent.record && { renew: sent.record.renew }),
		});
		await sent.record?.close();
		const results = toResults({ ...plan, requests }, read.input, operation.output);
		const facts = { requests, times, zone: context.zone };
		const run =
			outputAs === 'run'
				? {
						...results,
						shared: [
							{ item: finishedItem(plan, operation.output.toRunFacts, facts), rows: allRows },
						],
					}
				: results;
		const end = journal && { close: journal.close, leave: journal.leave };
		return noted({ ...run, ...end }, [...notes, ...windowNote()]);
	};

/** The ID of what the rows of a run ask for, whatever else keeps some of them from being sent. */
const approvalId = <T, Settings extends SendSettings>(
	plan: RunPlan<T>,
	{ approval, identity, toBody }: BulkOperation<T, Settings, object, object>,
	settings: Settings,
): string =>
	approval && (settings.outputAs === 'run' || approval.approvedPlan(settings) !== undefined)
		? planIdOf(
				pendingOf(plan).map((index) => {
					const value = plan.values[index] as T;
					const content = [toBody(value, settings), approval.toPlan(value)];
					return { identity: identity.of(value), content };
				}),
			)
		: '';

function notApproved(approved: string | undefined, planId: string): string | undefined {
	const difference = approved === undefined ? undefined : planDifference(approved, planId);
	return difference === undefined
		? undefined
		: `Nothing was sent, because the rows differ from Approved Plan: ${difference}. Run a dry run and have the new plan approved`;
}

/** Notes values that must not be sent at this moment. */
function withholdNow<T>(plan: RunPlan<T>, window: SendWindow<T>, nowMs: number): void {
	for (const [index, value] of plan.values.entries())
		plan.outcomes[index] ??= window.reason(value, nowMs);
}

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
