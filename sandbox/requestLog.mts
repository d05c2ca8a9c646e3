import type { IncomingHttpHeaders } from 'node:http';
import { credentials } from './credentials.mts';
import { operations } from './operations.mts';
import type { Operation } from './operations.mts';
import { parseJson } from './reply.mts';

const MAX_ENTRIES = 10_000;

/** A request that the sandbox received. */
export interface ReceivedRequest {
	/** Its number since the reset, from 1. */
	n: number;
	operation: Operation | null;
	method: string;
	path: string;
	/** The status of the reply, or null. */
	status: number | null;
	/** The kind of fault that decided the reply. */
	fault: string | null;
	/** The parsed body, or its text if it is not JSON. */
	body?: unknown;
	/** The headers with verdicts instead of secrets. */
	headers: Record<string, string>;
}

/** A request in progress. */
export interface OpenRequest extends Omit<ReceivedRequest, 'body'> {
	/** Its number within its operation, from 1. */
	count: number;
	text?: string;
}

/** The requests that were received since the reset. */
export type RequestLog = ReturnType<typeof createRequestLog>;

function compareSecret(value: unknown, right: string): 'correct' | 'wrong' | 'missing' {
	if (value === undefined || value === '') return 'missing';
	return value === right ? 'correct' : 'wrong';
}

function showHeaders(headers: IncomingHttpHeaders): Record<string, string> {
	return {
		...(headers as Record<string, string>),
		'x-api-key': compareSecret(headers['x-api-key'], credentials.apiKey),
		authorization: compareSecret(headers.authorization, `Bearer ${credentials.accessToken}`),
	};
}

const createZeros = () =>
	Object.fromEntries(operations.map((name) => [name, 0])) as Record<Operation, number>;

const createCounts = () => ({
	total: 0,
	requests: createZeros(),
	concurrent: createZeros(),
	maxConcurrent: createZeros(),
});

/** Creates an empty log. */
export function createRequestLog() {
	let entries: OpenRequest[] = [];
	let counts = createCounts();

	return {
		clear: (): void => {
			entries = [];
			counts = createCounts();
		},
		counts: () => {
			const { total, requests, maxConcurrent } = structuredClone(counts);
			return { total, requests, maxConcurrent };
		},
		received: (): ReceivedRequest[] =>
			entries.map(({ text, count: _count, ...entry }) => {
				if (text === undefined || text === '') return entry;
				return { ...entry, body: parseJson(text) ?? text };
			}),
		/** Logs the start of a request; `end` logs its end. */
		open: (
			request: { method: string; path: string; headers: IncomingHttpHeaders },
			operation: Operation | null,
		): { entry: OpenRequest; end: () => void } => {
			const { requests, concurrent, maxConcurrent } = counts;
			counts.total += 1;
			if (operation) {
				requests[operation] += 1;
				concurrent[operation] += 1;
				maxConcurrent[operation] = Math.max(maxConcurrent[operation], concurrent[operation]);
			}
			const entry: OpenRequest = {
				n: counts.total,
				operation,
				method: request.method,
				path: request.path,
				status: null,
				fault: null,
				headers: showHeaders(request.headers),
				count: operation ? requests[operation] : counts.total,
			};
			entries.push(entry);
			if (entries.length > MAX_ENTRIES) entries.shift();
			const end = () => {
				if (operation) concurrent[operation] -= 1;
			};
			return { entry, end };
		},
	};
}
