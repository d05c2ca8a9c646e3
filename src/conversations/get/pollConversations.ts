import { countBy, round } from 'lodash';
import type { z } from 'zod/v4';
import { createAdaptiveConcurrency } from '../../core/pacing';
import { readResponse, type CallError } from '../../core/client';
import type { HeldError } from '../../core/failures';
import type { OperationContext } from '../../core/operation';
import type { HttpResult, Request } from '../../core/http';
import {
	CANCELED,
	DEADLINE_EXCEEDED,
	encodePath,
	PAUSE_TOO_LONG,
	SERVICE_FAILED,
} from '../../core/http';
import { createRefusedReads } from '../../core/refusals';
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

/** The factor from one pause to the next, up to a minute. */
const PAUSE_GROWTH = 1.5;

/** Ms after the start during which a 404 may mean that a conversation is still new. */
const NEW_MS = 15_000;

/** Results of requests that the client did not send. A later check may send them. */
const NOT_SENT: readonly HttpResult[] = [
	CANCELED,
	DEADLINE_EXCEEDED,
	PAUSE_TOO_LONG,
	SERVICE_FAILED,
];

/** Checks conversations repeatedly, each until it is finished or the wait is over. Returns their last reads. */
export async function pollConversations(
	ids: readonly string[],
	settings: PollSettings,
	{ client, now, sleep, signal }: OperationContext,
): Promise<PolledConversations> {
	const reads = new Map<string, LastRead>();
	const startMs = now();
	const deadlineMs = startMs + settings.maximumWait;
	const concurrency = createAdaptiveConcurrency(INITIAL_PARALLEL, settings.parallelRequests);
	const refused = createRefusedReads();
	let hasRead = false;
	let requests = 0;
	let resumeAtMs = -Infinity;

	/** Sleeps until a moment, or until the wait is over. */
	const sleepWithinWait = async (untilMs: number): Promise<void> => {
		const pauseMs = Math.min(untilMs, deadlineMs) - now();
		if (pauseMs > 0) await sleep(pauseMs);
	};

	/** Reads a conversation, and returns whether to check it again. */
	async function checkConversation(id: string): Promise<boolean> {
		// The service may have asked for a longer pause than the client makes.
		await sleepWithinWait(resumeAtMs);
		if (refused.stop) {
			reads.set(id, fail(refused.stop));
			return false;
		}
		const request = toRequest(id, settings, { deadlineMs, nowMs: now() });
		const delivery = await client.deliver(request, concurrency);
		const { response, attempts, endedMs } = delivery;
		const read = readResponse(delivery, buildSchema(id));
		requests += attempts;
		const retryAfter = !read.ok && read.failure.kind === 'api' ? read.failure.retryAfter : 0;
		if (retryAfter) resumeAtMs = Math.max(resumeAtMs, endedMs + retryAfter * 1000);
		const isTemporary = !read.ok && (NOT_SENT.includes(response) || mayRecover(read.failure));
		hasRead ||= read.ok;
		// A 404 concerns its own conversation.
		const mayConcernAll = !hasRead && !isTemporary && response.status !== 404;
		if (!read.ok && mayConcernAll) refused.count(read.failure);
		const before = reads.get(id);
		// A conversation that was just created may give a 404 at first.
		const mayBeNew = response.status === 404 && before?.ok !== true && endedMs < startMs + NEW_MS;
		// A temporary failure does not replace a successful read.
		reads.set(id, isTemporary && before?.ok === true ? before : read);
		if (read.ok) return !isFinished(read.value, settings.finishedStates);
		return isTemporary || mayBeNew;
	}

	let open = ids;
	for (let pass = 1; open.length > 0; pass++) {
		const mayChange = await mapConcurrent(open, concurrency, checkConversation);
		open = open.filter((_, i) => mayChange[i]);
		if (open.length === 0 || signal.aborted || now() >= deadlineMs) break;
		const grownMs = settings.firstPause * PAUSE_GROWTH ** (pass - 1);
		await sleepWithinWait(now() + Math.min(grownMs, Math.max(settings.firstPause, MINUTE_MS)));
		// The circuit breaker stops requests after failures. After the pause the service may work again.
		client.breaker.reset();
	}
	return { reads, requests, waitedMs: Math.min(now() - startMs, settings.maximumWait) };
}

/** The schema of the conversation with an ID in lower case. Another one is rejected, because it is of another person. */
const buildSchema = (id: string): z.ZodType<Conversation> =>
	conversationSchema.refine((conversation) => conversation.id.toLowerCase() === id, {
		error: 'is of another conversation',
		path: ['id'],
	});

/** The request that reads a conversation (interface: GET /conversations/{conversationId}). */
const toRequest = (
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
	// Each conversation is checked once, even after the wait is over.
	...(maximumWait > 0 && { deadlineMs: Math.max(deadlineMs, nowMs) }),
});

/** "1,000 conversations, 4,210 requests: 980 finished, 20 not finished after 10 minutes"; undefined without a wait. */
export function summarizeWait(
	{ reads, requests, waitedMs }: PolledConversations,
	{ finishedStates, maximumWait }: PollSettings,
): string | undefined {
	if (maximumWait === 0 || reads.size === 0) return undefined;
	const open = `not finished after ${plural(round(waitedMs / MINUTE_MS, 2), 'minute')}`;
	const counts = countBy([...reads.values()], (read) => {
		if (!read.ok) return 'failed';
		return isFinished(read.value, finishedStates) ? 'finished' : open;
	});
	const parts = ['finished', open, 'failed'].flatMap((end) =>
		counts[end] === undefined ? [] : `${formatCount(counts[end])} ${end}`,
	);
	return `${plural(reads.size, 'conversation')}, ${plural(requests, 'request')}: ${parts.join(', ')}`;
}
