import { createClient } from '../../src/core/client';
import type { Client } from '../../src/core/client';
import type { HttpResult, Request } from '../../src/core/http';
import { findTickets, page } from './tickets';

/** A ticket as far as the readers look at it; `matches` says whether the filter of the test lets it through. */
export interface Moving {
	readonly id: string;
	readonly ticketNumber: number;
	readonly matches: boolean;
	readonly createdAt: string;
	readonly title: string;
}

/** Something that happens to the tickets just before a request is answered. */
export type Change =
	| { readonly kind: 'create'; readonly ticket: Moving }
	| { readonly kind: 'delete'; readonly index: number }
	| { readonly kind: 'flip'; readonly index: number };

/** More than any test sends: a reader that never ends shall fail, not hang. */
const MAX_SENT = 20_000;

/** Tickets that change between any two requests, behind the wire; each page is one moment of them. */
export class MovingTickets {
	readonly pages: number[] = [];

	/** IDs of the tickets that matched from the start until now. */
	readonly stayed: Set<string>;

	private readonly gone = new Set<string>();

	private tickets: readonly Moving[];

	private readonly changes: ReadonlyArray<readonly Change[]>;

	constructor(tickets: readonly Moving[], changes: ReadonlyArray<readonly Change[]>) {
		this.tickets = tickets;
		this.changes = changes;
		this.stayed = new Set(tickets.filter(({ matches }) => matches).map(({ id }) => id));
	}

	/** A client of these tickets; `delays` are the turns that each reply takes, so parallel replies overtake each other. */
	client(delays: readonly number[] = [0]): Client {
		let number = 0;
		const send = async (request: Request): Promise<HttpResult> => {
			const turns = delays[number % delays.length] ?? 0;
			number += 1;
			if (number > MAX_SENT) throw new Error('The requests do not come to an end');
			const response = this.response(request.body);
			for (let turn = 0; turn < turns; turn++) await Promise.resolve();
			return response;
		};
		return createClient({
			send,
			sleep: async () => undefined,
			random: () => 0.5,
			now: () => 0,
			signal: new AbortController().signal,
		});
	}

	private response(body: unknown): HttpResult {
		for (const change of this.changes[this.pages.length] ?? []) this.apply(change);
		const matching = this.tickets.filter(({ matches }) => matches).map((one) => ({ ...one }));
		const [data, hasNextPage] = findTickets(matching, body);
		this.pages.push(data.length);
		return page(data, hasNextPage);
	}

	private apply(change: Change): void {
		if (change.kind === 'create') {
			const { id, ticketNumber } = change.ticket;
			const taken =
				this.tickets.some((one) => one.id === id || one.ticketNumber === ticketNumber) ||
				this.gone.has(id);
			if (!taken) this.tickets = [...this.tickets, change.ticket];
			return;
		}
		const { id } = this.tickets[change.index % Math.max(1, this.tickets.length)] ?? { id: '' };
		this.stayed.delete(id);
		if (change.kind === 'delete') this.gone.add(id);
		this.tickets =
			change.kind === 'delete'
				? this.tickets.filter((ticket) => ticket.id !== id)
				: this.tickets.map((ticket) =>
						ticket.id === id ? { ...ticket, matches: !ticket.matches } : ticket,
					);
	}
}
