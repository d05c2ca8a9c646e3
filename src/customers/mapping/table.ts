import get from 'lodash/get';
import has from 'lodash/has';
import memoize from 'lodash/memoize';
import type { Steps } from '../../core/concurrency';
import { mapInSteps } from '../../core/concurrency';
import { chosenOf, isRecord, parsedOrSame } from '../../core/json';
import { shorten, someOf } from '../../core/text';
import {
	consentOf,
	isMarkColumn,
	isMarkDate,
	isPermission,
	mayAskForCalls,
	readRefusal,
	readYesNo,
	saysNoCallsIn,
	saysYesOrNo,
	WISHES,
} from '../../core/yesNo';
import type { HolderKind, Known } from '../columnNames';
import {
	anyOf,
	holderOf,
	PEOPLE,
	plainName,
	slotOf,
	thingOfColumn,
	thingOfCell,
} from '../columnNames';
import { isNothing } from '../nothing';
import type { CellKind } from './readCell';
import { isLink, memberOf, otherLabelIn, readCell, typedMember } from './readCell';

/** The columns of a row or of an object in it. */
export type Columns = Readonly<Record<string, unknown>>;

/** A column of a table: where it stands, what it may hold, and in how many rows it has a value. */
export interface Column extends Partial<Known> {
	readonly key: string;
	readonly level: Level;
	/** Whose columns its objects contain. */
	readonly holds: HolderKind | 'other';
	/** These columns, where they are read. */
	inner?: Level;
	/** Whether its name is a mark, its date, or a consent to calls, or it says of someone that he must not be called, as a status does. */
	mark: 'mark' | 'date' | 'consent' | 'status' | undefined;
	/** Whether it is called a mark, and any of its cells says yes or no. */
	isAnsweringMark: boolean;
	/** Whether its name has a word for calls, and all its cells so far say yes or no. */
	answersOfCalls: boolean;
	filled: number;
	/** Whether it is called `customer` or `name`, and all its values so far can be IDs or numbers of orders. */
	isReference: boolean;
	/** Whether it is the label of a number beside it: "Phone 1 - Label". */
	readonly isLabel: boolean;
	/** The label of a number or an address that is not read, because it may be someone else's. */
	otherLabel?: string | undefined;
	/** Whether a cell has several IDs, or a list of people. */
	hasSeveral: boolean;
}

/** The row, or the objects in one of its columns, over all rows of a run. */
export interface Level {
	readonly kind: HolderKind | 'row' | 'other';
	/** The column that the objects stand in. */
	readonly column: Column | undefined;
	readonly path: readonly string[];
	readonly columns: Map<string, Column>;
	readonly levels: Level[];
	/** What the rows are, if not people: "orders", and the column that says so. */
	thing?: { readonly what: string; readonly column: string };
	/** Its columns of an address, as "Billing Phone" is one. */
	billing?: Level;
	/** Whether the rows say that they are people. */
	isPeople: boolean;
}

const MAX_DEPTH = 3;
const MAX_LEVELS = 12;
const MAX_OTHERS = 100;
const MAX_COLUMNS = 2_000;
const MAX_ENTRIES = 200;

const levelOf = (kind: Level['kind'], column?: Column): Level => ({
	kind,
	column,
	path: column ? [...column.level.path, column.key] : [],
	columns: new Map(),
	levels: [],
	isPeople: false,
});

/** Reads which columns the rows of a run have, whatever order rows and columns are in. */
export function* surveyColumns(rows: Iterable<Columns>): Steps<Level> {
	const root = levelOf('row');
	yield* mapInSteps(rows, (row) => readLevel(row, root));
	return root;
}

/** All columns of a table, those near the row first. */
export const allColumns = (level: Level): Column[] => [
	...level.columns.values(),
	...level.levels.flatMap(allColumns),
];

function readLevel(record: Columns, level: Level): void {
	for (const [key, value] of Object.entries(record)) {
		// A column that is there without a value is still a column, e.g. for a source that has changed.
		const column = columnIn(level, key);
		if (column && isFilled(column, value)) {
			column.filled += 1;
			column.answersOfCalls &&= saysYesOrNo(value);
			column.mark ??= markIn(column, value);
			column.isAnsweringMark ||= column.mark === 'mark' && readYesNo(value) !== undefined;
			column.isReference &&= isReference(readCell(value, 'identifier'), column);
			column.hasSeveral ||= Array.isArray(value) && isSeveral(value, column);
			if (column.isLabel) column.otherLabel ??= otherLabelIn({ label: value });
		} else if (isNothing(value)) continue;
		else if (column?.slot === 'phoneNumber' || column?.slot === 'email')
			column.otherLabel ??= otherLabelIn(value);
		const what = thingOfCell(key, value);
		if (what === PEOPLE) level.isPeople = true;
		else if (what) level.thing ??= { what, column: key };
		if (column) readInner(value, column);
	}
}

