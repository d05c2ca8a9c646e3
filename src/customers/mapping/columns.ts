import { isRecord, parsedOrSame } from '../../core/json';
import { consentOf, isMarkColumn, isStatusColumn, saysNoCalls } from '../../core/yesNo';
import type { HolderKind, Known, Slot } from '../columnNames';
import { holderOf, PEOPLE, plainName, slotOf, thingOfColumn, thingOfType } from '../columnNames';
import { isNothing } from '../nothing';
import type { CellKind } from './readCell';
import { readCell } from './readCell';

/** The columns of a row or of an object in it. */
export type Columns = Readonly<Record<string, unknown>>;

/** The names that lead from a row to an object or a column in it. */
export type Path = readonly string[];

/** A column of a table: where it stands, what it may hold, and in how many rows it has a value. */
export interface Column extends Partial<Known> {
	readonly key: string;
	readonly level: Level;
	/** Whether its name is a mark, or a consent to calls, or it is a status that says of someone that he must not be called. */
	mark: 'mark' | 'consent' | 'status' | undefined;
	readonly isStatus: boolean;
	filled: number;
	/** Whether it is called `customer` or `name`, and all its values so far can be IDs or numbers of orders. */
	isReference: boolean;
}

/** The row, or an object in it whose columns are read too, over all rows of a run. */
export interface Level {
	readonly key: string;
	readonly kind: HolderKind | 'row' | 'other';
	readonly parent: Level | undefined;
	readonly path: Path;
	readonly columns: Map<string, Column>;
	readonly levels: Map<string, Level>;
	/** What the rows are, if not people: "orders", and the column that says so. */
	thing?: { readonly what: string; readonly column: string };
	/** Whether the rows say that they are people. */
	isPeople: boolean;
	/** Whether a row has a list of several objects here. */
	hasSeveral: boolean;
}

const MAX_DEPTH = 3;
const MAX_LEVELS = 12;
const MAX_OTHERS = 100;
const MAX_COLUMNS = 2_000;

const levelOf = (key: string, kind: Level['kind'], parent?: Level): Level => ({
	key,
	kind,
	parent,
	path: parent ? [...parent.path, key] : [],
	columns: new Map(),
	levels: new Map(),
	hasSeveral: false,
	isPeople: false,
});

/** The path of a column, as a message names it. */
export const pathOf = ({ level, key }: Pick<Column, 'level' | 'key'>): Path => [...level.path, key];

/** Reads which columns the rows of a run have, whatever order rows and columns are in. */
export function surveyColumns(rows: Iterable<Columns>): Level {
	const root = levelOf('', 'row');
	for (const row of rows) readLevel(row, root);
	return root;
}

function readLevel(record: Columns, level: Level): void {
	for (const key of Object.keys(record)) {
		const value = record[key];
		if (isNothing(value)) {
			// A column that is there without a value is still a column, e.g. for a source that has changed.
			columnIn(level, key);
			continue;
		}
		const column = columnIn(level, key);
		if (column && isFilled(column, value)) {
			column.filled += 1;
			if (column.isStatus && saysNoCalls(value)) column.mark = 'status';
			column.isReference &&= isId(readCell(value, 'identifier'));
		}
		const what = thingOfType(key, value);
		if (what === PEOPLE) level.isPeople = true;
		else if (what) level.thing ??= { what, column: key };
		if (isRecordList(value) && GOODS.test(key)) level.thing ??= { what: 'orders', column: key };
		if (value !== null && typeof value === 'object') readInner(value, key, level);
	}
}

const KINDS: Readonly<Partial<Record<Slot, CellKind>>> = {
	identifier: 'identifier',
	phoneNumber: 'phone',
	email: 'email',
	country: 'country',
	...{
		fullName: 'name',
		shortName: 'name',
		displayName: 'name',
		firstName: 'name',
		lastName: 'name',
		particle: 'name',
	},
};

/** What is looked for in the cells of a column. */
export const kindOf = ({ slot }: Partial<Known>): CellKind =>
	KINDS[slot ?? 'identifier'] ?? 'identifier';

/** Whether a cell has a value: an object may be only the configuration of its column, and 0 is nobody's ID. */
const isFilled = (column: Column, value: unknown): boolean =>
	column.slot === undefined || !KINDS[column.slot] || readCell(value, kindOf(column)) !== undefined;

const GOODS = /^(items|products|goods|cart)$/i;
const isRecordList = (value: unknown): boolean => Array.isArray(value) && isRecord(value[0]);

/** Columns whose text is an ID of the person, e.g. in Stripe, or a name. */
export const REFERENCES = new Set(['customer', 'client']);

