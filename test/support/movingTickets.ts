import { createClient } from '../../src/core/client';
import type { Client } from '../../src/core/client';
import type { HttpResult, Request } from '../../src/core/http';

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

interface Body {
	readonly filters?: {
		readonly ticketNumber?: { readonly gte?: number; readonly lte?: number };
	};
	readonly sort?: ReadonlyArray<{
		readonly field: keyof Moving;
		readonly direction: 'asc' | 'desc';
	}>;
	readonly pagination: { readonly limit: number; readonly offset: number };
}

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
			const response = this.response(request.body as Body);
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

	private response({ filters, sort = [], pagination }: Body): HttpResult {
		for (const change of this.changes[this.pages.length] ?? []) this.apply(change);
		const { gte = -Infinity, lte = Infinity } = filters?.ticketNumber ?? {};
		const found = this.tickets.filter(
			({ matches, ticketNumber }) => matches && ticketNumber >= gte && ticketNumber <= lte,
		);
		const sorted = found.sort((a, b) => {
			for (const { field, direction } of sort) {
				if (a[field] === b[field]) continue;
				return (a[field] < b[field] ? -1 : 1) * (direction === 'asc' ? 1 : -1);
			}
			return 0;
		});
		const { offset, limit } = pagination;
		const data = sorted.slice(offset, offset + limit);
		this.pages.push(data.length);
		const text = JSON.stringify({
			data,
			metadata: { hasNextPage: offset + limit < sorted.length },
		});
		return { kind: 'response', status: 200, headers: {}, text };
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
