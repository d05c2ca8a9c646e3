import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Server } from 'node:net';

/** Below what systems give to connections that go out: one of those may take any other port before n8n listens. */
const lowest = 20_000;
const count = 12_000;

/** Different ports on 127.0.0.1 that are free at this moment. */
export async function freePorts(wanted: number): Promise<number[]> {
	const servers = await Promise.all(Array.from({ length: wanted }, listen));
	await Promise.all(servers.map(({ server }) => once(server.close(), 'close')));
	return servers.map(({ port }) => port);
}

async function listen(): Promise<{ port: number; server: Server }> {
	const port = lowest + Math.floor(Math.random() * count);
	const server = createServer().listen(port, '127.0.0.1');
	try {
		await once(server, 'listening');
		return { port, server };
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
		return await listen();
	}
}
