import countBy from 'lodash/countBy';
import minBy from 'lodash/minBy';
import uniq from 'lodash/uniq';
import { invalidRow } from '../core/operation';
import type { RowResult, Run, SharedItem } from '../core/operation';
import { formatCount, plural } from '../core/words';
import type { OutputMapper, SendSettings } from './operation';
import type { NotAccepted, Outcome } from './outcomes';
import { stoppedBy } from './outcomes';
import type { Plan, Value } from './plan';
import type { SentFacts } from './send';

/** Worst first: what may have happened matters more than what certainly did not. */
const SEVERITY: ReadonlyArray<NotAccepted['outcome']> = ['unknown', 'rejected', 'notSent'];

interface ResultSettings {
	readonly settings: Pick<SendSettings, 'outputAs' | 'includeResponse' | 'invalidRows'>;
	readonly sent: SentFacts;
}

/** Every row has a result: items for its accepted values, and one failure where any value failed. */
export function toResults<T>(
	plan: Plan<T>,
	output: OutputMapper<T>,
	{ settings: chosen, sent }: ResultSettings,
): Run {
	// Where nothing was sent, each row says why.
	const settings = plan.stop === undefined ? chosen : { ...chosen, outputAs: 'rows' as const };
	// Where the valid rows are sent, an invalid one is no error, but an item that says why.
	const isShown = settings.invalidRows === 'sendValid' && plan.values.length > 0;
	const rows = plan.rows.map(({ values, problems, entered }, position): RowResult => {
		const items = values.flatMap((value) => itemOf(value, output, settings) ?? []);
		if (problems)
			return {
				...invalidRow(problems),
				items,
				...(isShown && { failureItem: { row: position + 1, outcome: 'rejected', ...entered } }),
				details: { outcome: 'rejected' },
			};
		// A question about the whole run leaves a row without values.
		if (values.length === 0 && plan.stop !== undefined)
			return { items, failure: stoppedBy(plan.stop).failure, details: { outcome: 'notSent' } };
		const failed = failureIn(values, output);
		// In the item for the whole run, rows that were left out by choice are counted.
		return settings.outputAs === 'run' && failed.failure?.kind === 'skipped'
			? { items }
			: { items, ...failed };
	});
	const shared = sharedItems(plan, output, { settings, sent });
	return { rows, ...(shared.length > 0 && { shared }), summary: summarize(plan, sent.requests) };
}

/** The item of a value that was accepted or has not changed, where values have items of their own. */
function itemOf<T>(
	{ content, outcome, row: position }: Value<T>,
	{ toItem, toUnchangedItem }: OutputMapper<T>,
	{ outputAs, includeResponse }: ResultSettings['settings'],
): object | undefined {
	const row = position + 1;
	if (outcome?.outcome === 'unchanged')
		return toUnchangedItem && { row, ...toUnchangedItem(content) };
	if (outcome?.outcome !== 'accepted' || outputAs !== 'rows') return undefined;
	const item = { row, ...toItem(content, outcome) };
	return includeResponse ? { ...item, response: outcome.reply ?? null } : item;
}

/** The worst failure among the values of a row, if any failed. */
function failureIn<T>(
	values: ReadonlyArray<Value<T>>,
	{ toIdentity }: OutputMapper<T>,
): Pick<RowResult, 'failure' | 'details'> {
	const failed = values.flatMap(({ outcome = UNACCOUNTED, content }, index) =>
		'failure' in outcome ? [{ ...outcome, content, index }] : [],
	);
	const worst = minBy(failed, ({ outcome }) => SEVERITY.indexOf(outcome));
	if (!worst) return {};
	const { outcome, failure, batch, content } = worst;
	return {
		failure,
		details: {
			outcome,
			// Other rows end as errors, which n8n shows with their columns.
			...(failure.kind === 'skipped' && toIdentity(content)),
			...(batch !== undefined && { batch }),
			...(values.length > 1 && {
				counts: countBy(values, (value) => (value.outcome ?? UNACCOUNTED).outcome),
				failed: failed.map((each) => ({ index: each.index, outcome: each.outcome })),
			}),
		},
	};
}

