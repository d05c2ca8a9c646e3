import countBy from 'lodash/countBy';
import minBy from 'lodash/minBy';
import uniq from 'lodash/uniq';
import upperFirst from 'lodash/upperFirst';
import { describeFailure } from '../core/describeFailure';
import type { Failure } from '../core/failures';
import type { RowResult, Run } from '../core/operation';
import { formatCount, plural } from '../core/words';
import type { BulkOperation, SendSettings, SentFacts } from './operation';
import type { Failed } from './outcomes';
import { stoppedBy, unknown } from './outcomes';
import type { Entry, Plan, PlannedRow } from './plan';
import { filterPending } from './plan';
import { countOutcomes, toRunItem } from './runItem';
import { cutIntoBatches } from './send';

/** The columns with which the items of all rows begin. */
const COLUMNS = ['row', 'outcome', 'reason'];

/** Makes the items, the counts and the headline of a run. Without request facts it was a dry run. */
export function toRun<T, Settings extends SendSettings>(
	plan: Plan<T>,
	operation: BulkOperation<T, Settings>,
	settings: Settings,
	sent: SentFacts | undefined,
): Run {
	if (!sent && plan.stop === undefined) numberBatches(plan, operation, settings);
	const rows = toRows(plan, operation, settings, sent === undefined);
	const hasRunItem = settings.outputAs === 'run' && (!sent || plan.stop === undefined);
	const counts = sent ? [] : listCounts(plan);
	return {
		// With one item for the run, failed rows can still be separate errors.
		rows: hasRunItem ? rows.map((row) => (sent ? { ...row, items: [] } : NO_ITEMS)) : rows,
		...(hasRunItem && { runItem: toRunItem(plan, operation, sent) }),
		summary: sent ? summarizeSent(plan, sent.requests) : summarizePreview(plan, operation),
		notes: [...(counts.length > 0 ? [counts.join(' · ')] : []), ...plan.notes],
		columns: COLUMNS,
		...(sent && describeSent(plan, operation.words)),
	};
}

const NO_ITEMS: RowResult = { items: [] };

/** Makes the result of each row: an item per entry, or the failure of the row. */
function toRows<T, Settings extends SendSettings>(
	{ rows, entries: all, stop }: Plan<T>,
	{ toFields, toPreview, words }: BulkOperation<T, Settings>,
	{ invalidRows, includeResponse }: Settings,
	isDryRun: boolean,
): RowResult[] {
	const pending =
		stop === undefined
			? { outcome: 'wouldSend', reason: `Would be ${words.sent}` }
			: { outcome: 'notSent', reason: 'Nothing would be sent. The hint says why' };
	// If valid rows are sent, an invalid row is an item with its reason.
	const isShown = isDryRun || (invalidRows === 'sendValid' && all.length > 0);
	const dryRun = isDryRun ? { dryRun: true } : {};

	/** Describes the outcome of an entry, with the reason and facts. */
	function describe({ outcome }: Entry<T>) {
		if (outcome === undefined) return pending;
		if ('failure' in outcome) {
			const { message } = describeFailure(outcome.failure, (path) => path.join('.'));
			return { outcome: outcome.outcome, reason: message };
		}
		if (outcome.outcome === 'notSent')
			return { outcome: 'notSent', reason: outcome.reason, ...outcome.facts };
		const reason =
			outcome.outcome === 'accepted' ? upperFirst(words.sent) : 'The service has it already';
		return { outcome: outcome.outcome, reason };
	}

	function toItem(entry: Entry<T>): object {
		const { content, request } = entry;
		const rowReason = rows[entry.row]?.reason;
		const { outcome, reason, ...facts } = describe(entry);
		const accepted = entry.outcome?.outcome === 'accepted' ? entry.outcome : undefined;
		const isLeft = entry.outcome !== undefined && !accepted;
		return {
			...{ row: entry.row + 1, outcome, reason: isLeft ? reason : (rowReason ?? reason) },
			...(isDryRun ? toPreview(content) : toFields(content, accepted)),
			...facts,
			...(accepted && includeResponse && { response: accepted.reply ?? null }),
			...(isDryRun && request !== undefined && { request }),
			...dryRun,
		};
	}

	return rows.map(({ entries, problems, entered }: PlannedRow<T>, position): RowResult => {
		const head = { row: position + 1, ...dryRun };
		const items = entries.filter((entry) => isDryRun || !isFailed(entry)).map(toItem);
		if (problems) {
			const failureItem = { ...head, outcome: 'rejected', ...entered };
			return { items, failure: { kind: 'input', problems }, failureItem, isShown };
		}
		if (entries.length === 0 && stop !== undefined) {
			if (isDryRun) return { items: [{ ...head, ...pending }] };
			return {
				items,
				failure: stoppedBy(stop).failure,
				failureItem: { ...head, outcome: 'notSent' },
			};
		}
		const worst = isDryRun ? undefined : findWorst(entries);
		if (!worst) return { items };
		const { failure, content, outcome, facts } = worst;
		const failureItem = {
			...{ ...head, outcome },
			...{ ...toFields(content), ...facts, ...countEntries(entries) },
		};
		return { items, failure, failureItem, ...(failure.kind === 'leftOut' && { isShown: true }) };
	});
}

