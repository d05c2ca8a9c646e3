import type { NotFinishedError } from '../../core/failures';
import type { Conversation } from './conversation';
import { isFinished } from './conversation';
import { MINUTE_MS } from '../../core/time';
import { formatCount, plural } from '../../core/words';
import type { PolledConversations, PollSettings } from './pollConversations';

/** How a run that waited went: "1,000 conversations, 4,210 requests: 980 finished, 20 not finished after 10 minutes". */
export function summaryOf(
	{ reads, requests }: PolledConversations,
	{ finishedStates, maxWaitMs }: PollSettings,
): string | undefined {
	if (maxWaitMs === 0 || reads.size === 0) return undefined;
	const read = [...reads.values()].flatMap((each) => (each.read.ok ? [each.read.value] : []));
	const finished = read.filter((conversation) => isFinished(conversation, finishedStates)).length;
	const open = read.length - finished;
	const failed = reads.size - read.length;
	const parts = [
		finished > 0 ? `${formatCount(finished)} finished` : [],
		open > 0 ? `${formatCount(open)} not finished after ${inWords(maxWaitMs)}` : [],
		failed > 0 ? `${formatCount(failed)} failed` : [],
	].flat();
	return `${plural(reads.size, 'conversation')}, ${plural(requests, 'request')}: ${parts.join(', ')}`;
}

/** The failure of a conversation that was not finished in time; `waitedMs` is how long. */
export function notFinished(conversation: Conversation, waitedMs: number): NotFinishedError {
	const status = conversation.conversationStatus ?? '';
	const shown = status === '' ? 'it has no status' : `its status is '${status}'`;
	return {
		kind: 'notFinished',
		message: `The conversation was not finished after ${inWords(waitedMs)}, ${shown}`,
		advice: `Raise Maximum Wait, or come back later with n8n's Wait node in a loop. If this status means that it is over, add it to Finished Statuses in the options`,
	};
}

/** A time as people say it: seconds below two minutes, then minutes; at most one decimal. */
function inWords(ms: number): string {
	const [size, word] =
		ms < 2 * MINUTE_MS && ms !== MINUTE_MS ? [1000, 'second'] : [MINUTE_MS, 'minute'];
	return plural(Math.round((ms / size) * 10) / 10, word);
}
