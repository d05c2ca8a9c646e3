import { hash } from 'crypto';
import { compact, groupBy, has, isEqual, map, mapValues } from 'lodash';
import { z } from 'zod/v4';
import { filterPending, type Entry, type Guard, type Sources } from '../../bulk/plan';
import { NOT_SAVED } from '../../core/dedupeStore';
import { isRecord, parseIfJson } from '../../core/json';
import type { OperationContext } from '../../core/operation';
import { listSome } from '../../core/words';
import { comparableName } from '../aliases';
import type { BatchSettings } from '../batchSettings';
import { customerFields, type Customer } from '../customer';
import { createRunLease, type RunLease } from './runLease';

/**
 * Skips customers that the service accepted with equal content in an earlier run. The saved state counts only if no other run
 * has sent since. n8n saves the state when an execution ends, but its deduplication store immediately.
 */
export async function unchangedGuard(
	settings: BatchSettings,
	context: OperationContext,
): Promise<Guard<Customer>> {
	const { skipUnchanged, dryRun, timeoutMs, columnsToUse } = settings;
	const { saved: nodeState, dedupeStore, account } = context;
	if (!skipUnchanged && nodeState[SENT] === undefined) {
		// A run without the option invalidates a state that another run saved or is about to save.
		// An empty store has no state to invalidate.
		const size = await dedupeStore.size();
		if (size.ok && size.value === 0) return {};
	}
	let lease: RunLease | undefined;
	let save: ((isValid: boolean) => void) | undefined;

	return {
		open: async ({ entries, sources, stop }) => {
			// A stopped run sends nothing. A dry run still shows what it would skip.
			if (stop !== undefined && !dryRun) return {};
			const saved = readSentState(nodeState[SENT]);
			const lost =
				skipUnchanged && askAboutLostColumns(saved?.sources, sources, columnsToUse.columns);
			if (lost) return { stop: lost };
			// Only pending, accepted and possibly sent entries are compared.
			const candidates = entries.filter(({ outcome }) =>
				[undefined, 'accepted', 'unknown'].includes(outcome?.outcome),
			);
			const { isUnchanged, joinDigests } = compareWithSent(
				skipUnchanged ? candidates : [],
				saved?.scope === account ? saved.digests : undefined,
			);
			const pending = filterPending(entries);
			const unchanged = pending.filter(isUnchanged);
			const run = createRunLease(context, { last: saved?.run ?? 0, timeoutMs });
			// The run sends nothing if a valid saved state shows that all pending customers are unchanged.
			const begun = await run.begin(
				(isLatest) => !dryRun && pending.length > (isLatest ? unchanged.length : 0),
			);
			// Digests that could not be invalidated might be used after a crash. An unsaved workflow has none.
			const hasDigests = saved !== undefined && saved.digests !== '';
			if (!begun.ok && (hasDigests || (skipUnchanged && begun.failure !== NOT_SAVED)))
				return {
					stop: `n8n could not record that customers are being sent (${begun.failure}). Run the node again`,
				};
			lease = run;
			const ofThisRun = new Set(pending);
			/** Whether this run knows that the service has an entry. Entries of an earlier attempt do not count, because they may be outdated. */
			const isStored = (entry: Entry<Customer>): boolean =>
				ofThisRun.has(entry) && ['accepted', 'unchanged'].includes(entry.outcome?.outcome ?? '');
			save = (isValid) => {
				const isKept = skipUnchanged && begun.ok;
				if (!isKept) delete nodeState[SENT];
				if (!isKept || candidates.length === 0) return;
				nodeState[SENT] = {
					version: 1,
					scope: account,
					run: run.number(),
					digests: isValid ? joinDigests(isStored) : '',
					// A field that is empty in all rows of this run keeps its former columns.
					...(sources && { sources: JSON.stringify({ ...saved?.sources, ...sources.fields }) }),
				};
			};
			const skipped = begun.ok && begun.value.isLatest ? unchanged : [];
			return {
				leaveOut: new Map(skipped.map((entry) => [entry, { outcome: 'unchanged' }])),
				notes: compact([skipUnchanged && explainNoSkips(begun)]),
			};
		},
		before: async () => {
			await lease?.renew();
			return {};
		},
		close: async () => {
			if (lease && !dryRun) save?.(await lease.end());
			return {};
		},
	};
}

