import { hash } from 'crypto';
import { z } from 'zod/v4';

/** What a workflow keeps of the values that the service took: a digest for each of some thousand buckets. */
export interface SentState {
	readonly version: 1;
	/** Where the values were sent: address and workspace. */
	readonly scope: string;
	/** The number of the run that kept it, which says whether it is still the latest. */
	readonly run: number;
	/** The digests one after the other; that of an empty bucket is all spaces. Empty where nothing is known. */
	readonly digests: string;
}

/** The values of a run that are compared: by their positions, with who they are for and what is sent. */
export interface Compared {
	readonly indexes: readonly number[];
	readonly identityOf: (index: number) => string;
	readonly bodyOf: (index: number) => object;
}

/** Which values of an export the service has already, and what to keep of them. */
export interface Comparison {
	readonly isUnchanged: (index: number) => boolean;
	/** The digests to keep: a bucket counts only where all its values are with the service. */
	readonly digestsOf: (isStored: (index: number) => boolean) => string;
}

/** Kept small: 8,192 digests of 42 bits are 57 kB, however many values there are. */
const BUCKETS = 8_192;
const WIDTH = 7;
const EMPTY = ' '.repeat(WIDTH);
const MAX_RUN = 1_000_000_000;

const schema: z.ZodType<SentState> = z.object({
	version: z.literal(1),
	scope: z.string(),
	run: z.int().min(0).max(MAX_RUN),
	digests: z.string().refine(({ length }) => length === 0 || length === BUCKETS * WIDTH),
});

/** The state that a workflow kept, where it is whole and of this version. */
export function readSentState(saved: unknown): SentState | undefined {
	const { data } = schema.safeParse(saved);
	return data;
}

/**
 * Compares a whole export with the digests of what was sent before. A bucket in which anything differs is sent whole, so
 * digests that are lost only mean that more is sent.
 */
export function compareWithSent(compared: Compared, digests: string | undefined): Comparison {
	const bucketOfIndex: number[] = [];
	const buckets = Array.from({ length: BUCKETS }, (): number[] => []);
	for (const index of compared.indexes) {
		const bucket = bucketOf(compared.identityOf(index));
		bucketOfIndex[index] = bucket;
		buckets[bucket]?.push(index);
	}
	const now = buckets.map((bucket) => digestOf(bucket, compared));
	const same = now.map(
		(digest, i) => digest === digests?.slice(i * WIDTH, (i + 1) * WIDTH) && digest !== EMPTY,
	);
	return {
		isUnchanged: (index) => same[bucketOfIndex[index] ?? -1] === true,
		digestsOf: (isStored) =>
			now.map((digest, i) => (buckets[i]?.every(isStored) ? digest : EMPTY)).join(''),
	};
}

/** The bucket of an identity, by FNV-1a, which spreads identifiers evenly whatever their pattern. */
function bucketOf(identity: string): number {
	let code = 0x811c9dc5;
	for (let i = 0; i < identity.length; i++)
		code = Math.imul(code ^ identity.charCodeAt(i), 0x01000193);
	return ((code ^ (code >>> 15)) >>> 0) % BUCKETS;
}

/** The order of the export does not count, but that of values with one identity does: the last of them stays. */
function digestOf(bucket: readonly number[], { identityOf, bodyOf }: Compared): string {
	if (bucket.length === 0) return EMPTY;
	const sorted = bucket.toSorted((a, b) => compareTexts(identityOf(a), identityOf(b)));
	const text = JSON.stringify(sorted.map(bodyOf));
	return hash('sha256', text, 'base64').slice(0, WIDTH);
}

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
