import compact from 'lodash/compact';
import difference from 'lodash/difference';
import intersection from 'lodash/intersection';
import isEmpty from 'lodash/isEmpty';
import mapValues from 'lodash/mapValues';
import partition from 'lodash/partition';
import sortBy from 'lodash/sortBy';
import uniq from 'lodash/uniq';
import type { Steps } from '../../core/concurrency';
import type { Problem } from '../../core/failures';
import type { CountryCode } from '../../core/phoneNumber';
import { ok } from '../../core/result';
import { callingCodeOf } from '../../core/libphonenumber';
import { textOf } from '../../core/text';
import { countryCells, readCountry } from '../../core/phoneCountry';
import {
	forbidsInside,
	isLabeledNoCalls,
	endsInMark,
	readDay,
	readRefusal,
	readMarkIn,
	readYesNo,
	saysNoCallsIn,
	saysYesOrNo,
} from '../../core/yesNo';
import type { Slot } from '../columnNames';
import { aboutOf, plainName } from '../columnNames';
import { MARK } from '../customer';
import { isNothing } from '../nothing';
import { wordsOf } from '../samePeople';
import type { Person } from './person';
import {
	choosePerson,
	columnsOf,
	hasRole,
	identifierOf,
	isContact,
	isNamed,
	isOfOther,
	isOfSecond,
	listIn,
	ofRole,
	carriedIn,
	personAt,
	referencesIn,
} from './person';
import { isLink, isNotOwn, readCell } from './readCell';
import type { Cells, Column, Columns, Level } from './table';
import {
	allColumns,
	cellsOf,
	formatColumns,
	isAnswered,
	kindOf,
	nameOf,
	pathOf,
	recordIn,
	surveyColumns,
} from './table';

/** One way to fill a field: the columns that are read together. */
export interface Way {
	readonly columns: readonly Column[];
	/** How people call it, unless it is part of another way. */
	readonly name: string | undefined;
	readonly read: (cells: Cells) => unknown;
	/** The ways to the country that a number is in. */
	readonly countries?: readonly Way[];
}

type MappedField = 'identifier' | 'name' | 'phoneNumber' | 'email' | 'priority' | 'metadata';

/** Which columns the fields of a customer are read from, the same for all rows of a run. */
export interface Mapping {
	readonly root: Level;
	/** The only column that identifies customers. */
	readonly identifier: Column | undefined;
	/** The ways to each field, the best first: the first that gives a value in a row counts. */
	readonly ways: Readonly<Record<MappedField, readonly Way[]>>;
	/** All marks and consents: any of them counts. */
	readonly marks: readonly Column[];
	/** Those that are about someone else by their names: their no says nothing of the person. */
	readonly ofOthers: readonly Column[];
	/** Numbers and addresses of the person, in which there may be marks, too, also without a number. */
	readonly reached: readonly Column[];
	/** Names, numbers and addresses in what the rows carry and is not read, as in one envelope among flat rows. */
	readonly carried: readonly Column[];
	/** All columns that are read, by their whole names. */
	readonly used: ReadonlySet<string>;
	/** What to do about a row without an identifier. */
	readonly hint: string;
	/** Why no customer can be read from these rows, and what to do. */
	readonly problem?: Problem;
}