/** Asks about fields whose column of the last run is gone or was replaced. A chosen column is the user's answer. */
function askAboutLostColumns(
	lastFields: Sources['fields'] = {},
	sources: Sources | undefined,
	choices: BatchSettings['columnsToUse']['columns'],
): string | undefined {
	// Fields that are mapped by hand have no columns.
	if (!sources) return undefined;
	const { fields, columns } = sources;
	const lost = Object.entries(customerFields).flatMap(([field, { label }]) => {
		const last = lastFields[field];
		const isAnswered = choices.some((choice) => choice.field === field);
		if (
			!last ||
			isAnswered ||
			isEqual(map(last, comparableName), map(fields[field], comparableName))
		)
			return [];
		// A column that exists and is empty in this run has not changed.
		const isReplaced = fields[field] !== undefined;
		const isGone = last.some((column) => !columns.has(column));
		return isReplaced || isGone ? [`${label} (${listSome(last, "'")})`] : [];
	});
	if (lost.length === 0) return undefined;
	return `the last run read other columns that are gone or not used now: ${lost.join(', ')}. Choose the columns under Options > 'Columns to Use', or turn off 'Skip Unchanged Customers' for one run`;
}

/** Returns the reason why all rows were sent; false if rows could be skipped. */
const explainNoSkips = (begun: Awaited<ReturnType<RunLease['begin']>>): string | false =>
	begun.ok
		? !begun.value.isAlone &&
			'All rows were sent, because another run of this node is in progress or was interrupted recently'
		: `Unchanged rows could not be skipped, because n8n cannot remember them (${begun.failure})`;

/** The name of the state among all that n8n saves for the node. */
const SENT = 'sent';

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
		.transform((text) => parseIfJson(text))
		.pipe(z.record(z.string(), z.array(z.string())))
		.optional(),
	/** All digests in one text. */
	digests: z.string(),
});

/** Reads the saved state of a workflow; undefined if it is damaged or of another version. */
export const readSentState = (saved: unknown): z.infer<typeof sentState> | undefined =>
	sentState.safeParse(saved).data;

/** Digests of 48 bits: 200,000 customers take 1.6 MB. */
const DIGEST_LENGTH = 8;
const EACH_DIGEST = new RegExp(`.{${DIGEST_LENGTH}}`, 'g');

/** Compares a whole export with the digests of the customers that were sent before. */
export function compareWithSent<T>(entries: ReadonlyArray<Entry<T>>, digestsBefore = '') {
	const customers = groupBy(entries, 'identity');
	// A digest covers all rows of a customer in their order, because the last one counts.
	const digests = mapValues(customers, (rows) => {
		const contents = map(rows, 'content');
		// Only metadata has its members in the order of the source, so only customers with it are sorted.
		const replacer = contents.some((content) => has(content, 'metadata')) ? sortMembers : undefined;
		const text = JSON.stringify(contents, replacer);
		return hash('sha256', text, 'base64').slice(0, DIGEST_LENGTH);
	});
	const before = new Set(digestsBefore.match(EACH_DIGEST));
	return {
		/** Whether the service has the customer of an entry already. */
		isUnchanged: ({ identity }: Entry<T>): boolean => before.has(digests[identity] ?? ''),
		/** Joins the digests of customers whose rows were all accepted. */
		joinDigests: (isStored: (entry: Entry<T>) => boolean): string =>
			Object.entries(customers)
				.flatMap(([identity, rows]) => (rows.every(isStored) ? [digests[identity]] : []))
				.join(''),
	};
}

/** A replacer for JSON.stringify that sorts members, because a source may reorder its columns. */
const sortMembers = (_: string, value: unknown): unknown =>
	isRecord(value)
		? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
		: value;
