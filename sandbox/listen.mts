import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Starts a server on a port of 127.0.0.1, by default a free one; `close` ends all connections. */
export async function listen(
	server: Server,
	wanted = 0,
): Promise<{ port: number; close: () => Promise<void> }> {
	server.listen(wanted, '127.0.0.1');
	await once(server, 'listening');
	return {
		port: (server.address() as AddressInfo).port,
		close: async () => {
			const closed = once(server, 'close');
			server.close();
			server.closeAllConnections();
			await closed;
		},
	};
}
