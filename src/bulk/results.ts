import countBy from 'lodash/countBy';
import minBy from 'lodash/minBy';
import upperFirst from 'lodash/upperFirst';
import { describeFailure } from '../core/describeFailure';
import type { RowResult, Run } from '../core/operation';
import { formatCount, plural } from '../core/words';
import type { BulkOperation, SendSettings, SentFacts } from './operation';
import type { Failed, Outcome } from './outcomes';
import { stoppedBy, unknown } from './outcomes';
import type { Entry, Plan, PlannedRow } from './plan';
import { filterPending } from './plan';
import { countOutcomes, toRunItem } from './runItem';
import { cutIntoBatches } from './send';

/** The columns with which the items of all rows begin. */
const COLUMNS = ['row', 'outcome', 'reason'];

/** Worst first: a possible effect matters more than a certain failure. */
const SEVERITY: ReadonlyArray<Failed['outcome']> = ['unknown', 'rejected', 'notSent'];

/** In doubt an entry may have been sent. */
const UNACCOUNTED = unknown('It is unknown whether this was sent');

/** Makes the items of all rows, the count and the headline of a run; without facts about requests it was a dry run. */
export function toRun<T, Settings extends SendSettings>(
	plan: Plan<T>,
	operation: BulkOperation<T, Settings>,
	settings: Settings,
	sent: SentFacts | undefined,
): Run {
	const rows = sent
		? toSentRows(plan, operation, settings)
		: toPreviewRows(plan, operation, settings);
	const runItem =
		settings.outputAs === 'run' && (!sent || plan.stop === undefined)
			? toRunItem(plan, operation, sent)
			: undefined;
	const summary = sent ? summarizeSent(plan, sent.requests) : summarizePreview(plan, operation);
	const counts = sent ? [] : countLeftOut(plan);
	return {
		// The item for the run counts the rows that no error names.
		rows: runItem ? rows.map((row) => (row.isShown ? NOTHING : { ...row, items: [] })) : rows,
		...(runItem && { runItem }),
		summary,
		notes: [...(counts.length > 0 ? [counts.join(' · ')] : []), ...plan.notes],
		columns: COLUMNS,
		...(sent && describeSent(plan, operation.words)),
	};
}

const NOTHING: RowResult = { items: [] };

/** Makes the results of a run that sent: items of the rows that went well, and a failure of each other row. */
function toSentRows<T, Settings extends SendSettings>(
	{ rows, entries: all, stop }: Plan<T>,
	{ toFields, words }: BulkOperation<T, Settings>,
	{ invalidRows, includeResponse }: Settings,
): RowResult[] {
	// Where valid rows are sent, an invalid one is an item with its reason.
	const isShown = invalidRows === 'sendValid' && all.length > 0;

	function toItem({ row, content, outcome = UNACCOUNTED }: Entry<T>): object[] {
		const head = { row: row + 1, outcome: outcome.outcome };
		if (outcome.outcome === 'accepted') {
			const item = { ...head, reason: upperFirst(words.sent), ...toFields(content, outcome) };
			return [includeResponse ? { ...item, response: outcome.reply ?? null } : item];
		}
		if (outcome.outcome === 'unchanged')
			return [{ ...head, reason: 'The service has it already', ...toFields(content) }];
		if ('failure' in outcome) return [];
		return [{ ...head, reason: outcome.reason, ...toFields(content), ...outcome.facts }];
	}

	return rows.map(({ entries, problems, entered }, position): RowResult => {
		const items = entries.flatMap(toItem);
		const head = { row: position + 1 };
		if (problems) {
			const failureItem = { ...head, outcome: 'rejected', ...entered };
			return { items, failure: { kind: 'input', problems }, failureItem, isShown };
		}
		if (entries.length === 0 && stop !== undefined)
			return { items, ...stoppedBy(stop), failureItem: { ...head, outcome: 'notSent' } };
		const worst = findWorst(entries);
		if (!worst) return { items };
		const { failure, outcome, request } = worst.failed;
		const fields = { ...toFields(worst.content), ...(request !== undefined && { request }) };
		return {
			items,
			failure,
			failureItem: { ...head, outcome, ...fields, ...countEntries(entries) },
		};
	});
}

/** Finds the entry of a row whose failure matters most. */
function findWorst<T>(entries: ReadonlyArray<Entry<T>>) {
	const failures = entries.flatMap(({ outcome = UNACCOUNTED, content }) =>
		'failure' in outcome ? [{ failed: outcome, content }] : [],
	);
	return minBy(failures, ({ failed }) => SEVERITY.indexOf(failed.outcome));
}

/** Counts the entries of a row that has several, and names those that failed by their position. */
function countEntries<T>(entries: ReadonlyArray<Entry<T>>): object {
	if (entries.length < 2) return {};
	const outcomes = entries.map(({ outcome = UNACCOUNTED }) => outcome);
	return {
		counts: countBy(outcomes, 'outcome'),
		failed: outcomes.flatMap((outcome, index) =>
			'failure' in outcome ? [{ index, outcome: outcome.outcome }] : [],
		),
	};
}

