import { countBy, upperFirst } from 'lodash';
import { describeFailure, nameField } from '../core/describeFailure';
import type { RowResult, Run } from '../core/operation';
import { formatCount, joinSentences, plural } from '../core/words';
import { codes } from './codes';
import type { BulkOperation, SendSettings } from './operation';
import { toStopped, type Outcome } from './outcomes';
import { filterPending, type Plan, type PlannedRow } from './plan';

/** The columns with which the items of all rows begin and end. */
const ITEM_COLUMNS = {
	leading: ['outcome', 'reason'],
	trailing: ['code', 'row', 'request', 'dryRun', 'planId'],
};

/** A dry run, or a run after its last request. */
interface EndedRun<T> extends Pick<BulkOperation<T, never>, 'words' | 'fields' | 'toFields'> {
	readonly plan: Plan<T>;
	readonly settings: SendSettings;
	readonly requests: number;
	/** Whether an earlier round or try of the execution sent something. */
	readonly hasSentBefore: boolean;
	/** "No column excludes anyone". */
	readonly audience: string | undefined;
	readonly toPreview: (content: T) => object;
}

/** A row with its number from 1. A pending row of a dry run has no outcome. */
interface EndedRow<T> extends PlannedRow<T> {
	readonly row: number;
	readonly outcome: Outcome | undefined;
}

type EndedRows = ReadonlyArray<EndedRow<unknown>>;

/** Makes the items, the counts and the headline of a run. */
export function toRun<T>(run: EndedRun<T>): Run {
	const { plan, words, settings, audience, requests } = run;
	const { dryRun } = settings;
	const { leading, trailing } = ITEM_COLUMNS;
	if (dryRun && plan.stop === undefined)
		// Numbers the requests that would be sent.
		for (const [i, entry] of filterPending(plan.entries).entries())
			entry.request = Math.floor(i / settings.batchSize) + 1;
	const rows = plan.rows.map((row, position): EndedRow<T> => {
		return { ...row, row: position + 1, outcome: findOutcome(row, plan.stop, dryRun) };
	});
	const counts = listCounts(rows, words.accepted);
	const sent = `${plural(rows.length, 'row')}, ${plural(requests, 'request')}`;
	const sentCounts = `${sent}: ${counts.join(', ') || 'nothing to send'}`;
	return {
		rows: rows.map((row) => toRowResult(row, run)),
		happened: dryRun ? undefined : describeSent(rows, run),
		summary: dryRun ? describePreview(run) : joinSentences(sentCounts, audience),
		notes: dryRun && counts.length > 0 ? [counts.join(' · '), ...plan.notes] : plan.notes,
		columns: { ...ITEM_COLUMNS, reserved: [...leading, ...run.fields, ...trailing] },
		includesInput: settings.includeOtherFields ?? !settings.asTool,
	};
}

/** Finds the outcome of a row: of its entry, of its problems, or of a stop before it was read. */
function findOutcome(
	{ entry, problems }: PlannedRow<unknown>,
	stop: string | undefined,
	dryRun: boolean,
): Outcome | undefined {
	if (problems)
		return { outcome: 'rejected', code: 'invalid', failure: { kind: 'input', problems } };
	if (entry || dryRun || stop === undefined) return entry?.outcome;
	return toStopped(stop);
}

/** Makes the result of a row: its item, or its failure. */
function toRowResult<T>(ended: EndedRow<T>, run: EndedRun<T>): RowResult {
	const { row, entry, problems, entered, reason, outcome } = ended;
	const { words, toFields, settings } = run;
	const { dryRun } = settings;
	if (dryRun && !problems) return { items: [toPreviewItem(ended, run)] };
	if (outcome && 'failure' in outcome) {
		const { failure, code, request = null, facts } = outcome;
		const fields = entry
			? { ...toFields(entry.content), request, ...facts }
			: { ...entered, ...(dryRun && { dryRun, ...run.plan.facts }) };
		const failureItem = { row, outcome: outcome.outcome, code, ...fields };
		// A failure that an item shows does not fail the node.
		const isShown = problems
			? dryRun || settings.invalidRows === 'sendValid'
			: failure.kind === 'leftOut';
		return { items: [], failure, failureItem, isShown };
	}
	const item = {
		row,
		outcome: 'accepted',
		reason: reason ?? upperFirst(words.sent),
		...(entry && toFields(entry.content, outcome)),
		...(settings.includeResponse && { response: outcome?.reply ?? null }),
	};
	return { items: [item] };
}

/** Makes the item of a row in a dry run. */
function toPreviewItem<T>(ended: EndedRow<T>, { plan, words, toPreview }: EndedRun<T>): object {
	const { row, entry, outcome } = ended;
	const isStopped = outcome === undefined && plan.stop !== undefined;
	return {
		row,
		...(isStopped ? NOTHING_SENT : describeOutcome(ended, words.sent)),
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

/** The outcome of a row in a dry run, and its reason. */
function describeOutcome({ outcome, reason }: EndedRow<unknown>, sent: string): object {
	if (!outcome) return { outcome: 'wouldSend', reason: reason ?? `Would be ${sent}` };
	if (outcome.outcome === 'accepted') return { outcome: 'accepted', reason: upperFirst(sent) };
	const { message } = describeFailure(outcome.failure, nameField);
	return { outcome: outcome.outcome, reason: message };
}

/** Counts rows by cause in words, accepted ones first: "431 accepted", "62 rejected before sending". */
function listCounts(rows: EndedRows, accepted: string): string[] {
	const counts = countBy(rows, ({ outcome }) =>
		outcome && 'failure' in outcome ? outcome.code : outcome?.outcome,
	);
	return Object.entries({ accepted, ...codes }).flatMap(([cause, words]) => {
		const count = counts[cause] ?? 0;
		return count > 0 ? [`${formatCount(count)} ${words}`] : [];
	});
}

/** "66 people were called"; undefined if that is not certain for the whole execution. */
function describeSent<T>(
	rows: EndedRows,
	{ words, hasSentBefore }: EndedRun<T>,
): string | undefined {
	const { accepted = 0, unknown = 0 } = countBy(rows, 'outcome.outcome');
	// "0 people were called" tells nothing about a single row.
	const isNoneCertain = unknown === 0 && !hasSentBefore && rows.length > 1;
	if (accepted === 0 && !isNoneCertain) return undefined;
	const who = accepted === 1 ? `${words.one} was` : `${words.many} were`;
	return `${formatCount(accepted)} ${who} ${words.sent}`;
}

/** "Dry run: 62 people would be called in 2 requests. Turn off Dry Run to call them". */
function describePreview<T>({ plan, words, settings, audience }: EndedRun<T>): string {
	if (plan.stop !== undefined) return `Dry run: nothing would be sent, because ${plan.stop}.`;
	const { length } = filterPending(plan.entries);
	const who = `${formatCount(length)} ${length === 1 ? words.one : words.many}`;
	const requests = plural(Math.ceil(length / settings.batchSize), 'request');
	const advice = length > 0 && `Turn off Dry Run to ${words.send} them`;
	const preview = `Dry run: ${who} would be ${words.sent} in ${requests}`;
	return joinSentences(preview, audience, advice);
}
