import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const others = join(import.meta.dirname, 'versions');

/** The n8n that everything runs on unless another one is asked for: that of `tools/host/package.json`. */
export const defaultVersion: string = readVersion(import.meta.dirname);

/** Every n8n that can be installed, the oldest first. */
export function knownVersions(): string[] {
	return [...readdirSync(others), defaultVersion].sort((a, b) =>
		a.localeCompare(b, 'en', { numeric: true }),
	);
}

/** The folder with the package.json and the package-lock.json of a host. */
export function manifestFolder(version: string): string {
	if (version === defaultVersion) return import.meta.dirname;
	const known = knownVersions();
	if (known.includes(version)) return join(others, version);
	throw new Error(`There is no n8n ${version} to install. There are ${known.join(', ')}.`);
}

function readVersion(folder: string): string {
	const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
		dependencies: { n8n: string };
	};
	return manifest.dependencies.n8n;
}
