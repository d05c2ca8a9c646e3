import { compact, countBy, upperFirst } from 'lodash';
import { describeFailure, nameField } from '../core/describeFailure';
import type { RowResult, Run } from '../core/operation';
import { formatCount, formatRows, joinSentences, plural } from '../core/words';
import { codes } from './codes';
import type { BulkOperation, SendSettings } from './operation';
import { toStopped, type Failed, type Outcome } from './outcomes';
import { filterPending, type Entry, type Plan, type PlannedRow } from './plan';

/** The columns with which the items of all rows begin and end. */
const ITEM_COLUMNS = {
	leading: ['outcome', 'reason'],
	trailing: ['code', 'row', 'request', 'dryRun', 'planId'],
};

/** A dry run, or a run after its last request. */
interface EndedRun<T> {
	readonly operation: Pick<BulkOperation<T, never>, 'words' | 'fields' | 'toFields'>;
	readonly plan: Plan<T>;
	readonly settings: SendSettings;
	readonly requests: number;
	/** Whether an earlier round or try of the execution sent something. */
	readonly hasSentBefore: boolean;
	/** "No column excludes anyone". */
	readonly audience: string;
	readonly toPreview: (content: T) => object;
}

/** A row with its number from 1. A pending row of a dry run has no outcome. */
interface EndedRow<T> extends PlannedRow<T> {
	readonly row: number;
	readonly outcome: Outcome | undefined;
}

type EndedRows = ReadonlyArray<EndedRow<unknown>>;

/** Numbers the requests in which a dry run would send the pending entries, from 1. */
export function numberRequests<T>(entries: ReadonlyArray<Entry<T>>, batchSize: number): void {
	for (const [i, entry] of filterPending(entries).entries())
		entry.request = Math.floor(i / batchSize) + 1;
}

/** Makes the report of a run: items, counts and a headline. */
export function toRun<T>(run: EndedRun<T>): Run {
	const { plan, operation, settings, audience, requests } = run;
	const { dryRun } = settings;
	const { leading, trailing } = ITEM_COLUMNS;
	// A dry run shows the reason to stop in its own words.
	const stop = dryRun ? undefined : plan.stop;
	const rows = plan.rows.map((row, position): EndedRow<T> => {
		return { ...row, row: position + 1, outcome: findOutcome(row, stop) };
	});
	const counts = listCounts(rows, operation.words.accepted);
	const sent = `${plural(rows.length, 'row')}, ${plural(requests, 'request')}`;
	const sentCounts = `${sent}: ${counts.join(', ') || 'nothing to send'}`;
	return {
		rows: rows.map((row) => toRowResult(row, run)),
		happened: dryRun ? undefined : describeSent(rows, run),
		summary: dryRun ? describePreview(run) : joinSentences(sentCounts, audience),
		notes: compact([
			dryRun && counts.join(' · '),
			...plan.notes,
			plan.stop === undefined && nameRowsSentInPart(rows),
		]),
		columns: { ...ITEM_COLUMNS, reserved: [...leading, ...operation.fields, ...trailing] },
		includesInput: settings.includeOtherFields ?? !settings.asTool,
	};
}

/** Names the rows that are sent in part: "Rows 1 and 3: sent in part"; '' without any. */
function nameRowsSentInPart(rows: EndedRows): string {
	// A row has a reason only if a part of it is left out.
	const positions = rows.flatMap(({ row, reason, outcome }) =>
		reason !== undefined && outcome?.outcome !== 'notSent' ? [row - 1] : [],
	);
	if (positions.length === 0) return '';
	return `${formatRows(positions, { max: 5 })}: sent in part. The column reason says why`;
}

/** Returns the outcome of a row, if any. The reason to stop applies to a row without an entry. */
function findOutcome({ entry, problems }: PlannedRow<unknown>, stop?: string): Outcome | undefined {
	if (problems)
		return { outcome: 'rejected', code: 'invalid', failure: { kind: 'input', problems } };
	return !entry && stop !== undefined ? toStopped(stop) : entry?.outcome;
}

/** Makes the result of a row: an item, or a failure with the fields of its item. */
function toRowResult<T>(ended: EndedRow<T>, run: EndedRun<T>): RowResult {
	const { row, entry, problems, reason, outcome } = ended;
	const { operation, settings } = run;
	if (settings.dryRun && !problems) return { items: [toPreviewItem(ended, run)] };
	if (outcome && 'failure' in outcome) return toFailedRow(ended, outcome, run);
	// Any other row has an accepted entry. Only the types allow a missing entry or outcome.
	const item = {
		row,
		outcome: 'accepted',
		reason: reason ?? upperFirst(operation.words.sent),
		...(entry && operation.toFields(entry.content, outcome)),
		...(settings.includeResponse && { response: outcome?.reply ?? null }),
	};
	return { items: [item] };
}

