import type { NotFinishedError } from '../core/failures';
import type { Conversation } from './conversation';
import { isFinished } from './finished';
import type { Reading, Readings } from './readings';

/** How a run that waited went: "1,000 conversations, 4,210 requests: 980 finished, 20 not finished after 10 minutes". */
export function summaryOf(
	readings: readonly Reading[],
	{ of, requests }: Readings,
): string | undefined {
	if (readings.every(({ maximumWait }) => maximumWait === 0)) return undefined;
	const reads = readings.map((reading) => ({ reading, read: of(reading).read }));
	const states = reads.flatMap(({ reading, read }) =>
		read.ok ? [isFinished(read.value, reading.states)] : [],
	);
	const finished = states.filter((isDone) => isDone).length;
	const open = states.length - finished;
	const failed = reads.length - states.length;
	const waits = new Set(readings.map(({ maximumWait }) => maximumWait));
	const [wait = 0] = waits.size === 1 ? waits : [];
	const parts = [
		finished > 0 ? `${finished.toLocaleString('en-US')} finished` : [],
		open > 0
			? `${open.toLocaleString('en-US')} not finished ${wait > 0 ? `after ${inWords(wait)}` : 'in time'}`
			: [],
		failed > 0 ? `${failed.toLocaleString('en-US')} failed` : [],
	].flat();
	return `${count(readings.length, 'conversation')}, ${count(requests, 'request')}: ${parts.join(', ')}`;
}

/** The failure of a conversation that was not finished in time; `waited` is in ms. */
export function notFinished(conversation: Conversation, waited: number): NotFinishedError {
	const status = conversation.conversationStatus ?? '';
	const shown = status === '' ? 'it has no status' : `its status is '${status}'`;
	return {
		kind: 'notFinished',
		message: `The conversation was not finished after ${inWords(waited)}; ${shown}`,
		advice: `Raise Maximum Wait, or come back later with n8n's Wait node in a loop. If this status means that it is over, add it to Finished States in the options`,
	};
}

const count = (number: number, word: string): string =>
	`${number.toLocaleString('en-US')} ${word}${number === 1 ? '' : 's'}`;

/** A time as people say it: seconds below two minutes, then minutes; at most one decimal. */
function inWords(ms: number): string {
	const [size, word] = ms < 120_000 && ms !== 60_000 ? [1000, 'second'] : [60_000, 'minute'];
	return count(Math.round((ms / size) * 10) / 10, word);
}
