import { formatColumns } from './formatColumns';
import type { Problem } from '../../core/failures';
import type { Slot } from '../columnNames';
import { holderOf, isOwnId, plainName } from '../columnNames';
import type { Person } from './choosePerson';
import { choosePerson, hasContact, hasPerson, isNamedPerson, personAt } from './choosePerson';
import type { Column, Columns, Level } from './columns';
import { pathOf, REFERENCES, surveyColumns } from './columns';

/** The columns that a name may be put together from, all of one person. */
export interface NameColumns {
	readonly first: readonly Column[];
	readonly last: readonly Column[];
	readonly particle: readonly Column[];
	readonly full: readonly Column[];
	readonly short: readonly Column[];
	readonly display: readonly Column[];
}

/** A column of numbers, with those that say in which country they are. */
export interface NumberColumn {
	readonly column: Column;
	readonly countries: readonly Column[];
}

/** Which columns the fields of a customer are read from, the same for all rows of a run. */
export interface Mapping {
	readonly root: Level;
	/** The only column that identifies customers. */
	readonly identifier: Column | undefined;
	readonly names: readonly NameColumns[];
	/** The best first: the first that has a value in a row counts. */
	readonly numbers: readonly NumberColumn[];
	readonly emails: readonly Column[];
	readonly priorities: readonly Column[];
	readonly metadata: readonly Column[];
	/** All marks and consents of the person, of which any counts. */
	readonly marks: readonly Column[];
	/** Why no customer can be read from these rows, and what to do. */
	readonly problem: Problem | undefined;
}

/** What the user chose instead of the best column. */
export interface MappingSettings {
	readonly identifierColumn: string;
}

/** Reads all rows of a run and chooses, once for all of them, whose columns are read and which is which field. */
export function createMapping(rows: Iterable<Columns>, settings: MappingSettings): Mapping {
	const root = surveyColumns(rows);
	const chosen = choosePerson(root);
	const name = settings.identifierColumn;
	if (name === '') {
		if (!chosen.ok) return { ...EMPTY, root, problem: ofIdentifier(chosen.failure) };
		const identifier = identifiersOf(chosen.value)[0];
		return {
			...columnsFor(chosen.value, root),
			identifier,
			problem: withoutId(chosen.value, identifier),
		};
	}
	const identifier = namedColumn(root, name);
	if (!identifier) return { ...EMPTY, root, problem: notFound(name, root) };
	const isOwn = chosen.ok && levelsOf(chosen.value).includes(identifier.level);
	const person = isOwn ? chosen.value : personAt(identifier.level);
	return { ...columnsFor(person, root), identifier, problem: undefined };
}

const EMPTY = {
	identifier: undefined,
	...{ names: [], numbers: [], emails: [], priorities: [], metadata: [], marks: [] },
} satisfies Partial<Mapping>;

const levelsOf = ({ own, addresses, around }: Person): Level[] => [...own, ...addresses, ...around];

function columnsFor(person: Person, root: Level): Omit<Mapping, 'identifier' | 'problem'> {
	const groups = [person.own, ...person.addresses.map((level) => [level])];
	const fromAll = (slot: Slot): Column[] => groups.flatMap((levels) => columnsOf(levels, slot));
	return {
		root,
		names: groups.map((levels) => namesIn(levels, person)),
		numbers: groups.flatMap((levels) => numbersIn(levels, person)),
		emails: fromAll('email'),
		priorities: columnsOf(person.own, 'priority'),
		// Only under this very name: WooCommerce and QuickBooks keep notes of their own in meta_data and MetaData.
		metadata: columnsOf(person.own, 'metadata').filter(({ key }) => /^[mM]etadata$/.test(key)),
		marks: levelsOf(person)
			.flatMap(({ columns }) => [...columns.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1)))
			.filter(({ mark }) => mark !== undefined),
	};
}

function namesIn(levels: readonly Level[], { own, thing }: Person): NameColumns {
	const named = levels.flatMap((level) =>
		referencesIn(level).filter(({ isReference }) => !isReference),
	);
	return {
		first: columnsOf(levels, 'firstName'),
		last: columnsOf(levels, 'lastName'),
		particle: columnsOf(levels, 'particle'),
		full: [...columnsOf(levels, 'fullName'), ...named],
		short: levels === own ? shortNamesIn(levels, thing) : columnsOf(levels, 'shortName'),
		display: columnsOf(levels, 'displayName'),
	};
}

const OF_SOMEONE = ['orders', 'payments', 'form entries'];

/** The name of a deal is not a person's, nor is that of an order if it is its number, or stands beside the customer. */
function shortNamesIn(levels: readonly Level[], thing: Person['thing']): Column[] {
	const names = columnsOf(levels, 'shortName');
	if (!thing) return names;
	const isOfRow = levels.some((level) => referencesIn(level).some((each) => each.isReference));
	const isOfSomeone = OF_SOMEONE.includes(thing.what) && (!isOfRow || isNamedPerson(levels));
	return names.filter(({ isReference }) => isOfSomeone && !isReference);
}

const numbersIn = (levels: readonly Level[], person: Person): NumberColumn[] =>
	columnsOf(levels, 'phoneNumber').map((column) => {
		const near = columnsOf([column.level], 'country');
		const others = columnsOf([...person.own, ...person.addresses], 'country');
		return { column, countries: [...near, ...others.filter((each) => !near.includes(each))] };
	});

