import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Certificate } from '../../tools/certificate.mts';
import { startProxy } from '../e2e/proxy.mts';

const REGISTRY = 'registry.npmjs.org';

/** npm's registry with one package in it, behind a proxy that lets nothing else through. */
export interface Registry {
	/** The environment variables of n8n and its npm. */
	env: Record<string, string>;
	requestedPaths: string[];
	close: () => Promise<void>;
}

/** The document of a package with one version, as npm reads it. */
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
	certificate: Certificate,
): Promise<Registry> {
	const bytes = readFileSync(tarball);
	const requestedPaths: string[] = [];
	const proxy = await startProxy([REGISTRY], certificate, (request, response) => {
		const path = decodeURIComponent(request.url ?? '');
		requestedPaths.push(path);
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
	const { certFile } = certificate;
	return {
		requestedPaths,
		env: {
			HTTPS_PROXY: proxy.url,
			https_proxy: proxy.url,
			npm_config_https_proxy: proxy.url,
			npm_config_noproxy: '127.0.0.1',
			NODE_EXTRA_CA_CERTS: certFile,
			npm_config_cafile: certFile,
		},
		close: proxy.close,
	};
}
