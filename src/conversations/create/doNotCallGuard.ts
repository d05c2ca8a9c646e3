import { compact, map, uniq } from 'lodash';
import { z } from 'zod/v4';
import { toLeftOut, type Failed } from '../../bulk/outcomes';
import type { Entry, Guard } from '../../bulk/plan';
import type { Ledger } from '../../core/operation';
import { formatRows } from '../../core/words';
import { personKeys, type PlannedConversation } from './plannedConversation';
import type { CreateSettings } from './settings';

/** The key of the ledger for the people whom the execution marked. */
const MARKED_PEOPLE = '!';

/**
 * Leaves out people whom a row marks do not call, in all rows, loop rounds and channels of the execution.
 * A person is the same number or the same Person ID.
 */
export const doNotCallGuard = (
	{ markedValues }: CreateSettings,
	ledger: Ledger,
): Guard<PlannedConversation> => ({
	open: ({ entries, stop }) => {
		const markedBefore = z.array(z.string()).catch([]).parse(ledger[MARKED_PEOPLE]);
		const marks = new Map(markedBefore.map((person) => [person, MARKED_BEFORE]));
		for (const { content, row } of entries)
			for (const person of content.isMarked ? personKeys(content) : [])
				marks.set(
					person,
					toMarkedOutcome(`row ${row + 1} of the same person is marked do not call`),
				);
		if (marks.size > 0) ledger[MARKED_PEOPLE] = [...marks.keys()];
		const leaveOut = new Map<Entry<PlannedConversation>, Failed>();
		for (const entry of entries) {
			const [mark] = personKeys(entry.content).flatMap((person) => marks.get(person) ?? []);
			const outcome = entry.content.isMarked ? MARKED_ROW : mark;
			if (outcome) leaveOut.set(entry, outcome);
		}
		const marked = entries.filter(({ content }) => content.isMarked);
		const nameless = marked.filter(({ content }) => personKeys(content).length === 0);
		const rows = formatRows(uniq(map(nameless, 'row')), { total: Infinity, max: 5 });
		return {
			leaveOut,
			notes: compact([
				markedValues && !stop && marked.length + marks.size === 0 && 'No row is marked Do Not Call',
				nameless.length > 0 &&
					`${rows}: marked Do Not Call, but without a readable number or Person ID`,
			]),
		};
	},
});

const toMarkedOutcome = (reason: string): Failed =>
	toLeftOut(`Not called, because ${reason}`, 'marked Do Not Call');

const MARKED_ROW = toMarkedOutcome('the row is marked do not call');
const MARKED_BEFORE = toMarkedOutcome('this execution found the person marked do not call before');
