import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import type { Certificate } from '../../tools/certificate.mts';

const REGISTRY = 'registry.npmjs.org';

/** npm's registry with one package in it, behind a proxy that lets nothing else through. */
export interface Registry {
	/** What n8n and its npm have to be told. */
	env: Record<string, string>;
	/** The paths that were asked for. */
	asked: string[];
	close: () => Promise<void>;
}

const listen = async (server: Server): Promise<number> => {
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return (server.address() as AddressInfo).port;
};

/** What npm reads about a package with one version. */
function documentOf(manifest: { name: string; version: string }, tarball: Buffer): object {
	const { name, version } = manifest;
	const digest = createHash('sha512').update(tarball).digest('base64');
	const dist = {
		tarball: `https://${REGISTRY}/${name}/-/${name}-${version}.tgz`,
		integrity: `sha512-${digest}`,
	};
	return {
		name,
		'dist-tags': { latest: version },
		versions: { [version]: { ...manifest, dist } },
	};
}

/** Starts it, with a packed package and its package.json. */
export async function startRegistry(
	{ tarball, manifest }: { tarball: string; manifest: { name: string; version: string } },
	{ keyFile, certFile }: Certificate,
): Promise<Registry> {
	const bytes = readFileSync(tarball);
	const asked: string[] = [];
	const tls = { key: readFileSync(keyFile), cert: readFileSync(certFile) };
	const registry = createTlsServer(tls, (request, response) => {
		const path = decodeURIComponent(request.url ?? '');
		asked.push(path);
		if (path.endsWith('.tgz')) return void response.end(bytes);
		if (path === `/${manifest.name}`)
			return void response
				.writeHead(200, { 'content-type': 'application/json' })
				.end(JSON.stringify(documentOf(manifest, bytes)));
		if (path.startsWith(`/${manifest.name}/`))
			return void response
				.writeHead(200, { 'content-type': 'application/json' })
				.end(JSON.stringify(manifest));
		response.writeHead(404).end('{}');
	});
	const port = await listen(registry);
	const sockets = new Set<Socket>();
	const proxy = createServer();
	proxy.on('connect', (request, socket: Socket) => {
		sockets.add(socket);
		socket.on('error', () => socket.destroy());
		if (request.url !== `${REGISTRY}:443`) return void socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
		const through = connect(port, '127.0.0.1', () => {
			socket.write('HTTP/1.1 200 OK\r\n\r\n');
			socket.pipe(through).pipe(socket);
		});
		sockets.add(through);
		through.on('error', () => socket.destroy());
	});
	const address = `http://127.0.0.1:${await listen(proxy)}`;
	return {
		asked,
		env: {
			HTTPS_PROXY: address,
			https_proxy: address,
			npm_config_https_proxy: address,
			npm_config_noproxy: '127.0.0.1',
			NODE_EXTRA_CA_CERTS: certFile,
			npm_config_cafile: certFile,
		},
		close: async () => {
			for (const socket of sockets) socket.destroy();
			for (const server of [proxy, registry]) {
				const closed = once(server, 'close');
				server.close();
				server.closeAllConnections();
				await closed;
			}
		},
	};
}
