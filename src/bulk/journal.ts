import type { DedupeStore } from '../core/dedupeStore';
import { MAX_ENTRIES } from '../core/dedupeStore';
import { formatCount } from '../core/text';
import type { Outcome } from './outcomes';

/** Half an hour in ms: people are written down with the half hour, and looked for in the last three. */
const SLOT_MS = 1_800_000;
const SLOTS = [0, 1, 2];

/** What a journal is about: the people of a run by their keys, and whether it is kept for good. */
export interface JournalSettings {
	/** One key per value of the run, each different from the others. */
	readonly keys: readonly string[];
	readonly isKept: boolean;
	readonly nowMs: number;
}

/**
 * The people of a run in n8n's own database, written down before they are contacted, so that a run after a crash finds them.
 * Values are named by their positions.
 */
export interface Journal {
	/** What is known of values from other runs; undefined for those that may be sent. */
	recall(indexes: readonly number[]): Promise<ReadonlyArray<Outcome | undefined>>;
	/** Writes values down as sent, except for those that another run contacted; what it gives is as in recall. */
	claim(indexes: readonly number[]): Promise<ReadonlyArray<Outcome | undefined>>;
	/** Writes down how sent values ended: accepted ones are done, unknown ones stay as sent, the others are struck out. */
	settle(indexes: readonly number[], outcomes: ReadonlyArray<Outcome | undefined>): Promise<void>;
	/** Strikes out all values of a run that ended well; a kept journal stays. */
	close(): Promise<void>;
}

/** Opens the journal of a run, or says why it cannot be kept. */
export async function openJournal(
	store: DedupeStore,
	settings: JournalSettings,
): Promise<Journal | { readonly problem: string }> {
	const size = await store.size();
	if (!size.ok) return { problem: size.failure };
	if (size.value + settings.keys.length > MAX_ENTRIES)
		return {
			problem: `its list of people holds ${formatCount(MAX_ENTRIES)} at most, and ${formatCount(size.value)} are in it`,
		};
	return createJournal(store, settings);
}

function createJournal(store: DedupeStore, { keys, isKept, nowMs }: JournalSettings): Journal {
	const slot = Math.floor(nowMs / SLOT_MS);
	const prefixes = isKept ? ['k'] : SLOTS.map((back) => `j${slot - back}`);
	const [current = 'k'] = prefixes;
	const keyOf = (index: number): string => keys[index] ?? '';
	const sentNow = (index: number): string => `${current}:sent:${keyOf(index)}`;
	const doneNow = (index: number): string => `${current}:done:${keyOf(index)}`;
	const sentForms = (index: number) => prefixes.map((prefix) => `${prefix}:sent:${keyOf(index)}`);
	const doneForms = (index: number) => prefixes.map((prefix) => `${prefix}:done:${keyOf(index)}`);
	/** The entries of this run, and those of others that say who was contacted, which are reported once. */
	const own = new Set<string>();
	const reported = new Set<string>();
	/** Values that another run has in flight, as far as anyone can tell: only that run may strike them out. */
	const inFlight = new Set<number>();

	function known(index: number, present: ReadonlySet<string>): Outcome | undefined {
		const done = doneForms(index).find((entry) => present.has(entry));
		const sent = sentForms(index).find((entry) => present.has(entry));
		if (done !== undefined) reported.add(done);
		else if (sent !== undefined) inFlight.add(index);
		if (done !== undefined) return isKept ? CONTACTED : CONTACTED_BEFORE_CRASH;
		return sent !== undefined ? IN_FLIGHT : undefined;
	}

	async function look(
		indexes: readonly number[],
		writesDown: boolean,
	): Promise<ReadonlyArray<Outcome | undefined>> {
		const found = new Map<number, Outcome | undefined>();
		if (!writesDown) {
			const size = await store.size();
			if (size.ok && size.value === 0) return indexes.map(() => undefined);
		}
		// All forms, also where the store was empty a moment ago: another worker may have been quicker.
		const tests = indexes.flatMap((index) => [...sentForms(index), ...doneForms(index)]);
		const exchanged = await store.exchange(tests, (present) => {
			for (const index of indexes) found.set(index, known(index, present));
			const fresh = writesDown ? indexes.filter((index) => !found.get(index)) : [];
			const add = fresh.map(sentNow);
			for (const entry of add) own.add(entry);
			return { add, remove: [] };
		});
		if (!exchanged.ok) return indexes.map(() => unwritten(exchanged.failure));
		return indexes.map((index) => found.get(index));
	}

	return {
		recall: async (indexes) => await look(indexes, false),
		claim: async (indexes) => await look(indexes, true),
		settle: async (indexes, outcomes) => {
			const add: string[] = [];
			const remove: string[] = [];
			for (const [i, index] of indexes.entries()) {
				const outcome = outcomes[i]?.outcome;
				if (outcome === 'unknown' || outcome === undefined) continue;
				remove.push(sentNow(index));
				own.delete(sentNow(index));
				if (outcome !== 'accepted') continue;
				add.push(doneNow(index));
				own.add(doneNow(index));
			}
			if (remove.length === 0) return;
			// A failure here leaves them as sent, which reports them as unknown next time.
			await store.exchange([], () => ({ add, remove }));
		},
		close: async () => {
			if (isKept) return;
			const size = await store.size();
			if (!size.ok || size.value === 0) return;
			const entries = [...new Set([...own, ...reported])];
			const cleared = size.value === entries.length ? await store.clear(entries.length) : undefined;
			if (cleared?.ok && cleared.value) return;
			// What an earlier attempt of this execution wrote down goes, too.
			const attempts = keys.flatMap((_, index) =>
				inFlight.has(index) ? [] : [...sentForms(index), ...doneForms(index)],
			);
			await store.exchange([], () => ({
				add: [],
				remove: [...new Set([...entries, ...attempts])],
			}));
		},
	};
}

const skipped = (message: string): Outcome => ({
	outcome: 'notSent',
	failure: { kind: 'skipped', message },
});

const CONTACTED = skipped('Not sent, because an earlier run contacted this person already');
const CONTACTED_BEFORE_CRASH = skipped(
	'Not sent, because a run of this node contacted this person within the last hour and did not end well',
);

const unwritten = (failure: string): Outcome => ({
	outcome: 'notSent',
	failure: {
		kind: 'held',
		message: `Not sent, because n8n could not write down who is contacted (${failure}). Run the node again`,
	},
});

const IN_FLIGHT: Outcome = {
	outcome: 'unknown',
	failure: {
		kind: 'connection',
		call: 'another run of this node',
		sent: 'unknown',
		code: 'CLAIMED',
		message: 'it is in progress, or ended before the response came',
	},
};
