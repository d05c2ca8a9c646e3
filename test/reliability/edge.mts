import { AsyncLocalStorage } from 'node:async_hooks';
import dns from 'node:dns';
import { ClientRequest } from 'node:http';

/** The fate of a connection that leaves this machine. */
export type Fate = 'through' | 'notFound' | 'refused' | 'untrusted';

/** The network edge of one run of a node, which has its own clock. */
export interface Crossing {
	readonly fateOf: (connection: number) => Fate;
	/** Whether no response will arrive on a connection, so it counts as lost soon instead of after its timeout. */
	readonly isSilent: (connection: number) => boolean;
	/** Connections that were tried. */
	connections: number;
	/** The hosts that were asked for. */
	readonly hosts: Set<string>;
	/** Ms that passed on the clock of the run because it waited. */
	waited: number;
}

const current = new AsyncLocalStorage<Crossing>();
/** Ms. */
const SOON = 500;

/** Addresses of this machine: the service and, beside it, a host that no one trusts and one where nothing listens. */
export const addresses = {
	through: '127.0.0.1',
	refused: '127.0.0.2',
	untrusted: '127.0.0.3',
} as const;

/** Runs work at the edge; all its names are resolved there, and its waits take no time. */
export async function cross<T>(
	{ fateOf, isSilent }: Pick<Crossing, 'fateOf' | 'isSilent'>,
	work: () => Promise<T>,
): Promise<T & { crossing: Crossing }> {
	const crossing = { fateOf, isSilent, connections: 0, hosts: new Set<string>(), waited: 0 };
	const result = await current.run(crossing, work);
	return { ...result, crossing };
}

const realNow = Date.now;
Date.now = () => realNow() + (current.getStore()?.waited ?? 0);

/** Replaces `sleep` of n8n-workflow: the clock of the run advances immediately. */
export async function sleep(ms: number): Promise<void> {
	const crossing = current.getStore();
	const until = (crossing?.waited ?? 0) + ms;
	await new Promise(setImmediate);
	if (crossing) crossing.waited = Math.max(crossing.waited, until);
}

type LookupCallback = (error: Error | null, address?: unknown, family?: number) => void;

const notFound = (host: string): Error =>
	Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), {
		code: 'ENOTFOUND',
		syscall: 'getaddrinfo',
		hostname: host,
	});

const realLookup = dns.lookup as typeof lookup;
function lookup(host: string, options: dns.LookupOptions, callback: LookupCallback): void {
	const crossing = current.getStore();
	if (!crossing) return realLookup(host, options, callback);
	crossing.hosts.add(host);
	crossing.connections += 1;
	const fate = crossing.fateOf(crossing.connections);
	const address = fate === 'notFound' ? undefined : addresses[fate];
	setImmediate(() => {
		if (address === undefined) callback(notFound(host));
		else if (options.all === true) callback(null, [{ address, family: 4 }]);
		else callback(null, address, 4);
	});
}
Object.assign(dns, { lookup });

// A request asks for its host and then sets its timeout, in one go.
const { setTimeout: realSetTimeout } = ClientRequest.prototype;
ClientRequest.prototype.setTimeout = function hurried(ms: number, then?: () => void) {
	const crossing = current.getStore();
	const silent = ms > SOON && crossing?.isSilent(crossing.connections) === true;
	return realSetTimeout.call(this, silent ? SOON : ms, then);
};