/** Reads all rows of a run and chooses, once for all of them, whose columns are read and which is which field. */
export function* createMapping(rows: Iterable<Columns>, identifierColumn: string): Steps<Mapping> {
	const root = yield* surveyColumns(rows);
	const refused = (message: string, path = ['customer', 'identifier']): Mapping => ({
		...mappingOf(root, { own: [], addresses: [], around: [], thing: undefined }),
		problem: { path, message },
	});
	const named = identifierColumn === '' ? undefined : namedColumn(root, identifierColumn);
	if (identifierColumn !== '' && !named) {
		const message = `'${identifierColumn.slice(0, 60)}' is in no row. ${foundIn(root.columns)}`;
		return refused(message, ['options', 'identifierColumn']);
	}
	const chosen = choosePerson(root);
	if (!chosen.ok && !named) return refused(chosen.failure);
	const isOfChosen = chosen.ok && (!named || levelsOf(chosen.value).includes(named.level));
	const person = isOfChosen ? chosen.value : personAt(named?.level ?? root);
	const identifier = named ?? identifierOf(person);
	const { thing } = person;
	if (!identifier && thing)
		return refused(
			`is missing. The rows seem to be ${thing.what} (${thing.column}), and their own ID is not a customer's. Set the option 'Identifier Column' to the column that identifies the customer${exampleOf(person)}`,
		);
	const list = placesOf(identifier).find(({ hasSeveral }) => hasSeveral);
	if (list) return refused(listIn(list));
	const read = identifier ? ofRole(person, identifier, named !== undefined) : ok(person);
	return read.ok ? mappingOf(root, read.value, identifier) : refused(read.failure);
}

/** What may identify customers where nothing else does: the column of their e-mail, where there is one. */
const exampleOf = ({ own, addresses }: Person): string =>
	columnsOf([...own, ...addresses], 'email')
		.slice(0, 1)
		.map((column) => `, e.g. ${pathOf(column)}`)
		.join('');

/** A column and those that it stands in. */
const placesOf = (column: Column | undefined): Column[] =>
	column ? [column, ...placesOf(column.level.column)] : [];

const levelsOf = ({ own, addresses, around }: Person): Level[] => [...own, ...addresses, ...around];

/** The column that a user means: by its path, else by its name alone, else by how the name reads. */
function namedColumn(root: Level, name: string): Column | undefined {
	const all = allColumns(root);
	return (
		all.find((column) => pathOf(column) === name) ??
		all.find(({ key }) => key === name) ??
		all.find((column) => [pathOf(column), column.key].map(plainName).includes(plainName(name)))
	);
}

function mappingOf(root: Level, person: Person, identifier?: Column): Mapping {
	const { own, addresses, thing } = person;
	const groups = [own, ...addresses.map((level) => [level])];
	const columnsFor = (slot: Slot) => groups.flatMap((levels) => columnsOf(levels, slot));
	const isOwn = (column: Column): boolean => !isOfSecond(column) && !isOfNext(column);
	const contactsIn = (slot: Slot) => columnsFor(slot).filter(isOwn);
	const reached = groups
		.flat()
		.flatMap(({ columns: all }) => [...all.values()])
		.filter((column) => isContact(column) && isOwn(column));
	const countries = columnsFor('country');
	const linked = identifier ? [linkedName(identifier)] : [];
	const names = [...linked, ...namesIn(own, person)];
	const ways = {
		identifier: identifier ? [wayOf(identifier)] : [],
		name: [
			...linked.map((way) => ({ ...way, name: undefined })),
			...groups.flatMap((levels) => namesIn(levels, person)),
		],
		phoneNumber: contactsIn('phoneNumber').map((column) =>
			ofPerson(own, names, column, numberIn(column, countries)),
		),
		email: contactsIn('email').map((column) => ofPerson(own, names, column, wayOf(column))),
		// That of a ticket says nothing of calls.
		priority: columnsOf(own, 'priority')
			.filter(({ rank }) => !thing || rank === 1)
			.map(wayOf),
		// Only under this very name: WooCommerce and QuickBooks keep notes of their own in meta_data and MetaData.
		metadata: columnsOf(own, 'metadata')
			.filter(({ key }) => /^[mM]etadata$/.test(key))
			.map(readBy((cell) => (isNothing(cell) || isEmptyList(cell) ? undefined : cell))),
	} satisfies Mapping['ways'];
	const said = levelsOf(person)
		.flatMap((level) => sortBy(columnsOf([level]), 'key'))
		.filter(({ mark }) => mark !== undefined);
	const hasMark = said.some(({ isAnsweringMark }) => isAnsweringMark);
	// Beside a mark that says yes or no, what else is said about it is none.
	const marks = said.filter(
		({ key, mark, isAnsweringMark }) =>
			!hasMark || mark !== 'mark' || isAnsweringMark || endsInMark(key),
	);
	const read = Object.values<readonly Way[]>(ways).flat();
	const columns = read.flatMap((way) => way.columns);
	const used = new Set(
		[...columns, ...(ways.phoneNumber[0] ? countries : []), ...marks].map(pathOf),
	);
	const hint = hintFor(root, identifier, exampleOf(person));
	const ofOthers = marks.filter((mark) => isOfOther(mark, identifier));
	return {
		root,
		identifier,
		ways,
		marks,
		ofOthers,
		reached,
		carried: carriedIn(person),
		used,
		hint,
	};
}

