import type { Operation, OperationContext, Run } from '../core/operation';
import { allInvalid, parseRow } from '../core/operation';
import type { BulkOperation, SendSettings } from './operation';
import type { Outcome } from './outcomes';
import type { Findings, Guard, Plan } from './plan';
import { pendingOf, planRows } from './plan';
import { preview } from './preview';
import { toResults } from './results';
import { sendInBatches } from './send';

/** Runs a bulk operation: reads all rows, asks the guards, then previews or sends, and accounts for every value. */
export const runInBulk =
	<T, Settings extends SendSettings>(operation: BulkOperation<T, Settings>): Operation['run'] =>
	async ({ settings: entered, rows }, context) => {
		const parsed = parseRow(operation.settings, entered);
		if ('problems' in parsed) return rejectAll(allInvalid(rows, parsed.problems));
		const settings = parsed.input;
		const plan = planRows(operation.read(rows, settings), operation.identityOf);
		const guards = operation.guards(settings, context);
		for (const guard of guards) note(plan, (await guard.open?.(plan)) ?? {});
		const run = await carryOut(operation, plan, { settings, guards, context });
		for (const guard of guards) note(plan, (await guard.close?.(plan)) ?? {});
		const result = run();
		const happened = happenedIn(plan, operation);
		const warnings = operation.warn?.(reached(plan, settings.dryRun), settings.dryRun);
		return {
			...result,
			alarms: warnings?.alarms ?? [],
			notes: [...(warnings?.notes ?? []), ...plan.notes],
			columns: COLUMNS,
			...(happened !== undefined && { happened }),
		};
	};

/** What a row of a table begins with, whatever became of it. */
const COLUMNS = ['row', 'outcome', 'reason'];

/** The values that were sent, or would be. */
const reached = <T>({ values }: Plan<T>, isDryRun: boolean): T[] =>
	values.flatMap(({ outcome, content }) =>
		outcome?.outcome === (isDryRun ? undefined : 'accepted') ? [content] : [],
	);

/** "66 people were called", where any were. */
function happenedIn<T>(
	{ values }: Plan<T>,
	{ words }: Pick<BulkOperation<T, never>, 'words'>,
): string | undefined {
	const count = values.filter(({ outcome }) => outcome?.outcome === 'accepted').length;
	return count === 0
		? undefined
		: `${words.count(count)} ${count === 1 ? 'was' : 'were'} ${words.sent}`;
}

/** What a run is carried out with. */
export interface RunParts<T, Settings> {
	readonly settings: Settings;
	readonly guards: ReadonlyArray<Guard<T>>;
	readonly context: OperationContext;
}

/** Previews or sends what the guards left; the results are made when all of them are closed. */
async function carryOut<T, Settings extends SendSettings>(
	operation: BulkOperation<T, Settings>,
	plan: Plan<T>,
	parts: RunParts<T, Settings>,
): Promise<() => Run> {
	const { settings } = parts;
	plan.stop ??= invalidRows(plan, settings);
	if (settings.dryRun) return () => preview(plan, operation, settings);
	if (plan.stop === undefined) {
		const sent = await sendInBatches(plan, operation, parts);
		return () => toResults(plan, operation.output, { settings, sent });
	}
	for (const value of pendingOf(plan.values)) value.outcome = withheld(plan.stop);
	const rows = { ...settings, outputAs: 'rows' as const };
	return () => toResults(plan, operation.output, { settings: rows, sent: NOTHING });
}

const NOTHING = { requests: 0, times: new Map<number, number>(), zone: 'utc' };

function note<T>(plan: Plan<T>, { stop, notes = [], facts }: Findings): void {
	plan.stop ??= stop;
	plan.notes.push(...notes);
	Object.assign(plan.facts, facts);
}

function invalidRows<T>({ rows }: Plan<T>, settings: SendSettings): string | undefined {
	const count = rows.filter(({ problems }) => problems !== undefined).length;
	if (count === 0 || settings.invalidRows !== 'stop') return undefined;
	return `Not sent, because ${count === 1 ? 'one row is' : `${count} rows are`} invalid. Correct the input, or set 'If Rows Are Invalid' to 'Send the Valid Rows'`;
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
