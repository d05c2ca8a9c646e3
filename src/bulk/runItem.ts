import { DateTime } from 'luxon';
import type { Failure } from '../core/failures';
import type { RunPlan } from './check';
import { pendingOf } from './check';
import type { BulkOperation, RowPlan, SendSettings } from './operation';
import type { Outcome } from './outcomes';

const SAMPLE = 3;
const MAX_REASONS = 20;

interface Reason {
	readonly outcome: string;
	readonly reason: string;
	readonly count: number;
}

/** What a dry run would do, as one item that can be approved. */
export function planItem<T, Settings extends SendSettings>(
	plan: RunPlan<T>,
	{ output }: Pick<BulkOperation<T, Settings, object, object>, 'output'>,
	planId: string,
): object {
	const pending = pendingOf(plan).map((index) => plan.values[index] as T);
	const moments = callableMoments(plan.outcomes);
	const [firstCallableAt] = moments.filter((moment) => typeof moment === 'string').toSorted();
	const { length: total } = plan.outcomes;
	return {
		dryRun: true,
		rows: plan.rows.length,
		wouldSend: pending.length,
		...output.toRunFacts?.(pending),
		outsideHours: moments.length,
		...(firstCallableAt !== undefined && { firstCallableAt }),
		skipped: total - pending.length - moments.length,
		invalid: plan.rows.filter(({ problems }) => problems !== undefined).length,
		reasons: reasonsOf(plan),
		sample: pending.slice(0, SAMPLE).map((value) => output.toPreview(value)),
		...(plan.reasonNotToSend !== undefined && { reasonNotToSend: plan.reasonNotToSend }),
		planId,
	};
}

/** How a run went: its requests, and when each of its batches was sent, in ms. */
export interface RunFacts {
	readonly requests: number;
	readonly times: ReadonlyMap<number, number>;
	readonly zone: string;
}

/** What became of all rows, as one item. */
export function finishedItem<T>(
	plan: RunPlan<T>,
	toRunFacts: ((values: readonly T[]) => object) | undefined,
	{ requests, times, zone }: RunFacts,
): object {
	const counts = { accepted: 0, unchanged: 0, rejected: 0, unknown: 0, notSent: 0 };
	const hours = new Map<string, number>();
	const jobs = new Set<string>();
	const accepted: T[] = [];
	for (const [index, outcome] of plan.outcomes.entries()) {
		counts[outcome?.outcome ?? 'unknown'] += 1;
		if (outcome?.outcome !== 'accepted') continue;
		accepted.push(plan.values[index] as T);
		const sentMs = times.get(outcome.batch);
		if (sentMs !== undefined) {
			const hour = hourOf(sentMs, zone);
			hours.set(hour, (hours.get(hour) ?? 0) + 1);
		}
		const job: unknown = Reflect.get(Object(outcome.reply) as object, 'jobId');
		if (typeof job === 'string') jobs.add(job);
	}
	return {
		rows: plan.rows.length,
		requests,
		...counts,
		invalid: plan.rows.filter(({ problems }) => problems !== undefined).length,
		...toRunFacts?.(accepted),
		reasons: reasonsOf(plan),
		perHour: [...hours].map(([hour, count]) => ({ hour, accepted: count })),
		jobs: [...jobs],
	};
}

const hourOf = (ms: number, zone: string): string =>
	DateTime.fromMillis(ms, { zone }).startOf('hour').toISO({ suppressMilliseconds: true }) ?? '';

const callableMoments = (outcomes: ReadonlyArray<Outcome | undefined>): unknown[] =>
	outcomes.flatMap((outcome) => {
		const failure = outcome && 'failure' in outcome ? outcome.failure : undefined;
		const facts = failure?.kind === 'skipped' ? failure.facts : undefined;
		return facts && 'callableAt' in facts ? [facts['callableAt']] : [];
	});

/** Why values were or would be left out, the most frequent reason first; what differs between rows is left away. */
function reasonsOf<T>({ rows, outcomes }: RunPlan<T>): Reason[] {
	const counts = new Map<string, Reason>();
	const add = (outcome: string, reason: string) => {
		const name = `${outcome}\n${reason}`;
		counts.set(name, { outcome, reason, count: (counts.get(name)?.count ?? 0) + 1 });
	};
	for (const row of rows) if (row.problems) add('invalid', problemOf(row));
	for (const outcome of outcomes)
		if (outcome && 'failure' in outcome) add(outcome.outcome, textOf(outcome.failure));
	return [...counts.values()].toSorted((a, b) => b.count - a.count).slice(0, MAX_REASONS);
}

const problemOf = <T>({ problems = [] }: RowPlan<T>): string =>
	general(problems.map(({ path, message }) => `${path.join('.')} ${message}`).join('; '));

const textOf = (failure: Failure): string =>
	general('message' in failure ? failure.message : 'invalid');

/** A reason without the values of its row. */
const general = (text: string): string =>
	text
		.replace(/"[^"]*"/g, '"…"')
		.replace(/\+\d{6,15}/g, '…')
		.replace(/\bRow \d+/g, 'Row …');
