import { isBlank } from '../core/text';
import type { Slot } from './columnAliases';
import type { Candidate, Columns, Plan, Planned } from './columnPlan';
import { createPlanner } from './columnPlan';
import type { CellKind, Scalar } from './readCell';
import { readCell, readMark } from './readCell';

/** The columns of a row as fields of a customer. */
export interface FromColumns {
	readonly fields: Readonly<Record<string, unknown>>;
	/** The columns that each field was read from. */
	readonly sources: Readonly<Record<string, readonly Candidate[]>>;
	/** Whether a column could be the identifier, though it may be empty in this row. */
	readonly knowsIdentifier: boolean;
	/** The filled columns that are no field, as they stand in the row. */
	readonly remaining: () => Columns;
	/** The paths of these columns. */
	readonly unused: () => ReadonlyArray<readonly string[]>;
}

/** Maps the rows of one run. */
export type ColumnMapper = (row: Columns) => FromColumns;

/** Makes a mapper that knows the usual column names; of several for one field the best that is filled counts. */
export function createColumnMapper(): ColumnMapper {
	const planFor = createPlanner();
	return (row) => {
		const planned = planFor(row);
		const { fields, sources } = readFields(planned);
		const unusedIn = () => {
			const used = new Set(Object.values(sources).flat());
			return unusedColumns(planned, used);
		};
		return {
			fields,
			sources,
			knowsIdentifier: planned.plan.slots.identifier !== undefined,
			remaining: () => nested(unusedIn()),
			unused: () => unusedIn().map(({ path }) => path),
		};
	};
}

/** Maps a single row. */
export const mapColumns = (row: Columns): FromColumns => createColumnMapper()(row);

interface Read {
	readonly value: Scalar;
	readonly from: Candidate;
}

const kinds = {
	identifier: 'identifier',
	phoneNumber: 'phone',
	email: 'email',
	priority: 'number',
} as const satisfies Partial<Record<Slot, CellKind>>;

const simple = Object.entries(kinds) as ReadonlyArray<[keyof typeof kinds, CellKind]>;

function readFields({ plan, records }: Planned): Pick<FromColumns, 'fields' | 'sources'> {
	const fields: Record<string, unknown> = {};
	const sources: Record<string, readonly Candidate[]> = {};
	const put = (field: string, value: unknown, from: readonly Candidate[]) => {
		fields[field] = value;
		sources[field] = from;
	};
	for (const [slot, kind] of simple) {
		const read = firstFilled(plan.slots[slot], records, kind);
		if (read) put(slot, read.value, [read.from]);
	}
	const name = readName(plan, records);
	if (name) put('name', name.value, name.from);
	const mark = strictestMark(plan.slots.isDoNotDisturbEnabled, records);
	if (mark) put('isDoNotDisturbEnabled', mark.value, mark.from);
	for (const from of plan.slots.metadata ?? []) {
		const value = cellOf(from, records);
		// Only under this very name: WooCommerce and QuickBooks keep notes of their own in meta_data and MetaData.
		if (/^(metadata|Metadata)$/.test(from.key) && !isBlank(value) && !Array.isArray(value)) {
			put('metadata', value, [from]);
			break;
		}
	}
	return { fields, sources };
}

type Records = Planned['records'];

const cellOf = ({ level, key }: Candidate, records: Records): unknown => records[level]?.[key];

function firstFilled(
	candidates: readonly Candidate[] | undefined,
	records: Records,
	kind: CellKind,
): Read | undefined {
	if (candidates === undefined) return undefined;
	for (const from of candidates) {
		const value = readCell(cellOf(from, records), kind);
		if (value !== undefined) return { value, from };
	}
	return undefined;
}

interface Composed {
	readonly value: Scalar;
	readonly from: readonly Candidate[];
}

function readName(plan: Plan, records: Records): Composed | undefined {
	for (const slots of plan.names) {
		const read = (slot: Slot) => firstFilled(slots[slot], records, 'name');
		const full = read('fullName');
		if (full) return { value: full.value, from: [full.from] };
		const composed = composeName(read('firstName'), read('lastName'), read('shortName'));
		if (composed) return composed;
	}
	return undefined;
}

/** "Nome, Cognome" and "Vorname, Name" hold the two parts of a name, "First Name, Name" a part and the whole. */
function composeName(
	first: Read | undefined,
	last: Read | undefined,
	short: Read | undefined,
): Composed | undefined {
	if (first && last) return join(first, last);
	const part = first ?? last;
	if (!part || !short)
		return part || short
			? join(...[part ?? short].filter((read) => read !== undefined))
			: undefined;
	const isPart = last !== undefined || part.from.rank > 1;
	if (!isPart || holdsWords(short.value, part.value)) return join(short);
	return first ? join(first, short) : join(short, part);
}

const join = (...parts: readonly Read[]): Composed => ({
	value:
		parts.length > 1
			? parts.map(({ value }) => String(value).trim()).join(' ')
			: (parts[0]?.value ?? ''),
	from: parts.map(({ from }) => from),
});

const holdsWords = (whole: Scalar, part: Scalar): boolean =>
	` ${String(whole).trim().toLowerCase()} `.includes(` ${String(part).trim().toLowerCase()} `);

/** Of several marks any yes wins, then a word that has to be corrected: a no must not hide either. */
function strictestMark(
	candidates: readonly Candidate[] | undefined,
	records: Records,
): Composed | undefined {
	if (candidates === undefined) return undefined;
	const marks = candidates.flatMap((from) => {
		const value = readCell(cellOf(from, records), 'mark');
		return value === undefined ? [] : [{ value: readMark(value), from }];
	});
	const strictest =
		marks.find(({ value }) => value === true) ??
		marks.find(({ value }) => value !== false) ??
		marks[0];
	return strictest && { value: strictest.value, from: marks.map(({ from }) => from) };
}

interface Unused {
	readonly path: readonly string[];
	readonly value: unknown;
}

function unusedColumns({ plan, records }: Planned, used: ReadonlySet<Candidate>): Unused[] {
	const taken = new Set([...used].map(({ level, key }) => `${level}\n${key}`));
	const opened = plan.levels.flatMap(({ parent, key, keys }) =>
		keys ? [`${parent}\n${key}`] : [],
	);
	const skipped = new Set([...taken, ...opened]);
	return plan.levels.flatMap(({ keys = [], path }, level) =>
		keys.flatMap((key): Unused[] => {
			const value = records[level]?.[key];
			const isLeft = !skipped.has(`${level}\n${key}`) && !isBlank(value);
			return isLeft ? [{ path: [...path, key], value }] : [];
		}),
	);
}

/** Puts columns back into the objects that they stood in. */
function nested(columns: readonly Unused[]): Columns {
	const tree = new Map<string, unknown>();
	for (const { path, value } of columns) {
		let branch = tree;
		for (const key of path.slice(0, -1)) {
			const inner = branch.get(key);
			const next =
				inner instanceof Map ? (inner as Map<string, unknown>) : new Map<string, unknown>();
			branch.set(key, next);
			branch = next;
		}
		branch.set(path.at(-1) ?? '', value);
	}
	return plainOf(tree);
}

const plainOf = (tree: ReadonlyMap<string, unknown>): Columns =>
	Object.fromEntries(
		Array.from(tree, ([key, value]) => [key, value instanceof Map ? plainOf(value) : value]),
	);
