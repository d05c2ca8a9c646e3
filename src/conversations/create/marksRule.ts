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
		// A run that stops sends nothing. Its question may be about the meaning of these marks.
		if (stop !== undefined) return {};
		// Without a column of marks, only earlier rounds of the execution hold people back.
		const { code, reason, none } = marks?.isConsent ? CONSENT : DO_NOT_CALL;
		const reasons = listHeldBack(entries, ledger, reason);
		if (reasons.size > 0 && !dryRun) recordHeldBack(ledger, [...reasons.keys()]);
		const leaveOut = new Map<Entry<PlannedConversation>, Failed>();
		for (const entry of entries) {
			const [otherRow] = personKeys(entry.content).flatMap((key) => reasons.get(key) ?? []);
			const why = entry.content.isHeldBack ? reason : otherRow;
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
	for (const key of recallHeldBack(ledger)) reasons.set(key, `${reason} earlier in this execution`);
	// Repeats until no key is new, because a number and a Person ID in one row are one person.
	for (let size = -1; size < reasons.size;) {
		size = reasons.size;
		for (const { content, row } of entries) {
			const keys = personKeys(content);
			const [joined] = keys.flatMap((key) => reasons.get(key) ?? []);
			const why = content.isHeldBack ? `${reason} in row ${row + 1}` : joined;
			if (why === undefined) continue;
			for (const key of keys) if (!reasons.has(key)) reasons.set(key, why);
		}
	}
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