/** The outcome of an entry in doubt. */
const UNACCOUNTED = unknown('It is unknown whether this was sent');

const isFailed = ({ outcome = UNACCOUNTED }: Pick<Entry<unknown>, 'outcome'>): boolean =>
	'failure' in outcome || 'countedAs' in outcome;

/** Worst first: a possible effect matters more than a certain failure. */
const SEVERITY: ReadonlyArray<Failed['outcome']> = ['unknown', 'rejected', 'notSent'];

/** Finds the entry of a row whose failure matters most. */
function findWorst<T>(entries: ReadonlyArray<Entry<T>>) {
	const failed = entries.flatMap(({ outcome = UNACCOUNTED, content }) => {
		if ('failure' in outcome) {
			const { failure, request } = outcome;
			return [{ content, ...outcome, failure, facts: request === undefined ? {} : { request } }];
		}
		if (!('countedAs' in outcome)) return [];
		const failure: Failure = { kind: 'leftOut', message: outcome.reason };
		return [{ content, outcome: outcome.outcome, failure, facts: outcome.facts ?? {} }];
	});
	return minBy(failed, ({ outcome }) => SEVERITY.indexOf(outcome));
}

/** Counts the entries of a row that has several, and names the failed entries by position. */
function countEntries<T>(entries: ReadonlyArray<Entry<T>>): object {
	if (entries.length < 2) return {};
	const outcomes = entries.map(({ outcome = UNACCOUNTED }) => outcome);
	return {
		counts: countBy(outcomes, 'outcome'),
		failed: outcomes.flatMap((outcome, index) =>
			isFailed({ outcome }) ? [{ index, outcome: outcome.outcome }] : [],
		),
	};
}

/** Numbers the requests that a dry run would send. */
function numberBatches<T, Settings extends SendSettings>(
	{ entries }: Plan<T>,
	operation: BulkOperation<T, Settings>,
	settings: Settings,
): void {
	for (const [i, batch] of [...cutIntoBatches(entries, operation, settings)].entries())
		for (const entry of batch) entry.request = i + 1;
}

/** "66 people were called", or "0 people were called" if that is certain. */
function describeSent<T>(
	{ entries, rows }: Plan<T>,
	{ count, sent }: BulkOperation<T, never>['words'],
): Pick<Run, 'happened'> {
	const { accepted = 0, unknown: open = 0 } = countBy(entries, 'outcome.outcome');
	if (accepted === 0 && (open > 0 || rows.length < 2)) return {};
	return { happened: `${count(accepted)} ${accepted === 1 ? 'was' : 'were'} ${sent}` };
}

const INVALID_ROWS = 'rejected before sending';

/** Counts rows and entries in words, what was sent first: "431 accepted", "62 rejected before sending". */
function listCounts<T>(plan: Plan<T>): string[] {
	const { leftOut, ...counts } = countOutcomes(plan);
	const parts = {
		accepted: counts.accepted,
		unchanged: counts.unchanged,
		'rejected by the service': counts.rejected,
		[INVALID_ROWS]: counts.invalid,
		'unknown (may have arrived)': counts.unknown,
		'not sent': counts.notSent,
		...leftOut,
	};
	return Object.entries(parts).flatMap(([what, count]) =>
		count > 0 ? [`${formatCount(count)} ${what}`] : [],
	);
}

/** "500 rows, 2 requests: 431 accepted, 62 rejected before sending, 7 unknown (may have arrived)". */
function summarizeSent<T>(plan: Plan<T>, requests: number): string {
	const counts = listCounts(plan).join(', ') || 'nothing to send';
	return `${plural(plan.rows.length, 'row')}, ${plural(requests, 'request')}: ${counts}`;
}

/** "Dry run: 62 people would be called in 2 requests. Turn off Dry Run to call them." */
function summarizePreview<T, Settings extends SendSettings>(
	{ entries, stop }: Plan<T>,
	{ words }: BulkOperation<T, Settings>,
): string {
	if (stop !== undefined) return `Dry run: nothing would be sent, because ${stop}.`;
	const pending = filterPending(entries);
	const requests = uniq(pending.map(({ request }) => request)).length;
	const advice = pending.length === 0 ? '' : ` Turn off Dry Run to ${words.send} them.`;
	return `Dry run: ${words.count(pending.length)} would be ${words.sent} in ${plural(requests, 'request')}.${advice}`;
}
