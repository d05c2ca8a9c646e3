import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { credentials } from '../../sandbox/credentials.mts';
import type { Control, Counts } from '../../sandbox/control.mts';
import type { StoredConversation } from '../../sandbox/conversations.mts';
import type { FaultInput } from '../../sandbox/faults.mts';
import type { StoredCustomer } from '../../sandbox/customers.mts';
import type { ReceivedRequest } from '../../sandbox/requestLog.mts';
import type { TicketPart } from '../../sandbox/ticket.mts';

/** A ticket of the sandbox, with the columns that tests read. */
export interface Row {
	readonly [column: string]: unknown;
	readonly id: string;
	readonly ticketNumber: number;
}

/** The body of a search, as the formal schema spells it. */
interface Body {
	readonly filters?: object;
	readonly sort?: ReadonlyArray<{ readonly field: string; readonly direction: 'asc' | 'desc' }>;
	readonly select?: Readonly<Record<string, boolean>>;
	readonly pagination?: { readonly limit: number; readonly offset: number };
}

const AGENT = '5f0c6a3e-9d1b-4e7a-8c25-2b7d9e4f1a60';

/** Starts the sandbox without tickets, in a process of its own that is reached over real HTTP, with its control. */
export async function startSandbox() {
	const main = fileURLToPath(new URL('../../sandbox/main.mts', import.meta.url));
	const flags = ['--json', '--port', '0', '--tickets', '0'];
	const child = spawn(process.execPath, [main, ...flags], { stdio: ['ignore', 'pipe', 'inherit'] });
	const ready = once(createInterface({ input: child.stdout }), 'line') as Promise<[string]>;
	const ended = once(child, 'exit').then(([code]): never => {
		throw new Error(`The sandbox ended with ${String(code)}; it needs the Node of this package`);
	});
	const [line] = await Promise.race([ready, ended]);
	ended.catch(() => undefined);
	const { url, controlUrl } = JSON.parse(line) as { url: string; controlUrl: string };

	/** Calls an action of the control with its argument. */
	async function control<T>(action: keyof Control, argument?: unknown): Promise<T> {
		const body = JSON.stringify(argument) ?? null;
		const reply = await fetch(`${controlUrl}/${action}`, { method: 'POST', body });
		const value: unknown = await reply.json();
		if (!reply.ok) throw new Error(`${action}: ${JSON.stringify(value)}`);
		return value as T;
	}

	const post = async (path: string, body: unknown): Promise<Response> =>
		await fetch(url + path, {
			method: 'POST',
			headers: {
				'content-type': 'application/json',
				'x-api-key': credentials.apiKey,
				'x-workspace-id': credentials.workspaceId,
				'x-workspace-slug': credentials.workspaceSlug,
			},
			body: JSON.stringify(body),
		});

	async function search(body: Body) {
		const reply = await post('/tickets/search', body);
		const { data = [], metadata } = (await reply.json()) as {
			data?: Row[];
			metadata?: { hasNextPage: boolean };
		};
		return { data, hasNextPage: metadata?.hasNextPage ?? false };
	}

	async function all(select?: Readonly<Record<string, boolean>>): Promise<Row[]> {
		const rows: Row[] = [];
		for (;;) {
			const last = rows.at(-1);
			const { data, hasNextPage } = await search({
				// By number, because deep offsets are slow.
				...(last && { filters: { ticketNumber: { gt: last.ticketNumber } } }),
				sort: [{ field: 'ticketNumber', direction: 'asc' }],
				...(select && { select: { ...select, id: true, ticketNumber: true } }),
				pagination: { limit: 100, offset: 0 },
			});
			rows.push(...data);
			if (!hasNextPage) return rows;
		}
	}

	/** Forgets requests, faults and conversations, and starts `count` conversations, which end at once. */
	async function converse(count: number): Promise<StoredConversation[]> {
		await control('reset', { keepTickets: true });
		const conversations = Array.from({ length: count }, (_, n) => ({
			agentId: AGENT,
			conversationType: 'telephony',
			toPhoneNumber: `+1415${String(5_550_000 + n)}`,
			dynamicVariables: { n },
		}));
		const reply = await post('/conversations', { conversations });
		if (!reply.ok) throw new Error(`No conversations: ${await reply.text()}`);
		return (await control<ReturnType<Control['conversations']>>('conversations')).conversations;
	}

	const counts = async () => await control<Counts>('counts');

	return {
		/** A credential for the node. */
		credential: { baseUrl: url, ...credentials },
		/** Replaces all tickets with these, and invents values for missing columns. */
		fill: async (tickets: readonly TicketPart[]): Promise<void> => {
			await control('reset', {});
			await control('insertTickets', tickets);
		},
		/** Replaces all tickets with `count` invented ones. */
		invent: async (count: number): Promise<void> => {
			await control('reset', {});
			await control('seedTickets', count);
		},
		/** Forgets requests and faults, and keeps the tickets. */
		forget: async () => await control<void>('reset', { keepTickets: true }),
		fault: async (...rules: readonly FaultInput[]) => await control<void>('setFaults', rules),
		received: async () => await control<ReceivedRequest[]>('received'),
		counts,
		customers: async () => await control<StoredCustomer[]>('customers'),
		/** How often each number was called. */
		calls: async () =>
			(await control<ReturnType<Control['conversations']>>('conversations')).callsPerNumber,
		/** Waits until `count` searches have arrived. */
		untilSearches: async (count: number): Promise<void> => {
			while ((await counts()).requests.searchTickets < count) await wait(2);
		},
		search,
		converse,
		all,
		stop: async (): Promise<void> => {
			const ended = once(child, 'exit');
			child.kill();
			await ended;
		},
	};
}

/** A sandbox that runs. */
export type RunningSandbox = Awaited<ReturnType<typeof startSandbox>>;

/** The sandbox of a test file, from its first test to its last. */
export function useSandbox(): () => RunningSandbox {
	let running: RunningSandbox | undefined;
	beforeAll(async () => {
		running = await startSandbox();
	}, 20_000);
	afterAll(async () => await running?.stop());
	return () => {
		if (!running) throw new Error('The sandbox does not run');
		return running;
	};
}
