import { invalidRow } from '../core/operation';
import type { RowResult, Run, SharedItem } from '../core/operation';
import { formatCount, plural } from '../core/text';
import type { OutputMapper, SendSettings } from './operation';
import type { NotAccepted, Outcome, OutcomeName } from './outcomes';
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
		const shown = { row: position + 1, outcome: 'rejected', ...entered };
		if (problems)
			return {
				...invalidRow(problems),
				...(isShown && { failureItem: shown }),
				details: { outcome: 'rejected' },
			};
		const items = values.flatMap((value) => itemOf(value, output, { settings, position }) ?? []);
		const failed = values.flatMap(({ outcome = UNACCOUNTED, content }, index): FailedValue[] =>
			outcome.outcome === 'accepted' || outcome.outcome === 'unchanged'
				? []
				: [{ ...outcome, index, identity: () => output.toIdentity(content) }],
		);
		if (failed.length === 0) return { items };
		const worst = worstOf(failed, values);
		// In the item for the whole run, rows that were left out by choice are counted.
		return settings.outputAs === 'run' && worst.failure?.kind === 'skipped'
			? { items }
			: { items, ...worst };
	});
	const shared = sharedItems(plan, output, { settings, sent });
	return { rows, ...(shared.length > 0 && { shared }), summary: summarize(plan, sent.requests) };
}

/** The item of a value that was accepted or has not changed, where values have items of their own. */
function itemOf<T>(
	{ content, outcome }: Value<T>,
	{ toItem, toUnchangedItem }: OutputMapper<T>,
	{ settings, position }: Pick<ResultSettings, 'settings'> & { readonly position: number },
): object | undefined {
	const row = position + 1;
	if (outcome?.outcome === 'unchanged' && settings.outputAs !== 'requests')
		return toUnchangedItem && { row, ...toUnchangedItem(content) };
	if (outcome?.outcome !== 'accepted' || settings.outputAs !== 'rows') return undefined;
	const item = { row, ...toItem(content, outcome) };
	return settings.includeResponse ? { ...item, response: outcome.reply ?? null } : item;
}

/** The items that belong to several rows: one for each request, or one for the run. */
function sharedItems<T>(
	plan: Plan<T>,
	{ toRequestItem, toUnchangedItems, toRunItem }: OutputMapper<T>,
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
	const shared = [...byRequest].map(([batch, values]): SharedItem => ({
		item: {
			...toRequestItem(values, batch),
			...(settings.includeResponse && { response: responseOf(values) ?? null }),
		},
		rows: rowsOf(values),
	}));
	const unchanged = plan.values.filter(({ outcome }) => outcome?.outcome === 'unchanged');
	return unchanged.length > 0 && toUnchangedItems
		? [...shared, { item: toUnchangedItems(unchanged), rows: rowsOf(unchanged) }]
		: shared;
}

const rowsOf = <T>(values: ReadonlyArray<Value<T>>): number[] => [
	...new Set(values.map(({ row }) => row)),
];

/** A value that was not accepted, its position in its row, and who it is for. */
type FailedValue = NotAccepted & {
	readonly index: number;
	readonly identity: () => Readonly<Record<string, unknown>>;
};

/** What a value that was left out by choice counts as, apart from those that were not sent for another reason. */
export const leftOutAs = (outcome: Outcome): string | undefined =>
	'failure' in outcome && outcome.failure.kind === 'skipped'
		? (outcome.failure.countedAs ?? 'left out')
		: undefined;

type Counts = Partial<Record<OutcomeName, number>>;

/** The response to a request, or the parts of it that belong to its values. */
function responseOf<T>(values: ReadonlyArray<Value<T>>): unknown {
	const replies = values.flatMap(({ outcome }) =>
		outcome?.outcome === 'accepted' ? [outcome] : [],
	);
	const whole = replies.find(({ paired }) => !paired);
	return whole ? whole.reply : replies.map(({ reply }) => reply);
}

/** In doubt a value may have been sent. */
const UNACCOUNTED: Outcome = {
	outcome: 'unknown',
	failure: { kind: 'held', message: 'It is unknown whether this was sent' },
};

function worstOf<T>(
	failed: readonly FailedValue[],
	values: ReadonlyArray<Value<T>>,
): Pick<RowResult, 'failure' | 'details'> {
	const worst = SEVERITY.flatMap((name) => failed.find(({ outcome }) => outcome === name) ?? [])[0];
	if (!worst) return {};
	return {
		failure: worst.failure,
		details: {
			outcome: worst.outcome,
			// Other rows end as errors, which n8n shows with their columns.
			...(worst.failure.kind === 'skipped' && worst.identity()),
			...(worst.batch !== undefined && { batch: worst.batch }),
			...(values.length > 1 && {
				counts: countsOf(values),
				failed: failed.map(({ index, outcome }) => ({ index, outcome })),
			}),
		},
	};
}

function countsOf<T>(values: ReadonlyArray<Value<T>>): Counts {
	const counts: Counts = {};
	for (const { outcome: { outcome } = UNACCOUNTED } of values)
		counts[outcome] = (counts[outcome] ?? 0) + 1;
	return counts;
}

/**
 * One sentence: "500 rows, 2 requests: 431 accepted, 62 rejected before sending, 7 unknown", or "50,000 rows: 48,800 unchanged, 1,200
 * sent in 3 requests" where unchanged values are skipped.
 */
function summarize<T>({ rows }: Plan<T>, requests: number): string {
	const said = (...parts: ReadonlyArray<readonly [number | undefined, string]>) =>
		parts.flatMap(([number, what]) => (number ? [`${formatCount(number)} ${what}`] : []));
	const invalid = rows.filter(({ problems }) => problems !== undefined).length;
	const valid = rows.flatMap((row) => (row.problems ? [] : row.values));
	const leftOut = new Map<string, number>();
	const others: Array<Value<T>> = [];
	for (const value of valid) {
		const choice = leftOutAs(value.outcome ?? UNACCOUNTED);
		if (choice === undefined) others.push(value);
		else leftOut.set(choice, (leftOut.get(choice) ?? 0) + 1);
	}
	const { accepted = 0, rejected = 0, unknown = 0, notSent, unchanged } = countsOf(others);
	const ends = [
		...said([accepted, 'accepted'], [rejected, 'rejected by the service']),
		...(unchanged ? [] : said([invalid, 'rejected before sending'])),
		...said([unknown, 'unknown (may have arrived)']),
	];
	const choices = [...leftOut].map(([what, number]) => [number, what] as const);
	const inRequests = plural(requests, 'request');
	const rowCount = plural(rows.length, 'row');
	if (!unchanged) {
		const parts =
			[...ends, ...said([notSent, 'not sent'], ...choices)].join(', ') || 'nothing to send';
		return `${rowCount}, ${inRequests}: ${parts}`;
	}
	const sent = accepted + rejected + unknown;
	const parts = [
		...said([unchanged, 'unchanged']),
		sent > 0 ? `${formatCount(sent)} sent in ${inRequests}` : 'nothing sent',
		...said([invalid, 'rejected before sending'], [notSent, 'not sent'], ...choices),
	];
	return `${rowCount}: ${parts.join(', ')}${sent > accepted ? ` (sent: ${ends.join(', ')})` : ''}`;
}
