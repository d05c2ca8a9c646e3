import type { HolderKind, Slot } from './columnAliases';
import { holderOf, slotOf } from './columnAliases';
import { isRecord } from '../core/json';

/** The columns of a row or of an object in it. */
export type Columns = Readonly<Record<string, unknown>>;

/** A row, or an object in it whose columns are read too. */
export interface Level {
	readonly parent: number;
	readonly key: string;
	readonly path: readonly string[];
	/** Whose columns these are: a person's come first, those of an address last. */
	readonly order: number;
	/** Undefined where there is nothing to read, e.g. text. */
	readonly keys: readonly string[] | undefined;
}

/** A column that may hold a field or a part of the name. */
export interface Candidate {
	readonly slot: Slot;
	readonly rank: number;
	readonly order: number;
	readonly level: number;
	readonly key: string;
	readonly path: readonly string[];
}

/** The columns of a table that may hold something, the best first. */
export interface Plan {
	readonly levels: readonly Level[];
	readonly slots: Readonly<Partial<Record<Slot, readonly Candidate[]>>>;
	/** The candidates for the name, apart for each order of level. */
	readonly names: ReadonlyArray<Plan['slots']>;
}

/** A plan with the objects of one row that it reads. */
export interface Planned {
	readonly plan: Plan;
	readonly records: ReadonlyArray<Columns | undefined>;
}

const MAX_DEPTH = 3;
const MAX_LEVELS = 12;
const MAX_PLANS = 16;
const ORDERS: Readonly<Record<HolderKind, (parent: number) => number>> = {
	person: () => 0,
	own: (parent) => parent,
	address: (parent) => parent + 2,
};

/** Makes a planner that keeps its latest plans, since the rows of a table have few layouts. */
export function createPlanner(): (row: Columns) => Planned {
	let plans: Plan[] = [];
	return (row) => {
		for (const plan of plans) {
			const records = recordsIn(row, plan.levels);
			if (records) return { plan, records };
		}
		const plan = planOf(row);
		plans = [plan, ...plans].slice(0, MAX_PLANS);
		return { plan, records: recordsIn(row, plan.levels) ?? [] };
	};
}

/** The objects of a row that the levels are about, or undefined where its layout is another one. */
function recordsIn(row: Columns, levels: readonly Level[]): Planned['records'] | undefined {
	const records: Array<Columns | undefined> = [];
	for (const { parent, key, keys } of levels) {
		const record = parent < 0 ? row : columnsIn(records[parent]?.[key]);
		if (!sameKeys(record, keys)) return undefined;
		records.push(record);
	}
	return records;
}

function sameKeys(record: Columns | undefined, keys: readonly string[] | undefined): boolean {
	if (record === undefined || keys === undefined) return record === keys;
	const names = Object.keys(record);
	if (names.length !== keys.length) return false;
	for (let i = 0; i < names.length; i++) if (names[i] !== keys[i]) return false;
	return true;
}

function planOf(row: Columns): Plan {
	const levels = levelsOf(row);
	const candidates = levels.flatMap(({ keys = [], path, order }, level) =>
		keys.flatMap((key): Candidate[] => {
			const found = slotOf(key);
			const usable = found && (order < 2 || found.slot !== 'identifier');
			return usable ? [{ ...found, order, level, key, path: [...path, key] }] : [];
		}),
	);
	candidates.sort(compare);
	const orders = [...new Set(candidates.map(({ order }) => order))];
	const names = orders.map((order) => bySlot(candidates.filter((each) => each.order === order)));
	return { levels, slots: bySlot(candidates), names };
}

function bySlot(candidates: readonly Candidate[]): Plan['slots'] {
	const slots: Partial<Record<Slot, Candidate[]>> = {};
	for (const each of candidates) (slots[each.slot] ??= []).push(each);
	return slots;
}

function levelsOf(row: Columns): Level[] {
	const levels: Level[] = [{ parent: -1, key: '', path: [], order: 1, keys: Object.keys(row) }];
	const records: Array<Columns | undefined> = [row];
	for (let i = 0; i < levels.length; i++) {
		const { keys = [], path, order } = levels[i] as Level;
		if (path.length >= MAX_DEPTH) continue;
		for (const key of keys) {
			const kind = holderOf(key);
			if (!kind || levels.length >= MAX_LEVELS) continue;
			const record = columnsIn(records[i]?.[key]);
			const inner = { order: ORDERS[kind](order), keys: record && Object.keys(record) };
			levels.push({ parent: i, key, path: [...path, key], ...inner });
			records.push(record);
		}
	}
	return levels;
}

/** Orders by person, rank, depth and name, so the order of the columns does not count. */
function compare(a: Candidate, b: Candidate): number {
	const [first, second] = [a, b].map(({ path }) => path.join('\n')) as [string, string];
	return (
		a.order - b.order ||
		a.rank - b.rank ||
		a.path.length - b.path.length ||
		first.length - second.length ||
		(first < second ? -1 : 1)
	);
}

/** The columns of an object, or of a list of objects with a name and a value each. */
function columnsIn(value: unknown): Columns | undefined {
	if (Array.isArray(value)) return namedIn(value);
	return isRecord(value) ? value : undefined;
}

const MAX_ENTRIES = 200;

function namedIn(list: readonly unknown[]): Columns | undefined {
	const named: Record<string, unknown> = {};
	let isEmpty = true;
	// The first of several entries with one name counts.
	for (let i = Math.min(list.length, MAX_ENTRIES) - 1; i >= 0; i--) {
		const entry = list[i];
		if (!isRecord(entry)) continue;
		const label = labelOf(entry);
		if (label === undefined) continue;
		// Not by assignment, which would set the prototype for one name.
		if (label === '__proto__') continue;
		named[label] = entry['text'] ?? entry['value'] ?? entry;
		isEmpty = false;
	}
	return isEmpty ? undefined : named;
}

const LABELS = ['key', 'title', 'column', 'name', 'id', 'type'];

function labelOf(entry: Columns): string | undefined {
	for (const name of LABELS) {
		const value = entry[name];
		const label = name === 'column' ? (isRecord(value) ? value['title'] : undefined) : value;
		if (typeof label === 'string' && label !== '') return label;
	}
	return undefined;
}
