import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { withLock } from '../lock.mjs';
import { npmCommand, runStep } from '../step.mjs';
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
const plain = ['--omit=dev', '--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund'];

const steps: Step[] = [
	{ label: 'Installing n8n (once, about 2.2 GB)', args: ['install', ...plain] },
	{ label: 'Building its SQLite', args: ['rebuild', 'sqlite3', '--ignore-scripts=false'] },
];

/** A real n8n, installed once into a cache outside of the checkout (about 2.2 GB each). */
export async function ensureHost(
	report?: (line: string) => void,
	version = defaultVersion,
): Promise<Host> {
	const manifest = manifestFolder(version);
	const dir = await place(manifest, version);
	if (!existsSync(dir)) {
		await mkdir(dirname(dir), { recursive: true });
		await withLock(`${dir}.lock`, report ?? console.error, () => install(manifest, dir, report));
	}
	return { dir, version, n8nBin: join(dir, 'node_modules', 'n8n', 'bin', 'n8n') };
}

/** Where everything that outlives one run is kept: CONVERSATION_DESK_CACHE, or a folder in the user's cache. */
function cacheFolder(): string {
	const { CONVERSATION_DESK_CACHE, XDG_CACHE_HOME } = process.env;
	if (CONVERSATION_DESK_CACHE) return CONVERSATION_DESK_CACHE;
	return join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'n8n-nodes-conversation-desk');
}

async function place(manifest: string, version: string): Promise<string> {
	const contents = await Promise.all(files.map((file) => readFile(join(manifest, file))));
	const hash = createHash('sha256');
	for (const content of contents) hash.update(content);
	hash.update(JSON.stringify(steps));
	hash.update(process.versions.node.split('.')[0] ?? '');
	return join(cacheFolder(), `n8n-${version}-${hash.digest('hex').slice(0, 12)}`);
}

async function install(manifest: string, dir: string, report?: (line: string) => void) {
	if (existsSync(dir)) return;
	await removeLeftovers(dir);
	const partial = `${dir}.partial-${process.pid}`;
	const log = `${dir}.log`;
	await mkdir(partial);
	for (const file of files) await copyFile(join(manifest, file), join(partial, file));
	for (const { label, args } of steps) {
		await runStep({ label, command: npmCommand(args), cwd: partial, log, report });
	}
	await rename(partial, dir);
}

async function removeLeftovers(dir: string) {
	const siblings = await readdir(dirname(dir));
	const leftovers = siblings.filter((name) => name.startsWith(`${basename(dir)}.partial-`));
	for (const name of leftovers)
		await rm(join(dirname(dir), name), { recursive: true, force: true });
}
