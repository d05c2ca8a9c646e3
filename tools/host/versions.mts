import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const otherVersions = join(import.meta.dirname, 'versions');
const manifest = JSON.parse(readFileSync(join(import.meta.dirname, 'package.json'), 'utf8')) as {
	dependencies: { n8n: string };
};

/** The n8n of all tests and tools, whose dependencies are locked. */
export const defaultVersion = manifest.dependencies.n8n;

/** Lists the versions of n8n that can be installed, the oldest first. */
export const knownVersions = (): string[] =>
	[...readdirSync(otherVersions), defaultVersion].sort((a, b) =>
		a.localeCompare(b, 'en', { numeric: true }),
	);

/** Returns the folder with the package.json of a version. */
export const manifestFolder = (version: string): string =>
	version === defaultVersion ? import.meta.dirname : join(otherVersions, version);
