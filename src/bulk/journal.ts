import type { DedupeStore, StoreChange } from '../core/dedupeStore';
import { MAX_PEOPLE } from '../core/dedupeStore';
import { formatCount } from '../core/text';
import {
	KEPT,
	changeMark,
	entriesOf,
	freeNumber,
	halfHoursOf,
	hasOthers,
	leftBehindOf,
	registerOf,
	siblingsOf,
} from './journalEntries';
import type { Outcome } from './outcomes';

/** What a journal is about: the people of a run by their keys, and whether it is kept for good. */
export interface JournalSettings {
	/** One key per value of the run, each different from the others. */
	readonly keys: readonly string[];
	readonly isKept: boolean;
	/** Values that an earlier attempt of this execution contacted. */
	readonly earlier: readonly number[];
	/** The execution that started this one as a sub-workflow: people its other sub-executions contacted count as contacted. */
	readonly parent?: string | undefined;
	/** More entries to keep of a value that was accepted. */
	readonly keptEntries?: ((index: number) => readonly string[]) | undefined;
	readonly now: () => number;
}

type Known = ReadonlyArray<Outcome | undefined>;

/**
 * The people of a run in n8n's own database, recorded before they are contacted, so a run after a crash finds them.
 * Values are named by their positions.
 */
export interface Journal {
	/** Writes values down as sent, except for those that another run contacted, whose outcomes it returns. */
	claim(indexes: readonly number[]): Promise<Known>;
	/** Writes down how sent values ended: accepted ones are done, unknown ones stay as sent, the others are struck out. */
	settle(indexes: readonly number[], outcomes: Known): Promise<void>;
	/** Ends a run that did not end well, or that sends nothing: its people stay. */
	leave(): Promise<void>;
	/** Ends a run that ended well: its people are struck out, except for runs that are in progress. A kept journal stays. */
	close(): Promise<void>;
}

/** A journal that is open, and what it knows of the values that are to be sent: undefined for those that may be. */
export interface OpenJournal {
	readonly journal: Journal;
	readonly known: Known;
}

/** Opens the journal of a run that sends some values, or only looks them up, or says why it cannot be kept. */
export async function openJournal(
	store: DedupeStore,
	settings: JournalSettings,
	{ indexes, sends }: { readonly indexes: readonly number[]; readonly sends: boolean },
): Promise<OpenJournal | { readonly problem: string }> {
	const size = await store.size();
	if (!size.ok) return { problem: size.failure };
	if (size.value > 0) await clearExpired(store, settings.now);
	const state = newState(store, settings);
	let people = 0;
	let isFull = false;
	const known = await look(state, {
		indexes,
		tests: settings.isKept ? [] : registerOf(settings.now()).flat(),
		decide: (fresh, present, stored) => {
			// A kept journal has an entry that says so.
			people = settings.isKept ? Math.max(0, stored - 1) : stored;
			isFull = people + fresh.length > MAX_PEOPLE;
			return isFull || !sends || settings.isKept ? {} : register(state, indexes, present);
		},
	});
	if (!isFull) return { journal: journalOf(state), known };
	return {
		problem: `its list of people is limited to ${formatCount(MAX_PEOPLE)} and contains ${formatCount(people)}`,
	};
}

/** Registers a run as in progress, and notes the marks that are there before it. */
function register(
	state: JournalState,
	indexes: readonly number[],
	present: ReadonlySet<string>,
): StoreChange {
	for (const index of indexes) {
		const mark = namesOf(state, index).marks.find((entry) => present.has(entry));
		if (mark !== undefined) state.marksAtStart.set(index, mark);
	}
	state.hasStarted = true;
	state.number = freeNumber(state.now(), present);
	return { add: written(state, []) };
}

/** Empties a store that is not kept and into which no one wrote for longer than entries count. */
async function clearExpired(store: DedupeStore, now: () => number): Promise<void> {
	const tests = [KEPT, ...halfHoursOf(now())];
	await store.exchange({ tests, decide: (present) => ({ clear: present.size === 0 }) });
}

/** What a run knows of the store. */
interface JournalState extends JournalSettings {
	readonly store: DedupeStore;
	/** All entries that this run has in the store. */
	readonly written: Set<string>;
	/** Under which entry this run wrote a value down. */
	readonly own: Map<number, string>;
	/** Entries of values that ended runs contacted; they are reported once. */
	readonly reported: Map<number, string>;
	/** Values that another run has in progress, as far as anyone can tell: only that run may strike them out. */
	readonly inFlight: Set<number>;
	/** The marks that were there when this run started: those of runs that ended before it. */
	readonly marksAtStart: Map<number, string>;
	/** Whether this run began, and its number among those in progress, where there was a free one. */
	hasStarted: boolean;
	number: number | undefined;
	/** When all that this run wrote was last known to be in the store. */
	certainAtMs: number;
}

