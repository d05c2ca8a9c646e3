import type { Operation, Run } from '../core/operation';
import { allInvalid, parseRow } from '../core/operation';
import type { BulkOperation, SendSettings } from './operation';
import type { Outcome } from './outcomes';
import type { PreparedRun } from './prepareRun';
import { prepareRun } from './prepareRun';
import { preview } from './preview';
import { toResults } from './results';
import { finishedItem, planItem } from './runItem';
import { sendInBatches } from './send';

/** Runs a bulk operation: checks all rows, then previews or sends those that may be sent, and accounts for every one. */
export const runInBulk =
	<T, Settings extends SendSettings>(
		operation: BulkOperation<T, Settings, object, object>,
	): Operation['run'] =>
	async ({ settings, rows }, context) => {
		const read = parseRow(operation.settings, settings);
		if ('problems' in read) return rejectAll(allInvalid(rows, read.problems));
		const prepared = await prepareRun(operation, { settings: read.input, rows }, context);
		if (read.input.dryRun) return previewRun(operation, prepared);
		const settlesOnly = operation.settledByHand?.(read.input) !== undefined;
		if (prepared.refusal !== undefined || settlesOnly) return await refuse(operation, prepared);
		return await send(operation, prepared);
	};

function previewRun<T, Settings extends SendSettings>(
	operation: BulkOperation<T, Settings, object, object>,
	prepared: PreparedRun<T, Settings>,
): Run {
	const { settings, planId, refusal } = prepared;
	const plan = { ...prepared.plan, reasonNotToSend: refusal };
	const shown = preview(plan, operation, settings);
	if (settings.outputAs !== 'run') return noted(shown, prepared);
	const { summary = '' } = shown;
	const shared = [{ item: planItem(plan, operation, planId), rows: [...plan.rows.keys()] }];
	return noted({ rows: plan.rows.map(() => ({ items: [] })), shared, summary }, prepared);
}

async function refuse<T, Settings extends SendSettings>(
	{ output }: BulkOperation<T, Settings, object, object>,
	prepared: PreparedRun<T, Settings>,
): Promise<Run> {
	const { plan, settings, notes, refusal = '', journal } = prepared;
	await journal?.leave();
	const outcomes = plan.outcomes.map((outcome) => outcome ?? withheld(refusal));
	const finished = { ...plan, outcomes, requests: 0 };
	return joined(toResults(finished, { ...settings, outputAs: 'rows' }, output), notes);
}

async function send<T, Settings extends SendSettings>(
	operation: BulkOperation<T, Settings, object, object>,
	prepared: PreparedRun<T, Settings>,
): Promise<Run> {
	const { plan, settings, keyOf, journal, window, context, sentRecord } = prepared;
	const times = new Map<number, number>();
	const requests = await sendInBatches(plan, operation, {
		settings,
		keyOf,
		journal,
		window,
		times,
		context,
		...(sentRecord && { renew: sentRecord.renew }),
	});
	await sentRecord?.close();
	const results = toResults({ ...plan, requests }, settings, operation.output);
	const facts = { requests, times, zone: context.zone };
	const item = () => finishedItem(plan, operation.output.toRunFacts, facts);
	return noted(
		{
			...results,
			...(settings.outputAs === 'run' && {
				shared: [{ item: item(), rows: [...plan.rows.keys()] }],
			}),
			...(journal && { close: journal.close, leave: journal.leave }),
		},
		prepared,
	);
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

/** A run with what its hint says besides its summary. */
const noted = <T, Settings>(run: Run, prepared: PreparedRun<T, Settings>): Run => {
	const { plan, notes, window, context } = prepared;
	return joined(run, [...notes, ...[window?.note(plan.outcomes, context.now()) ?? []].flat()]);
};

const joined = (run: Run, notes: readonly string[]): Run =>
	notes.length === 0
		? run
		: { ...run, summary: [run.summary, ...notes].join('. ').replaceAll('.. ', '. ') };
