import { z } from 'zod/v4';
import { DEFAULT_TIMEOUT_SECONDS } from '../core/http';
import { get } from 'lodash';
import type { Problem } from '../core/failures';
import type { Operation, OperationContext, Row, Run, RunInput } from '../core/operation';
import { cancelRun, failAllRows, parseRow } from '../core/operation';
import { choice, groupOf, numberBetween, timeout, trueOrFalse, wholeNumber } from '../core/schemas';
import { clearStoppedRound, findEarlierStop, recallTotals, recordStoppedRound } from './ledger';
import type { BulkOperation, SendSettings } from './operation';
import { toStopped } from './outcomes';
import { applyFindings, filterPending, planRows, type Plan, type Rule } from './plan';
import { numberRequests, toRun } from './report';
import { sendAll } from './send';

/** The fields of each row of a run whose credential or settings are invalid. */
export const unsent = { outcome: 'notSent', code: 'settings' } as const;

/** Makes the `run` of a bulk operation. Runs of one execution wait for each other, because they share its ledger. */
export const runInBulk =
	<T, Settings extends SendSettings>(operation: BulkOperation<T, Settings>): Operation['run'] =>
	async (input, context) =>
		await context.inTurn(async () => await runOnce(operation, input, context));

/** Reads all rows, applies the rules, sends unless it is a dry run or stopped, and reports every row. */
async function runOnce<T, Settings extends SendSettings>(
	operation: BulkOperation<T, Settings>,
	{ settings: entered, rows, count }: RunInput,
	context: OperationContext,
): Promise<Run> {
	const parsed = parseRow(operation.settings, entered);
	if ('problems' in parsed) {
		// Invalid settings do not show whether this is a dry run, so later rounds stop in any case.
		recordStoppedRound(context);
		return failAllRows(count, { kind: 'input', problems: parsed.problems }, unsent);
	}
	const settings = parsed.input;
	const hasSentBefore = recallTotals(context.ledger).sent > 0;
	// If an earlier try has sent rows, even a stopped run reads all, because the ledger has their outcomes.
	const reading = hasSentBefore ? { ...context, signal: new AbortController().signal } : context;
	const rowsRead = await operation.read(rows, settings, reading);
	if (reading.signal.aborted) return cancelRun(count);
	const rowsPlan = planRows(rowsRead, operation.identityOf);
	const faults = findSettingFaults(rowsPlan, entered);
	if (faults.length > 0) {
		// A dry run stops no later round, because it sends nothing.
		if (!settings.dryRun) recordStoppedRound(context);
		return failAllRows(count, { kind: 'input', problems: faults }, unsent);
	}
	const { rules, openGate } = operation.openSafeguards(settings, context);
	const plan = await applyRules(rowsPlan, rules, { settings, context });
	const notes = [...plan.notes];
	let requests = 0;
	if (settings.dryRun && plan.stop === undefined) numberRequests(plan.entries, settings.batchSize);
	if (!settings.dryRun && plan.stop === undefined) {
		const gate = openGate?.(plan.entries);
		requests = await sendAll(plan.entries, operation, { settings, context, gate });
		if (gate) notes.push(...(await gate.close()));
		await context.sleep(0); // n8n serves other requests meanwhile.
	}
	notes.push(...(operation.noteOutcomes?.(plan.entries, settings, context) ?? []));
	return toRun({
		operation,
		plan: { ...plan, notes },
		settings,
		requests,
		hasSentBefore,
		audience: operation.describeAudience(settings),
		toPreview: (content) => operation.toPreview(content, settings),
	});
}

/** Finds the problems that all rows share. `asEntered` has the node's parameters, with the expressions that read a row. */
function findSettingFaults<T>({ rows }: Plan<T>, asEntered: Row): readonly Problem[] {
	/** Whether the value of a problem was entered in the node without an expression that reads the row. */
	const isSameInAllRows = ({ path: [name = '', ...keys] }: Problem): boolean => {
		const entered: unknown = get(asEntered, ['parameters', name]);
		// A problem without an entered value concerns the row itself. Automatic mapping reads its columns.
		if (entered === undefined || get(entered, 'mappingMode') === 'autoMapInputData') return false;
		// A resource locator and a mapper have their content in `value`. If `keys` are missing, all of it is checked.
		const content: unknown = get(entered, 'value', entered);
		const value: unknown = get(content, keys, content);
		// An expression begins with an equals sign. The ones that read no row are already replaced by their value.
		return !(JSON.stringify(value) ?? '').includes('"=');
	};
	// All rows share these problems, so a row that has one has all of them.
	const faulty = rows.find(({ problems }) => problems?.some(isSameInAllRows));
	return faulty?.problems?.filter(isSameInAllRows) ?? [];
}

/** Applies all rules before anything is sent. Outside a dry run, a stop is recorded and ends all pending entries. */
async function applyRules<T>(
	rowsPlan: Plan<T>,
	rules: ReadonlyArray<Rule<T>>,
	{ settings, context }: { readonly settings: SendSettings; readonly context: OperationContext },
): Promise<Plan<T>> {
	let plan = rowsPlan;
	for (const rule of rules) {
		await context.sleep(0); // n8n serves other requests meanwhile.
		plan = applyFindings(plan, rule(plan));
	}
	if (settings.invalidRows === 'stop')
		plan = applyFindings(plan, { stop: describeInvalidRows(plan) });
	if (settings.dryRun) return plan;
	if (plan.stop === undefined) clearStoppedRound(context);
	else recordStoppedRound(context);
	// An earlier round that was stopped also stops this one. A plan with its own reason keeps that reason.
	plan = applyFindings(plan, { stop: findEarlierStop(context) });
	return plan.stop === undefined ? plan : stopPending(plan, plan.stop);
}

/** Returns the reason to stop because of invalid rows; undefined without any. */
function describeInvalidRows<T>({ rows }: Plan<T>): string | undefined {
	const invalid = rows.filter(({ problems }) => problems !== undefined).length;
	if (invalid === 0) return undefined;
	return `${invalid === 1 ? 'one row is' : `${invalid} rows are`} invalid. Correct the input, or set 'If Rows Are Invalid' to 'Send the Valid Rows'`;
}

/** Gives all pending entries the reason to stop as their outcome. Notes it if no row shows it. */
function stopPending<T>(plan: Plan<T>, stop: string): Plan<T> {
	const stopped = toStopped(stop);
	const pending = filterPending(plan.entries);
	// A row without an entry also shows the reason, unless it is invalid.
	const hasRowWithoutEntry = plan.rows.some(({ entry, problems }) => !entry && !problems);
	const isNoted = pending.length === 0 && !hasRowWithoutEntry;
	return applyFindings(plan, {
		leaveOut: new Map(pending.map((entry) => [entry, stopped])),
		notes: isNoted ? [`Nothing may be sent, because ${stop}`] : [],
	});
}

/** Makes the schemas of the settings that all bulk operations share, with the defaults of one operation. */
export const bulkSettingSchemas = (defaults: {
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
					timeout: timeout.default(DEFAULT_TIMEOUT_SECONDS * 1000), // In ms, because a default is not converted.
				}),
			),
		})
		.prefault({ batch: {} })
		.transform(({ batch: { batchInterval: pauseMs, timeout: timeoutMs, ...batch } }) => ({
			...batch,
			pauseMs,
			timeoutMs,
		})),
	invalidRows: choice(['stop', 'sendValid']).default(defaults.invalidRows),
	includeOtherFields: trueOrFalse.optional(), // Its default depends on `asTool`.
	includeResponse: trueOrFalse.default(false),
});