const newState = (store: DedupeStore, settings: JournalSettings): JournalState => ({
	...settings,
	store,
	written: new Set(),
	own: new Map(),
	reported: new Map(),
	inFlight: new Set(),
	marksAtStart: new Map(),
	hasStarted: false,
	number: undefined,
	certainAtMs: settings.now(),
});

const journalOf = (state: JournalState): Journal => ({
	claim: async (indexes) => await claim(state, indexes),
	settle: async (indexes, outcomes) => {
		await settle(state, indexes, outcomes);
	},
	leave: async () => {
		if (state.hasStarted) await leave(state);
	},
	close: async () => {
		if (state.hasStarted) await close(state);
	},
});

const namesOf = ({ keys, isKept, now }: JournalState, index: number) =>
	entriesOf(keys[index] ?? '', now(), isKept);

const siblingsFor = ({ parent, keys, now }: JournalState, index: number) =>
	parent === undefined ? [] : siblingsOf(parent, keys[index] ?? '', now());

const registerEntries = ({ number, now }: JournalState): readonly string[] =>
	number === undefined ? [] : (registerOf(now())[number] ?? []);

/** Notes entries as written by this run, together with what says that the store is in use. */
function written(state: JournalState, entries: readonly string[]): string[] {
	const inUse = state.isKept
		? [KEPT]
		: [...halfHoursOf(state.now()).slice(0, 1), ...registerEntries(state).slice(0, 1)];
	const add = [...entries, ...inUse];
	for (const entry of add) state.written.add(entry);
	if (isCertain(state)) state.certainAtMs = state.now();
	return add;
}

/** What the store says about a value, and what has to be remembered of that. */
function known(
	state: JournalState,
	index: number,
	present: ReadonlySet<string>,
): Outcome | undefined {
	const { isKept, marksAtStart, hasStarted } = state;
	const { sentForms, doneForms, marks } = namesOf(state, index);
	const done = doneForms.find((entry) => present.has(entry));
	if (done !== undefined) {
		state.reported.set(index, done);
		return isKept ? CONTACTED : CONTACTED_BEFORE_CRASH;
	}
	if (sentForms.some((entry) => present.has(entry))) {
		state.inFlight.add(index);
		return IN_FLIGHT;
	}
	if (siblingsFor(state, index).some((entry) => present.has(entry))) return CONTACTED_BY_SIBLING;
	const mark = marks.find((entry) => present.has(entry));
	return hasStarted && mark !== marksAtStart.get(index) ? CONTACTED_MEANWHILE : undefined;
}

/** How values are looked up: with what other tests, and what is changed by which of them may be sent. */
interface Look {
	readonly indexes: readonly number[];
	readonly tests?: readonly string[];
	readonly decide: (
		fresh: readonly number[],
		present: ReadonlySet<string>,
		size: number,
	) => StoreChange;
}

async function look(state: JournalState, { indexes, tests = [], decide }: Look): Promise<Known> {
	const found = new Map<number, Outcome | undefined>();
	const persons = indexes.flatMap((index) => {
		const { sentForms, doneForms, marks } = namesOf(state, index);
		return [...sentForms, ...doneForms, ...marks, ...siblingsFor(state, index)];
	});
	const exchanged = await state.store.exchange({
		tests: [...persons, ...tests],
		// No one else wrote anything, so nothing can be found.
		sizeWithout: () => (isCertain(state) ? state.written.size : -1),
		decide: (present, size) => {
			for (const index of indexes) found.set(index, known(state, index, present));
			const fresh = indexes.filter((index) => !found.get(index));
			return decide(fresh, present, size);
		},
	});
	if (!exchanged.ok) {
		state.certainAtMs = -Infinity;
		return indexes.map(() => unwritten(exchanged.failure));
	}
	return indexes.map((index) => found.get(index));
}

/** Whether the store has all that this run wrote: no write failed, and none is so old that it may have been cleared. */
const isCertain = ({ certainAtMs, now }: JournalState): boolean => now() - certainAtMs < CERTAIN_MS;

const CERTAIN_MS = 1_800_000;

async function claim(state: JournalState, indexes: readonly number[]): Promise<Known> {
	let isFull = false;
	const found = await look(state, {
		indexes,
		decide: (fresh, _, size) => {
			isFull = size + fresh.length > MAX_STORED;
			if (isFull) return {};
			for (const index of fresh) state.own.set(index, namesOf(state, index).sent);
			return {
				add: written(
					state,
					fresh.map((index) => namesOf(state, index).sent),
				),
			};
		},
	});
	return isFull ? found.map((outcome) => outcome ?? unwritten(FULL)) : found;
}

