import type { Operation, Run } from '../core/operation';
import { allInvalid, parseRow } from '../core/operation';
import type { RunPlan } from './check';
import { checkRows, pendingOf } from './check';
import { ledgerKeys, recallSent, sentEarlier } from './ledger';
import type { BulkOperation, SendSettings } from './operation';
import type { Outcome } from './outcomes';
import { preview } from './preview';
import { recallContacted } from './recallContacted';
import { toResults } from './results';
import { sendInBatches } from './send';
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
		const candidates = pendingOf(plan);
		const keyOf = ledgerKeys(plan.values, operation, read.input, context);
		const earlier = recallSent(plan, keyOf, context);
		withholdOlder(plan, operation, read.input);
		const { journal, note, reasonNotToSend } = await recallContacted(plan, operation, {
			settings: read.input,
			earlier,
			context,
		});
		const notes = [...plan.notes, ...(note !== undefined ? [note] : [])];
		const pending = pendingOf(plan).length;
		const refusal =
			plan.reasonNotToSend ??
			reasonNotToSend ??
			operation.tooMany?.({ pending, earlier: sentEarlier(context.ledger) }, read.input);
		const { dryRun } = read.input;
		const sent =
			dryRun || refusal === undefined
				? await openSentRecord(plan, operation, { settings: read.input, context, candidates })
				: {};
		const reason = refusal ?? sent.reasonNotToSend;
		if (sent.note !== undefined) notes.push(sent.note);
		if (dryRun)
			return noted(preview({ ...plan, reasonNotToSend: reason }, operation, read.input), notes);
		if (reason !== undefined) {
			await journal?.leave();
			const outcomes = plan.outcomes.map((outcome) => outcome ?? withheld(reason));
			return noted(
				toResults({ ...plan, outcomes, requests: 0 }, read.input, operation.output),
				notes,
			);
		}
		const requests = await sendInBatches(plan, operation, {
			settings: read.input,
			keyOf,
			journal,
			context,
			...(sent.record && { renew: sent.record.renew }),
		});
		await sent.record?.close();
		const run = toResults({ ...plan, requests }, read.input, operation.output);
		return noted({ ...run, ...(journal && { close: journal.close, leave: journal.leave }) }, notes);
	};

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
