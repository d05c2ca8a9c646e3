import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { RunningSandbox } from '../support/sandbox.mts';
import { startSandbox } from '../support/sandbox.mts';
import { secure } from './secureHost.mts';
import { TICKETS } from './subjects.ts';

/** A sandbox for one cell at a time, by two addresses. */
export interface Host {
	readonly sandbox: RunningSandbox;
	readonly plain: string;
	readonly secured: string;
	/** Another host that must never be asked, and what it received all the same. */
	readonly elsewhere: { readonly url: string; readonly received: string[] };
	/** Forgets the last cell; there are six tickets and three conversations then. */
	prepare(): Promise<string[]>;
	stop(): Promise<void>;
}

/** Starts a sandbox, its door for https, and another host. */
export async function startHost(): Promise<Host> {
	const sandbox = await startSandbox();
	const { port } = new URL(sandbox.credential.baseUrl);
	const door = await secure(Number(port));
	const received: string[] = [];
	const other = createServer((request, response) => {
		received.push(request.url ?? '');
		response.end('{}');
	}).listen(0, '127.0.0.1');
	await once(other, 'listening');
	const tickets = Array.from({ length: TICKETS }, (_, i) => ({
		ticketNumber: i + 1,
		title: `Ticket ${i + 1}`,
	}));
	await sandbox.fill(tickets);
	return {
		sandbox,
		plain: `http://localhost:${port}/api/v2`,
		secured: `https://localhost:${door.port}/api/v2`,
		elsewhere: { url: `http://127.0.0.1:${(other.address() as AddressInfo).port}`, received },
		prepare: async () => {
			received.length = 0;
			return (await sandbox.converse(3, { min: 0, max: 0 })).map(({ id }) => id);
		},
		stop: async () => {
			door.close();
			other.close();
			await sandbox.stop();
		},
	};
}
