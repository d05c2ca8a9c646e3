import { readFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';

const host = join(import.meta.dirname, '..', 'host', 'package.json');

/** What a reader has to know of the machine and the versions; nothing that tells which machine it was. */
export function machine(): Record<string, string | number> {
	const { dependencies } = JSON.parse(readFileSync(host, 'utf8')) as {
		dependencies: { n8n: string };
	};
	return {
		processors: cpus().length,
		'memory (GB)': Math.round(totalmem() / 1024 ** 3),
		system: process.platform,
		node: process.versions.node,
		n8n: dependencies.n8n,
	};
}
