import { hash } from 'crypto';
import type { OperationContext } from '../core/operation';
import type { RunPlan } from './check';
import type { BulkOperation, SendSettings } from './operation';
import type { Outcome } from './outcomes';
import type { Begun } from './runLease';
import { createRunLease } from './runLease';
import { compareWithSent, readSentState } from './unchanged';

/** What a run keeps of the values that the service took, from before it sends until after. */
export interface SentRecord {
	/** Called before each request. */
	readonly renew: () => Promise<void>;
	/** Writes down what the service has now. */
	readonly close: () => Promise<void>;
}

/**
 * Notes the values that the service took with the same content in an earlier run, of those that are to be compared. n8n saves the
 * state of a workflow when an execution ends, but its deduplication store at once: the state counts only where the store knows its
 * run as the latest. So nothing is skipped after a run that was killed, or that another run overlapped.
 */
export async function openSentRecord<T, Settings extends SendSettings>(
	plan: RunPlan<T>,
	operation: BulkOperation<T, Settings, object, object>,
	{ settings, context, candidates }: SentRecordOptions<Settings>,
): Promise<OpenedRecord> {
	const mode = operation.unchanged?.(settings) ?? 'ignore';
	const loaded = operation.unchanged && context.state.load();
	// A run without the option spoils a state, too, also one that another run is about to save.
	if (mode === 'ignore' && loaded === undefined && !(await hasEntries(operation, context)))
		return {};
	const { outcomes, values } = plan;
	const scope = hash('sha256', context.account, 'base64url').slice(0, 16);
	const saved = readSentState(loaded);
	const comparison = compareWithSent(
		{
			indexes: mode === 'ignore' ? [] : candidates,
			identityOf: (index) => operation.identity.of(values[index] as T),
			bodyOf: (index) => operation.toBody(values[index] as T, settings),
		},
		mode === 'skip' && saved?.scope === scope ? saved.digests : undefined,
	);
	const pending = candidates.filter((index) => outcomes[index] === undefined);
	const isSentNow = outcomes.map((outcome) => outcome === undefined);
	const changed = pending.filter((index) => !comparison.isUnchanged(index));
	const lease = createRunLease(context, { last: saved?.run ?? 0, timeoutMs: settings.timeoutMs });
	const begun = await lease.begin(
		(isLatest) => !settings.dryRun && (isLatest ? changed : pending).length > 0,
	);
	// Digests that could not be spoiled might be used after a crash.
	if ('problem' in begun && saved && saved.digests !== '')
		return { reasonNotToSend: cannotWrite(begun.problem) };
	const isTrusted = 'isLatest' in begun && begun.isLatest;
	const isKnown = (index: number) => isTrusted && comparison.isUnchanged(index);
	for (const index of pending) if (isKnown(index)) outcomes[index] = UNCHANGED;
	// What an earlier attempt sent may not be the last that was sent: its execution may be old.
	const isStored = (index: number) =>
		isKnown(index) || (isSentNow[index] === true && outcomes[index]?.outcome === 'accepted');
	const close = async (): Promise<void> => {
		const isValid = await lease.end();
		if (mode === 'ignore' || 'problem' in begun) return context.state.save(undefined);
		// Without a valid row nothing is known of the customers.
		if (candidates.length === 0) return;
		const digests = isValid ? comparison.digestsOf(isStored) : '';
		context.state.save({ version: 1, scope, run: lease.number(), digests });
	};
	const note = mode === 'ignore' ? undefined : noteOf(begun);
	return { note, record: { renew: lease.renew, close } };
}

async function hasEntries(
	{ unchanged }: { readonly unchanged?: unknown },
	{ dedupeStore }: OperationContext,
): Promise<boolean> {
	if (!unchanged) return false;
	const size = await dedupeStore.size();
	return size.ok && size.value > 0;
}

/** A record, where one is kept, with what the user has to know, or why nothing may be sent. */
interface OpenedRecord {
	readonly record?: SentRecord;
	readonly note?: string | undefined;
	readonly reasonNotToSend?: string;
}

/** What a record is opened with: the values to compare are all that duplicates and checks left. */
export interface SentRecordOptions<Settings> {
	readonly settings: Settings;
	readonly context: OperationContext;
	readonly candidates: readonly number[];
}

const UNCHANGED: Outcome = { outcome: 'unchanged' };

const cannotWrite = (problem: string): string =>
	`Not sent, because n8n could not record that customers are being sent (${problem}). Run the node again`;

function noteOf(begun: Begun): string | undefined {
	if ('problem' in begun)
		return `Unchanged rows could not be skipped, because n8n cannot remember them (${begun.problem})`;
	return begun.isAlone
		? undefined
		: 'All rows were sent, because another run of this node is in progress or was interrupted less than an hour ago';
}
