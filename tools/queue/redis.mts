import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ensureHost } from '../host/install.mts';
import { portOf } from './services.mts';

/** What is used of the Redis client that n8n brings. */
export interface RedisClient {
	connect: () => Promise<void>;
	ping: () => Promise<string>;
	keys: (pattern: string) => Promise<string[]>;
	type: (key: string) => Promise<string>;
	hgetall: (key: string) => Promise<Record<string, string>>;
	del: (...keys: string[]) => Promise<number>;
	disconnect: () => void;
	on: (event: 'error', listener: () => void) => void;
}

/** A module that n8n itself brings: this package needs none for queue mode. */
export async function fromHost<T>(module: string): Promise<T> {
	const { dir } = await ensureHost();
	return createRequire(join(dir, 'package.json'))(module) as T;
}

/** Does some work in Redis and closes the connection. */
export async function withRedis<T>(
	url: URL,
	work: (client: RedisClient) => Promise<T>,
): Promise<T> {
	const Redis = await fromHost<new (options: object) => RedisClient>('ioredis');
	const client = new Redis({
		host: url.hostname,
		port: portOf(url, 6379),
		...(url.password ? { password: decodeURIComponent(url.password) } : {}),
		db: Number(url.pathname.slice(1)) || 0,
		connectTimeout: 10_000,
		commandTimeout: 10_000,
		lazyConnect: true,
		retryStrategy: null,
	});
	// The failed call says the same.
	client.on('error', () => {});
	try {
		await client.connect();
		return await work(client);
	} finally {
		client.disconnect();
	}
}

/** What the jobs whose keys have this prefix hold, as text. */
export async function jobsIn(client: RedisClient, prefix: string): Promise<string> {
	const hashes: unknown[] = [];
	for (const key of await client.keys(`*${prefix}*`)) {
		if ((await client.type(key)) === 'hash') hashes.push(await client.hgetall(key));
	}
	return JSON.stringify(hashes);
}

/** Deletes every key with this prefix. */
export async function forget(client: RedisClient, prefix: string): Promise<void> {
	const keys = await client.keys(`*${prefix}*`);
	if (keys.length > 0) await client.del(...keys);
}
