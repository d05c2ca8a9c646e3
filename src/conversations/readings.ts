import type { CallError } from '../core/client';
import { readAnswer, STOPPED } from '../core/client';
import type { Due } from '../core/dueQueue';
import type { Desk } from '../core/operation';
import type { Request } from '../core/request';
import { path } from '../core/request';
import type { Result } from '../core/result';
import { mayPass } from '../core/retry';
import { workOff } from '../core/workOff';
import type { Conversation } from './conversation';
import { conversationSchema } from './conversation';
import { isFinished } from './finished';
import { nextLook } from './schedule';

/** A conversation to read, for all rows that ask for it in the same way; times are in ms. */
export interface Reading {
	readonly id: string;
	readonly timeout: number;
	readonly states: readonly string[];
	/** How long to ask again until it is finished; 0 for one look. */
	readonly maximumWait: number;
	readonly firstPause: number;
	readonly longestPause: number;
}

/** The last state of a conversation that was read, or why there is none, and how long that took in ms. */
export interface Known {
	readonly read: Result<Conversation, CallError>;
	readonly waited: number;
}

interface Look {
	readonly reading: Reading;
	/** 1 for the first look. */
	readonly number: number;
}

/** What became of readings, and how many requests it took. */
export interface Readings {
	readonly of: (reading: Reading) => Known;
	readonly requests: number;
}

/** Reads conversations by one schedule for all, at most `parallel` at once, each until it is finished or its time is over. */
export async function readAll(
	readings: readonly Reading[],
	parallel: number,
	desk: Desk,
): Promise<Readings> {
	const known = new Map<Reading, Known>();
	const start = desk.now();
	let requests = 0;
	let resumeAt = start;

	async function work(look: Look): Promise<Due<Look> | undefined> {
		const { reading, number } = look;
		const deadline = start + reading.maximumWait;
		const now = desk.now();
		// The service may ask for a longer pause than the client makes.
		if (resumeAt > now && deadline > now) return { task: look, at: Math.min(resumeAt, deadline) };
		const before = known.get(reading)?.read;
		const request = { ...requestOf(reading), ...(before && { until: deadline }) };
		const { answer, sendings } = await desk.client.deliver(request);
		const ended = desk.now();
		const read = readAnswer({ request, answer, now: ended }, conversationSchema);
		requests += sendings;
		resumeAt = Math.max(resumeAt, ended + pauseAskedFor(read));
		known.set(reading, { read: latest(before, read), waited: ended - start });
		const at = isOver(read, reading)
			? undefined
			: nextLook(number, ended, { ...reading, deadline });
		return at === undefined ? undefined : { task: { reading, number: number + 1 }, at };
	}

	const looks = readings.map((reading) => ({ reading, number: 1 }));
	await workOff(looks, { parallel, work }, desk);
	return { of: (reading) => known.get(reading) ?? neverBegun(reading), requests };
}

/** The request that reads a conversation (interface: GET /conversations/{conversationId}). */
const requestOf = ({ id, timeout }: Reading): Request => ({
	method: 'GET',
	path: path`/conversations/${id}`,
	repeatable: true, // Reading changes nothing.
	timeout,
});

/** Only a stop by the user keeps a reading from its first look. */
const neverBegun = (reading: Reading): Known => ({
	read: readAnswer({ request: requestOf(reading), answer: STOPPED, now: 0 }, conversationSchema),
	waited: 0,
});

const isOver = (read: Known['read'], { states }: Reading): boolean =>
	read.ok ? isFinished(read.value, states) : !mayPass(read.failure);

const pauseAskedFor = (read: Known['read']): number =>
	!read.ok && read.failure.kind === 'api' ? (read.failure.retryAfter ?? 0) * 1000 : 0;

/** A state that was read outlives failures that may pass, and a stop by the user. */
function latest(before: Known['read'] | undefined, read: Known['read']): Known['read'] {
	if (before === undefined || read.ok) return read;
	const code = read.failure.kind === 'connection' ? read.failure.code : undefined;
	if (!mayPass(read.failure) && code !== 'STOPPED') return read;
	return before.ok || code === 'LATE' ? before : read;
}
