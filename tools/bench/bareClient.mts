import { Pool } from 'undici';
import { credentials } from '../../sandbox/credentials.mts';

/** The least that a client can do: requests over connections that stay open, and JSON. */
export interface BareClient {
	call: (method: 'GET' | 'POST', path: string, body?: unknown) => Promise<unknown>;
	/** Works off tasks, as many at once as there are connections. */
	all: <T, R>(tasks: readonly T[], work: (task: T) => Promise<R>) => Promise<R[]>;
	close: () => Promise<void>;
}

const headers = {
	'content-type': 'application/json',
	authorization: `Bearer ${credentials.accessToken}`,
	'x-api-key': credentials.apiKey,
	'x-workspace-id': credentials.workspaceId,
	'x-workspace-slug': credentials.workspaceSlug,
};

/** Makes a bare client with `parallel` connections to an origin. */
export function bareClient(
	origin: string,
	{ parallel, ca }: { parallel: number; ca?: string },
): BareClient {
	const pool = new Pool(origin, {
		connections: parallel,
		pipelining: 1,
		headersTimeout: 600_000,
		bodyTimeout: 600_000,
		...(ca !== undefined && { connect: { ca } }),
	});
	return {
		call: async (method, path, body) => {
			const text = body === undefined ? null : JSON.stringify(body);
			const reply = await pool.request({ method, path, headers, body: text });
			const answer = await reply.body.text();
			if (reply.statusCode < 300) return JSON.parse(answer) as unknown;
			throw new Error(`${method} ${path}: ${reply.statusCode} ${answer.slice(0, 300)}`);
		},
		all: async (tasks, work) => {
			const results: Array<Awaited<ReturnType<typeof work>>> = [];
			const queue = tasks.entries();
			const runner = async () => {
				for (const [index, task] of queue) results[index] = await work(task);
			};
			await Promise.all(Array.from({ length: parallel }, runner));
			return results;
		},
		close: async () => await pool.close(),
	};
}
