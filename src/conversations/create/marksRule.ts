import { toLeftOut, type Failed } from '../../bulk/outcomes';
import type { Entry, Rule } from '../../bulk/plan';
import type { PlannedConversation } from '../plannedConversation';
import { markWords } from './heldBack';
import type { CreateSettings } from './settings';

/** Makes the rule that leaves out people who are held back, and notes if the marks hold nobody back. */
export const marksRule =
	({ marks }: Pick<CreateSettings, 'marks'>): Rule<PlannedConversation> =>
	({ entries, stop }) => {
		// A run that stops sends nothing. Its reason may be a question about these marks.
		if (stop !== undefined) return {};
		// Without a column of marks, only earlier rounds hold people back.
		const { code, none } = marks?.isConsent ? markWords.consent : markWords.doNotCall;
		const leaveOut = new Map<Entry<PlannedConversation>, Failed>();
		for (const entry of entries) {
			const { heldBack } = entry.content;
			if (heldBack !== undefined) leaveOut.set(entry, toLeftOut(code, heldBack));
		}
		const isNoneHeld = marks !== undefined && leaveOut.size === 0;
		return { leaveOut, notes: isNoneHeld ? [none] : [] };
	};