/** Makes the result of a failed row, with the fields of an item that shows the failure. */
function toFailedRow<T>(
	{ row, entry, problems, entered }: EndedRow<T>,
	{ outcome, code, request, failure, facts }: Failed,
	{ plan, operation, settings }: EndedRun<T>,
): RowResult {
	// A dry run fails only invalid rows, which have no entry.
	const fields = entry
		? { ...operation.toFields(entry.content), request: request ?? null, ...facts }
		: { ...entered, ...(settings.dryRun && { dryRun: true, ...plan.facts }) };
	// An item shows an invalid row that does not stop the run. Of other failed rows, it shows those that a setting left out.
	const isShown = problems
		? settings.dryRun || settings.invalidRows === 'sendValid'
		: failure.kind === 'leftOut';
	return { items: [], failure, failureItem: { row, outcome, code, ...fields }, isShown };
}

/** Makes the item of a row in a dry run, with the request in which it would be sent. */
function toPreviewItem<T>(ended: EndedRow<T>, { plan, operation, toPreview }: EndedRun<T>): object {
	const { row, entry, outcome } = ended;
	const isStopped = outcome === undefined && plan.stop !== undefined;
	return {
		row,
		...(isStopped ? NOTHING_SENT : describeOutcome(ended, operation.words.sent)),
		...(entry && toPreview(entry.content)),
		...(outcome && 'failure' in outcome && { code: outcome.code, ...outcome.facts }),
		...(entry?.request !== undefined && { request: entry.request }),
		dryRun: true,
		...plan.facts,
	};
}

const NOTHING_SENT = {
	outcome: 'notSent',
	code: 'stopped',
	reason: 'Nothing would be sent. The hint says why',
};

/** Builds the columns outcome and reason of a row in a dry run. `participle` is "called" or "sent". */
function describeOutcome({ outcome, reason }: EndedRow<unknown>, participle: string): object {
	// A row that is sent in part has a reason: "Only the mark is sent".
	if (!outcome) return { outcome: 'wouldSend', reason: reason ?? `Would be ${participle}` };
	// An earlier try of this execution has sent the row.
	if (outcome.outcome === 'accepted')
		return { outcome: 'accepted', reason: upperFirst(participle) };
	const { message } = describeFailure(outcome.failure, nameField);
	return { outcome: outcome.outcome, reason: message };
}

/** Counts rows by cause in words, accepted ones first: "431 accepted", "62 rejected before sending". Pending rows do not count. */
function listCounts(rows: EndedRows, accepted: string): string[] {
	const counts = countBy(rows, ({ outcome }) =>
		outcome && 'failure' in outcome ? outcome.code : outcome?.outcome,
	);
	return Object.entries({ accepted, ...codes }).flatMap(([cause, words]) => {
		const count = counts[cause] ?? 0;
		return count > 0 ? [`${formatCount(count)} ${words}`] : [];
	});
}

/** Returns "66 people were called"; undefined for 0 people, unless that is certain and there are several rows. */
function describeSent<T>(rows: EndedRows, run: EndedRun<T>): string | undefined {
	const { words } = run.operation;
	const { accepted = 0, unknown = 0 } = countBy(rows, 'outcome.outcome');
	// Unknown rows and rows of an earlier try may have been sent. For a single row its reason is enough.
	const isZeroShown = unknown === 0 && !run.hasSentBefore && rows.length > 1;
	if (accepted === 0 && !isZeroShown) return undefined;
	const who = accepted === 1 ? `${words.one} was` : `${words.many} were`;
	return `${formatCount(accepted)} ${who} ${words.sent}`;
}

/** Describes a dry run: "Dry run: 62 people would be called. Not called: yes in 'DNC'", or why nothing would be sent. */
function describePreview<T>({ plan, operation: { words }, audience }: EndedRun<T>): string {
	if (plan.stop !== undefined) return `Dry run: nothing would be sent, because ${plan.stop}.`;
	const { length } = filterPending(plan.entries);
	const who = `${formatCount(length)} ${length === 1 ? words.one : words.many}`;
	return joinSentences(`Dry run: ${who} would be ${words.sent}`, audience);
}
