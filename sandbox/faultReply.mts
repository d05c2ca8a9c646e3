import type { Ending } from './faults.mts';
import { refusal } from './reply.mts';
import type { RefusalStatus, Reply } from './reply.mts';

/** The end of a request: a reply, a slow reply, or none. */
export type Outcome =
	| { kind: 'reply'; reply: Reply }
	| { kind: 'slow'; reply: Reply; msPerChunk: number; chunks: number }
	| { kind: 'reset' }
	| { kind: 'hang' };

const refusalStatuses: readonly number[] = [
	400, 401, 403, 404, 405, 413, 429,
] satisfies RefusalStatus[];

function retryHeader(retryAfter: number | string | undefined): Record<string, string> {
	return retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
}

function statusReply(ending: Extract<Ending, { kind: 'status' }>): Reply {
	const isRefusal = refusalStatuses.includes(ending.status);
	const usual = refusal(isRefusal ? (ending.status as RefusalStatus) : 500);
	const { body } = ending;
	const text = typeof body === 'string' ? body : JSON.stringify(body);
	return {
		status: ending.status,
		headers: { ...usual.headers, ...ending.headers, ...retryHeader(ending.retryAfter) },
		body: text ?? usual.body,
	};
}

/** Whether the request ends before the service works. */
export const endsBeforeWork = (ending: Ending): boolean =>
	'when' in ending
		? ending.when === 'before'
		: ['resetBefore', 'redirect', 'rateLimit'].includes(ending.kind);

/** Returns the end of a request; `worked` is the reply of the service, empty if it did not work. */
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
			return {
				kind: 'reply',
				reply: {
					status: ending.status,
					headers: { 'content-type': 'text/html; charset=utf-8' },
					body: `<html><head><title>${ending.status}</title></head><body><h1>Error ${ending.status}</h1></body></html>\n`,
				},
			};
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
			return { kind: 'reply', reply: { ...worked, body: worked.body.slice(0, -5) || '{' } };
		case 'emptyBody':
			return { kind: 'reply', reply: { ...worked, body: '' } };
		case 'slowBody':
			return { kind: 'slow', reply: worked, msPerChunk: ending.msPerChunk, chunks: ending.chunks };
	}
}
