import type { IncomingMessage } from 'node:http';

/** The reply of the service, before a fault changes it. */
export interface Reply {
	status: number;
	headers?: Readonly<Record<string, string>>;
	body: string;
}

/** An issue of a refused body: its path, its text, and its rule. */
export interface Issue {
	path: PropertyKey[];
	message: string;
	code: string;
}

const refusals = {
	400: ['BAD_REQUEST', 'Invalid input data'],
	401: ['UNAUTHORIZED', 'Authorization not provided'],
	403: ['FORBIDDEN', 'Insufficient access'],
	404: ['NOT_FOUND', 'Not found'],
	405: ['METHOD_NOT_SUPPORTED', 'Method not supported'],
	413: ['PAYLOAD_TOO_LARGE', 'Payload too large'],
	422: ['UNPROCESSABLE_ENTITY', 'Invalid input data'],
	429: ['TOO_MANY_REQUESTS', 'Too many requests'],
	500: ['INTERNAL_SERVER_ERROR', 'Internal server error'],
} as const;

/** A status of a refusal. */
export type RefusalStatus = keyof typeof refusals;

/** Makes a JSON reply. */
export function json(status: number, value: unknown): Reply {
	return {
		status,
		headers: { 'content-type': 'application/json; charset=utf-8' },
		body: JSON.stringify(value),
	};
}

/** Makes a refusal in the error body of the customer batch (interface: Errors). */
export function refusal(status: RefusalStatus, issues: readonly Issue[] = []): Reply {
	const [code, message] = refusals[status];
	return json(status, { code, message, issues: issues.map(pickIssue) });
}

const pickIssue = ({ path, message, code }: Issue): Issue => ({ path, message, code });

const readRefusals = {
	400: ['BAD_REQUEST', 'Input validation failed'],
	401: ['UNAUTHORIZED', 'User Not Found'],
	404: ['NOT_FOUND', 'Conversation not found or access denied'],
} as const;

/** Makes a refusal in the error body of the conversation read (interface: Errors). */
export function readRefusal(status: keyof typeof readRefusals, path: string): Reply {
	const [code, message] = readRefusals[status];
	const data = { code, httpStatus: status, path, zodError: null };
	return json(status, { message, code, data });
}

/** Reads the body of a request; undefined if it is larger than `maxBytes`. */
export async function readBody(
	request: IncomingMessage,
	maxBytes: number,
): Promise<string | undefined> {
	const chunks: Buffer[] = [];
	let size = 0;
	for await (const chunk of request as AsyncIterable<Buffer>) {
		size += chunk.length;
		if (size <= maxBytes) chunks.push(chunk);
	}
	return size > maxBytes ? undefined : Buffer.concat(chunks).toString('utf8');
}

/** Parses JSON; undefined if it is malformed. */
export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return undefined;
	}
}
