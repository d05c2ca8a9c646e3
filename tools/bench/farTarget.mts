import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import type { SandboxOptions } from '../../sandbox/options.mts';
import { makeCertificate } from '../certificate.mts';
import { sandboxTarget } from '../demo/target.mts';
import type { Target } from '../demo/target.mts';

/** Starts the service with TLS behind a link with a round trip. */
export async function startFarTarget(
	options: SandboxOptions,
	roundTripMs: number,
): Promise<Target> {
	const { key, cert, certFile, remove } = await makeCertificate();
	// n8n gets the environment of this process.
	process.env['NODE_EXTRA_CA_CERTS'] = certFile;
	const near = await sandboxTarget({ ...options, tls: { key, cert } });
	const link = createServer({ noDelay: true }, (client) => {
		const service = connect({ port: near.sandbox.port, host: '127.0.0.1', noDelay: true });
		// A new connection takes one more round trip.
		const openMs = performance.now() + roundTripMs;
		const half = roundTripMs / 2;
		passLater(client, service, () => half + Math.max(0, openMs - performance.now()));
		passLater(service, client, () => half);
	});
	await once(link.listen(0, '127.0.0.1'), 'listening');
	const url = new URL(near.sandbox.url);
	url.port = String((link.address() as AddressInfo).port);
	const close = async () => {
		link.close();
		await near.close();
		delete process.env['NODE_EXTRA_CA_CERTS'];
		remove();
	};
	return { ...near, access: { ...near.access, baseUrl: url.href }, close };
}

/** Passes bytes on after a delay, in their order. */
function passLater(from: Socket, to: Socket, delayMs: () => number): void {
	from.on('data', (bytes) => setTimeout(() => to.writable && to.write(bytes), delayMs()));
	from.on('end', () => setTimeout(() => to.end(), delayMs()));
	from.on('error', () => to.destroy());
}
