import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { withLock } from '../lock.mjs';

/** A folder of the cache, and how to fill it. */
export interface CacheEntry {
	/** The beginning of the folder's name. */
	name: string;
	/** A change in any of them makes a new folder. */
	inputs: ReadonlyArray<string | Buffer>;
	/** Fills an empty folder; `log` is a file beside it. */
	fill: (folder: string, log: string) => Promise<void>;
	report?: ((line: string) => void) | undefined;
}

/** Returns a cached folder outside of the checkout, filled once whoever asks first. */
export async function ensureCached(entry: CacheEntry): Promise<string> {
	const folder = join(cacheFolder(), `${entry.name}-${fingerprint(entry.inputs)}`);
	if (existsSync(folder)) return folder;
	await mkdir(dirname(folder), { recursive: true });
	await withLock(`${folder}.lock`, entry.report ?? console.error, () => fillOnce(folder, entry));
	return folder;
}

/** CONVERSATION_DESK_CACHE, or a folder in the user's cache. */
function cacheFolder(): string {
	const { CONVERSATION_DESK_CACHE, XDG_CACHE_HOME } = process.env;
	if (CONVERSATION_DESK_CACHE) return CONVERSATION_DESK_CACHE;
	return join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'n8n-nodes-conversation-desk');
}

/** A short hash of the inputs and of the version of Node. */
function fingerprint(inputs: CacheEntry['inputs']): string {
	const hash = createHash('sha256');
	for (const input of inputs) hash.update(input);
	hash.update(process.versions.node.split('.')[0] ?? '');
	return hash.digest('hex').slice(0, 12);
}

/** Fills a folder under another name, because only a finished one may have this name. */
async function fillOnce(folder: string, { fill }: CacheEntry): Promise<void> {
	if (existsSync(folder)) return;
	await removeLeftovers(folder);
	const partial = `${folder}.partial-${process.pid}`;
	await mkdir(partial);
	await fill(partial, `${folder}.log`);
	await rename(partial, folder);
}

/** Removes what interrupted installs of this folder left. */
async function removeLeftovers(folder: string): Promise<void> {
	const siblings = await readdir(dirname(folder));
	const leftovers = siblings.filter((name) => name.startsWith(`${basename(folder)}.partial-`));
	for (const name of leftovers)
		await rm(join(dirname(folder), name), { recursive: true, force: true });
}
