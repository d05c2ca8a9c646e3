import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { npmCommand, runStep } from '../step.mjs';
import { ensureCached } from './cache.mts';
import { defaultVersion, manifestFolder } from './versions.mts';

export interface Host {
	dir: string;
	n8nBin: string;
	version: string;
}

interface Step {
	label: string;
	args: string[];
}

const files = ['package.json', 'package-lock.json'];

/** How npm installs a committed lock without running install scripts. */
export const installLocked = [
	'install',
	'--omit=dev',
	'--legacy-peer-deps',
	'--ignore-scripts',
	'--no-audit',
	'--no-fund',
];

const steps: Step[] = [
	{ label: 'Installing n8n (once, about 2.2 GB)', args: installLocked },
	{ label: 'Building its SQLite', args: ['rebuild', 'sqlite3', '--ignore-scripts=false'] },
];

/** A real n8n, installed once into the cache (about 2.2 GB each). */
export async function ensureHost(
	report?: (line: string) => void,
	version = defaultVersion,
): Promise<Host> {
	const manifest = manifestFolder(version);
	const dir = await ensureCached({
		name: `n8n-${version}`,
		inputs: [...(await readManifest(manifest)), JSON.stringify(steps)],
		report,
		fill: async (folder, log) => {
			await copyManifest(manifest, folder);
			for (const { label, args } of steps)
				await runStep({ label, command: npmCommand(args), cwd: folder, log, report });
		},
	});
	return { dir, version, n8nBin: join(dir, 'node_modules', 'n8n', 'bin', 'n8n') };
}

/** The package.json and the lock in a folder. */
export async function readManifest(folder: string): Promise<Buffer[]> {
	return await Promise.all(files.map((file) => readFile(join(folder, file))));
}

/** Copies package.json and lock into a folder. */
export async function copyManifest(from: string, to: string): Promise<void> {
	for (const file of files) await copyFile(join(from, file), join(to, file));
}