/** IDs have digits and no blanks; a name has no digits. */
const isId = (value: unknown): boolean =>
	typeof value === 'number' ||
	(typeof value === 'string' && !/[\s@]/.test(value) && /\d/.test(value));

function columnIn(level: Level, key: string): Column | undefined {
	const before = level.columns.get(key);
	if (before || level.columns.size >= MAX_COLUMNS) return before;
	const mark = isMarkColumn(key) ? 'mark' : consentOf(key) ? 'consent' : undefined;
	const known =
		mark === 'mark' ? undefined : (slotOf(key) ?? (isIdOf(level, key) ? ID : undefined));
	const isReference = REFERENCES.has(plainName(key)) || known?.slot === 'shortName';
	const isStatus = mark === undefined && isStatusColumn(key);
	const column: Column = { key, level, mark, isStatus, filled: 0, isReference, ...known };
	level.columns.set(key, column);
	const what = thingOfColumn(key);
	if (what) level.thing ??= { what, column: key };
	return column;
}

/** QuickBooks and Pipedrive refer to a person by `{ value: 58, name: 'Ana' }`. */
const isIdOf = ({ kind }: Level, key: string): boolean => kind === 'person' && key === 'value';
const ID = slotOf('id');

function readInner(value: object, key: string, level: Level): void {
	const kind = holderOf(key) ?? 'other';
	const record = recordIn(value, kind);
	if (!record || isProperty(record)) return;
	const isDeep = level.path.length >= MAX_DEPTH;
	// Of other objects only the names are looked at, for marks that would be missed.
	if (isDeep || (kind === 'other' && Object.keys(record).length > MAX_OTHERS)) return;
	const known = level.levels.get(key);
	if (!known && level.levels.size >= MAX_LEVELS && kind === 'other') return;
	const inner = known ?? levelOf(key, level.kind === 'other' ? 'other' : kind, level);
	level.levels.set(key, inner);
	if (Array.isArray(value) && value.length > 1 && kind === 'person') inner.hasSeveral = true;
	readLevel(record, inner);
}

/** A property of Notion is a cell: it has a type, and its value under the name of that. */
const isProperty = ({ type, ...members }: Columns): boolean =>
	typeof type === 'string' && Object.hasOwn(members, type);

/** The columns of an object, or of a list of objects with a name and a value each; of people the first. */
export function recordIn(value: unknown, kind: Level['kind']): Columns | undefined {
	if (!Array.isArray(value)) return isRecord(value) ? value : undefined;
	if (kind === 'person') return isRecord(value[0]) ? value[0] : undefined;
	return namedIn(value);
}

/** The object of a row that a level is about. */
export function recordAt(row: Columns, level: Level): Columns | undefined {
	if (!level.parent) return row;
	const outer = recordAt(row, level.parent);
	return outer && Object.hasOwn(outer, level.key)
		? recordIn(outer[level.key], level.kind)
		: undefined;
}

/** Reads the cells of one row. */
export type Cells = (column: Pick<Column, 'level' | 'key'>) => unknown;

/** The cells of a row, whose objects are looked up once. */
export function cellsOf(row: Columns): Cells {
	const records = new Map<Level, Columns | undefined>();
	return ({ level, key }) => {
		if (!records.has(level)) records.set(level, recordAt(row, level));
		const record = records.get(level);
		return record && Object.hasOwn(record, key) ? record[key] : undefined;
	};
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
		// Not by assignment, which would set the prototype for one name.
		if (label === undefined || label === '__proto__') continue;
		named[label] = valueOf(entry);
		isEmpty = false;
	}
	return isEmpty ? undefined : named;
}

/** Where an entry has a value it is that, also if it is empty: what else it has is the configuration of a column. */
function valueOf(entry: Columns): unknown {
	const phone = mondayPhone(entry);
	if (phone) return phone;
	const own = ['text', 'value', 'values', 'field_value', 'answer'].filter((name) => name in entry);
	const filled = own.find((name) => entry[name] !== null && entry[name] !== '');
	return own.length > 0 ? entry[filled ?? own[0] ?? ''] : entry;
}

/** The text of a phone column of monday.com is its digits alone; its value has the country, as JSON. */
function mondayPhone({ type, text, value }: Columns): Columns | undefined {
	const read = type === 'phone' && text !== '' ? parsedOrSame(value) : undefined;
	return isRecord(read) && typeof read['phone'] === 'string' ? read : undefined;
}

const LABELS = ['label', 'field_name', 'key', 'title', 'column', 'name', 'id', 'type'];

function labelOf(entry: Columns): string | undefined {
	for (const name of LABELS) {
		const value = entry[name];
		const label = name === 'column' ? (isRecord(value) ? value['title'] : undefined) : value;
		if (typeof label === 'string' && label !== '') return label;
	}
	return undefined;
}
