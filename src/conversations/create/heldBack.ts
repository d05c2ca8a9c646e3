import { recallHeldBack, recordHeldBack } from '../../bulk/ledger';
import type { Ledger } from '../../core/operation';
import type { ConversationRow } from './conversationRow';
import type { CreateSettings } from './settings';

/** The words of both kinds of marks. */
export const markWords = {
	doNotCall: {
		code: 'doNotCall',
		reason: 'Marked do not call',
		none: 'No row is marked do not call',
	},
	consent: { code: 'noConsent', reason: 'No consent', none: 'Every row has a consent' },
} as const;

/** Adds the reason to rows of people who are marked, now or earlier. `mayRecord` records these people for later rounds. */
export function holdPeopleBack(
	rows: readonly ConversationRow[],
	{ marks }: Pick<CreateSettings, 'marks'>,
	{ ledger, mayRecord }: { readonly ledger: Ledger; readonly mayRecord: boolean },
): ConversationRow[] {
	// Without a column, only earlier rounds have marks. Their kind is not recorded, so do-not-call is assumed.
	const { reason } = marks?.isConsent ? markWords.consent : markWords.doNotCall;
	const reasons = listHeldBack(rows, ledger, reason);
	if (reasons.size > 0 && mayRecord) recordHeldBack(ledger, [...reasons.keys()]);
	return rows.map((row) => {
		const [shared] = row.people.flatMap((key) => reasons.get(key) ?? []);
		const heldBack = row.isHeldBack ? reason : shared;
		if (!row.content || heldBack === undefined) return row;
		return { ...row, content: { ...row.content, heldBack } };
	});
}

/** Lists the people held back by these rows or earlier in the execution: number or Person ID, and where. */
function listHeldBack(
	rows: readonly ConversationRow[],
	ledger: Ledger,
	reason: string,
): Map<string, string> {
	const reasons = new Map<string, string>();
	const rowsByKey = new Map<string, ConversationRow[]>();
	for (const key of recallHeldBack(ledger)) reasons.set(key, `${reason} earlier in this execution`);
	for (const [position, row] of rows.entries())
		for (const key of row.people) {
			const sharing = rowsByKey.get(key) ?? [];
			sharing.push(row);
			rowsByKey.set(key, sharing);
			if (row.isHeldBack && !reasons.has(key)) reasons.set(key, `${reason} in row ${position + 1}`);
		}
	// A number and a Person ID in one row are one person. The loop also reaches the keys that it adds.
	for (const [key, why] of reasons)
		for (const { people } of rowsByKey.get(key) ?? [])
			for (const joined of people) if (!reasons.has(joined)) reasons.set(joined, why);
	return reasons;
}
