import { hash } from 'crypto';
import clamp from 'lodash/clamp';
import groupBy from 'lodash/groupBy';
import sortBy from 'lodash/sortBy';
import times from 'lodash/times';
import { z } from 'zod/v4';
import { parsedOrSame } from '../../core/json';

/** The values of a run that are compared, who they are for, and what is sent of them. */
export interface Compared<Value> {
	readonly values: readonly Value[];
	readonly identityOf: (value: Value) => string;
	readonly bodyOf: (value: Value) => object;
}

/** Which values of an export the service has already, and what to keep of them. */
export interface Comparison<Value> {
	readonly isUnchanged: (value: Value) => boolean;
	/** The digests to keep: a bucket counts only where all its values are with the service. */
	readonly digestsOf: (isStored: (value: Value) => boolean) => string;
}

/** A bucket has between 0.8 and 1.6 values on average, so with one that changed only one or two others are sent. */
const VALUES_PER_BUCKET = 1.6;
const MIN_BUCKETS = 1_024;
const MAX_BUCKETS = 1_048_576;
/** Digests of 42 bits: 200,000 values take 0.9 MB. */
const WIDTH = 7;
const EMPTY = ' '.repeat(WIDTH);
const MAX_RUN = 1_000_000_000;

/** What a workflow keeps of the values that the service took: a digest for each bucket of them. */
const sentState = z.object({
	version: z.literal(1),
	/** Where the values were sent: address and workspace. */
	scope: z.string(),
	/** The number of the run that kept it, which says whether it is still the latest. */
	run: z.int().min(0).max(MAX_RUN),
	/** The columns that each field was read from. As text: n8n adds a member of its own to each object of the state. */
	sources: z
		.string()
		.transform((text) => parsedOrSame(text))
		.pipe(z.record(z.string(), z.array(z.string())))
		.optional(),
	/** The digests one after the other; that of an empty bucket is all spaces. Empty where nothing is known. */
	digests: z.string().refine((digests) => digests === '' || bucketsOf(digests) !== undefined),
});

/** The state that a workflow kept, where it is whole and of this version. */
export const readSentState = (saved: unknown): z.infer<typeof sentState> | undefined =>
	sentState.safeParse(saved).data;

/** The number of buckets that digests are of; undefined where they are damaged. */
function bucketsOf({ length }: string): number | undefined {
	const count = length / WIDTH;
	const isWhole = Number.isInteger(Math.log2(count));
	return isWhole && count >= MIN_BUCKETS && count <= MAX_BUCKETS ? count : undefined;
}

/** The number of buckets for an export, a power of two so that it changes seldom. */
const bucketsFor = (values: number): number =>
	clamp(2 ** Math.ceil(Math.log2(values / VALUES_PER_BUCKET)), MIN_BUCKETS, MAX_BUCKETS);

/**
 * Compares a whole export with the digests of what was sent before. A bucket in which anything differs is sent whole, so
 * digests that are lost only mean that more is sent.
 */
export function compareWithSent<Value>(compared: Compared<Value>, digests = ''): Comparison<Value> {
	const count = bucketsFor(compared.values.length);
	const before = bucketsOf(digests);
	const now = fill(compared, count);
	// An export that has outgrown its buckets is compared with those it had.
	const then = before === undefined || before === count ? now : fill(compared, before);
	return {
		isUnchanged: (value) => {
			if (before === undefined) return false;
			const bucket = bucketOf(compared.identityOf(value), before);
			return then[bucket]?.digest === digests.slice(bucket * WIDTH, (bucket + 1) * WIDTH);
		},
		digestsOf: (isStored) =>
			now.map(({ values, digest }) => (values.every(isStored) ? digest : EMPTY)).join(''),
	};
}

function fill<Value>(compared: Compared<Value>, count: number) {
	const buckets = groupBy(compared.values, (value) => bucketOf(compared.identityOf(value), count));
	return times(count, (i) => {
		const values = buckets[i] ?? [];
		return { values, digest: digestOf(values, compared) };
	});
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
function digestOf<Value>(
	values: readonly Value[],
	{ identityOf, bodyOf }: Compared<Value>,
): string {
	if (values.length === 0) return EMPTY;
	const text = JSON.stringify(sortBy(values, identityOf).map((value) => inOrder(bodyOf(value))));
	return hash('sha256', text, 'base64').slice(0, WIDTH);
}

/** n8n's Google Sheets node adds it, and one new row changes it in all rows below. */
const ROW_NUMBER = 'row_number';

/** The same content with its keys in order: a source may give its columns in another. */
function inOrder(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(inOrder);
	if (typeof value !== 'object' || value === null) return value;
	const own = Object.entries(value).filter(([key]) => key !== ROW_NUMBER);
	own.sort(([a], [b]) => (a < b ? -1 : 1));
	return Object.fromEntries(own.map(([key, each]) => [key, inOrder(each)]));
}
