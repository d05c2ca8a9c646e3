import { hash } from 'crypto';
import type { Findings, Guard, Plan, Sources, Value } from '../../bulk/plan';
import { pendingOf } from '../../bulk/plan';
import type { OperationContext } from '../../core/operation';
import { compareSources } from '../mapping/compareSources';
import type { Comparison } from './compare';
import { compareWithSent, readSentState } from './compare';
import type { Begun, RunLease } from './runLease';
import { createRunLease } from './runLease';

/** Whether what has not changed is skipped; a run without that forgets what was sent before. */
type Mode = 'skip' | 'ignore';

interface UnchangedSettings<T> {
	readonly mode: Mode;
	readonly dryRun: boolean;
	readonly timeoutMs: number;
	readonly toBody: (content: T) => object;
}

/** What a run keeps of the values that the service took, from before it sends until after. */
interface SentRecord<T> {
	readonly lease: RunLease;
	readonly scope: string;
	readonly comparison: Comparison;
	/** Whether the service has a value now: what an earlier attempt sent may not be the last that was sent. */
	readonly isStored: (value: Value<T>) => boolean;
	readonly candidates: ReadonlyArray<Value<T>>;
	readonly isKept: boolean;
	readonly sources: Sources | undefined;
}

/**
 * Skips the values that the service took with the same content in an earlier run. n8n saves the state of a workflow when an execution
 * ends, but its deduplication store at once: the state counts only where the store knows its run as the latest. So nothing is
 * skipped after a run that was killed, or that another run overlapped.
 */
export function unchangedGuard<T>(
	settings: UnchangedSettings<T>,
	context: OperationContext,
): Guard<T> {
	let record: SentRecord<T> | undefined;
	return {
		open: async (plan) => {
			if (plan.stop !== undefined && !settings.dryRun) return {};
			const opened = await openRecord(plan, settings, context);
			record = opened.record;
			return opened.findings;
		},
		before: async () => {
			await record?.lease.renew();
		},
		close: async () => {
			if (record) await closeRecord(record, context);
			return {};
		},
	};
}

async function openRecord<T>(
	{ values, sources }: Plan<T>,
	{ mode, dryRun, timeoutMs, toBody }: UnchangedSettings<T>,
	context: OperationContext,
): Promise<{ readonly record?: SentRecord<T>; readonly findings: Findings }> {
	const loaded = context.state.load();
	// A run without the option spoils a state, too, also one that another run is about to save.
	if (mode === 'ignore' && loaded === undefined && !(await hasNames(context)))
		return { findings: {} };
	const scope = hash('sha256', context.account, 'base64url').slice(0, 16);
	const saved = readSentState(loaded);
	const changedSource =
		mode === 'skip' && sources && saved?.sources
			? compareSources(saved.sources, sources)
			: undefined;
	if (changedSource !== undefined) return { findings: { stop: changedSource } };
	// Duplicates that are left out, and rows that must not be sent, are compared by no one.
	const candidates = values.filter(
		({ outcome }) =>
			outcome === undefined || outcome.outcome === 'accepted' || outcome.outcome === 'unknown',
	);
	const comparison = compareWithSent(
		{
			indexes: mode === 'ignore' ? [] : [...candidates.keys()],
			identityOf: (index) => candidates[index]?.identity ?? '',
			bodyOf: (index) => toBody(contentOf(candidates[index])),
		},
		mode === 'skip' && saved?.scope === scope ? saved.digests : undefined,
	);
	const indexOf = new Map(candidates.map((value, index) => [value, index]));
	const isUnchanged = (value: Value<T>) => comparison.isUnchanged(indexOf.get(value) ?? -1);
	const pending = pendingOf(values);
	const changed = pending.filter((value) => !isUnchanged(value));
	const lease = createRunLease(context, { last: saved?.run ?? 0, timeoutMs });
	const begun = await lease.begin(
		(isLatest) => !dryRun && (isLatest ? changed : pending).length > 0,
	);
	// Digests that could not be spoiled might be used after a crash.
	if ('problem' in begun && saved && saved.digests !== '')
		return { findings: { stop: cannotWrite(begun.problem) } };
	const isTrusted = 'isLatest' in begun && begun.isLatest;
	const known = new Set(isTrusted ? pending.filter(isUnchanged) : []);
	for (const value of known) value.outcome = { outcome: 'unchanged' };
	const sentNow = new Set(pendingOf(values));
	const isStored = (value: Value<T>) =>
		known.has(value) || (sentNow.has(value) && value.outcome?.outcome === 'accepted');
	const isKept = mode !== 'ignore' && !('problem' in begun);
	return {
		...(!dryRun && { record: { lease, scope, comparison, isStored, candidates, isKept, sources } }),
		findings: { notes: mode === 'ignore' ? [] : noteOf(begun) },
	};
}

async function closeRecord<T>(
	{ lease, scope, comparison, isStored, candidates, isKept, sources }: SentRecord<T>,
	{ state }: OperationContext,
): Promise<void> {
	const isValid = await lease.end();
	if (!isKept) return state.save(undefined);
	// Without a valid row nothing is known of the customers.
	if (candidates.length === 0) return;
	const isStoredAt = (index: number): boolean => {
		const value = candidates[index];
		return value !== undefined && isStored(value);
	};
	const digests = isValid ? comparison.digestsOf(isStoredAt) : '';
	state.save({
		version: 1,
		scope,
		run: lease.number(),
		digests,
		...(sources && { sources: JSON.stringify(sources) }),
	});
}

function contentOf<T>(value: Value<T> | undefined): T {
	if (!value) throw new RangeError('There is no such value');
	return value.content;
}

async function hasNames({ dedupeStore }: OperationContext): Promise<boolean> {
	const size = await dedupeStore.size();
	return size.ok && size.value > 0;
}

const cannotWrite = (problem: string): string =>
	`Not sent, because n8n could not record that customers are being sent (${problem}). Run the node again`;

function noteOf(begun: Begun): string[] {
	if ('problem' in begun)
		return [
			`Unchanged rows could not be skipped, because n8n cannot remember them (${begun.problem})`,
		];
	return begun.isAlone
		? []
		: [
				'All rows were sent, because another run of this node is in progress or was interrupted less than an hour ago',
			];
}
