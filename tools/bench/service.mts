import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Counts } from '../../sandbox/control.mts';
import { credentials } from '../../sandbox/credentials.mts';
import { bareClient } from './bareClient.mts';
import { cpuTime } from './cpuTime.mts';
import type { BareClient } from './bareClient.mts';
import type { Certificate } from '../certificate.mts';

/** The sandbox in a process of its own, so it takes no time from the contenders' event loops. */
export interface BenchService {
	url: string;
	/** What n8n's credential has to hold for it. */
	access: Record<string, string>;
	/** Forgets everything but the tickets, and answers with this latency (ms) from now on. */
	prepare: (latencyMs: number) => Promise<void>;
	/** Answers with this latency (ms) from now on, and forgets nothing. */
	setLatency: (latencyMs: number) => Promise<void>;
	/** Takes all tickets away and invents so many. */
	seed: (count: number) => Promise<void>;
	/** Takes all tickets away and puts these in. */
	fill: (tickets: readonly object[]) => Promise<void>;
	/** Tells the control of the sandbox something, by the path of its route. */
	tell: (route: string, body: object) => Promise<unknown>;
	/** How many of the last requests were not turned away. */
	taken: () => Promise<number>;
	counts: () => Promise<Counts>;
	/** Ms of processor time that the service has used so far. */
	cpu: () => number;
	/** A client that keeps so many connections open. */
	client: (parallel: number) => BareClient;
	stop: () => Promise<void>;
}

const main = join(import.meta.dirname, '..', '..', 'sandbox', 'main.mts');

/** Starts the sandbox, over TLS where it is given a certificate. */
export async function startService(certificate?: Certificate): Promise<BenchService> {
	const tls = certificate ? ['--key', certificate.keyFile, '--cert', certificate.certFile] : [];
	const flags = ['--json', '--port', '0', '--tickets', '0', ...tls];
	const child = spawn(process.execPath, [main, ...flags], { stdio: ['ignore', 'pipe', 'inherit'] });
	const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
	const { url } = JSON.parse(line) as { url: string };
	const { origin } = new URL(url);
	const ca = certificate?.cert;
	const control = bareClient(origin, { parallel: 1, ...(ca !== undefined && { ca }) });
	const tell = async (path: string, body: object) =>
		await control.call('POST', `/sandbox/${path}`, body);
	const empty = async () => await tell('reset', {});
	const setLatency = async (latencyMs: number) =>
		void (await tell('options', { latencyMs, keepRequests: 0, maxBytes: 100_000_000 }));
	return {
		url,
		setLatency,
		access: { baseUrl: url, ...credentials },
		prepare: async (latencyMs) => {
			await tell('reset', { keepTickets: true });
			await setLatency(latencyMs);
		},
		seed: async (count) => {
			await empty();
			await tell('tickets/seed', { count });
		},
		fill: async (tickets) => {
			await empty();
			await tell('tickets', tickets as object);
		},
		tell,
		taken: async () => {
			const received = await control.call('GET', '/sandbox/received');
			return (received as Array<{ status: number }>).filter(({ status }) => status === 200).length;
		},
		cpu: () => cpuTime(child.pid ?? 0),
		counts: async () => (await control.call('GET', '/sandbox/counts')) as Counts,
		client: (parallel) => bareClient(origin, { parallel, ...(ca !== undefined && { ca }) }),
		stop: async () => {
			await control.close();
			const ended = once(child, 'exit');
			child.kill();
			await ended;
		},
	};
}