/** The row of n8n's Aggregate node has all IDs in one cell, and that of a page its people. */
const isSeveral = (list: readonly unknown[], { slot, holds }: Column): boolean =>
	slot === 'identifier'
		? !isLink(list) && new Set(list.filter((each) => typeof each !== 'object')).size > 1
		: ['other', 'content'].includes(holds) &&
			isRecord(list[0]) &&
			PERSON.every((word) => Object.keys(list[0] as Columns).some((key) => word.test(key)));
const PERSON = [/nam|nom|imi[eę]/i, /phone|mail|tel|mobil|cell/i];

const KINDS: Readonly<Record<string, CellKind>> = {
	identifier: 'identifier',
	phoneNumber: 'phone',
	email: 'email',
	country: 'country',
	priority: 'number',
};

/** What is looked for in the cells of a column. */
export const kindOf = ({ slot = 'identifier' }: Partial<Known>): CellKind => KINDS[slot] ?? 'name';

/** Whether a cell has a value; that no consent was given is one. */
export const isAnswered = ({ mark }: Column, cell: unknown): boolean =>
	!isNothing(cell) || (mark === 'consent' && /^\s*(none|keine)\s*$/i.test(String(cell)));

/** Whether a cell has a value: an object may be only the configuration of its column, and 0 is nobody's ID. */
const isFilled = (column: Column, value: unknown): boolean =>
	column.slot === undefined || column.slot === 'metadata'
		? isAnswered(column, value)
		: isReadable(readCell(value, kindOf(column)), column);

/** A column Priority with words alone, as tasks and deals have it, says nothing of calls; one called Calling Priority should. */
const isReadable = (read: unknown, { slot, rank }: Column): boolean =>
	read !== undefined && (slot !== 'priority' || rank === 1 || Number.isFinite(Number(read)));

/** Whether a column is called so that its text is an ID of the person, e.g. in Stripe, or a name. */
export const isCalledCustomer = ({ key }: Pick<Column, 'key'>): boolean =>
	CUSTOMER.test(plainName(key));
const CUSTOMER = new RegExp(`^(${anyOf('customer')})$`);

/** IDs have digits and no blanks; a name has no digits. */
const isId = (value: unknown): boolean =>
	typeof value === 'number' ||
	(typeof value === 'string' && !/[\s@]/.test(value) && /\d/.test(value));

