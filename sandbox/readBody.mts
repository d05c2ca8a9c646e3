import type { IncomingMessage } from 'node:http';

/** Reads a request's body to its end; undefined when it is larger than `maxBytes`. */
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

/** Parses JSON; undefined, which JSON cannot say, when it is malformed. */
export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return undefined;
	}
}
