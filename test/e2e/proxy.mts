import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { RequestListener } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { listen } from '../../sandbox/listen.mts';
import type { Identity } from '../../tools/certificate.mts';

/** Starts an https server that stands in for these hosts, and a proxy to it that blocks every other host. */
export async function startProxy(
	hosts: readonly string[],
	{ key, cert }: Identity,
	answer: RequestListener,
): Promise<{ url: string; close: () => Promise<void> }> {
	const secure = await listen(createTlsServer({ key, cert }, answer));
	const sockets = new Set<Socket>();
	const proxy = createServer();
	proxy.on('connect', ({ url = '' }, socket: Socket) => {
		sockets.add(socket);
		socket.on('error', () => socket.destroy());
		if (!hosts.includes(url.replace(/:443$/, '')))
			return void socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
		const through = connect(secure.port, '127.0.0.1', () => {
			socket.write('HTTP/1.1 200 OK\r\n\r\n');
			socket.pipe(through).pipe(socket);
		});
		sockets.add(through);
		through.on('error', () => socket.destroy());
	});
	const { port, close } = await listen(proxy);
	return {
		url: `http://127.0.0.1:${port}`,
		close: async () => {
			for (const socket of sockets) socket.destroy();
			await close();
			await secure.close();
		},
	};
}