function hintFor({ columns }: Level, identifier: Column | undefined, example: string): string {
	if (!identifier)
		return columns.size > 0
			? `. Set the option 'Identifier Column' to the column that has it, or to one that is different for each customer${example}. ${foundIn(columns)}`
			: '';
	const where = identifier.filled > 0 ? ' in all rows' : ', which is empty in all rows';
	return `. It is read from '${nameOf(identifier)}'${where}. Set the option 'Identifier Column' to use another`;
}

const foundIn = (columns: Level['columns']): string =>
	`Columns found: ${formatColumns([...columns.values()])}`;

/** A name in a cell, unless it has a sign that no name has. */
function nameWithout(sign: string, cell: unknown): unknown {
	const name = readCell(cell, 'name');
	return String(name).includes(sign) ? undefined : name;
}

const isEmptyList = (cell: unknown): boolean => Array.isArray(cell) && cell.length === 0;

/** Odoo links a record by its ID and its name; "Acme, Ana Silva" are two. */
const linkedName = readBy((cell) => (isLink(cell) ? nameWithout(',', cell) : undefined));

/** Whether a number or an e-mail is that of the second person of a row, or of one behind: "Contact 2 Phone" beside "Contact 2 Name". */
function isOfNext({ level, key }: Column): boolean {
	const { stem } = aboutOf(key);
	const isNext = /(?<!\d)(?!0*1(?!\d))\d/.test(stem);
	return isNext && [...level.columns.values()].some((column) => isNameBeside(column, stem));
}

/** Whether a column is the name in whose words and number another is called. */
function isNameBeside({ slot, key }: Column, stem: string): boolean {
	const about = aboutOf(key);
	return about.isName && about.stem === stem && slot !== 'phoneNumber' && slot !== 'email';
}

/** A number or an e-mail beside the name of someone else, in an address or by its own name ("Contact 2 Phone"), is not the person's. */
function ofPerson(
	own: readonly Level[],
	names: readonly Way[],
	{ level, key }: Column,
	way: Way,
): Way {
	const isFlat = own.includes(level);
	const { stem } = aboutOf(key);
	if (isFlat && stem === '') return way;
	const isBeside = (column: Column): boolean =>
		isFlat ? isNameBeside(column, stem) : column.slot?.endsWith('Name') === true;
	return unlessOther(names, columnsOf([level]).filter(isBeside).map(wayOf), way);
}

/** What is read unless the names beside it are those of someone else. */
function unlessOther(names: readonly Way[], beside: readonly Way[], way: Way): Way {
	// Of a person some words may be left out, as a middle name.
	const isOther = (cells: Cells): boolean => {
		const other = uniq(beside.flatMap((each) => wordsOf(nameIn(cells, [each]))));
		const own = wordsOf(nameIn(cells, names));
		return intersection(own, other).length < Math.min(own.length, other.length);
	};
	return { ...way, read: (cells) => (isOther(cells) ? undefined : way.read(cells)) };
}

function readBy(read: (cell: unknown) => unknown) {
	return (column: Column): Way => ({
		columns: [column],
		name: pathOf(column),
		read: (cells) => read(cells(column)),
	});
}

const wayOf = (column: Column): Way => readBy((cell) => readCell(cell, kindOf(column)))(column);

