import sortBy from 'lodash/sortBy';
import type { z } from 'zod/v4';
import { createAdaptiveConcurrency } from '../../core/pacing';
import type { CallError } from '../../core/client';
import { readResponse } from '../../core/client';
import type { OperationContext } from '../../core/operation';
import type { Request } from '../../core/http';
import { ACCESS_DENIED, path, SERVICE_FAILED } from '../../core/http';
import type { Result } from '../../core/result';
import { mayPass } from '../../core/retry';
import { mapConcurrent } from '../../core/concurrency';
import type { Conversation } from './conversation';
import { conversationSchema, isFinished } from './conversation';

/** How conversations are read. */
export interface PollSettings {
	readonly timeoutMs: number;
	readonly finishedStates: readonly string[];
	/** How long to check again until a conversation is finished; 0 for one check. */
	readonly maxWaitMs: number;
	readonly initialDelayMs: number;
	readonly maxDelayMs: number;
	/** Max requests at once; fewer while the service limits requests. */
	readonly parallelRequests: number;
}

/** The last state of a conversation, or why it could not be read, and when. */
export interface LastRead {
	readonly read: Result<Conversation, CallError>;
	readonly waitedMs: number;
}

/** The last read of each conversation by its ID, and the number of requests. */
export interface PolledConversations {
	readonly reads: ReadonlyMap<string, LastRead>;
	readonly requests: number;
}

const INITIAL_PARALLEL = 8;

/** Reads conversations in rounds, each until it is finished or its time is over. */
export async function pollConversations(
	ids: readonly string[],
	settings: PollSettings,
	{ client, now, sleep, signal }: OperationContext,
): Promise<PolledConversations> {
	const reads = new Map<string, LastRead>();
	const startMs = now();
	const deadlineMs = startMs + settings.maxWaitMs;
	const { parallelRequests: max } = settings;
	const concurrency = createAdaptiveConcurrency(INITIAL_PARALLEL, max);
	let requests = 0;
	let resumeAtMs = -Infinity;

	const sleepUntil = async (ms: number): Promise<void> => {
		const pauseMs = Math.min(ms, deadlineMs) - now();
		if (pauseMs > 0) await sleep(pauseMs);
	};

	/** Checks a conversation; returns whether it was requested, and whether it may change. */
	async function check(id: string): Promise<{ wasRequested: boolean; mayChange: boolean }> {
		// The service may ask for a longer pause than the client makes.
		await sleepUntil(resumeAtMs);
		const request = toRequest(id, settings, { deadlineMs, nowMs: now() });
		const { response, attempts } = await client.deliver(request, concurrency);
		const endedMs = now();
		const read = readResponse({ request, response, nowMs: endedMs }, schemaFor(id));
		requests += attempts;
		const error = !read.ok && read.failure.kind === 'api' ? read.failure : undefined;
		// Without Retry-After nothing changes, so a clock that is set back prolongs no pause.
		if (error?.retryAfter) resumeAtMs = Math.max(resumeAtMs, endedMs + error.retryAfter * 1000);
		const before = reads.get(id)?.read;
		const waitedMs = endedMs - startMs;
		const isRequested = response.sent !== 'no' || response === ACCESS_DENIED;
		const mayRecover = !read.ok && (mayPass(read.failure) || response === SERVICE_FAILED);
		const keepsBefore = !isRequested || (mayRecover && before?.ok === true);
		reads.set(id, { read: keepsBefore ? (before ?? read) : read, waitedMs });
		const mayAppear = error?.status === 404 && before?.ok !== true && waitedMs < EARLY_MS;
		const isOpen = read.ok ? !isFinished(read.value, settings.finishedStates) : mayRecover;
		return { wasRequested: attempts > 0, mayChange: mayAppear || isOpen };
	}

	let open = ids;
	for (let round = 1; open.length > 0; round++) {
		const checks = await mapConcurrent(open, concurrency, check);
		const waiting = open.map((id, i) => ({ id, ...checks[i] })).filter((each) => each.mayChange);
		// After an outage, the conversations without a request come first.
		open = sortBy(waiting, 'wasRequested').map(({ id }) => id);
		const nextMs = nextCheckAtMs(round, now(), { ...settings, deadlineMs });
		if (open.length === 0 || nextMs === undefined || signal.aborted) break;
		await sleepUntil(nextMs);
		client.breaker.reset();
	}
	return { reads, requests };
}

/** The time in which a call that was just started may not be visible yet. */
const EARLY_MS = 15_000;

/** The shortest time for a response, so each conversation is checked once even after the wait is over. */
const MIN_TIMEOUT_MS = 5_000;

/** Another conversation is refused, because its result must not be written to this person. */
const schemaFor = (id: string): z.ZodType<Conversation> =>
	conversationSchema.refine((conversation) => conversation.id.toLowerCase() === id, {
		error: 'is of another conversation',
		path: ['id'],
	});

/** The request that reads a conversation (interface: GET /conversations/{conversationId}). */
const toRequest = (
	id: string,
	{ timeoutMs, maxWaitMs }: PollSettings,
	{ deadlineMs, nowMs }: { readonly deadlineMs: number; readonly nowMs: number },
): Request => ({
	method: 'GET',
	path: path`/conversations/${id}`,
	idempotent: true, // Reading changes nothing.
	help: {
		readOnly: true,
		notFound: {
			message: 'There is no such conversation, or the credential may not see it',
			advice: 'Check the conversation ID, and that the credential is for the same workspace',
		},
	},
	timeoutMs,
	// No check outlasts the wait.
	...(maxWaitMs > 0 && {
		deadlineMs: Math.max(deadlineMs, nowMs),
		timeoutMs: Math.min(timeoutMs, Math.max(MIN_TIMEOUT_MS, deadlineMs - nowMs)),
	}),
});

/** Delays that grow from the first to the longest, until a deadline. */
export interface Backoff {
	readonly initialDelayMs: number;
	readonly maxDelayMs: number;
	readonly deadlineMs: number;
}

/** The factor from one delay to the next. */
const DELAY_GROWTH = 1.5;

/** Returns when to check again, at the latest at the deadline; undefined after the deadline. */
export function nextCheckAtMs(checks: number, nowMs: number, backoff: Backoff): number | undefined {
	const { initialDelayMs, maxDelayMs, deadlineMs } = backoff;
	if (nowMs >= deadlineMs) return undefined;
	const grownMs = initialDelayMs * DELAY_GROWTH ** (checks - 1);
	return Math.min(nowMs + Math.min(grownMs, Math.max(initialDelayMs, maxDelayMs)), deadlineMs);
}
