import { hash } from 'crypto';
import clamp from 'lodash/clamp';
import sortBy from 'lodash/sortBy';
import times from 'lodash/times';
import { z } from 'zod/v4';
import { isRecord, parsedOrSame } from '../../core/json';

/** The compared values of a run, with their identity and content. */
interface Compared<Value> {
	readonly values: readonly Value[];
	readonly identityOf: (value: Value) => string;
	readonly bodyOf: (value: Value) => object;
}

/** Max values per bucket on average. With a changed value, one or two others are sent. */
const VALUES_PER_BUCKET = 1.6;
const MIN_BUCKETS = 1_024;
const MAX_BUCKETS = 1_048_576;
/** Digests of 42 bits: 200,000 values take 0.9 MB. */
const WIDTH = 7;
const EMPTY_BUCKET = ' '.repeat(WIDTH);

/** The state that a workflow keeps about accepted values: a digest per bucket. */
const sentState = z.object({
	version: z.literal(1),
	/** The target of the values: address and workspace. */
	scope: z.string(),
	/** The number of the run that saved it, which shows whether it is still the latest. */
	run: z.uint32(),
	/** The columns that each field was read from. As text: n8n adds a member of its own to each object of the state. */
	sources: z
		.string()
		.transform((text) => parsedOrSame(text))
		.pipe(z.record(z.string(), z.array(z.string())))
		.optional(),
	/** All digests in one text. The digest of an empty bucket is spaces. Empty without digests. */
	digests: z.string().refine((digests) => digests === '' || isComplete(digests)),
});

/** Reads the saved state of a workflow; undefined if it is damaged or of another version. */
export const readSentState = (saved: unknown): z.infer<typeof sentState> | undefined =>
	sentState.safeParse(saved).data;

/** The number of buckets is a power of two, because that changes rarely. */
const isComplete = ({ length }: string): boolean =>
	Number.isInteger(Math.log2(length / WIDTH)) &&
	clamp(length, MIN_BUCKETS * WIDTH, MAX_BUCKETS * WIDTH) === length;

/**
 * Compares a whole export with the digests of the values that were sent before.
 * A bucket with a difference is sent whole, so a lost digest never hides a change.
 */
export function compareWithSent<Value>(compared: Compared<Value>, digests = '') {
	const buckets = 2 ** Math.ceil(Math.log2(compared.values.length / VALUES_PER_BUCKET));
	const now = fillBuckets(compared, clamp(buckets, MIN_BUCKETS, MAX_BUCKETS));
	const before = isComplete(digests) ? digests : '';
	const count = before.length / WIDTH;
	// A larger export is compared in its former number of buckets.
	const then = count === 0 || count === now.buckets.length ? now : fillBuckets(compared, count);
	return {
		/** Whether the service has a value already. */
		isUnchanged: (value: Value): boolean => {
			const place = then.places.get(value) ?? NaN;
			return then.buckets[place]?.digest === before.slice(place * WIDTH, (place + 1) * WIDTH);
		},
		/** The digests to keep. A bucket has one only if the service accepted all its values. */
		digestsOf: (isStored: (value: Value) => boolean): string =>
			now.buckets
				.map(({ values, digest }) => (values.every(isStored) ? digest : EMPTY_BUCKET))
				.join(''),
	};
}

/** Distributes values over a number of buckets. */
function fillBuckets<Value>(compared: Compared<Value>, count: number) {
	const places = new Map<Value, number>();
	const filled = times(count, (): Value[] => []);
	for (const value of compared.values) {
		const place = assignBucket(compared.identityOf(value), count);
		places.set(value, place);
		filled[place]?.push(value);
	}
	const computeDigest = (values: Value[]) =>
		values.length === 0 ? EMPTY_BUCKET : hashBucket(values, compared);
	return { places, buckets: filled.map((values) => ({ values, digest: computeDigest(values) })) };
}

const assignBucket = (identity: string, count: number): number =>
	parseInt(hash('sha256', identity, 'hex').slice(0, 8), 16) % count;

/** The order matters only among values of one identity, because the last value counts. */
function hashBucket<Value>(values: readonly Value[], compared: Compared<Value>): string {
	const bodies = sortBy(values, compared.identityOf).map(compared.bodyOf);
	return hash('sha256', JSON.stringify(bodies, sortMembers), 'base64').slice(0, WIDTH);
}

/** The members of an object in alphabetical order, because sources may reorder their columns. */
function sortMembers(_: string, value: unknown): unknown {
	if (!isRecord(value)) return value;
	// n8n's Google Sheets node adds row numbers, and one new row changes all numbers below it.
	const members = Object.entries(value).filter(([key]) => key !== 'row_number');
	return Object.fromEntries(members.sort(([one], [other]) => (one < other ? -1 : 1)));
}
