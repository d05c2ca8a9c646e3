import { hash } from 'crypto';
import { z } from 'zod/v4';

/** What a workflow keeps of the customers that the service took: a digest for each of some thousand buckets. */
export interface SentCustomers {
	readonly version: 1;
	/** Where the customers were sent, e.g. address and workspace. */
	readonly scope: string;
	/** The digests one after the other; an empty bucket is all spaces. */
	readonly digests: string;
}

/** A customer as it is sent. */
interface Payload {
	readonly identifier: string;
}

/** Which customers of an export the service has already, and what to keep before and after the others are sent. */
export interface Comparison {
	readonly isUnchanged: (index: number) => boolean;
	/** To be kept before anything is sent: after a crash nobody knows what changed buckets hold. */
	readonly before: SentCustomers;
	/** To be kept after sending: a bucket counts only where all its customers were accepted. */
	readonly after: (isAccepted: (index: number) => boolean) => SentCustomers;
}

/** Kept small: 4,096 digests of 54 bits are 37 kB, however many customers there are. */
const BUCKETS = 4_096;
const WIDTH = 9;
const EMPTY = ' '.repeat(WIDTH);

const schema = z.object({
	version: z.literal(1),
	scope: z.string(),
	digests: z.string().length(BUCKETS * WIDTH),
});

/**
 * Compares a whole export with what was sent before. A bucket in which anything differs is sent whole; a state that is
 * lost, of another scope or of another version only means that more is sent.
 */
export function compareWithSent(
	customers: readonly Payload[],
	{ scope, saved }: { readonly scope: string; readonly saved: unknown },
): Comparison {
	const buckets = bucketsOf(customers);
	const now = buckets.map((bucket) => digestOf(bucket, customers));
	const known = knownDigests(saved, scope);
	const same = now.map((digest, bucket) => digest === known[bucket]);
	const stateOf = (keeps: (bucket: number) => boolean): SentCustomers => ({
		version: 1,
		scope,
		digests: now.map((digest, bucket) => (keeps(bucket) ? digest : EMPTY)).join(''),
	});
	return {
		isUnchanged: (index) => same[bucketOf(customers[index]?.identifier ?? '')] === true,
		before: stateOf((bucket) => same[bucket] === true),
		after: (isAccepted) =>
			stateOf((bucket) => same[bucket] === true || (buckets[bucket] ?? []).every(isAccepted)),
	};
}

/** The positions of the customers of each bucket. */
function bucketsOf(customers: readonly Payload[]): number[][] {
	const buckets = Array.from({ length: BUCKETS }, (): number[] => []);
	for (const [index, { identifier }] of customers.entries())
		buckets[bucketOf(identifier)]?.push(index);
	return buckets;
}

/** The bucket of an identifier, by FNV-1a, which spreads identifiers evenly whatever their pattern. */
function bucketOf(identifier: string): number {
	let code = 0x811c9dc5;
	for (let i = 0; i < identifier.length; i++)
		code = Math.imul(code ^ identifier.charCodeAt(i), 0x01000193);
	return ((code ^ (code >>> 15)) >>> 0) % BUCKETS;
}

/** The order of the export does not count, but that of customers with one identifier: the last of them stays. */
function digestOf(bucket: readonly number[], customers: readonly Payload[]): string {
	if (bucket.length === 0) return EMPTY;
	const payloads = bucket
		.map((index) => customers[index])
		.filter((customer) => customer !== undefined)
		.sort((a, b) => (a.identifier < b.identifier ? -1 : a.identifier > b.identifier ? 1 : 0));
	return hash('sha256', JSON.stringify(payloads), 'base64').slice(0, WIDTH);
}

function knownDigests(saved: unknown, scope: string): readonly string[] {
	const { data } = schema.safeParse(saved);
	if (data?.scope !== scope) return [];
	return Array.from({ length: BUCKETS }, (_, i) => data.digests.slice(i * WIDTH, (i + 1) * WIDTH));
}
