import { countBy, round } from 'lodash';
import type { z } from 'zod/v4';
import { createAdaptiveConcurrency } from '../../core/pacing';
import { readResponse, type CallError, type Delivery } from '../../core/client';
import type { HeldError } from '../../core/failures';
import type { OperationContext } from '../../core/operation';
import type { HttpResult, Request } from '../../core/http';
import { CANCELED, encodePath, SERVICE_FAILED } from '../../core/http';
import { createRefusalCounter } from '../../core/refusals';
import { fail, type Result } from '../../core/result';
import { mayRecover } from '../../core/retry';
import { mapConcurrent } from '../../core/concurrency';
import { MINUTE_MS } from '../../core/time';
import { formatCount, plural } from '../../core/words';
import { conversationSchema, isFinished, type Conversation } from './conversation';

/** How conversations are read, with the names of the panel. Times are in ms. */
interface PollSettings {
	readonly timeout: number;
	readonly finishedStates: readonly string[];
	/** How long to check again until a conversation is finished; 0 for one check. */
	readonly maximumWait: number;
	readonly firstPause: number;
	/** Max requests at once; fewer while the service limits requests. */
	readonly parallelRequests: number;
}

/** The last state of a conversation, or why it could not be read. */
export type LastRead = Result<Conversation, CallError | HeldError>;

/** The last read of each conversation by its ID, the number of requests, and the duration of the wait. */
interface PolledConversations {
	readonly reads: ReadonlyMap<string, LastRead>;
	readonly requests: number;
	readonly waitedMs: number;
}

const INITIAL_PARALLEL = 8;

/** The factor from one pause to the next. */
const PAUSE_GROWTH = 1.5;

/** Ms after the start during which a 404 may mean that a conversation is still new. */
const NEW_MS = 15_000;

/** Checks conversations until each is finished or failed, or the wait is over. Returns the last useful read of each. */
export async function pollConversations(
	ids: readonly string[],
	settings: PollSettings,
	{ client, now, sleep, signal }: OperationContext,
): Promise<PolledConversations> {
	const reads = new Map<string, LastRead>();
	const startMs = now();
	const deadlineMs = startMs + settings.maximumWait;
	const concurrency = createAdaptiveConcurrency(INITIAL_PARALLEL, settings.parallelRequests);
	const refusals = createRefusalCounter();
	let hasRead = false;
	let requests = 0;
	/** The end of the longest pause that the service requested. */
	let resumeAtMs = -Infinity;

	/** Sleeps until a moment, or until the wait is over. */
	const sleepWithinWait = async (untilMs: number): Promise<void> => {
		const pauseMs = Math.min(untilMs, deadlineMs) - now();
		if (pauseMs > 0) await sleep(pauseMs);
	};

	/** Reads a conversation once and records the result. Returns whether a later check may give another one. */
	async function checkConversation(id: string): Promise<boolean> {
		// The service may have asked for a longer pause than the client makes.
		await sleepWithinWait(resumeAtMs);
		// After a successful read the stop no longer applies, because the service does not refuse all conversations.
		if (refusals.stop && !hasRead) {
			reads.set(id, fail(refusals.stop));
			return false;
		}
		const request = toReadRequest(id, settings, { deadlineMs, nowMs: now() });
		const delivery = await client.deliver(request, concurrency);
		const { response, attempts, endedMs } = delivery;
		requests += attempts;
		const read = readResponse(delivery, buildSchema(id));
		const before = reads.get(id);
		if (!isEarlierKept(before, read, delivery)) reads.set(id, read);
		if (read.ok) {
			hasRead = true;
			return !isFinished(read.value, settings.finishedStates);
		}
		const { failure } = read;
		const retryAfter = failure.kind === 'api' ? (failure.retryAfter ?? 0) : 0;
		if (retryAfter > 0) resumeAtMs = Math.max(resumeAtMs, endedMs + retryAfter * 1000);
		if (isTemporary(failure, response)) return true;
		// A conversation that was just created may give a 404 until it was read once.
		if (response.status === 404) return before?.ok !== true && endedMs < startMs + NEW_MS;
		// Until a read succeeds, a refusal may concern all conversations.
		if (!hasRead) refusals.count(failure);
		return false;
	}

	const longestPauseMs = Math.max(settings.firstPause, MINUTE_MS); // A longer first pause stays.
	let open = ids;
	let pauseMs = settings.firstPause;
	while (open.length > 0) {
		const mayChange = await mapConcurrent(open, concurrency, checkConversation);
		open = open.filter((_, i) => mayChange[i]);
		if (open.length === 0 || signal.aborted || now() >= deadlineMs) break;
		await sleepWithinWait(now() + pauseMs);
		pauseMs = Math.min(pauseMs * PAUSE_GROWTH, longestPauseMs);
		// The circuit breaker stops requests after failures. After the pause the service may work again.
		client.breaker.reset();
	}
	return { reads, requests, waitedMs: Math.min(now() - startMs, settings.maximumWait) };
}

