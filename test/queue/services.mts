import { Redis } from 'ioredis';
import { Client } from 'pg';

/** The addresses of Redis and PostgreSQL. */
export interface Services {
	redis: URL;
	postgres: URL;
}

/** A database and a prefix in Redis for one run, which `drop` removes. */
export interface RunDatabase {
	/** The name of both. */
	name: string;
	query: (text: string, values?: unknown[]) => Promise<Array<Record<string, unknown>>>;
	/** Reads the jobs in Redis as one text. */
	readJobs: () => Promise<string>;
	drop: () => Promise<void>;
}

/** Returns the services of two environment variables, or those on the usual ports. */
export function queueServices(environment = process.env): Services {
	const read = (name: string, usual: string) => new URL(environment[name] || usual);
	return {
		redis: read('CONVERSATION_DESK_REDIS_URL', 'redis://127.0.0.1:6379'),
		postgres: read('CONVERSATION_DESK_POSTGRES_URL', 'postgres://postgres@127.0.0.1:5432/postgres'),
	};
}

/** Returns the settings of queue mode, which are the same for the main process and every worker. */
export function queueEnvironment(
	{ redis, postgres }: Services,
	name: string,
): Record<string, string> {
	return {
		EXECUTIONS_MODE: 'queue',
		OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
		QUEUE_BULL_PREFIX: name,
		N8N_REDIS_KEY_PREFIX: name,
		QUEUE_BULL_REDIS_HOST: redis.hostname,
		QUEUE_BULL_REDIS_PORT: redis.port || '6379',
		QUEUE_BULL_REDIS_DB: redis.pathname.slice(1) || '0',
		QUEUE_BULL_REDIS_PASSWORD: decodeURIComponent(redis.password),
		// A dead worker is noticed within seconds instead of minutes.
		QUEUE_WORKER_LOCK_DURATION: '10000',
		QUEUE_WORKER_LOCK_RENEW_TIME: '2000',
		QUEUE_WORKER_STALLED_INTERVAL: '3000',
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: postgres.hostname,
		DB_POSTGRESDB_PORT: postgres.port || '5432',
		DB_POSTGRESDB_USER: decodeURIComponent(postgres.username),
		DB_POSTGRESDB_PASSWORD: decodeURIComponent(postgres.password),
		DB_POSTGRESDB_DATABASE: name,
	};
}

/** Lists why the services cannot be used; empty if they can. */
export async function findObstacles({ redis, postgres }: Services): Promise<string[]> {
	const attempts = await Promise.allSettled([
		withRedis(redis, async (client) => await client.ping()),
		queryPostgres(postgres, 'SELECT 1'),
	]);
	return attempts.flatMap((attempt, i) => {
		if (attempt.status === 'fulfilled') return [];
		const { message, code } = attempt.reason as Error & { code?: string };
		return [`${i === 0 ? 'Redis' : 'PostgreSQL'} says "${message || code}"`];
	});
}

/** Creates an empty database with a unique name. */
export async function createDatabase({ redis, postgres }: Services): Promise<RunDatabase> {
	const name = `conversation_desk_${process.pid}_${Date.now().toString(36)}`;
	await queryPostgres(postgres, `CREATE DATABASE "${name}"`);
	const address = new URL(`/${name}`, postgres);
	return {
		name,
		query: async (text, values) => await queryPostgres(address, text, values),
		readJobs: async () =>
			await withRedis(redis, async (client) => {
				const jobs: unknown[] = [];
				for (const key of await client.keys(`*${name}*`))
					if ((await client.type(key)) === 'hash') jobs.push(await client.hgetall(key));
				return JSON.stringify(jobs);
			}),
		drop: async () => {
			await queryPostgres(postgres, `DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
			await withRedis(redis, async (client) => {
				const keys = await client.keys(`*${name}*`);
				if (keys.length > 0) await client.del(...keys);
			});
		},
	};
}

async function queryPostgres(url: URL, text: string, values?: unknown[]) {
	const client = new Client({ connectionString: url.href, connectionTimeoutMillis: 10_000 });
	await client.connect();
	try {
		return (await client.query<Record<string, unknown>>(text, values)).rows;
	} finally {
		await client.end();
	}
}

/** Works with Redis and closes the connection. */
async function withRedis<T>(url: URL, work: (client: Redis) => Promise<T>): Promise<T> {
	const client = new Redis(url.href, {
		connectTimeout: 10_000,
		commandTimeout: 10_000,
		lazyConnect: true,
		retryStrategy: () => null,
	});
	// The failed call throws the same error.
	client.on('error', () => {});
	try {
		await client.connect();
		return await work(client);
	} finally {
		client.disconnect();
	}
}
