import { createClient } from '../../src/core/client';
import type { HttpResult, Request } from '../../src/core/http';
import type { PollContext } from '../../src/tickets/trigger/poll';

/** What a trigger has between its polls: the time, and its state. */
interface Watch {
	clockMs: number;
	state?: unknown;
}

/** Answers the body of a request, which has been JSON. */
type Respond = (body: unknown, request: Request) => HttpResult;

/** What n8n gives a poll: the clock goes on while the client waits, and the state survives only as JSON. */
export function pollContext(
	watch: Watch,
	respond: Respond,
	more: Partial<PollContext> = {},
): PollContext {
	const now = () => watch.clockMs;
	const client = createClient({
		send: async (request) => {
			await Promise.resolve();
			return respond(JSON.parse(JSON.stringify(request.body)), request);
		},
		// A pause that takes no time would never end where there is always another one.
		sleep: async (ms) => {
			watch.clockMs += ms;
			await Promise.resolve();
		},
		random: () => 0.5,
		now,
		signal: new AbortController().signal,
	});
	return {
		client,
		zone: 'UTC',
		now,
		budgetMs: 36_000,
		load: () => watch.state,
		save: (state) => {
			watch.state = JSON.parse(JSON.stringify(state)) as unknown;
		},
		...more,
	};
}
