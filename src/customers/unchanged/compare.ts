import { hash } from 'crypto';
import clamp from 'lodash/clamp';
import sortBy from 'lodash/sortBy';
import times from 'lodash/times';
import { z } from 'zod/v4';
import { isRecord, parsedOrSame } from '../../core/json';

/** The values of a run that are compared, who they are for, and what is sent of them. */
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

/** What a workflow keeps of the values that the service took: a digest for each bucket of them. */
const sentState = z.object({
	version: z.literal(1),
	/** Where the values were sent: address and workspace. */
	scope: z.string(),
	/** The number of the run that kept it, which says whether it is still the latest. */
	run: z.uint32(),
	/** The columns that each field was read from. As text: n8n adds a member of its own to each object of the state. */
	sources: z
		.string()
		.transform((text) => parsedOrSame(text))
		.pipe(z.record(z.string(), z.array(z.string())))
		.optional(),
	/** The digests one after the other; that of an empty bucket is all spaces. Empty where nothing is known. */
	digests: z.string().refine((digests) => digests === '' || isComplete(digests)),
});

/** The state that a workflow kept, where it is whole and of this version. */
export const readSentState = (saved: unknown): z.infer<typeof sentState> | undefined =>
	sentState.safeParse(saved).data;

/** The number of buckets is a power of two so that it changes seldom. */
const isComplete = ({ length }: string): boolean =>
	Number.isInteger(Math.log2(length / WIDTH)) &&
	clamp(length, MIN_BUCKETS * WIDTH, MAX_BUCKETS * WIDTH) === length;

/**
 * Compares a whole export with the digests of what was sent before. A bucket in which anything differs is sent whole, so
 * digests that are lost only mean that more is sent.
 */
export function compareWithSent<Value>(compared: Compared<Value>, digests = '') {
	const buckets = 2 ** Math.ceil(Math.log2(compared.values.length / VALUES_PER_BUCKET));
	const now = fillBuckets(compared, clamp(buckets, MIN_BUCKETS, MAX_BUCKETS));
	const before = isComplete(digests) ? digests : '';
	const count = before.length / WIDTH;
	// An export that has outgrown its buckets is compared with those it had.
	const then = count === 0 || count === now.buckets.length ? now : fillBuckets(compared, count);
	return {
		/** Whether the service has a value already. */
		isUnchanged: (value: Value): boolean => {
			const place = then.places.get(value) ?? NaN;
			return then.buckets[place]?.digest === before.slice(place * WIDTH, (place + 1) * WIDTH);
		},
		/** The digests to keep: a bucket counts only where all its values are with the service. */
		digestsOf: (isStored: (value: Value) => boolean): string =>
			now.buckets
				.map(({ values, digest }) => (values.every(isStored) ? digest : EMPTY_BUCKET))
				.join(''),
	};
}

/** Puts values into so many buckets. */
function fillBuckets<Value>(compared: Compared<Value>, count: number) {
	const places = new Map<Value, number>();
	const filled = times(count, (): Value[] => []);
	for (const value of compared.values) {
		const place = placeOf(compared.identityOf(value), count);
		places.set(value, place);
		filled[place]?.push(value);
	}
	const computeDigest = (values: Value[]) =>
		values.length === 0 ? EMPTY_BUCKET : digestOf(values, compared);
	return { places, buckets: filled.map((values) => ({ values, digest: computeDigest(values) })) };
}

const placeOf = (identity: string, count: number): number =>
	parseInt(hash('sha256', identity, 'hex').slice(0, 8), 16) % count;

/** The order of the export does not count, but that of values with one identity does: the last of them stays. */
function digestOf<Value>(values: readonly Value[], compared: Compared<Value>): string {
	const bodies = sortBy(values, compared.identityOf).map(compared.bodyOf);
	return hash('sha256', JSON.stringify(bodies, inOrder), 'base64').slice(0, WIDTH);
}

/** The members of an object in order: a source may give its columns in another. */
function inOrder(_: string, value: unknown): unknown {
	if (!isRecord(value)) return value;
	// n8n's Google Sheets node adds the number of a row, and one new row changes it in all below.
	const members = Object.entries(value).filter(([key]) => key !== 'row_number');
	return Object.fromEntries(members.sort(([one], [other]) => (one < other ? -1 : 1)));
}
