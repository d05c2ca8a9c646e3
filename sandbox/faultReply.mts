import type { Ending } from './faultBook.mts';
import { refusal } from './reply.mts';
import type { RefusalStatus, Reply } from './reply.mts';

/** How a request ends: with a reply, sent plainly or in a peculiar way, or without one. */
export type Outcome =
	| { kind: 'reply'; reply: Reply }
	| { kind: 'slow'; reply: Reply; msPerChunk: number; chunks: number }
	| { kind: 'reset' }
	| { kind: 'hang' };

const known: readonly number[] = [400, 401, 403, 404, 405, 413, 429] satisfies RefusalStatus[];

function retryHeader(retryAfter: number | string | undefined): Record<string, string> {
	return retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
}

function statusReply(ending: Extract<Ending, { kind: 'status' }>): Reply {
	const own = refusal(known.includes(ending.status) ? (ending.status as RefusalStatus) : 500);
	const { body } = ending;
	const text = typeof body === 'string' ? body : JSON.stringify(body);
	return {
		status: ending.status,
		headers: { ...own.headers, ...ending.headers, ...retryHeader(ending.retryAfter) },
		body: text ?? own.body,
	};
}

function htmlReply(status: number): Reply {
	return {
		status,
		headers: { 'content-type': 'text/html; charset=utf-8' },
		body: `<html><head><title>${status}</title></head><body><h1>Error ${status}</h1></body></html>\n`,
	};
}

const cut = (reply: Reply): Reply => ({
	...reply,
	body: reply.body.slice(0, Math.floor(reply.body.length / 2)) || '{',
});

/** Tells whether the request ends before the service has done its work. */
export function endsBeforeWork(ending: Ending): boolean {
	if ('when' in ending) return ending.when === 'before';
	return ['resetBefore', 'redirect', 'rateLimit'].includes(ending.kind);
}

/** Says how a request ends; `worked` is the service's own reply, or empty when it did no work. */
export function faultOutcome(ending: Ending, worked: Reply): Outcome {
	switch (ending.kind) {
		case 'resetBefore':
		case 'resetAfter':
			return { kind: 'reset' };
		case 'hang':
			return { kind: 'hang' };
		case 'status':
			return { kind: 'reply', reply: statusReply(ending) };
		case 'html':
			return { kind: 'reply', reply: htmlReply(ending.status) };
		case 'redirect':
			return {
				kind: 'reply',
				reply: { status: ending.status, headers: { location: ending.location }, body: '' },
			};
		case 'rateLimit': {
			const reply = refusal(429);
			const headers = { ...reply.headers, ...retryHeader(ending.retryAfter) };
			return { kind: 'reply', reply: { ...reply, headers } };
		}
		case 'malformedJson':
			return { kind: 'reply', reply: cut(worked) };
		case 'emptyBody':
			return { kind: 'reply', reply: { ...worked, body: '' } };
		case 'slowBody':
			return { kind: 'slow', reply: worked, msPerChunk: ending.msPerChunk, chunks: ending.chunks };
	}
}
