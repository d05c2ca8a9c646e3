import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Lets a server listen on 127.0.0.1, on any free port unless one is wanted; `close` ends its connections, too. */
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
