import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { withLock } from '../lock.mjs';

/** A folder of the cache and the way to fill it. */
export interface CacheEntry {
	/** The beginning of the folder's name. */
	name: string;
	/** A change of one of them makes a new folder. */
	inputs: ReadonlyArray<string | Buffer>;
	/** Fills an empty folder; `log` is a file beside it. */
	fill: (folder: string, log: string) => Promise<void>;
	report?: ((line: string) => void) | undefined;
}

/** Returns a folder outside of the checkout, which the first caller fills. */
export async function ensureCached({ name, inputs, fill, report }: CacheEntry): Promise<string> {
	const cache = cacheFolder();
	const folder = join(cache, `${name}-${fingerprint(inputs)}`);
	if (existsSync(folder)) return folder;
	await mkdir(cache, { recursive: true });
	await withLock(`${folder}.lock`, report ?? console.error, async () => {
		if (existsSync(folder)) return;
		// Only a finished folder may have its name.
		const partial = `${folder}.partial`;
		await rm(partial, { recursive: true, force: true });
		await mkdir(partial);
		await fill(partial, `${folder}.log`);
		await rename(partial, folder);
	});
	return folder;
}

/** Returns CONVERSATION_DESK_CACHE, or a folder in the user's cache. */
function cacheFolder(): string {
	const { CONVERSATION_DESK_CACHE, XDG_CACHE_HOME } = process.env;
	const cache = XDG_CACHE_HOME || join(homedir(), '.cache');
	return CONVERSATION_DESK_CACHE || join(cache, 'n8n-nodes-conversation-desk');
}

/** Returns a short hash of the inputs and of the version of Node. */
function fingerprint(inputs: CacheEntry['inputs']): string {
	const hash = createHash('sha256');
	for (const input of inputs) hash.update(input);
	hash.update(process.versions.node.split('.')[0] ?? '');
	return hash.digest('hex').slice(0, 12);
}
