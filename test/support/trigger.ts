import { createClient } from '../../src/core/client';
import type { HttpResult, Request } from '../../src/core/http';
import type { PollContext } from '../../src/tickets/trigger/input';
import { poll, readSample } from '../../src/tickets/trigger/poll';
import { members } from './samples';
import type { TicketRow } from './tickets';
import { searchPage, ticket } from './tickets';

/** The context of a poll: the clock advances while the client waits; bodies and state survive only as JSON. */
export function pollContext(
	watch: { clockMs: number; state?: unknown },
	respond: (body: unknown, request: Request) => HttpResult,
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

/** The time this many minutes after noon; these triggers are polled at one o'clock. */
export const at = (minute: number): string =>
	new Date(Date.UTC(2026, 0, 15, 12) + minute * 60_000).toISOString();

/** The n-th ticket, as it was updated then. */
export const updated = (n: number, minute: number): TicketRow =>
	ticket(n, { title: `Ticket ${n}`, updatedAt: at(minute) });

/** A trigger that was activated among these tickets. */
export async function active(
	rows: readonly TicketRow[],
	parameters: object = {},
): Promise<Trigger> {
	const trigger = new Trigger(parameters);
	trigger.rows.push(...rows);
	expect(await trigger.poll()).toEqual({ ok: true, value: [] });
	trigger.sent.length = 0;
	return trigger;
}

/** A trigger and its service; `response` may replace the service, `latency` and `budget` are in ms. */
export class Trigger {
	rows: TicketRow[] = [];

	readonly sent: Request[] = [];

	state: unknown;

	clockMs = Date.UTC(2026, 0, 15, 13);

	latency = 0;

	budget = 3_600_000;

	response: (body: unknown, number: number) => HttpResult | undefined = () => undefined;

	parameters: object;

	constructor(parameters: object = {}) {
		this.parameters = { event: 'ticketUpdated', output: 'raw', ...parameters };
	}

	readonly poll = async () => await poll(this.parameters, this.context());

	readonly sample = async () => await readSample(this.parameters, this.context());

	/** The numbers of the tickets that a poll returns. */
	readonly numbers = async (): Promise<unknown> => {
		const result = await this.poll();
		return result.ok ? result.value.map((row) => row['ticketNumber']) : result.failure;
	};

	get bodies(): TicketRow[] {
		return this.sent.map(({ body }) => members(body));
	}

	private context(): PollContext {
		const respond = (body: unknown, request: Request) => {
			this.sent.push({ ...request, body });
			this.clockMs += this.latency;
			return this.response(body, this.sent.length) ?? searchPage(this.rows, body);
		};
		return pollContext(this, respond, { budgetMs: this.budget });
	}
}