/** In doubt a value may have been sent. */
const UNACCOUNTED: Outcome = {
	outcome: 'unknown',
	failure: { kind: 'held', message: 'It is unknown whether this was sent' },
};

/** The items that belong to several rows: one for each request, or one for the run. */
function sharedItems<T>(
	plan: Plan<T>,
	{ toRequestItem, toRunItem }: OutputMapper<T>,
	{ settings, sent }: ResultSettings,
): SharedItem[] {
	if (settings.outputAs === 'run')
		return toRunItem ? [{ item: toRunItem(plan, sent), rows: [...plan.rows.keys()] }] : [];
	if (settings.outputAs !== 'requests') return [];
	const byRequest = new Map<number, Array<Value<T>>>();
	for (const value of plan.values)
		if (value.outcome?.outcome === 'accepted') {
			const { batch } = value.outcome;
			byRequest.set(batch, [...(byRequest.get(batch) ?? []), value]);
		}
	return [...byRequest].map(([batch, accepted]): SharedItem => ({
		item: {
			...toRequestItem(accepted, batch),
			...(settings.includeResponse && { response: responseOf(accepted) ?? null }),
		},
		rows: rowsOf(accepted),
	}));
}

const rowsOf = <T>(values: ReadonlyArray<Value<T>>): number[] => uniq(values.map(({ row }) => row));

/** The response to a request, or the parts of it that belong to its values. */
function responseOf<T>(values: ReadonlyArray<Value<T>>): unknown {
	const replies = values.flatMap(({ outcome }) =>
		outcome?.outcome === 'accepted' ? [outcome] : [],
	);
	const whole = replies.find(({ paired }) => !paired);
	return whole ? whole.reply : replies.map(({ reply }) => reply);
}

/** What a value that was left out by choice counts as, apart from those that were not sent for another reason. */
export const leftOutAs = (outcome: Outcome): string | undefined =>
	'failure' in outcome && outcome.failure.kind === 'skipped'
		? (outcome.failure.countedAs ?? 'left out')
		: undefined;

/**
 * One sentence: "500 rows, 2 requests: 431 accepted, 62 rejected before sending, 7 unknown", or "50,000 rows: 48,800 unchanged, 1,200
 * sent in 3 requests" where unchanged values are skipped.
 */
function summarize<T>({ rows, values }: Plan<T>, requests: number): string {
	const said = (...parts: ReadonlyArray<readonly [string, number | undefined]>) =>
		parts.flatMap(([what, number]) => (number ? [`${formatCount(number)} ${what}`] : []));
	const invalidRows = rows.filter(({ problems }) => problems !== undefined);
	const counts = countBy(
		values,
		({ outcome = UNACCOUNTED }) => leftOutAs(outcome) ?? outcome.outcome,
	);
	const { accepted = 0, rejected = 0, unknown = 0, notSent, unchanged, ...choices } = counts;
	const invalid = said(['rejected before sending', invalidRows.length]);
	const others = said(['not sent', notSent], ...Object.entries(choices));
	const taken = said(['accepted', accepted], ['rejected by the service', rejected]);
	const open = said(['unknown (may have arrived)', unknown]);
	const inRequests = plural(requests, 'request');
	const rowCount = plural(rows.length, 'row');
	if (unchanged === undefined) {
		const parts = [...taken, ...invalid, ...open, ...others].join(', ') || 'nothing to send';
		return `${rowCount}, ${inRequests}: ${parts}`;
	}
	const sent = accepted + rejected + unknown;
	const parts = [
		...said(['unchanged', unchanged]),
		sent > 0 ? `${formatCount(sent)} sent in ${inRequests}` : 'nothing sent',
		...invalid,
		...others,
	].join(', ');
	const ends = [...taken, ...open].join(', ');
	return `${rowCount}: ${parts}${sent > accepted ? ` (sent: ${ends})` : ''}`;
}
