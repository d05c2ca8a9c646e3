import { once } from 'node:events';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import tls from 'node:tls';
import { startListener } from '../support/listener.mts';
import type { RunningSandbox } from '../support/sandbox.mts';
import { startSandbox } from '../support/sandbox.mts';
import { addresses } from './edge.mts';
import { identities } from './identities.mts';
import { TICKETS } from './subjects.ts';

const { trusted, stranger } = identities();
tls.setDefaultCACertificates([...tls.getCACertificates('default'), trusted.cert]);

/** Starts https in front of a local port, and a stranger on the same port of another address. No one trusts it. */
async function secure(port: number): Promise<{ port: number; close: () => void }> {
	const good = tls.createServer(trusted, (socket) => {
		const through = connect(port, addresses.through);
		for (const end of [socket, through]) end.on('error', () => undefined);
		socket.pipe(through).pipe(socket);
	});
	good.listen(0, addresses.through);
	await once(good, 'listening');
	const { port: secured } = good.address() as AddressInfo;
	const bad = tls.createServer(stranger, (socket) => socket.end());
	bad.on('tlsClientError', () => undefined);
	bad.listen(secured, addresses.untrusted);
	await once(bad, 'listening');
	return {
		port: secured,
		close: () => {
			good.close();
			bad.close();
		},
	};
}

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
			return (await sandbox.converse(3)).map(({ id }) => id);
		},
		stop: async () => {
			door.close();
			await elsewhere.close();
			await sandbox.stop();
		},
	};
}
