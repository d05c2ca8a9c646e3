import countBy from 'lodash/countBy';
import { z } from 'zod/v4';
import { inStretches } from '../core/concurrency';
import { DEFAULT_TIMEOUT_SECONDS } from '../core/http';
import type { Operation, OperationContext, Run, RunInput } from '../core/operation';
import { allInvalid, parseRow } from '../core/operation';
import { choice, groupOf, numberOf, timeout, trueOrFalse, wholeNumber } from '../core/schemas';
import type { BulkOperation, SendSettings } from './operation';
import { stoppedBy } from './outcomes';
import type { Findings, Plan } from './plan';
import { pendingOf, planRows } from './plan';
import { preview } from './preview';
import { toResults } from './results';
import { sendInBatches } from './send';

/** Runs a bulk operation: reads all rows, asks the guards, then previews or sends, and accounts for every value. */
export const runInBulk =
	<T, Settings extends SendSettings>(operation: BulkOperation<T, Settings>): Operation['run'] =>
	async (input, context) =>
		await context.inTurn(async () => await runOnce(operation, input, context));

async function runOnce<T, Settings extends SendSettings>(
	operation: BulkOperation<T, Settings>,
	{ settings: entered, rows }: RunInput,
	context: OperationContext,
): Promise<Run> {
	const parsed = parseRow(operation.settings, entered);
	if ('problems' in parsed) {
		operation.unread?.(entered, context);
		// Rows of a run with invalid settings end like invalid rows.
		const invalid = allInvalid(rows, parsed.problems).rows;
		return { rows: invalid.map((row) => ({ ...row, details: { outcome: 'rejected' } })) };
	}
	const settings = parsed.input;
	const read = await inStretches(operation.read(rows, settings, context), context);
	const plan = planRows(read, operation.identityOf);
	const guards = operation.guards(settings, context);
	for (const guard of guards) {
		// Others in n8n go on between two looks at all rows.
		await context.sleep(0);
		note(plan, (await guard.open?.(plan)) ?? {});
	}
	plan.stop ??= invalidRows(plan, settings);
	if (plan.stop !== undefined && !settings.dryRun)
		for (const value of pendingOf(plan.values)) value.outcome = stoppedBy(plan.stop);
	const sent = settings.dryRun
		? undefined
		: await sendInBatches(plan, operation, { settings, guards, context });
	for (const guard of guards) note(plan, (await guard.close?.(plan)) ?? {});
	await context.sleep(0);
	const accepted = plan.values.filter(({ outcome }) => outcome?.outcome === 'accepted');
	const reached = sent ? accepted : pendingOf(plan.values);
	const contents = reached.map(({ content }) => content);
	const warnings = operation.warn?.(contents, settings.dryRun);
	return {
		...(sent
			? toResults(plan, operation.output, { settings, sent })
			: preview(plan, operation, settings)),
		alarms: warnings?.alarms ?? [],
		notes: [...(warnings?.notes ?? []), ...plan.notes],
		columns: COLUMNS,
		...(sent && headline(plan, operation.words)),
	};
}

/** "66 people were called", or that no one was, where that is certain and there is more than one row to tell of. */
function headline<T>(
	{ values, rows }: Plan<T>,
	{ count, sent, none }: BulkOperation<T, never>['words'],
): Pick<Run, 'happened' | 'none'> {
	const { accepted = 0, unknown = 0 } = countBy(values, ({ outcome }) => outcome?.outcome);
	if (accepted > 0)
		return { happened: `${count(accepted)} ${accepted === 1 ? 'was' : 'were'} ${sent}` };
	return none !== undefined && unknown === 0 && rows.length > 1 ? { none } : {};
}

/** What a row of a table begins with, whatever became of it. */
const COLUMNS = ['row', 'outcome', 'reason'];

function note<T>(plan: Plan<T>, { stop, notes = [], facts }: Findings): void {
	plan.stop ??= stop;
	plan.notes.push(...notes);
	Object.assign(plan.facts, facts);
}

function invalidRows<T>({ rows }: Plan<T>, settings: SendSettings): string | undefined {
	const count = rows.filter(({ problems }) => problems !== undefined).length;
	if (count === 0 || settings.invalidRows !== 'stop') return undefined;
	const others = count < rows.length && ", or set 'If Rows Are Invalid' to 'Send the Valid Rows'";
	return `${count === 1 ? 'one row is' : `${count} rows are`} invalid. Correct the input${others || ''}`;
}

/** The schemas of the settings that all bulk operations have, with the defaults that differ between operations. */
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
					batchInterval: numberOf('milliseconds', 0, 3_600_000).prefault(0),
					parallelRequests: wholeNumber(1, 20).default(defaults.parallelRequests),
					timeout: timeout.prefault(DEFAULT_TIMEOUT_SECONDS),
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
	outputAs: choice(['rows', 'requests']).default('rows'),
	includeResponse: trueOrFalse.default(false),
});

/** Options as an operation uses them, without the group of the panel. */
export const ungrouped = <Entered extends { readonly batching: object }>({
	batching,
	...options
}: Entered): Omit<Entered, 'batching'> & Entered['batching'] => ({ ...options, ...batching });
