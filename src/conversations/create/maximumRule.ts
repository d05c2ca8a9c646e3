import { recallTotals } from '../../bulk/ledger';
import { filterPending, type Rule } from '../../bulk/plan';
import type { Ledger } from '../../core/operation';
import { formatCount, plural } from '../../core/words';

/** Stops a run if its conversations, with those of earlier rounds of a loop, are more than Maximum Conversations. */
export const maximumRule =
	<T>(max: number, ledger: Ledger): Rule<T> =>
	({ entries }) => {
		// People called in earlier executions are still pending, because only the gate leaves them out.
		const pending = filterPending(entries).length;
		const earlier = recallTotals(ledger).sent;
		if (pending === 0 || earlier + pending <= max) return {};
		const before = earlier > 0 ? `, after ${formatCount(earlier)} earlier in this execution,` : '';
		const stop = `${plural(pending, 'conversation')}${before} ${pending === 1 ? 'is' : 'are'} more than 'Maximum Conversations' (${formatCount(max)}) allows. People called in earlier executions count, too. Raise it if you mean to start them all`;
		return { stop };
	};
