import { hash } from 'crypto';
import type { Guard } from '../../bulk/plan';
import { leftOutAs } from '../../bulk/results';
import type { Ledger } from '../../core/operation';
import { marked, MARKED_AS } from './barred';
import { keysOf, ownKeys } from './identity';
import type { PlannedConversation } from './readRows';

/** Leaves out whoever was marked in an earlier round of a loop, or an earlier attempt of this execution: those rows are gone. */
export const markedGuard = (ledger: Ledger): Guard<PlannedConversation> => ({
	open: ({ values }) => {
		for (const { content, outcome } of values)
			if (outcome && leftOutAs(outcome) === MARKED_AS)
				for (const key of ownKeys(content)) ledger.record(nameOf(key), true);
		for (const value of values)
			if (
				!value.outcome &&
				keysOf(value.content).some((key) => ledger.recall(nameOf(key)) === true)
			)
				value.outcome = EARLIER;
		return {};
	},
});

const EARLIER = marked('this execution found the person marked do not call in an earlier round');

/** What someone is called in the ledger, in which no numbers stand. */
const nameOf = (key: string): string => `!${hash('sha256', key, 'base64url').slice(0, 16)}`;
