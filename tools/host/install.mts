import { existsSync } from 'node:fs';
import { copyFile, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { npmCommand, runStep } from '../step.mjs';
import { ensureCached } from './cache.mts';
import { defaultVersion, manifestFolder } from './versions.mts';

/** An installed n8n. */
export interface Host {
	dir: string;
	n8nBin: string;
	version: string;
}

/** The arguments with which npm installs a package.json and its lock without install scripts. */
export const installArguments = [
	'install',
	'--omit=dev',
	'--legacy-peer-deps',
	'--ignore-scripts',
	'--no-audit',
	'--no-fund',
];

const steps = [
	{ label: 'Installing n8n (once, about 2.2 GB)', args: installArguments },
	{ label: 'Building its SQLite', args: ['rebuild', 'sqlite3', '--ignore-scripts=false'] },
];

/** Installs a real n8n once into the cache. */
export async function ensureHost(
	report?: (line: string) => void,
	version = defaultVersion,
): Promise<Host> {
	const manifest = await readManifest(manifestFolder(version));
	const dir = await ensureCached({
		name: `n8n-${version}`,
		inputs: [...manifest.inputs, JSON.stringify(steps)],
		report,
		fill: async (folder, log) => {
			await manifest.copyTo(folder);
			for (const { label, args } of steps)
				await runStep({ label, command: npmCommand(args), cwd: folder, log, report });
		},
	});
	return { dir, version, n8nBin: join(dir, 'node_modules', 'n8n', 'bin', 'n8n') };
}

/** Reads the package.json of a folder and its lock, if it has one. */
export async function readManifest(folder: string) {
	const paths = ['package.json', 'package-lock.json']
		.map((name) => join(folder, name))
		.filter((path) => existsSync(path));
	return {
		inputs: await Promise.all(paths.map(async (path) => await readFile(path))),
		copyTo: async (target: string): Promise<void> => {
			for (const path of paths) await copyFile(path, join(target, basename(path)));
		},
	};
}
