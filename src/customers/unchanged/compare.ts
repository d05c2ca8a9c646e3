import { hash } from 'crypto';
import { z } from 'zod/v4';
import type { Sources } from '../../bulk/plan';
import { parsedOrSame } from '../../core/json';

/** What a workflow keeps of the values that the service took: a digest for each of its buckets, more of them the more values there are. */
export interface SentState {
	readonly version: 1;
	/** Where the values were sent: address and workspace. */
	readonly scope: string;
	/** The number of the run that kept it, which says whether it is still the latest. */
	readonly run: number;
	/** The digests one after the other; that of an empty bucket is all spaces. Empty where nothing is known. */
	readonly digests: string;
	/** The columns that each field was read from, where the operation says so. */
	readonly sources?: Sources | undefined;
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

/** A bucket has between 0.8 and 1.6 values on average, so with one that changed only one or two others are sent. */
const VALUES_PER_BUCKET = 1.6;
const MIN_BUCKETS = 1_024;
const MAX_BUCKETS = 1_048_576;
/** Digests of 42 bits: 200,000 values take 0.9 MB. */
const WIDTH = 7;
const EMPTY = ' '.repeat(WIDTH);
const MAX_RUN = 1_000_000_000;

const schema = z.object({
	version: z.literal(1),
	scope: z.string(),
	run: z.int().min(0).max(MAX_RUN),
	// As text: n8n adds a member of its own to each object of the state.
	sources: z
		.string()
		.transform((text) => parsedOrSame(text))
		.pipe(z.record(z.string(), z.array(z.string())))
		.optional(),
	digests: z.string().refine((digests) => digests === '' || bucketsOf(digests) !== undefined),
});

/** The state that a workflow kept, where it is whole and of this version. */
export function readSentState(saved: unknown): SentState | undefined {
	const { data } = schema.safeParse(saved);
	return data;
}

/** The number of buckets that digests are of; undefined where they are damaged. */
function bucketsOf({ length }: string): number | undefined {
	const count = length / WIDTH;
	const isWhole = Number.isInteger(Math.log2(count));
	return isWhole && count >= MIN_BUCKETS && count <= MAX_BUCKETS ? count : undefined;
}

/** The number of buckets for an export, a power of two so that it changes seldom. */
function bucketsFor(values: number): number {
	let buckets = MIN_BUCKETS;
	while (buckets < values / VALUES_PER_BUCKET && buckets < MAX_BUCKETS) buckets *= 2;
	return buckets;
}

/**
 * Compares a whole export with the digests of what was sent before. A bucket in which anything differs is sent whole, so
 * digests that are lost only mean that more is sent.
 */
export function compareWithSent(compared: Compared, digests: string | undefined): Comparison {
	const count = bucketsFor(compared.indexes.length);
	const before = bucketsOf(digests ?? '');
	const now = fill(compared, count);
	// An export that has outgrown its buckets is compared with those it had.
	const then = before === undefined || before === count ? now : fill(compared, before);
	const same = then.digests.map(
		(digest, i) =>
			before !== undefined &&
			digest !== EMPTY &&
			digest === digests?.slice(i * WIDTH, (i + 1) * WIDTH),
	);
	return {
		isUnchanged: (index) => same[then.bucketOfIndex[index] ?? -1] === true,
		digestsOf: (isStored) =>
			now.digests.map((digest, i) => (now.buckets[i]?.every(isStored) ? digest : EMPTY)).join(''),
	};
}

interface Filled {
	readonly buckets: ReadonlyArray<readonly number[]>;
	readonly bucketOfIndex: readonly number[];
	readonly digests: readonly string[];
}

function fill(compared: Compared, count: number): Filled {
	const bucketOfIndex: number[] = [];
	const buckets = Array.from({ length: count }, (): number[] => []);
	for (const index of compared.indexes) {
		const bucket = bucketOf(compared.identityOf(index), count);
		bucketOfIndex[index] = bucket;
		buckets[bucket]?.push(index);
	}
	return { buckets, bucketOfIndex, digests: buckets.map((bucket) => digestOf(bucket, compared)) };
}

/** The bucket of an identity, by FNV-1a, which spreads identifiers evenly whatever their pattern. */
function bucketOf(identity: string, count: number): number {
	let code = 0x811c9dc5;
	for (let i = 0; i < identity.length; i++)
		code = Math.imul(code ^ identity.charCodeAt(i), 0x01000193);
	// The low bits alone would repeat for identifiers that differ in few characters.
	code = Math.imul(code ^ (code >>> 16), 0x85ebca6b);
	return ((code ^ (code >>> 13)) >>> 0) % count;
}

/** The order of the export does not count, but that of values with one identity does: the last of them stays. */
function digestOf(bucket: readonly number[], { identityOf, bodyOf }: Compared): string {
	if (bucket.length === 0) return EMPTY;
	const sorted = bucket.toSorted((a, b) => compareTexts(identityOf(a), identityOf(b)));
	const text = JSON.stringify(sorted.map((index) => inOrder(bodyOf(index))));
	return hash('sha256', text, 'base64').slice(0, WIDTH);
}

/** n8n's Google Sheets node adds it, and one new row changes it in all rows below. */
const ROW_NUMBER = 'row_number';

/** The same content with its keys in order: a source may give its columns in another. */
function inOrder(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(inOrder);
	if (typeof value !== 'object' || value === null) return value;
	const own = Object.entries(value).filter(([key]) => key !== ROW_NUMBER);
	const sorted = own.toSorted(([a], [b]) => compareTexts(a, b));
	return Object.fromEntries(sorted.map(([key, each]) => [key, inOrder(each)]));
}

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