/** "Ana77" is a name; "#1001" and "SO-0042" are numbers. */
const isReference = (value: unknown, column: Column): boolean =>
	isId(value) && (isCalledCustomer(column) || /^#|^[A-Z]{0,5}[-/_.]?\d/.test(String(value)));

const LABEL = /(?: -)?[ _]?(?:label|type)$/i;

function columnIn(level: Level, key: string): Column | undefined {
	const before = level.columns.get(key) ?? level.billing?.columns.get(key);
	if (before || level.columns.size >= MAX_COLUMNS) return before;
	const answersOfCalls = mayAskForCalls(key);
	// Inside of settings their name counts, too: `consents.phone`.
	const asked = level.kind === 'settings' && answersOfCalls ? `${level.column?.key} ${key}` : key;
	const isMark = isMarkColumn(key) || isMarkColumn(asked);
	const said = consentOf(asked) ? 'consent' : isMarkDate(key) ? 'date' : undefined;
	const mark = isMark ? 'mark' : said;
	// QuickBooks and Pipedrive refer to a person by `{ value: 58, name: 'Ana' }`.
	const name = level.kind === 'person' && key === 'value' ? 'id' : key;
	const isRead = mark !== 'mark' && level.kind !== 'settings';
	const plain = plainName(key);
	const billed = isRead && BILLING.test(plain) ? slotOf(plain.replace(BILLING, '')) : undefined;
	const known = (isRead ? slotOf(name) : undefined) ?? billed;
	const home = billed ? billingIn(level) : level;
	const column: Column = {
		key,
		level: home,
		holds: holderOf(key) ?? 'other',
		filled: 0,
		mark,
		isAnsweringMark: false,
		answersOfCalls: answersOfCalls || isPermission(key),
		hasSeveral: false,
		isLabel: LABEL.test(key) && slotOf(key.replace(LABEL, ''))?.slot === 'phoneNumber',
		isReference: isCalledCustomer({ key }) || known?.slot === 'shortName',
		...known,
	};
	home.columns.set(key, column);
	const what = thingOfColumn(key);
	if (what) level.thing ??= { what, column: key };
	return column;
}

const BILLING = /^billing(?!$)|(?<!^)billing$/;

function billingIn(level: Level): Level {
	if (!level.billing) level.levels.push((level.billing = levelOf('address', level.column)));
	return level.billing;
}

/** What only its cells say of a column: a status that forbids calls, or a channel among settings, `preferences.phone`. */
const markIn = ({ key, level, answersOfCalls }: Column, value: unknown): Column['mark'] => {
	if (level.kind === 'other') return undefined;
	if (saysNoCallsIn(key, value)) return 'status';
	if (level.kind !== 'settings' || !mayAskForCalls(key)) return undefined;
	const setting = level.path.find((name) => holderOf(name) === 'settings') ?? '';
	const isRefused = WISHES.test(setting) ? readRefusal(value) : undefined;
	return isRefused === true || (answersOfCalls && isRefused === false) ? 'consent' : undefined;
};

function readInner(value: unknown, column: Column): void {
	const { level, holds: kind } = column;
	const record = recordIn(value, kind);
	if (!record || typedMember(record) !== undefined || level.path.length >= MAX_DEPTH) return;
	// Of other objects only the names are looked at, for marks that would be missed.
	const isOneTooMany = !column.inner && level.levels.length >= MAX_LEVELS;
	if (kind === 'other' && (isOneTooMany || Object.keys(record).length > MAX_OTHERS)) return;
	if (!column.inner) {
		// What settings contain says something of them: `preferences.contact.phone`.
		const isWithin = level.kind === 'other' || (level.kind === 'settings' && kind !== 'other');
		column.inner = levelOf(isWithin ? level.kind : kind, column);
		level.levels.push(column.inner);
	}
	if (kind === 'person' && Array.isArray(value) && value.length > 1) column.hasSeveral = true;
	readLevel(record, column.inner);
}

/** The columns of an object, or of a list of objects with a name and a value each; of people the first. */
export function recordIn(given: unknown, kind: Level['kind']): Columns | undefined {
	const value = kind === 'settings' ? parsedOrSame(given) : given;
	if (!Array.isArray(value)) return isRecord(value) ? value : undefined;
	if (kind === 'person') return isRecord(value[0]) ? value[0] : undefined;
	// The first of several entries with one name counts.
	const entries = value.slice(0, MAX_ENTRIES).reverse().filter(isRecord);
	const named = entries.flatMap((entry) => pairsIn(entry, kind));
	return named.length > 0 ? Object.fromEntries(named) : undefined;
}

const LABELS =
	`channel communicationType purpose attribute_code label field_name FIELD_NAME fieldName key title column.title name id
	type text`.split(/\s+/);
const VALUES = ['text', 'value', 'values', 'field_value', 'FIELD_VALUE', 'answer'];

/** The name and the value of an entry; without a value its members by their names: "phone status" of `{ channel, status }`. */
function pairsIn(entry: Columns, kind: Level['kind']): Array<[string, unknown]> {
	const by = LABELS.find((name) => typeof get(entry, name) === 'string' && get(entry, name) !== '');
	if (by === undefined) return [];
	const label = String(get(entry, by));
	if (kind !== 'settings' || VALUES.some((name) => name !== by && name in entry))
		return [[label, valueOf(entry)]];
	return Object.keys(entry).map((name) => [`${label} ${name}`, entry[name]]);
}

/** Where an entry has a value it is that, also if it is empty: what else it has is the configuration of a column. */
function valueOf(entry: Columns): unknown {
	if (has(entry, 'type_config.options')) return chosenOf(entry, entry['value']);
	// The text of a phone column of monday.com is its digits alone; its value has the country, as JSON.
	const phone = entry['type'] === 'phone' && entry['text'] !== '' && parsedOrSame(entry['value']);
	if (isRecord(phone) && typeof phone['phone'] === 'string') return phone;
	const own = VALUES.filter((name) => name in entry);
	const filled = own.find((name) => entry[name] !== null && entry[name] !== '') ?? own[0];
	return filled === undefined ? entry : entry[filled];
}

/** Reads the cells of one row. */
export type Cells = (column: Pick<Column, 'level' | 'key'>) => unknown;

/** The cells of a row, whose objects are looked up once. */
export function cellsOf(row: Columns): Cells {
	const cells: Cells = ({ level, key }) => memberOf(recordOf(level), key);
	const recordOf = memoize(({ column, kind }: Level) =>
		column ? recordIn(cells(column), kind) : row,
	);
	return cells;
}

/** The whole name of a column, by which runs compare and remember it. */
export const pathOf = ({ level, key }: Pick<Column, 'level' | 'key'>): string =>
	[...level.path, key].join('.');

/** A column as people name it: "properties.email". */
export const nameOf = (column: Pick<Column, 'level' | 'key'>): string =>
	shorten(pathOf(column), 40);

/** The names of columns, the first of them where there are many. */
export const formatColumns = (columns: readonly Column[]): string => someOf(columns.map(nameOf));
