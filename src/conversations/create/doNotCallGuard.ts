import { hash } from 'crypto';
import { z } from 'zod/v4';
import type { LeftOut } from '../../bulk/outcomes';
import { leftOut } from '../../bulk/outcomes';
import type { Entry, Guard } from '../../bulk/plan';
import type { Ledger } from '../../core/operation';
import { numberKey, personKeys } from './identity';
import type { PlannedConversation } from './plannedConversation';

const marked = (reason: string): LeftOut =>
	leftOut(`Not called, because ${reason}`, 'marked Do Not Call');

const MARKED_ROW = marked('the row is marked do not call');
const MARKED_BEFORE = marked('this execution found the person marked do not call before');
const LISTED_NUMBER = leftOut(
	"Not called, because the number is listed under 'Numbers Never Called'",
	"listed under 'Numbers Never Called'",
);

/** The key of the ledger for the people whom the execution marked. */
const MARKED_PEOPLE = '!';

interface DoNotCall {
	/** In E.164. */
	readonly numbersNeverCalled: ReadonlySet<string>;
	/** Whether the user named a column of marks. */
	readonly isAsked: boolean;
	readonly ledger: Ledger;
}

/**
 * Leaves out every person whom a row marks, in all rows, rounds and channels of the execution.
 * A person is the same number or the same Person ID.
 */
export const doNotCallGuard = ({
	numbersNeverCalled,
	isAsked,
	ledger,
}: DoNotCall): Guard<PlannedConversation> => ({
	open: ({ entries }) => {
		const earlier = z.array(z.string()).catch([]).parse(ledger.recall(MARKED_PEOPLE));
		const reasons = new Map(earlier.map((person) => [person, MARKED_BEFORE]));
		const markedEntries = entries.filter(({ content }) => content.isMarked);
		for (const { content, row } of markedEntries)
			for (const person of hashKeys(content))
				setOnce(reasons, person, marked(`row ${row + 1} of the same person is marked do not call`));
		const isNoneMarked = isAsked && reasons.size === 0;
		if (reasons.size > 0) ledger.record(MARKED_PEOPLE, [...reasons.keys()]);
		for (const number of numbersNeverCalled)
			setOnce(reasons, hashKey(numberKey(number)), LISTED_NUMBER);
		const leaveOut = new Map<Entry<PlannedConversation>, LeftOut>();
		for (const entry of entries) {
			const { content } = entry;
			const [reason] = hashKeys(content).flatMap((key) => reasons.get(key) ?? []);
			const outcome = content.isMarked ? MARKED_ROW : reason;
			if (outcome) leaveOut.set(entry, outcome);
		}
		return { leaveOut, notes: isNoneMarked ? [NONE_MARKED] : [] };
	},
});

const NONE_MARKED = 'No row is marked Do Not Call';

/** A key of the ledger without readable numbers. */
const hashKey = (key: string): string => hash('sha256', key, 'base64url').slice(0, 16);

const hashKeys = (content: PlannedConversation): string[] => personKeys(content).map(hashKey);

function setOnce<Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void {
	if (!map.has(key)) map.set(key, value);
}
