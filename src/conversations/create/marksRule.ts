import { recallHeldBack, recordHeldBack } from '../../bulk/ledger';
import { toLeftOut, type Failed } from '../../bulk/outcomes';
import type { Entry, Rule } from '../../bulk/plan';
import type { Ledger } from '../../core/operation';
import { personKeys, type PlannedConversation } from '../plannedConversation';
import type { CreateSettings } from './settings';

/** Leaves out people (by number or Person ID) whom any row, loop round or channel of the execution holds back. */
export const marksRule =
	(
		{ marks, dryRun }: Pick<CreateSettings, 'marks' | 'dryRun'>,
		ledger: Ledger,
	): Rule<PlannedConversation> =>
	({ entries, stop }) => {
		// While a question about the column is open, no cell decides.
		if (stop !== undefined) return {};
		const { code, reason, none } = marks?.isConsent ? CONSENT : DO_NOT_CALL;
		const reasons = new Map<string, string>();
		for (const person of recallHeldBack(ledger))
			reasons.set(person, `${reason} earlier in this execution`);
		for (const { content, row } of entries)
			for (const person of content.isHeldBack ? personKeys(content) : [])
				reasons.set(person, `${reason} in row ${row + 1}`);
		if (reasons.size > 0 && !dryRun) recordHeldBack(ledger, [...reasons.keys()]);
		const leaveOut = new Map<Entry<PlannedConversation>, Failed>();
		for (const entry of entries) {
			const [elsewhere] = personKeys(entry.content).flatMap((person) => reasons.get(person) ?? []);
			const why = entry.content.isHeldBack ? reason : elsewhere;
			if (why !== undefined) leaveOut.set(entry, toLeftOut(code, why));
		}
		const isNoneHeld = marks !== undefined && leaveOut.size === 0;
		return { leaveOut, notes: isNoneHeld ? [none] : [] };
	};

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
