import countBy from 'lodash/countBy';
import round from 'lodash/round';
import type { NotFoundError } from '../../core/failures';
import type { Conversation } from './conversation';
import { isFinished } from './conversation';
import { MINUTE_MS } from '../../core/time';
import { formatCount, plural } from '../../core/words';
import type { PolledConversations, PollSettings } from './pollConversations';

/** "1,000 conversations, 4,210 requests: 980 finished, 20 not finished after 10 minutes"; undefined without a wait. */
export function summarizeWait(
	{ reads, requests }: PolledConversations,
	{ finishedStates, maximumWait }: PollSettings,
): string | undefined {
	if (maximumWait === 0 || reads.size === 0) return undefined;
	const open = `not finished after ${formatDuration(maximumWait)}`;
	const counts = countBy([...reads.values()], (read) => {
		if (!read.ok) return 'failed';
		return isFinished(read.value, finishedStates) ? 'finished' : open;
	});
	const parts = ['finished', open, 'failed'].flatMap((end) =>
		counts[end] === undefined ? [] : `${formatCount(counts[end])} ${end}`,
	);
	return `${plural(reads.size, 'conversation')}, ${plural(requests, 'request')}: ${parts.join(', ')}`;
}

/** The failure of a conversation that was not finished in time. */
export const notFinished = (
	{ conversationStatus }: Conversation,
	{ maximumWait }: Pick<PollSettings, 'maximumWait'>,
): NotFoundError => ({
	kind: 'notFinished',
	message: `The conversation was not finished after ${formatDuration(maximumWait)}, its status is '${conversationStatus ?? ''}'`,
	advice: `Raise Maximum Wait, or come back later with n8n's Wait node in a loop. If this status means that it is over, add it to Finished Statuses in the options`,
});

const formatDuration = (ms: number): string => plural(round(ms / MINUTE_MS, 2), 'minute');
