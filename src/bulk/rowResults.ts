import { countBy, minBy, upperFirst } from 'lodash';
import { describeFailure } from '../core/describeFailure';
import type { RowResult } from '../core/operation';
import type { BulkOperation, SendSettings } from './operation';
import { toStopped, type Failed, type Outcome } from './outcomes';
import type { Entry, Plan } from './plan';

/** The parts of a run that its items are made from. */
interface ItemSource<T, Settings extends SendSettings> {
	readonly plan: Plan<T>;
	readonly operation: BulkOperation<T, Settings>;
	readonly settings: Settings;
}

/** Worst first: a possible effect matters more than a certain failure. */
const SEVERITY: ReadonlyArray<Failed['outcome']> = ['unknown', 'rejected', 'notSent'];

const NOTHING_SENT = { outcome: 'notSent', reason: 'Nothing would be sent. The hint says why' };

/** Makes the result of each row: the items of its entries, and its worst failure. */
export function toRowResults<T, Settings extends SendSettings>(
	source: ItemSource<T, Settings>,
): RowResult[] {
	const { plan, operation, settings } = source;
	const isDryRun = settings.dryRun;
	// A shown failure is an item, and does not fail the node. Without any valid row the node fails.
	const isShown = isDryRun || (settings.invalidRows === 'sendValid' && plan.entries.length > 0);
	return plan.rows.map(({ entries, problems, entered }, position): RowResult => {
		const head = { row: position + 1 };
		const preview = isDryRun && { dryRun: true };
		const items = entries
			.filter(({ outcome }) => isDryRun || !outcome || !('failure' in outcome))
			.map((entry) => toItem(entry, source));
		if (problems) {
			const failureItem = { ...head, outcome: 'rejected', ...entered, ...preview };
			return { items, failure: { kind: 'input', problems }, failureItem, isShown };
		}
		if (entries.length === 0 && plan.stop !== undefined) {
			if (isDryRun) return { items: [{ ...head, ...NOTHING_SENT, ...preview }] };
			const failureItem = { ...head, outcome: 'notSent' };
			return { items, failure: toStopped(plan.stop).failure, failureItem };
		}
		const failed = entries.flatMap(({ content, outcome }) =>
			outcome && 'failure' in outcome ? [{ content, ...outcome }] : [],
		);
		const worst = minBy(failed, ({ outcome }) => SEVERITY.indexOf(outcome));
		if (!worst || isDryRun) return { items };
		const { content, outcome, failure, request = null, facts } = worst;
		const fields = { ...operation.toFields(content), request, ...facts };
		const failureItem = { ...head, outcome, ...fields, ...countEntries(entries) };
		return { items, failure, failureItem, ...(failure.kind === 'leftOut' && { isShown: true }) };
	});
}

/** Makes the item of an entry that did not fail, or of any entry in a dry run. */
function toItem<T, Settings extends SendSettings>(
	{ row, content, outcome, request }: Entry<T>,
	{ plan, operation, settings }: ItemSource<T, Settings>,
): object {
	const accepted = outcome?.outcome === 'accepted' ? outcome : undefined;
	const mayHaveReason = outcome === undefined || accepted !== undefined;
	// A row that is sent in part has a reason, e.g. "Only the mark is sent".
	const reason = mayHaveReason ? plan.rows[row]?.reason : undefined;
	return {
		row: row + 1,
		...describeOutcome(outcome, plan.stop !== undefined, operation.words.sent),
		...(reason !== undefined && { reason }),
		...(settings.dryRun ? operation.toPreview(content) : operation.toFields(content, accepted)),
		...(outcome && 'facts' in outcome && outcome.facts),
		...(accepted && settings.includeResponse && { response: accepted.reply ?? null }),
		...(settings.dryRun && request !== undefined && { request }),
		...(settings.dryRun && { dryRun: true }),
	};
}

/** The outcome of an entry and its reason; an entry without an outcome is pending in a dry run. */
function describeOutcome(outcome: Outcome | undefined, isStopped: boolean, sent: string) {
	if (!outcome)
		return isStopped ? NOTHING_SENT : { outcome: 'wouldSend', reason: `Would be ${sent}` };
	if (outcome.outcome === 'accepted') return { outcome: 'accepted', reason: upperFirst(sent) };
	if (outcome.outcome === 'unchanged')
		return { outcome: 'unchanged', reason: 'The service has it already' };
	const { message } = describeFailure(outcome.failure, (path) => path.join('.'));
	return { outcome: outcome.outcome, reason: message };
}

/** Counts the entries of a row that has several, and names the failed entries by position. */
function countEntries<T>(entries: ReadonlyArray<Entry<T>>): object {
	if (entries.length < 2) return {};
	const failed = entries.flatMap(({ outcome }, index) =>
		outcome && 'failure' in outcome ? [{ index, outcome: outcome.outcome }] : [],
	);
	return { counts: countBy(entries, 'outcome.outcome'), failed };
}
