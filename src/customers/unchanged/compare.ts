import { hash } from 'crypto';
import groupBy from 'lodash/groupBy';
import mapValues from 'lodash/mapValues';
import { z } from 'zod/v4';
import type { Entry } from '../../bulk/plan';
import { isRecord, parsedOrSame } from '../../core/json';

/** The state that a workflow keeps about accepted customers: a digest of each. */
const sentState = z.object({
	version: z.literal(1),
	/** The target of the customers: address and workspace. */
	scope: z.string(),
	/** The number of the run that saved it, which shows whether it is still the latest. */
	run: z.uint32(),
	/** The columns that each field was read from. As text: n8n adds a member of its own to each object of the state. */
	sources: z
		.string()
		.transform((text) => parsedOrSame(text))
		.pipe(z.record(z.string(), z.array(z.string())))
		.optional(),
	/** All digests in one text. */
	digests: z.string(),
});

/** Reads the saved state of a workflow; undefined if it is damaged or of another version. */
export const readSentState = (saved: unknown): z.infer<typeof sentState> | undefined =>
	sentState.safeParse(saved).data;

/** Digests of 48 bits: 200,000 customers take 1.6 MB. */
const EACH_DIGEST = /.{8}/g;
const DIGEST_LENGTH = 8;

/** Compares a whole export with the digests of the customers that were sent before. */
export function compareWithSent<T>(
	entries: ReadonlyArray<Entry<T>>,
	bodyOf: (content: T) => object,
	digestsBefore = '',
) {
	const customers = groupBy(entries, 'identity');
	// Of several rows of a customer the last one counts, so their order matters.
	const digests = mapValues(customers, (rows) =>
		hash(
			'sha256',
			JSON.stringify(
				rows.map(({ content }) => bodyOf(content)),
				sortMembers,
			),
			'base64',
		).slice(0, DIGEST_LENGTH),
	);
	const before = new Set(digestsBefore.match(EACH_DIGEST));
	return {
		/** Whether the service has the customer of an entry already. */
		isUnchanged: ({ identity }: Entry<T>): boolean => before.has(digests[identity] ?? ''),
		/** The digests to keep: of the customers whose rows the service accepted. */
		digestsOf: (isStored: (entry: Entry<T>) => boolean): string =>
			Object.entries(customers)
				.flatMap(([identity, rows]) => (rows.every(isStored) ? [digests[identity]] : []))
				.join(''),
	};
}

/** The members of an object in alphabetical order, because sources may reorder their columns. */
const sortMembers = (_: string, value: unknown): unknown =>
	isRecord(value)
		? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
		: value;
