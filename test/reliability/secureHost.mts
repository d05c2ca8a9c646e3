import { once } from 'node:events';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import tls from 'node:tls';
import { addresses } from './edge.mts';
import { identities } from './identities.mts';

const { trusted, stranger } = identities();
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