/** Whether a check failed only for now: its request was stopped before it was sent, or its error may pass. */
const isTemporary = (failure: CallError, response: HttpResult): boolean =>
	response === CANCELED || response === SERVICE_FAILED || mayRecover(failure);

/** Whether an earlier read is kept, because the new one was not sent, or failed temporarily after a success. */
function isEarlierKept(
	before: LastRead | undefined,
	read: Result<Conversation, CallError>,
	{ attempts, response }: Delivery,
): boolean {
	if (before === undefined || read.ok) return false;
	return attempts === 0 || (before.ok && isTemporary(read.failure, response));
}

/** Builds the schema of one conversation by its lower-case ID. Another ID is rejected: it belongs to another person. */
const buildSchema = (id: string): z.ZodType<Conversation> =>
	conversationSchema.refine((conversation) => conversation.id.toLowerCase() === id, {
		error: 'is of another conversation',
		path: ['id'],
	});

/** Builds the request that reads a conversation (interface: GET /conversations/{conversationId}). */
const toReadRequest = (
	id: string,
	{ timeout, maximumWait }: PollSettings,
	{ deadlineMs, nowMs }: { readonly deadlineMs: number; readonly nowMs: number },
): Request => ({
	method: 'GET',
	path: encodePath`/conversations/${id}`,
	idempotent: true, // Reading changes nothing.
	help: {
		readOnly: true,
		notFound: {
			message: 'There is no such conversation, or the credential may not see it',
			advice: 'Check the conversation ID, and that the credential is for the same workspace',
		},
	},
	timeoutMs: timeout,
	// A wait has a deadline. After it, the deadline is now: a last check is sent, but not repeated.
	...(maximumWait > 0 && { deadlineMs: Math.max(deadlineMs, nowMs) }),
});

/** Counts the conversations by their end: "1,000 conversations, 4,210 requests: 980 finished, 20 failed"; undefined without a wait or reads. */
export function summarizeWait(
	{ reads, requests, waitedMs }: PolledConversations,
	{ finishedStates, maximumWait }: PollSettings,
): string | undefined {
	if (maximumWait === 0 || reads.size === 0) return undefined;
	const unfinished = `not finished after ${plural(round(waitedMs / MINUTE_MS, 2), 'minute')}`;
	const counts = countBy([...reads.values()], (read) => {
		if (!read.ok) return 'failed';
		return isFinished(read.value, finishedStates) ? 'finished' : unfinished;
	});
	const parts = ['finished', unfinished, 'failed'].flatMap((ending) =>
		counts[ending] === undefined ? [] : `${formatCount(counts[ending])} ${ending}`,
	);
	return `${plural(reads.size, 'conversation')}, ${plural(requests, 'request')}: ${parts.join(', ')}`;
}
