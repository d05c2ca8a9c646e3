/** Half an hour in ms: entries name the half hour in which they were written, and count for the last three. */
const SLOT_MS = 1_800_000;
const SLOTS = [0, 1, 2];

/** How many runs of a node are told apart while they are in progress. */
const MAX_RUNS = 256;

/** How often a mark changes before it is used again. */
const MARKS = [0, 1, 2, 3];

/** What is in the store where a journal is kept for good: such a store is never emptied. */
export const KEPT = 'kept';

const slotOf = (nowMs: number): number => Math.floor(nowMs / SLOT_MS);
const slotsOf = (nowMs: number): readonly number[] => SLOTS.map((back) => slotOf(nowMs) - back);

/** The names of a person's entries. */
export interface PersonEntries {
	/** Written before sending. */
	readonly sent: string;
	/** Written once the service accepted it. */
	readonly done: string;
	/** All names under which someone may have written them down. */
	readonly sentForms: readonly string[];
	readonly doneForms: readonly string[];
	/** Left by a run that ended while others were in progress, for those others; the number changes each time. */
	readonly marks: readonly string[];
}

/** The names of a person's entries at a moment; those of a journal that is kept do not name the half hour. */
export function entriesOf(key: string, nowMs: number, isKept: boolean): PersonEntries {
	const prefixes = isKept ? ['k'] : slotsOf(nowMs).map((slot) => `j${slot}`);
	const sentForms = prefixes.map((prefix) => `${prefix}:sent:${key}`);
	const doneForms = prefixes.map((prefix) => `${prefix}:done:${key}`);
	const [sent = ''] = sentForms;
	const [done = ''] = doneForms;
	const marks = isKept ? [] : MARKS.map((number) => `m${number}:${key}`);
	return { sent, done, sentForms, doneForms, marks };
}

/** What a person's mark becomes. */
export function changeMark(marks: readonly string[], present: ReadonlySet<string>) {
	const current = marks.findIndex((mark) => present.has(mark));
	const next = marks[(current + 1) % marks.length] ?? '';
	return { add: next, remove: marks.filter((mark) => mark !== next && present.has(mark)) };
}

/** The names of the half hours in which anyone wrote into the journal. */
export const halfHoursOf = (nowMs: number): readonly string[] =>
	slotsOf(nowMs).map((slot) => `h${slot}`);

/** The names of the half hours in which a run left people behind: one that ended badly, or for its sub-executions. */
export const leftBehindOf = (nowMs: number): readonly string[] =>
	slotsOf(nowMs).map((slot) => `x${slot}`);

/** The names under which runs in progress are registered, by their numbers, as of the last half hour that was asked for. */
let registered: { readonly slot: number; readonly names: ReadonlyArray<readonly string[]> } = {
	slot: -1,
	names: [],
};

export function registerOf(nowMs: number): ReadonlyArray<readonly string[]> {
	const slot = slotOf(nowMs);
	if (registered.slot !== slot) {
		const names = Array.from({ length: MAX_RUNS }, (_, number) =>
			slotsOf(nowMs).map((each) => `r${each}:${number}`),
		);
		registered = { slot, names };
	}
	return registered.names;
}

const isRegistered = (forms: readonly string[], present: ReadonlySet<string>): boolean =>
	forms.some((form) => present.has(form));

/** The number that no run in progress has, if there is one. */
export function freeNumber(nowMs: number, present: ReadonlySet<string>): number | undefined {
	const free = registerOf(nowMs).findIndex((forms) => !isRegistered(forms, present));
	return free < 0 ? undefined : free;
}

/** Whether runs other than one are in progress, as far as anyone can tell. */
export const hasOthers = (
	nowMs: number,
	mine: number | undefined,
	present: ReadonlySet<string>,
): boolean =>
	registerOf(nowMs).some((forms, number) => number !== mine && isRegistered(forms, present));

/** The names of a person contacted by a sub-execution of one parent. */
export const siblingsOf = (parent: string, key: string, nowMs: number): readonly string[] =>
	slotsOf(nowMs).map((slot) => `p${slot}:${parent}:${key}`);
