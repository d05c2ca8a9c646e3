import { z } from 'zod/v4';
import { DEFAULT_TIMEOUT_SECONDS } from '../core/http';
import type { Operation, OperationContext, Run, RunInput } from '../core/operation';
import { invalidRun, parseRow } from '../core/operation';
import { choice, groupOf, numberBetween, timeout, trueOrFalse, wholeNumber } from '../core/schemas';
import type { BulkOperation, SendSettings } from './operation';
import { toStopped } from './outcomes';
import { filterPending, planRows, type Findings, type Plan } from './plan';
import { toRun } from './results';
import { sendAll } from './send';

/** Makes the `run` of a bulk operation. Runs of one execution wait for each other, because they share its ledger. */
export const runInBulk =
	<T, Settings extends SendSettings>(operation: BulkOperation<T, Settings>): Operation['run'] =>
	async (input, context) =>
		await context.inTurn(async () => await runOnce(operation, input, context));

/** Reads all rows, applies the guards, sends unless it is a dry run, and reports every row. */
async function runOnce<T, Settings extends SendSettings>(
	operation: BulkOperation<T, Settings>,
	{ settings: entered, rows }: RunInput,
	context: OperationContext,
): Promise<Run> {
	const parsed = parseRow(operation.settings, entered);
	if ('problems' in parsed) {
		recordStoppedRound('its settings are invalid', context);
		return invalidRun(rows, parsed.problems, { outcome: 'rejected' });
	}
	const settings = parsed.input;
	let plan = planRows(await operation.read(rows, settings, context), operation.identityOf);
	const guards = await operation.guards(settings, context);
	for (const guard of guards) {
		// A pause in which n8n serves other requests.
		await context.sleep(0);
		plan = applyFindings(plan, (await guard.open?.(plan)) ?? {});
	}
	const invalid = plan.rows.filter(({ problems }) => problems !== undefined).length;
	if (invalid > 0 && settings.invalidRows === 'stop')
		plan = applyFindings(plan, {
			stop: `${invalid === 1 ? 'one row is' : `${invalid} rows are`} invalid. Correct the input, or set 'If Rows Are Invalid' to 'Send the Valid Rows'`,
		});
	if (!settings.dryRun)
		plan = applyFindings(plan, { stop: recordStoppedRound(plan.stop, context) });
	if (plan.stop !== undefined && !settings.dryRun) {
		const stopped = filterPending(plan.entries);
		for (const entry of stopped) entry.outcome = toStopped(plan.stop);
		const hasUnread = plan.rows.some(({ entries, problems }) => entries.length === 0 && !problems);
		// Stopped entries and unread rows show the reason to stop. Without them a note does.
		if (stopped.length === 0 && !hasUnread)
			plan = applyFindings(plan, { notes: [`Nothing may be sent, because ${plan.stop}`] });
	}
	const requests = settings.dryRun
		? 0
		: await sendAll(plan.entries, operation, { settings, guards, context });
	for (const guard of guards) plan = applyFindings(plan, (await guard.close?.(plan)) ?? {});
	await context.sleep(0);
	return toRun(plan, operation, { settings, requests });
}

/** The key of the ledger for the first round that was stopped. */
const STOPPED_ROUND = 'stopped';

/** Records a stopped round of a loop. Later rounds get a reason to stop, because rows of a stopped round may mark their people. */
function recordStoppedRound(
	stop: string | undefined,
	{ ledger, round }: OperationContext,
): string | undefined {
	if (stop !== undefined) ledger[STOPPED_ROUND] ??= round;
	// If the stopped round runs again without a reason to stop, later rounds may run.
	else if (ledger[STOPPED_ROUND] === round) delete ledger[STOPPED_ROUND];
	const stopped = ledger[STOPPED_ROUND];
	if (stopped === undefined) return undefined;
	return `round ${Number(stopped) + 1} of this execution was stopped. Correct its rows and run the workflow again`;
}

/** Sets the outcomes of left-out entries, and adds the other findings to the plan. Keeps the first reason to stop. */
function applyFindings<T>(plan: Plan<T>, findings: Findings<T>): Plan<T> {
	for (const [entry, outcome] of findings.leaveOut ?? []) entry.outcome = outcome;
	return {
		...plan,
		stop: plan.stop ?? findings.stop,
		notes: [...plan.notes, ...(findings.notes ?? [])],
		facts: { ...plan.facts, ...findings.facts },
	};
}

/** The schemas of the settings that all bulk operations share, with defaults per operation. */
export const sendSettings = (defaults: {
	readonly batchSize: number;
	readonly parallelRequests: number;
	readonly invalidRows: SendSettings['invalidRows'];
}) => ({
	batching: z
		.strictObject({
			batch: groupOf(
				z.strictObject({
					batchSize: wholeNumber(1).default(defaults.batchSize),
					batchInterval: numberBetween('milliseconds', 0, 3_600_000).default(0),
					parallelRequests: wholeNumber(1, 20).default(defaults.parallelRequests),
					timeout: timeout.default(DEFAULT_TIMEOUT_SECONDS * 1000), // In ms, as read.
				}),
			),
		})
		.prefault({ batch: {} })
		.transform(({ batch: { batchInterval: pauseMs, timeout: timeoutMs, ...batch } }) => ({
			...batch,
			pauseMs,
			timeoutMs,
		})),
	duplicates: choice(['keepFirst', 'keepLast', 'sendAll', 'stop']).default('keepFirst'),
	invalidRows: choice(['stop', 'sendValid']).default(defaults.invalidRows),
	outputAs: choice(['rows', 'run']).default('rows'),
	includeResponse: trueOrFalse.default(false),
});