/** A number, with the columns that may say in which country it is, those beside it first. */
function numberIn(column: Column, countries: readonly Column[]): Way {
	const { level, key } = column;
	// "Phone Type", or "Phone 1 - Label" beside "Phone 1 - Value" as in Google's export.
	const name = plainName(key).replace(/(value|number)$/, '');
	const label = columnsOf([level]).find(
		(each) => each.isLabel && [`${name}label`, `${name}type`].includes(plainName(each.key)),
	);
	const way = wayOf(column);
	// "Telefonkontakt" may be a number, or whether someone wants calls.
	const isNone = (cells: Cells): boolean =>
		(label !== undefined && isNotOwn(cells(label))) ||
		(column.mark === 'consent' && saysYesOrNo(cells(column)));
	return {
		...way,
		read: (cells) => (isNone(cells) ? undefined : way.read(cells)),
		countries: sortBy(countries, (each) => each.level !== level).map(wayOf),
	};
}

/** First and last name come before any name that is shown: that may be a company's. What is named after no one comes before others. */
function namesIn(levels: readonly Level[], { own, thing }: Person): Way[] {
	const short = levels === own ? shortNamesIn(levels, thing) : columnsOf(levels, 'shortName');
	const shown = columnsOf(levels, 'displayName');
	const [ofOthers, full] = partition(columnsOf(levels, 'fullName'), hasRole);
	const lastOf = (column: Column): Way => lastName(levels, column);
	const all = partsIn(levels, short, [...ofOthers, ...shown]);
	const wholes = all.filter(({ first, last }) => first.length > 0 && last.length > 0);
	const [both, bothOfOthers] = [true, false].map((isOwn) =>
		wholes
			.filter(({ stem }) => (stem === '') === isOwn)
			.map(({ first, last }) => wholeName(first.map(wayOf), last.map(lastOf))),
	) as [Way[], Way[]];
	const columns = all.flatMap(({ first, last }) => [...first, ...last]);
	const rest = (names: readonly Column[]): Way[] => difference(names, columns).map(wayOf);
	const parts = [
		...all.flatMap(({ first }) => first.map(wayOf)),
		...all.flatMap(({ last }) => last.map(lastOf)),
	];
	// An address is no name.
	const called = referencesIn(levels)
		.filter(({ isReference }) => !isReference)
		.map(readBy((cell) => (saysYesOrNo(cell) ? undefined : nameWithout('@', cell))));
	const isShortPart = intersection(short, columns).length > 0;
	const ownParts = columns.filter((column) => stemOf(column) === '').map(wayOf);
	// Beside the parts of a name that of a customer is a company's.
	const named = [...bothOfOthers, ...(wholes.length > 0 ? [] : rest(ofOthers))];
	return [
		...(isShortPart ? [...rest(full), ...both] : [...both, ...rest(full)]),
		...named.map((way) => unlessOther(ownParts, [way], way)),
		...rest(short),
		...parts.map((way) => (wholes.length > 0 ? { ...way, name: undefined } : way)),
		...rest(shown),
		...called,
	];
}

/** The columns of a first and of a last name, and whose they are. */
interface Parts {
	readonly stem: string;
	readonly first: readonly Column[];
	readonly last: readonly Column[];
}

/** The parts of names, those of each person together: the first name of a buyer and the last name of a seller are no name. */
function partsIn(
	levels: readonly Level[],
	short: readonly Column[],
	named: readonly Column[],
): Parts[] {
	const [firsts, lasts] = [columnsOf(levels, 'firstName'), columnsOf(levels, 'lastName')];
	return uniq([...firsts, ...lasts].map(stemOf)).map((stem): Parts => {
		const isOfStem = (column: Column): boolean => stemOf(column) === stem;
		const [first, last] = [firsts.filter(isOfStem), lasts.filter(isOfStem)];
		// "Nome, Cognome" and "Vorname, Name" are the two parts of a name, "First Name, Name" a part and the whole.
		const names = stem === '' ? short : named.filter(isOfStem);
		const isLast = last.length === 0 && first.some(({ rank = 0 }) => rank > 1);
		return { stem, first: first.length > 0 ? first : names, last: isLast ? names : last };
	});
}

