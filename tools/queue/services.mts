import { connect } from 'node:net';

/** Where Redis and PostgreSQL are. */
export interface Services {
	redis: URL;
	postgres: URL;
}

/** The services that environment variables name, else those on the usual ports of this machine. */
export function queueServices(environment = process.env): Services {
	const read = (name: string, usual: string) => new URL(environment[name] || usual);
	return {
		redis: read('CONVERSATION_DESK_REDIS_URL', 'redis://127.0.0.1:6379'),
		postgres: read('CONVERSATION_DESK_POSTGRES_URL', 'postgres://postgres@127.0.0.1:5432/postgres'),
	};
}

/** Which of the services do not answer, in words; empty when both do. */
export async function missingServices({ redis, postgres }: Services): Promise<string[]> {
	const all = [
		{ name: 'Redis', host: redis.hostname, port: portOf(redis, 6379) },
		{ name: 'PostgreSQL', host: postgres.hostname, port: portOf(postgres, 5432) },
	];
	const missing = await Promise.all(
		all.map(async ({ name, host, port }) =>
			(await listens(host, port)) ? [] : [`${name} does not answer on ${host}:${port}`],
		),
	);
	return missing.flat();
}

/** The port of an address, or the usual one. */
export const portOf = (url: URL, usual: number): number => Number(url.port) || usual;

function listens(host: string, port: number): Promise<boolean> {
	return new Promise((resolve) => {
		const socket = connect({ host, port, timeout: 2_000 });
		const end = (answer: boolean) => {
			socket.destroy();
			resolve(answer);
		};
		socket.once('connect', () => end(true));
		socket.once('timeout', () => end(false));
		socket.once('error', () => end(false));
	});
}
