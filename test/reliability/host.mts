import { startListener } from '../support/listener.mts';
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
	readonly elsewhere: Awaited<ReturnType<typeof startListener>>;
	/** Forgets the last cell; there are six tickets and three conversations then. */
	prepare(): Promise<string[]>;
	stop(): Promise<void>;
}

/** Starts a sandbox, its door for https, and another host. */
export async function startHost(): Promise<Host> {
	const sandbox = await startSandbox();
	const { port } = new URL(sandbox.credential.baseUrl);
	const door = await secure(Number(port));
	const elsewhere = await startListener();
	const tickets = Array.from({ length: TICKETS }, (_, i) => ({
		ticketNumber: i + 1,
		title: `Ticket ${i + 1}`,
	}));
	await sandbox.fill(tickets);
	return {
		sandbox,
		plain: `http://localhost:${port}/api/v2`,
		secured: `https://localhost:${door.port}/api/v2`,
		elsewhere,
		prepare: async () => {
			elsewhere.received.length = 0;
			return (await sandbox.converse(3, { min: 0, max: 0 })).map(({ id }) => id);
		},
		stop: async () => {
			door.close();
			await elsewhere.close();
			await sandbox.stop();
		},
	};
}
