import type { IncomingHttpHeaders } from 'node:http';
import { credentials } from './credentials.mts';
import { operations } from './operations.mts';
import type { Operation } from './operations.mts';
import { parseJson } from './readBody.mts';

type Verdict = 'correct' | 'wrong' | 'missing';

/** A request that the sandbox received. */
export interface ReceivedRequest {
	/** Its place among all requests since the reset, from 1. */
	n: number;
	operation: Operation | null;
	method: string;
	path: string;
	/** The status that was answered; null when there is no answer (yet). */
	status: number | null;
	/** The kind of fault that decided the answer. */
	fault: string | null;
	/** Ms since the epoch. */
	startedAt: number;
	/** The JSON that was sent, or the text when it was none. */
	body?: unknown;
	headerNames: string[];
	/** As sent, but of secrets only whether they were right. */
	headers: Record<string, string>;
}

/** A request while it is being answered. */
export interface OpenRequest extends Omit<ReceivedRequest, 'body'> {
	/** Its place among the requests of its operation, from 1. */
	count: number;
	text?: string;
}

/** The requests that were received since the reset. */
export type RequestLog = ReturnType<typeof createRequestLog>;

function judge(value: string | undefined, right: string): Verdict {
	if (value === undefined || value === '') return 'missing';
	return value === right ? 'correct' : 'wrong';
}

function shownHeaders(headers: IncomingHttpHeaders): Record<string, string> {
	const plain = Object.entries(headers).map(([name, value]) => [name, String(value)] as const);
	return {
		...Object.fromEntries(plain),
		'x-api-key': judge(headers['x-api-key']?.toString(), credentials.apiKey),
		authorization: judge(headers.authorization, `Bearer ${credentials.accessToken}`),
	};
}

function zeros(): Record<Operation, number> {
	return Object.fromEntries(operations.map((name) => [name, 0])) as Record<Operation, number>;
}

/** Creates an empty log on the clock `now` (ms). */
export function createRequestLog(now: () => number) {
	let entries: OpenRequest[] = [];
	let total = 0;
	let requests = zeros();
	let concurrent = zeros();
	let maxConcurrent = zeros();

	return {
		clear: (): void => {
			entries = [];
			total = 0;
			requests = zeros();
			concurrent = zeros();
			maxConcurrent = zeros();
		},
		counts: () => ({ total, requests: { ...requests }, maxConcurrent: { ...maxConcurrent } }),
		/** How many requests are being answered. */
		inProgress: (): number => operations.reduce((sum, name) => sum + concurrent[name], 0),
		received: (): ReceivedRequest[] =>
			entries.map(({ text, count: _count, ...entry }) => {
				if (text === undefined || text === '') return entry;
				return { ...entry, body: parseJson(text) ?? text };
			}),
		/** Notes a request that has begun; the returned function notes its end. */
		open: (
			request: { method: string; path: string; headers: IncomingHttpHeaders },
			operation: Operation | null,
			keep: number,
		): { entry: OpenRequest; end: () => void } => {
			total += 1;
			const running = concurrent;
			if (operation) {
				requests[operation] += 1;
				running[operation] += 1;
				maxConcurrent[operation] = Math.max(maxConcurrent[operation], running[operation]);
			}
			const entry: OpenRequest = {
				n: total,
				operation,
				method: request.method,
				path: request.path,
				status: null,
				fault: null,
				startedAt: now(),
				headerNames: Object.keys(request.headers),
				headers: shownHeaders(request.headers),
				count: operation ? requests[operation] : total,
			};
			entries.push(entry);
			if (entries.length > keep) entries.shift();
			const end = () => {
				if (operation) running[operation] -= 1;
			};
			return { entry, end };
		},
	};
}
