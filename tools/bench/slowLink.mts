import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/** A link to a service that is far away. */
export interface SlowLink {
	port: number;
	close: () => Promise<void>;
}

/** Passes bytes on after half a round trip each way, in their order; the first wait one more, as opening a connection does. */
export async function startSlowLink(toPort: number, roundTripMs: number): Promise<SlowLink> {
	const pass = (from: Socket, to: Socket, delayMs: () => number) => {
		from.on('data', (bytes) => setTimeout(() => to.writable && to.write(bytes), delayMs()));
		from.on('end', () => setTimeout(() => to.end(), delayMs()));
		from.on('error', () => to.destroy());
	};
	const sockets = new Set<Socket>();
	const server = createServer((near) => {
		const far = connect(toPort, '127.0.0.1');
		const openMs = performance.now() + roundTripMs;
		const half = roundTripMs / 2;
		for (const socket of [near, far]) {
			socket.setNoDelay(true);
			sockets.add(socket);
			socket.on('close', () => sockets.delete(socket));
		}
		pass(near, far, () => half + Math.max(0, openMs - performance.now()));
		pass(far, near, () => half);
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		port: (server.address() as AddressInfo).port,
		close: async () => {
			for (const socket of sockets) socket.destroy();
			const closed = once(server, 'close');
			server.close();
			await closed;
		},
	};
}
