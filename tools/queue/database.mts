import { forget, fromHost, jobsIn, withRedis } from './redis.mts';
import type { Services } from './services.mts';

type Row = Record<string, unknown>;

interface PgClient {
	connect: () => Promise<void>;
	query: (text: string, values?: unknown[]) => Promise<{ rows: Row[] }>;
	end: () => Promise<void>;
}

/** A database and a Redis prefix that belong to one run; gone after `drop`. */
export interface OwnDatabase {
	/** The name of both. */
	name: string;
	rows: (query: string, values?: unknown[]) => Promise<Row[]>;
	/** What Redis keeps of the jobs, as text. */
	queued: () => Promise<string>;
	drop: () => Promise<void>;
}

/** Creates an empty database under a name that no one else uses. */
export async function createDatabase({ redis, postgres }: Services): Promise<OwnDatabase> {
	const name = `conversation_desk_${process.pid}_${Date.now().toString(36)}`;
	await inPostgres(postgres, `CREATE DATABASE "${name}"`);
	const own = new URL(postgres);
	own.pathname = `/${name}`;
	return {
		name,
		rows: (query, values) => inPostgres(own, query, values),
		queued: () => withRedis(redis, (client) => jobsIn(client, name)),
		drop: async () => {
			await inPostgres(postgres, `DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
			await withRedis(redis, (client) => forget(client, name));
		},
	};
}

/** Why the services cannot be used although they answer, in words; empty when they can. */
export async function refusals({ redis, postgres }: Services): Promise<string[]> {
	const [inRedis, inDatabase] = await Promise.all([
		reasonOf(withRedis(redis, (client) => client.ping())),
		reasonOf(inPostgres(postgres, 'SELECT 1')),
	]);
	return [
		...(inRedis === undefined ? [] : [`Redis says "${inRedis}"`]),
		...(inDatabase === undefined ? [] : [`PostgreSQL says "${inDatabase}"`]),
	];
}

async function inPostgres(url: URL, query: string, values?: unknown[]): Promise<Row[]> {
	const { Client } = await fromHost<{ Client: new (options: object) => PgClient }>('pg');
	const client = new Client({ connectionString: url.href, connectionTimeoutMillis: 10_000 });
	await client.connect();
	try {
		return (await client.query(query, values)).rows;
	} finally {
		await client.end();
	}
}

const reasonOf = async (work: Promise<unknown>): Promise<string | undefined> =>
	await work.then(
		() => undefined,
		(error: unknown) => (error instanceof Error ? error.message : String(error)),
	);
