import { hash } from 'crypto';
import { z } from 'zod/v4';
import type { NotAccepted } from '../../bulk/outcomes';
import { leftOut } from '../../bulk/outcomes';
import type { Guard } from '../../bulk/plan';
import type { Ledger } from '../../core/operation';
import { numberKey, personKeys } from './identity';
import type { PlannedConversation } from './plannedConversation';

const marked = (reason: string): NotAccepted =>
	leftOut(`Not called, because ${reason}`, 'marked Do Not Call');

const MARKED = marked('the row is marked do not call');
const MARKED_BEFORE = marked('this execution found the person marked do not call before');
const LISTED = leftOut(
	"Not called, because the number is listed under 'Numbers Never Called'",
	"listed under 'Numbers Never Called'",
);

/** Where the ledger has the people whom the execution marked. */
const MARKED_PEOPLE = '!';

/**
 * Leaves out every person whom a row marks, in all rows, rounds and channels of the execution.
 * A person is the same number or the same Person ID. Numbers that are never called are left out.
 */
export const doNotCallGuard = (
	numbersNeverCalled: ReadonlySet<string>,
	ledger: Ledger,
): Guard<PlannedConversation> => ({
	open: ({ values }) => {
		const earlier = z.array(z.string()).catch([]).parse(ledger.recall(MARKED_PEOPLE));
		const reasons = new Map(earlier.map((person) => [person, MARKED_BEFORE]));
		for (const { content, row } of values.filter((value) => value.content.isMarked))
			for (const person of hashedKeys(content))
				setOnce(reasons, person, marked(`row ${row + 1} of the same person is marked do not call`));
		if (reasons.size > 0) ledger.record(MARKED_PEOPLE, [...reasons.keys()]);
		for (const number of numbersNeverCalled) setOnce(reasons, hashKey(numberKey(number)), LISTED);
		for (const value of values) {
			if (value.content.isMarked) value.outcome = MARKED;
			else if (reasons.size > 0)
				[value.outcome] = hashedKeys(value.content).flatMap((each) => reasons.get(each) ?? []);
		}
		return {};
	},
});

/** A key of the ledger, which holds no numbers. */
const hashKey = (key: string): string => hash('sha256', key, 'base64url').slice(0, 16);

const hashedKeys = (content: PlannedConversation): string[] => personKeys(content).map(hashKey);

function setOnce<Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void {
	if (!map.has(key)) map.set(key, value);
}