/** The filled columns of a slot, the best first; the order of rows and columns does not count. */
const columnsOf = (levels: readonly Level[], slot: Slot): Column[] =>
	namedIn(levels, slot)
		.filter(({ filled }) => filled > 0)
		.toSorted((a, b) => compare(a, b, levels));

const namedIn = (levels: readonly Level[], slot: Slot): Column[] =>
	levels.flatMap(({ columns }) => [...columns.values()]).filter((column) => column.slot === slot);

function compare(a: Column, b: Column, levels: readonly Level[]): number {
	const near = levels.indexOf(a.level) - levels.indexOf(b.level);
	return rankOf(a) - rankOf(b) || near || a.key.length - b.key.length || (a.key < b.key ? -1 : 1);
}

const rankOf = ({ rank = 0 }: Column): number => rank;

const referencesIn = ({ columns }: Level): Column[] =>
	[...columns.values()].filter(({ key, filled }) => filled > 0 && REFERENCES.has(plainName(key)));

/** The columns that may be the identifier, the best first. */
function identifiersOf(person: Person): Column[] {
	const { own, thing, isPerson, references, beside } = person;
	const sorted = (columns: readonly Column[]) => columns.toSorted((a, b) => compare(a, b, own));
	const known = sorted(namedIn(own, 'identifier'));
	// The identifier of an order is not that of its customer.
	const inside = thing
		? [...known.filter(isReferring), ...known.filter((column) => !isReferring(column))]
		: known;
	const texts = own.flatMap(referencesIn).filter(({ isReference }) => isReference);
	const referring = sorted([...texts, ...references]);
	const specific = inside.filter((column) => !isOwnColumn(column));
	// What a person refers to is someone else, e.g. its company; what an order refers to is its customer.
	const found =
		isPerson || referring.length === 0
			? [...inside, ...referring]
			: [...specific, ...referring, ...inside.filter(isOwnColumn)];
	// Rows that name a customer by a column that is empty, as orders of guests do, are no customers themselves.
	const isOther =
		thing ||
		namesOthers(inside) ||
		(!isPerson && (own.some(hasEmptyReference) || carriesOthers(person)));
	const usable = found.filter(
		(column) => !isOther || !inside.includes(column) || !isOwnColumn(column),
	);
	const filled = [...usable, ...beside].filter((column) => column.filled > 0);
	return filled.length > 0 ? filled : usable;
}

const isOwnColumn = ({ slot, rank = 0 }: Column): boolean =>
	slot === 'identifier' && isOwnId({ slot, rank });

/** Ranks of the IDs of contacts and customers, which rows about something else have, too. */
const REFERRING_RANKS = [4, 6];
const isReferring = ({ rank = 0, filled }: Column): boolean =>
	filled > 0 && REFERRING_RANKS.includes(rank);

const namesOthers = (inside: readonly Column[]): boolean =>
	inside.some(({ rank = 0, filled }) => REFERRING_RANKS.includes(rank) && filled === 0) &&
	!inside.some((column) => !isOwnColumn(column) && column.filled > 0);

const hasEmptyReference = ({ columns }: Level): boolean =>
	[...columns.values()].some(
		({ key, filled, level }) =>
			holderOf(key) === 'person' &&
			!isIdentifying(level.levels.get(key)) &&
			(filled === 0 || level.levels.has(key)),
	);

const isIdentifying = (level: Level | undefined): boolean =>
	level !== undefined && (hasPerson(level) || namedIn([level], 'identifier').length > 0);

/** Whether rows that say nothing about a person themselves have one in an object that is not read: its reporter, its owner. */
const carriesOthers = ({ own, addresses }: Person): boolean =>
	!hasContact([...own, ...addresses]) &&
	own.some(({ levels }) =>
		[...levels.values()].some((each) => each.kind === 'other' && isNamedPerson([each])),
	);

const ofIdentifier = (message: string): Problem => ({ path: ['customer', 'identifier'], message });

const WAY_OUT = 'Set Identifier Column to the column that identifies the customer, e.g. Email';

function withoutId({ thing }: Person, identifier: Column | undefined): Problem | undefined {
	if (identifier || !thing) return undefined;
	return ofIdentifier(
		`is missing. The rows seem to be ${thing.what} (${thing.column}), and their own ID is not a customer's. ${WAY_OUT}`,
	);
}

/** The column that a user means: by its path, else by its name alone, else by how the name reads. */
function namedColumn(root: Level, name: string): Column | undefined {
	const all = allColumns(root);
	const path = (column: Column): string => pathOf(column).join('.');
	return (
		all.find((column) => path(column) === name) ??
		all.find(({ key }) => key === name) ??
		all.find((column) => plainName(path(column)) === plainName(name)) ??
		all.find(({ key }) => plainName(key) === plainName(name))
	);
}

/** All columns of a table, those near the row first. */
export const allColumns = (level: Level): Column[] => [
	...level.columns.values(),
	...[...level.levels.values()].flatMap(allColumns),
];

const notFound = (name: string, root: Level): Problem => ({
	path: ['options', 'identifierColumn'],
	message: `'${name.slice(0, 60)}' is in no row. Columns found: ${formatColumns([...root.columns.keys()].map((key) => [key]))}`,
});
