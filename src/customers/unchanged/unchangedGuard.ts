import { hash } from 'crypto';
import compact from 'lodash/compact';
import type { Entry, Findings, Guard, Plan } from '../../bulk/plan';
import { filterPending } from '../../bulk/plan';
import { NOT_SAVED } from '../../core/dedupeStore';
import type { OperationContext } from '../../core/operation';
import type { BatchSettings } from '../batchSettings';
import type { Customer } from '../customer';
import { toBody } from '../customer';
import { compareWithSent, readSentState } from './compare';
import { describeLostSources } from './lostSources';
import type { RunLease } from './runLease';
import { createRunLease } from './runLease';

/** What was found in a run that may send, and how it ends. */
interface Opened {
	readonly findings: Findings<Customer>;
	readonly lease?: RunLease;
	readonly close?: () => Promise<void>;
}

/**
 * Skips the customers that the service took with the same content in an earlier run.
 * n8n saves the state of a workflow when an execution ends, but its deduplication store at once: the state counts only if the
 * store knows its run as the latest. So nothing is skipped after a run that was killed, or that another run overlapped.
 */
export function unchangedGuard(
	settings: BatchSettings,
	context: OperationContext,
): Guard<Customer> {
	let opened: Opened = { findings: {} };
	return {
		open: async (plan) => {
			if (plan.stop === undefined || settings.dryRun)
				opened = await openRun(plan, settings, context);
			return opened.findings;
		},
		before: async () => {
			await opened.lease?.renew();
			return {};
		},
		close: async () => {
			await opened.close?.();
			return {};
		},
	};
}

async function openRun(
	{ entries, sources }: Plan<Customer>,
	settings: BatchSettings,
	context: OperationContext,
): Promise<Opened> {
	const { skipUnchanged, dryRun, timeoutMs, columnsToUse } = settings;
	const loaded = context.state.load();
	if (!skipUnchanged && loaded === undefined) {
		// A run without the option invalidates a state, too, also one that another run is about to save.
		const size = await context.dedupeStore.size();
		if (size.ok && size.value === 0) return { findings: {} };
	}
	const saved = readSentState(loaded);
	const lost = skipUnchanged && describeLostSources(saved?.sources, sources, columnsToUse.columns);
	if (lost) return { findings: { stop: lost } };
	const scope = hash('sha256', context.account, 'base64url').slice(0, 16);
	// Duplicates that are left out, and rows that must not be sent, are not compared.
	const candidates = entries.filter(({ outcome }) =>
		[undefined, 'accepted', 'unknown'].includes(outcome?.outcome),
	);
	const { isUnchanged, digestsOf } = compareWithSent(
		{
			values: skipUnchanged ? candidates : [],
			identityOf: ({ identity }) => identity,
			bodyOf: ({ content }) => toBody(content, settings),
		},
		skipUnchanged && saved?.scope === scope ? saved.digests : undefined,
	);
	const pending = filterPending(entries);
	const unchanged = pending.filter(isUnchanged);
	const lease = createRunLease(context, { last: saved?.run ?? 0, timeoutMs });
	const begun = await lease.begin(
		(isLatest) => !dryRun && pending.length > (isLatest ? unchanged.length : 0),
	);
	// Digests that could not be invalidated might be used after a crash, also those that another run is about to save.
	const isKnown = saved !== undefined && saved.digests !== '';
	if (!begun.ok && (isKnown || (skipUnchanged && begun.failure !== NOT_SAVED)))
		return { findings: { stop: notRecorded(begun.failure) } };
	const skipped = begun.ok && begun.value.isLatest ? unchanged : [];
	const findings = {
		leaveOut: new Map(skipped.map((entry) => [entry, UNCHANGED])),
		notes: compact([skipUnchanged && describeLease(begun)]),
	};
	if (dryRun) return { findings };
	// A value that an earlier attempt sent may not be the last that was sent.
	const ofThisRun = new Set(pending);
	const isStored = (entry: Entry<Customer>): boolean =>
		ofThisRun.has(entry) && ['accepted', 'unchanged'].includes(entry.outcome?.outcome ?? '');
	const close = async () => {
		const isValid = await lease.end();
		if (!skipUnchanged || !begun.ok) return context.state.save(undefined);
		if (candidates.length === 0) return;
		context.state.save({
			version: 1,
			scope,
			run: lease.number(),
			digests: isValid ? digestsOf(isStored) : '',
			// A field that is empty in all rows of this run keeps the columns that it had.
			...(sources && { sources: JSON.stringify({ ...saved?.sources, ...sources.fields }) }),
		});
	};
	return { findings, lease, close };
}

const UNCHANGED = { outcome: 'unchanged' } as const;

const notRecorded = (failure: string): string =>
	`n8n could not record that customers are being sent (${failure}). Run the node again`;

function describeLease(begun: Awaited<ReturnType<RunLease['begin']>>): string | undefined {
	if (!begun.ok)
		return `Unchanged rows could not be skipped, because n8n cannot remember them (${begun.failure})`;
	if (!begun.value.isAlone)
		return 'All rows were sent, because another run of this node is in progress or was interrupted less than an hour ago';
	return undefined;
}