async function settle(
	state: JournalState,
	indexes: readonly number[],
	outcomes: Known,
): Promise<void> {
	const settled = indexes.filter((_, i) => !['unknown', undefined].includes(outcomes[i]?.outcome));
	if (settled.length === 0) return;
	const accepted = new Set(indexes.filter((_, i) => outcomes[i]?.outcome === 'accepted'));
	const exchanged = await state.store.exchange({
		tests: [],
		decide: () => {
			const remove = settled.flatMap((index) => state.own.get(index) ?? []);
			for (const entry of remove) state.written.delete(entry);
			for (const index of settled) state.own.delete(index);
			for (const index of accepted) state.own.set(index, namesOf(state, index).done);
			return {
				add: written(
					state,
					[...accepted].flatMap((index) => [
						namesOf(state, index).done,
						...(state.keptEntries?.(index) ?? []),
					]),
				),
				remove,
			};
		},
	});
	// They stay as sent then, which reports them as unknown next time.
	if (!exchanged.ok) state.certainAtMs = -Infinity;
}

/** Leaves the people of a run in the store, and says so. */
async function leave(state: JournalState): Promise<void> {
	const add = state.own.size > 0 ? leftBehindOf(state.now()).slice(0, 1) : [];
	const remove = registerEntries(state);
	await state.store.exchange({ tests: [], decide: () => ({ add, remove }) });
}

/** Strikes out a run that ended well; others that are in progress find marks instead. */
async function close(state: JournalState): Promise<void> {
	const { store, reported, now, number, parent } = state;
	const common = [KEPT, ...halfHoursOf(now()), ...leftBehindOf(now())];
	let rest: 'none' | 'strikeOut' | 'mark' = 'none';
	const closed = await store.exchange({
		tests: [...registerOf(now()).flat(), ...common, ...reported.values()],
		decide: (present, size) => {
			rest = hasOthers(now(), number, present) ? 'mark' : 'strikeOut';
			const known = [...common, ...reported.values()].filter(
				(entry) => present.has(entry) && !state.written.has(entry),
			);
			const isAll = size === state.written.size + known.length;
			const isNeeded = [KEPT, ...leftBehindOf(now())].some((entry) => present.has(entry));
			// What else is there is of runs that ended before this one.
			if (rest === 'mark' || parent !== undefined || (isNeeded && !isAll)) return {};
			rest = 'none';
			return { clear: true };
		},
	});
	if (closed.ok && rest !== 'none') await strikeOut(state, rest);
}

async function strikeOut(state: JournalState, how: 'strikeOut' | 'mark'): Promise<void> {
	const { store, own, reported, earlier, now, parent } = state;
	const contacted = [...new Set([...own.keys(), ...reported.keys(), ...earlier])];
	const marks = contacted.map((index) => namesOf(state, index).marks);
	const siblings = contacted.flatMap((index) => siblingsFor(state, index).slice(0, 1));
	const remove = [
		...registerEntries(state),
		...own.values(),
		...reported.values(),
		...earlier.flatMap((index) => {
			const { sentForms, doneForms } = namesOf(state, index);
			return [...sentForms, ...doneForms];
		}),
	];
	await store.exchange({
		tests: how === 'mark' ? marks.flat() : [],
		decide: (present) => {
			const changes = how === 'mark' ? marks.map((each) => changeMark(each, present)) : [];
			const left = parent === undefined ? [] : leftBehindOf(now()).slice(0, 1);
			return {
				add: [...changes.map(({ add }) => add), ...siblings, ...left],
				remove: [...changes.flatMap((change) => change.remove), ...remove],
			};
		},
	});
}

/** Max entries of a store, above which no one else is written down. */
const MAX_STORED = MAX_PEOPLE + 2_000;

const FULL = 'its list of people is full';

const skipped = (message: string): Outcome => ({
	outcome: 'notSent',
	failure: { kind: 'skipped', message },
});

const CONTACTED = skipped('Not sent, because an earlier run already contacted this person');
const CONTACTED_BEFORE_CRASH = skipped(
	'Not sent, because a run of this node contacted this person within the last hour and did not end well',
);

const CONTACTED_MEANWHILE = skipped(
	'Not sent, because another run of this node has contacted this person in the meantime',
);
const CONTACTED_BY_SIBLING = skipped(
	'Not sent, because this workflow already contacted this person in the same execution of its parent workflow',
);

const unwritten = (failure: string): Outcome => ({
	outcome: 'notSent',
	failure: {
		kind: 'held',
		message: `Not sent, because n8n could not record who is being contacted (${failure}). Run the node again`,
	},
});

/** The outcome of a value that was sent, as far as anyone can tell, and not settled. */
export const IN_FLIGHT: Outcome = {
	outcome: 'unknown',
	failure: {
		kind: 'connection',
		call: 'another run of this node',
		sent: 'unknown',
		code: 'CLAIMED',
		message: 'it is in progress, or ended before the response came',
	},
};
