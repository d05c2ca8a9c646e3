import countBy from 'lodash/countBy';
import type { NotFinishedError } from '../../core/failures';
import type { Conversation } from './conversation';
import { isFinished } from './conversation';
import { MINUTE_MS } from '../../core/time';
import { formatCount, plural } from '../../core/words';
import type { PolledConversations, PollSettings } from './pollConversations';

/** "1,000 conversations, 4,210 requests: 980 finished, 20 not finished after 10 minutes"; undefined without a wait. */
export function summarizeWait(
	{ reads, requests }: PolledConversations,
	{ finishedStates, maxWaitMs }: PollSettings,
): string | undefined {
	if (maxWaitMs === 0 || reads.size === 0) return undefined;
	const open = `not finished after ${formatDuration(maxWaitMs)}`;
	const counts = countBy([...reads.values()], ({ read }) => {
		if (!read.ok) return 'failed';
		return isFinished(read.value, finishedStates) ? 'finished' : open;
	});
	const parts = ['finished', open, 'failed'].flatMap((end) =>
		counts[end] === undefined ? [] : `${formatCount(counts[end])} ${end}`,
	);
	return `${plural(reads.size, 'conversation')}, ${plural(requests, 'request')}: ${parts.join(', ')}`;
}

/** The failure of a conversation that was not finished in time. */
export function notFinished(conversation: Conversation, waitedMs: number): NotFinishedError {
	const status = conversation.conversationStatus ?? '';
	const shown = status === '' ? 'it has no status' : `its status is '${status}'`;
	return {
		kind: 'notFinished',
		message: `The conversation was not finished after ${formatDuration(waitedMs)}, ${shown}`,
		advice: `Raise Maximum Wait, or come back later with n8n's Wait node in a loop. If this status means that it is over, add it to Finished Statuses in the options`,
	};
}

/** Formats seconds below two minutes, otherwise minutes, with up to one decimal. */
function formatDuration(ms: number): string {
	const [size, word] =
		ms < 2 * MINUTE_MS && ms !== MINUTE_MS ? [1000, 'second'] : [MINUTE_MS, 'minute'];
	return plural(Math.round((ms / size) * 10) / 10, word);
}
