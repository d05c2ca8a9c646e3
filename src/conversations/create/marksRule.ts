import { recallHeldBack, recordHeldBack } from '../../bulk/ledger';
import { toLeftOut, type Failed } from '../../bulk/outcomes';
import type { Entry, Rule } from '../../bulk/plan';
import type { Ledger } from '../../core/operation';
import { personKeys, type PlannedConversation } from '../plannedConversation';
import type { CreateSettings } from './settings';

/** Leaves out people whom any row of the execution holds back. Records them for later rounds, except in a dry run. */
export const marksRule =
	(
		{ marks, dryRun }: Pick<CreateSettings, 'marks' | 'dryRun'>,
		ledger: Ledger,
	): Rule<PlannedConversation> =>
	({ entries, stop }) => {
		// A run that stops sends nothing. Its reason may be a question about these marks.
		if (stop !== undefined) return {};
		// Without a column of marks, only earlier rounds of the execution hold people back.
		const { code, reason, none } = marks?.isConsent ? CONSENT : DO_NOT_CALL;
		const reasons = listHeldBack(entries, ledger, reason);
		if (reasons.size > 0 && !dryRun) recordHeldBack(ledger, [...reasons.keys()]);
		const leaveOut = new Map<Entry<PlannedConversation>, Failed>();
		for (const entry of entries) {
			const [sharedReason] = personKeys(entry.content).flatMap((key) => reasons.get(key) ?? []);
			const why = entry.content.isHeldBack ? reason : sharedReason;
			if (why !== undefined) leaveOut.set(entry, toLeftOut(code, why));
		}
		const isNoneHeld = marks !== undefined && leaveOut.size === 0;
		return { leaveOut, notes: isNoneHeld ? [none] : [] };
	};

/** Lists the people held back by these rows or earlier in the execution: number or Person ID, and where. */
function listHeldBack(
	entries: ReadonlyArray<Entry<PlannedConversation>>,
	ledger: Ledger,
	reason: string,
): Map<string, string> {
	const reasons = new Map<string, string>();
	const entriesByKey = new Map<string, Array<Entry<PlannedConversation>>>();
	for (const key of recallHeldBack(ledger)) reasons.set(key, `${reason} earlier in this execution`);
	for (const entry of entries)
		for (const key of personKeys(entry.content)) {
			const sharing = entriesByKey.get(key) ?? [];
			sharing.push(entry);
			entriesByKey.set(key, sharing);
			if (entry.content.isHeldBack && !reasons.has(key))
				reasons.set(key, `${reason} in row ${entry.row + 1}`);
		}
	// A number and a Person ID in one row are one person. The loop also reaches the keys that it adds.
	for (const [key, why] of reasons)
		for (const { content } of entriesByKey.get(key) ?? [])
			for (const joined of personKeys(content)) if (!reasons.has(joined)) reasons.set(joined, why);
	return reasons;
}

const DO_NOT_CALL = {
	code: 'doNotCall',
	reason: 'Marked do not call',
	none: 'No row is marked do not call',
} as const;

const CONSENT = {
	code: 'noConsent',
	reason: 'No consent',
	none: 'Every row has a consent',
} as const;
