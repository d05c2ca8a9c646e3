import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import tls from 'node:tls';
import { addresses } from './edge.mts';

interface Identity {
	readonly key: string;
	readonly cert: string;
}

/** Makes a throwaway certificate for `localhost`; needs openssl. */
function identity(): Identity {
	const made = spawnSync(
		'openssl',
		'req -x509 -newkey rsa:2048 -nodes -subj /CN=localhost -addext subjectAltName=DNS:localhost -days 1 -keyout - -out -'.split(
			' ',
		),
		{ encoding: 'utf8' },
	);
	const [key] = /-----BEGIN PRIVATE[^]+?-----END PRIVATE KEY-----/.exec(made.stdout ?? '') ?? [];
	const [cert] = /-----BEGIN CERT[^]+?-----END CERTIFICATE-----/.exec(made.stdout ?? '') ?? [];
	if (key === undefined || cert === undefined)
		throw new Error('The fault matrix needs openssl, for its certificates');
	return { key, cert };
}

const trusted = identity();
const stranger = identity();
tls.setDefaultCACertificates([...tls.getCACertificates('default'), trusted.cert]);

/** The port on which a service that listens on another one speaks https, and a stranger beside it, whom no one trusts. */
export async function secure(port: number): Promise<{ port: number; close: () => void }> {
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