/** Shows every row of a dry run with what would become of it. */
function toPreviewRows<T, Settings extends SendSettings>(
	plan: Plan<T>,
	operation: BulkOperation<T, Settings>,
	settings: Settings,
): RowResult[] {
	const { stop } = plan;
	for (const [i, batch] of [...cutIntoBatches(plan.entries, operation, settings)].entries())
		for (const entry of batch) entry.request = i + 1;
	const pending =
		stop === undefined
			? { outcome: 'wouldSend', reason: `Would be ${operation.words.sent}` }
			: { outcome: 'notSent', reason: 'Nothing would be sent. The hint says why' };

	function toItem({ row, content, outcome, request }: Entry<T>): object {
		const became = outcome ? describeOutcome(outcome) : { ...pending, request };
		const { outcome: name, reason, ...facts } = became;
		return {
			...{ row: row + 1, outcome: name, reason },
			...operation.toPreview(content),
			...facts,
			dryRun: true,
		};
	}

	return plan.rows.map(({ entries, problems, entered }: PlannedRow<T>, position): RowResult => {
		const items = entries.map(toItem);
		const head = { row: position + 1 };
		if (problems) {
			const failureItem = { ...head, outcome: 'rejected', ...entered, dryRun: true };
			return { items, failure: { kind: 'input', problems }, failureItem, isShown: true };
		}
		const isOpen = items.length === 0 && stop !== undefined;
		return { items: isOpen ? [{ ...head, ...pending, dryRun: true }] : items };
	});
}

/** Puts an outcome that is known before sending into words. */
function describeOutcome(outcome: Outcome): { outcome: string; reason: string } {
	const name = outcome.outcome;
	if (name === 'accepted')
		return { outcome: name, reason: 'Sent by an earlier attempt of this execution' };
	if (name === 'unchanged') return { outcome: name, reason: 'The service has it already' };
	if ('failure' in outcome) {
		const { message } = describeFailure(outcome.failure, (path) => path.join('.'));
		return { outcome: name, reason: message };
	}
	return { outcome: name, reason: outcome.reason, ...outcome.facts };
}

/** "66 people were called". Undefined where nothing was accepted. */
function describeSent<T>(
	{ entries, rows }: Plan<T>,
	{ count, sent }: BulkOperation<T, never>['words'],
): Pick<Run, 'happened'> {
	const { accepted = 0, unknown: open = 0 } = countBy(entries, 'outcome.outcome');
	if (accepted > 0)
		return { happened: `${count(accepted)} ${accepted === 1 ? 'was' : 'were'} ${sent}` };
	return open === 0 && rows.length > 1 ? { happened: `Nothing was sent` } : {};
}

/** "500 rows, 2 requests: 431 accepted, 62 rejected before sending, 7 unknown (may have arrived)". */
function summarizeSent<T>(plan: Plan<T>, requests: number): string {
	const { left, ...counts } = countOutcomes(plan);
	const parts = [
		...formatPart(counts.accepted, 'accepted'),
		...formatPart(counts.unchanged, 'unchanged'),
		...formatPart(counts.refused, 'rejected by the service'),
		...formatPart(counts.invalid, 'rejected before sending'),
		...formatPart(counts.unknown, 'unknown (may have arrived)'),
		...formatPart(counts.notSent, 'not sent'),
		...Object.entries(left).flatMap(([what, count]) => formatPart(count, what)),
	];
	const total = `${plural(plan.rows.length, 'row')}, ${plural(requests, 'request')}`;
	return `${total}: ${parts.join(', ') || 'nothing to send'}`;
}

const formatPart = (count: number, what: string): string[] =>
	count > 0 ? [`${formatCount(count)} ${what}`] : [];

/** "Dry run: 62 people would be called in 2 requests. Turn off Dry Run to call them." */
function summarizePreview<T, Settings extends SendSettings>(
	{ entries, stop }: Plan<T>,
	{ words }: BulkOperation<T, Settings>,
): string {
	if (stop !== undefined) return `Dry run: nothing would be sent, because ${stop}.`;
	const pending = filterPending(entries);
	const requests = Math.max(0, ...pending.map(({ request = 0 }) => request));
	const advice = pending.length === 0 ? '' : ` Turn off Dry Run to ${words.send} them.`;
	return `Dry run: ${words.count(pending.length)} would be ${words.sent} in ${plural(requests, 'request')}.${advice}`;
}

/** Counts the entries that would not be sent, by reason, the commonest first: "37 marked Do Not Call". */
function countLeftOut<T>(plan: Plan<T>): string[] {
	const { left, ...counts } = countOutcomes(plan);
	const parts: ReadonlyArray<readonly [string, number]> = [
		...Object.entries(left),
		['accepted earlier in this execution', counts.accepted],
		['unchanged', counts.unchanged],
		['unknown (may have arrived)', counts.unknown],
		['not sent', counts.notSent],
	];
	return parts
		.toSorted(([, a], [, b]) => b - a)
		.flatMap(([what, count]) => formatPart(count, what));
}