/** Whose part of a name a column is: "buyer" of "Buyer First Name", and no one's of "Contact First Name". */
const stemOf = (column: Column): string =>
	hasRole(column) ? aboutOf(column.key).stem.replace(/first|last|\d/g, '') : '';

/** A last name with what stands before and behind it: "van der Berg", "García López". */
function lastName(levels: readonly Level[], column: Column): Way {
	const [before, behind] = [columnsOf(levels, 'particle'), columnsOf(levels, 'secondLastName')];
	const parts = [before, [column], behind];
	return {
		columns: parts.flat(),
		name: pathOf(column),
		read: (cells) =>
			wayOf(column).read(cells) &&
			compact(parts.map((part) => nameIn(cells, part.map(wayOf)))).join(' '),
	};
}

/** First and last name, where a row has both; one of them may be the whole. */
const wholeName = (one: readonly Way[], other: readonly Way[]): Way => ({
	columns: [...one, ...other].flatMap(({ columns }) => columns),
	name: `${one[0]?.name} + ${other[0]?.name}`,
	read: (cells) => {
		const [first, last] = [nameIn(cells, one), nameIn(cells, other)];
		if (first === '' || last === '') return undefined;
		if (isPartOf(first, last)) return last;
		return isPartOf(last, first) ? first : `${first} ${last}`;
	},
});

const nameIn = (cells: Cells, ways: readonly Way[]): string =>
	String(valueIn(cells, ways) ?? '').trim();

const isPartOf = (part: string, whole: string): boolean =>
	whole.length > part.length && ` ${whole} `.toLowerCase().includes(` ${part} `.toLowerCase());

/** The name of a deal is not a person's, nor is that of an order if it is its number, or stands beside the customer. */
function shortNamesIn(levels: readonly Level[], thing: Person['thing']): Column[] {
	const names = columnsOf(levels, 'shortName');
	if (!thing) return names;
	const isOfRow = referencesIn(levels).some(({ isReference }) => isReference);
	const isOfSomeone =
		['orders', 'payments', 'form entries'].includes(thing.what) && (!isOfRow || isNamed(levels));
	return names.filter(({ isReference }) => isOfSomeone && !isReference);
}

/** The cells of a row as fields of a customer; those without a value are undefined. */
export interface MappedRow {
	readonly fields: Columns;
	/** The country of a number without one. */
	readonly country?: CountryCode | undefined;
	/** What the columns have to do with a field that is invalid. */
	readonly hints?: Readonly<Record<string, string | undefined>>;
	/** Where someone stands whom the other rows do not have there. */
	readonly inside?: string | undefined;
}

/** Reads a row by the mapping of its run. */
export function mapCustomer(
	row: Columns,
	{ ways, marks, ofOthers, reached, carried, hint }: Mapping,
	defaultCountry?: CountryCode,
): MappedRow {
	const cells = cellsOf(row);
	const fields = mapValues(ways, (each) => valueIn(cells, each));
	const { identifier, name, phoneNumber, email } = fields;
	const phone = ways.phoneNumber.find(({ read }) => read(cells) !== undefined);
	const beside = valueIn(cells, phone?.countries ?? []);
	const country = beside === undefined ? defaultCountry : readCountry(beside);
	const isNational = phone !== undefined && !/^\s*(\+|00)/.test(String(phoneNumber));
	const unclear =
		beside === undefined
			? isNational && otherCountry(row, defaultCountry)
			: !country && `'${String(beside)}' is not a known country`;
	const { said, unread } = markIn(cells, marks, ofOthers);
	const isAnyone = [name, email, phoneNumber].some((field) => field !== undefined);
	const inside =
		isAnyone || said === true ? undefined : carried.find((column) => !isNothing(cells(column)));
	const isForbidden = reached.some((column) =>
		(column.slot === 'email' ? isLabeledNoCalls : forbidsInside)(cells(column)),
	);
	return {
		fields: { ...fields, [MARK]: isForbidden || said },
		country: unclear ? undefined : country,
		hints: {
			identifier: identifier === undefined ? hint : undefined,
			phoneNumber: unclear ? ` (${unclear})` : undefined,
			[MARK]:
				unread &&
				`. It is read from '${nameOf(unread)}'. If that column says something else, rename it`,
		},
		inside: inside && nameOf(inside),
	};
}

