import type { Client } from '../../core/client';
import { readResponse } from '../../core/client';

/** How far the service's clock is ahead of ours, learned from its responses. */
export interface ServiceClock {
	/** Ms; 0 while unknown. */
	aheadMs: number;
}

/** The least time for a response, in ms, however little of the poll is left. */
const MIN_TIMEOUT_MS = 1_000;
const LONG_ENOUGH_MS = 15_000;
const ATTEMPT_SHARE = 0.45;

/** A client for one poll: it notes the time of the service, and no attempt of a request outlasts the poll. */
export function pollClient(
	client: Client,
	clock: ServiceClock,
	/** In ms of our clock. */
	time: { readonly now: () => number; readonly endMs: number },
): Client {
	return {
		...client,
		call: async (request, schema, concurrency) => {
			const timeoutMs = timeoutWithin(time.endMs - time.now(), request.timeoutMs ?? Infinity);
			const deadlineMs = Math.max(time.now(), time.endMs - timeoutMs);
			const limited = { ...request, timeoutMs, deadlineMs };
			const { response } = await client.deliver(limited, concurrency);
			const nowMs = time.now();
			const sentMs =
				response.kind === 'response' ? Date.parse(response.headers['date'] ?? '') : NaN;
			if (!Number.isNaN(sentMs)) clock.aheadMs = sentMs - nowMs;
			return readResponse({ request: limited, response, nowMs }, schema);
		},
	};
}

/** A share of what is left where that is long enough, which leaves time for a pause and a second attempt. */
function timeoutWithin(leftMs: number, wantedMs: number): number {
	const shareMs = Math.max(Math.round(ATTEMPT_SHARE * leftMs), Math.min(leftMs, LONG_ENOUGH_MS));
	return Math.max(MIN_TIMEOUT_MS, Math.min(wantedMs, shareMs));
}