/** Why a number may not be of the default country: a cell named for a country, or for a prefix, says another one. */
function otherCountry(row: Columns, defaultCountry?: CountryCode): string | undefined {
	if (!defaultCountry) return undefined;
	const other = countryCells(row, defaultCountry).find(
		({ country }) => country && callingCodeOf(country) !== callingCodeOf(defaultCountry),
	);
	return (
		other &&
		`'${other.name}' says ${other.text}. Add a column Country that says where the phone is, or remove '${other.name}'`
	);
}

const valueIn = (cells: Cells, ways: readonly Way[]): unknown =>
	ways.reduce<unknown>((value, { read }) => value ?? read(cells), undefined);

/** What a cell says in a column that may mark someone. */
export function readMark({ key, mark }: Column, cell: unknown): boolean | undefined {
	if (mark === 'status') return saysNoCallsIn(key, cell);
	if (mark === 'consent') return readRefusal(cell);
	if (mark === 'date') return readDay(cell);
	return readMarkIn(key, cell);
}

/** Of several marks any yes wins, then a word that has to be corrected: a no must not hide either. */
function markIn(
	cells: Cells,
	marks: readonly Column[],
	ofOthers: readonly Column[],
): { said?: unknown; unread?: Column | undefined } {
	let [said, unread]: [unknown?, Column?] = [];
	let day: { said: unknown; unread?: Column } | undefined;
	for (const column of marks) {
		const cell = cells(column);
		if (!isAnswered(column, cell) || isEmptyList(cell)) continue;
		const read = readMark(column, cell);
		if (column.mark === 'date') {
			if (read === true) day = { said: true };
			else if (read === undefined) day ??= { said: cell, unread: column };
			continue;
		}
		if (read === true) return { said: true };
		// The field would take an unclear consent for a mark: "Yes, on Mondays".
		const isRead = readYesNo(cell) !== undefined;
		if (read === undefined) [said, unread] = [isRead ? `(${textOf(cell)})` : cell, column];
		// A consent that was given, or someone else who may be called, is no reason to call who is marked in the service.
		else if (column.mark === 'mark' && !ofOthers.includes(column)) said ??= false;
	}
	// An answer makes a day one of the past.
	return said === undefined ? (day ?? {}) : { said, unread };
}

/** The filled columns that are no field, as they stand in the row; Google Sheets adds the number of the row. */
export function remainingIn(
	record: Columns,
	{ root, used }: Pick<Mapping, 'root' | 'used'>,
): Columns {
	const rest: Array<[string, unknown]> = [];
	for (const [key, value] of Object.entries(record)) {
		const column = root.columns.get(key);
		// A remark that marked someone is still a remark, and the date of a mark a date.
		const isFact = column?.mark === 'status' || column?.mark === 'date';
		const isUsed = used.has(pathOf({ level: root, key })) && (!isFact || column.slot);
		if (isNothing(value) || isUsed || (!root.column && key === 'row_number')) continue;
		const inner = column?.inner;
		// Text stays text.
		const isOpened = inner && inner.kind !== 'other' && typeof value === 'object';
		const within = isOpened ? recordIn(value, inner.kind) : undefined;
		const left = inner && within ? remainingIn(within, { root: inner, used }) : value;
		if (!within || !isEmpty(left)) rest.push([key, left]);
	}
	return Object.fromEntries(rest);
}
