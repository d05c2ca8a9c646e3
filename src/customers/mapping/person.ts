import deburr from 'lodash/deburr';
import partition from 'lodash/partition';
import sortBy from 'lodash/sortBy';
import type { Result } from '../../core/result';
import { fail, ok } from '../../core/result';
import type { Known, Slot } from '../columnNames';
import { anyOf, isIdOf, plainName, slotOf, thingOfColumn } from '../columnNames';
import type { Column, Level } from './table';
import { formatColumns, isCalledCustomer, nameOf } from './table';

/** Whose columns a run reads: the levels of the person, its addresses, and those around it, where only the marks count. */
export interface Person {
	/** The levels of the person, the innermost first. */
	readonly own: readonly Level[];
	readonly addresses: readonly Level[];
	/** The settings of the person, and what it stands in. */
	readonly around: readonly Level[];
	/** What the rows are, if not people. */
	readonly thing: Level['thing'];
}

const isName = ({ slot = 'metadata' }: Partial<Known>): boolean => slot.endsWith('Name');
/** Whether a column says how to reach someone. */
export const isContact = ({ slot }: Partial<Known>): boolean =>
	slot === 'phoneNumber' || slot === 'email';
/** Whether a column says of a person who it is, or how to reach it. */
const isOfPerson = (column: Column): boolean => isName(column) || isContact(column);

/**
 * Chooses whose columns the rows of a run are read from, once for all of them: the row itself, or the one object in it that is a
 * person. Says why where that is open.
 */
export function choosePerson(level: Level): Result<Person, string> {
	const person = personOf(level);
	const { own } = person;
	const content = innerOf(own, 'content');
	const objects = innerOf(own, 'person').filter(hasPerson);
	// Beside a person, what has only a name is none: a booking has the name of what is booked.
	const isCarried = objects.length === 0 ? hasPerson : isReached;
	const people = [...objects, ...content.filter(isCarried)];
	const isSelf = person.thing === undefined && isNamed(own);
	// A message that carries a deal names its person by an ID alone.
	const isMessage =
		people.length === 0 &&
		!columnsOf(own).some((column) => column.slot === 'identifier' || isOfPerson(column));
	const inner = isMessage ? content.filter((each) => columnsOf([each]).some(isIdOfPerson)) : people;
	const found = isSelf ? inner.filter(({ kind }) => kind === 'person') : inner;
	const [chosen] = found;
	const isReachable = columnsOf([...own, ...person.addresses]).some(isContact);
	const list = isReachable
		? undefined
		: columnsOf(own).find((each) => each.hasSeveral && !each.slot && each.holds !== 'person');
	if (list) return fail(listIn(list));
	const [named, role] = secondIn(own);
	if (named && role)
		return fail(
			`is unclear, because each row contains several people (${nameOf(named)}, ${nameOf(role)}). Set the option 'Identifier Column' to the ID of the one you mean`,
		);
	if (!chosen) return ok(personAt(level));
	const several = found.find(({ column }) => column?.hasSeveral)?.column;
	if (several) return fail(listIn(several));
	return isSelf || found.length > 1 ? fail(severalIn(found, isSelf)) : choosePerson(chosen);
}

/** The person whose columns a level has, without a look for others inside. */
export function personAt(level: Level): Person {
	const person = personOf(outermost(level));
	return { ...person, thing: person.thing ?? recordsIn(person) };
}

/** The level of which another is only a part. */
const outermost = (level: Level): Level =>
	level.kind === 'own' && level.column ? outermost(level.column.level) : level;

function personOf(level: Level): Person {
	const outer = level.column && personOf(outermost(level.column.level));
	const own = ownLevels(level);
	const addresses = innerOf(own, 'address');
	const said = own.find((each) => each.thing)?.thing;
	const isPeople = level.kind === 'person' || (!said && own.some((each) => each.isPeople));
	// `customer.created` says that it carries people.
	const isOpen = level.kind === 'content' && !outer?.own.some((each) => each.isPeople);
	return {
		own,
		addresses,
		around: [
			...(outer ? [...outer.around, ...outer.own, ...outer.addresses] : []),
			...settingsIn([...own, ...addresses]),
		],
		// The object of a person says so by its name, others by a column, or what carries them does.
		thing: isPeople ? undefined : (said ?? (isOpen ? outer?.thing : undefined)),
	};
}

/** Why no one of a list can be chosen, and what to do. */
export const listIn = (list: Column): string =>
	`is unclear, because rows contain several people each (${nameOf(list)}). Use n8n's Split Out node first`;

function severalIn(levels: readonly Level[], isSelf: boolean): string {
	const names = levels.map(({ path }) => path.join('.'));
	return `is unclear, because each row contains several people (${[...(isSelf ? ['the row itself'] : []), ...names].join(', ')}). Set the option 'Identifier Column' to the ID of the one you mean, e.g. ${names[0] ?? ''}.id`;
}

/** A level with those that have columns of the same person, the innermost first. */
const ownLevels = (level: Level): Level[] => [...innerOf([level], 'own').flatMap(ownLevels), level];

/** In the order of their names: that of the rows must not count. */
const innerOf = (levels: readonly Level[], kind: Level['kind']): Level[] =>
	levels.flatMap((level) =>
		sortBy(level.levels, 'column.key').filter((each) => each.kind === kind),
	);

const settingsIn = (levels: readonly Level[]): Level[] =>
	innerOf(levels, 'settings').flatMap((level) => [level, ...settingsIn([level])]);

/** The columns of some levels, also those without a value, the best first; the order of rows and columns does not count. */
const columnsIn = (levels: readonly Level[]): Column[] =>
	sortBy(
		levels.flatMap(({ columns }) => [...columns.values()]),
		({ rank = 0 }) => rank,
		({ level }) => levels.indexOf(level),
		'key.length',
		'key',
	);

/** The filled columns of a slot, or of any, the best first. */
export const columnsOf = (levels: readonly Level[], slot?: Slot): Column[] =>
	columnsIn(levels).filter((column) => isFilled(column) && (!slot || column.slot === slot));

const isFilled = ({ filled }: Column): boolean => filled > 0;

/** Whether some levels are a person by themselves: they have a name and a way to reach it. */
export const isNamed = (own: readonly Level[]): boolean =>
	columnsOf(own).some(isName) && columnsOf(own).some(isContact);

/** Whether an object has the name, the number or the address of someone, or contains one that has. */
function hasPerson(level: Level): boolean {
	const own = ownLevels(level);
	const inner = [...innerOf(own, 'person'), ...innerOf(own, 'content')];
	return columnsOf([...own, ...innerOf(own, 'address')]).some(isOfPerson) || inner.some(hasPerson);
}

const isReached = (level: Level): boolean =>
	columnsOf(ownLevels(level)).some(isContact) ||
	innerOf(ownLevels(level), 'person').some(hasPerson);

const [isOwnId, isOfAnyRow, isReferring] = [isIdOf('own'), isIdOf('anyRow'), isIdOf('referredTo')];

/** Whether a column is the ID of a customer or a contact by its name. */
const isIdOfPerson = (column: Column): boolean => column.slot === 'identifier' && !isOwnId(column);

/** Columns whose text is the ID of the person, as `customer` in Stripe. */
export const referencesIn = (levels: readonly Level[]): Column[] =>
	columnsOf(levels).filter(isCalledCustomer);

/** Columns of people in what the rows of a person carry. */
export const carriedIn = ({ own }: Person): Column[] =>
	innerOf(own, 'content').flatMap((level) => columnsOf(ownLevels(level)).filter(isOfPerson));

/** The column that identifies the customers, if there is one: what the rows are about must not be taken for whom they are about. */
export function identifierOf({ own, thing }: Person): Column | undefined {
	const known = columnsIn(own).filter(({ slot }) => slot === 'identifier');
	const ids = sortBy(known, isOfCompany);
	const ofPerson = ids.filter(isIdOfPerson);
	// Rows that name a customer by a column that is empty, as orders of guests do, are no customers themselves.
	const isOfNoOne = !ofPerson.some(isFilled) && ofPerson.some(isReferring);
	// The identifier of an order is not that of its customer.
	const specific = thing ? sortBy(ofPerson, (column) => !isReferring(column)) : ofPerson;
	const named = thing || isOfNoOne ? specific : ids;
	const usable = [...named, ...referencesOf(own), ...namesOf(own.at(-1))];
	return usable.find(isFilled) ?? usable[0];
}

/** The columns beside the object of a person that have its ID by their name: `customer_id` beside `customer`. */
function namesOf(person: Level | undefined): Column[] {
	if (person?.kind !== 'person' || !person.column) return [];
	const name = `${plainName(person.column.key)}id`;
	return columnsOf(ownLevels(outermost(person.column.level))).filter(
		(column) => isIdOfPerson(column) && plainName(column.key) === name,
	);
}

/** What names the customer of a row by an ID: the text in `customer`, or `customer: { id: 7 }`. */
function referencesOf(own: readonly Level[]): Column[] {
	// The name of a customer of ERPNext is its ID.
	const names = own.some(({ isPeople }) => isPeople) ? columnsOf(own, 'shortName') : [];
	const texts = [...referencesIn(own), ...names].filter(({ isReference }) => isReference);
	return [...texts, ...columnsOf(innerOf(own, 'person'), 'identifier')];
}

/** Rows with an ID of their own are about something else where all that they say of someone is named after a customer or a role, or is in no column. */
function recordsIn({ own, addresses, around }: Person): Level['thing'] {
	const ids = columnsOf(own, 'identifier');
	if (!ids.some(isOwnId)) return undefined;
	const names = columnsOf(own).filter(isName);
	// What `donor_name` and `donor_phone` name is the donor, not the row.
	const isOfRole = names.every(hasRole) && columnsOf(own).filter(isContact).some(hasRole);
	const isOpen = own.some(({ isPeople }) => isPeople) || !ids.every(isOfAnyRow);
	const beside = [...around, ...(isNamed(addresses) ? [] : addresses)];
	const saysMore =
		isOpen || columnsIn([...own, ...beside]).some((column) => column.mark ?? isOfPerson(column));
	const ofOther = [
		...ids.slice(0, 1).filter(isReferring),
		...referencesOf(own),
		...columnsIn(own).filter(({ holds, filled }) => holds === 'person' && filled === 0),
		...(saysMore ? [] : ids),
	];
	const goods = isOpen ? [] : columnsOf(own).filter(({ key }) => GOODS.test(key));
	const [column] = [
		...(isOfRole ? names : []),
		// "#1001" is the name of an order.
		...(isOpen ? [] : names.filter(({ slot, isReference }) => slot === 'shortName' && isReference)),
		...(isNamed(own) ? [] : ofOther),
		...(goods.length > Number(isNamed(own)) ? goods : []),
	];
	const what = column && goods.includes(column) ? 'orders' : 'records';
	return column && { what, column: nameOf(column) };
}

/** What is paid, and for what: two such columns beside a person, or one without. */
const GOODS =
	/^(sub_?total|(grand|order)?[ _]?total([ _](price|amount|tax))?|amount|quantity|qty|sku|payment[ _]method|gateway|coupon)$/i;
const ROLES = anyOf('person', 'guest', 'customer');
// "Personal Email" is anyone's.
const ROLE = new RegExp(`^(?!personal)(${ROLES})|(${ROLES})$`);
/** Whether a column is named after the second of several people: "Guest 2 Phone", "Phone (Guest 2)". */
export const isOfSecond = ({ key }: Column): boolean => SECOND.test(plainName(key));
const SECOND = new RegExp(
	`(^(${ROLES}|${anyOf('contact')})|(${anyOf('guest')}|person|tenant)(?=\\d+$))(?!0*1(?!\\d))\\d`,
);
/** Whether a column is named after a customer or a role. */
export const hasRole = ({ key }: Column): boolean => ROLE.test(plainName(key));
/** Whether a column is that of another than those of no one: "Phone" and "Customer Phone" may be of one person. */
const isOfParty = ({ key }: Column): boolean => !CUSTOMER.test(plainName(key));
const CUSTOMER = new RegExp(`^(person|${anyOf('customer', 'contact')})`);

/** Whether an ID beside a person is that of its company, or of the user of the program: the person has a name of its own. */
const isOfCompany = ({ key, level }: Column): boolean => {
	const stem = /^(?!contact)(.+)id$/.exec(plainName(key))?.[1];
	const isNamedBeside = columnsIn([level]).some((other) => plainName(other.key) === `${stem}name`);
	const isOwnName = columnsOf([level]).some(
		({ slot }) => slot === 'firstName' || slot === 'lastName',
	);
	return ['client', 'tenant', 'payer'].includes(stem ?? '') || (isNamedBeside && isOwnName);
};

/** What stands beside the role in the name of an identifier, at either end. */
const ID_WORDS = new RegExp(
	['^(?:id|uuid|numero|codigo|#)', '(?:id|uuid|nr|num|number|nummer|numero|key|code|ref|#)$']
		.join('|')
		.replaceAll('#', anyOf('mail', 'phone', 'mobile')),
	'g',
);
/** Whom an identifier is named after; a kind of address names no one: "Work Email". */
function roleOf(identifier: Column, columns: readonly Column[]): string {
	if ((isContact(identifier) && !hasRole(identifier)) || thingOfColumn(identifier.key)) return '';
	const role = plainName(identifier.key).replace(ID_WORDS, '');
	// "DoctorNo" is the number of a doctor, "Alumno" a student: the columns beside it say which.
	const short = role.replace(/no$/, '');
	const isNamed = (one: string): boolean => columns.some((column) => slotBeside(one, column));
	return isNamed(role) ? role : short;
}
const OTHERS = `seller vendor supplier agent owner driver landlord host sender recipient payer payee referrer partner spouse employee
	verkaufer kaufer vendedor comprador vendeur acheteur venditore acquirente verkoper koper`;
/** Parties, of whom nothing is known without columns of their own; what else has an ID is about whom the row names. */
const PARTY = new RegExp(`${anyOf('guest')} ${OTHERS}`.replace(/\s+/g, '|'));
const RELATIVES = `husband wife guardian parents? mother mom mum father dad son daughter child children brother sister sibling kin
	relative emergency caregiver carer beneficiary dependent dependant roommate referral referred assistant secretary manager supervisor boss
	employer agents? broker realtor co.(?:applicant|borrower|signer|buyer|owner) second secondary ehemann ehefrau ehepartner? mann frau eltern mutter
	vater sohn tochter kind vormund notfall angehorige[rn]? conjointe? mari epouse epoux mere pere fils fille enfant tuteur urgence conyuge
	esposo esposa marido mujer madre padre hijo hija tutor tutora emergencia conjuge mae pai filho filha coniuge moglie marito figlio figlia
	emergenza echtgenoot echtgenote vrouw moeder vader zoon dochter voogd noodgeval malzonek zona maz matka ojciec syn corka opiekun`;
const OF_OTHER = new RegExp(` (?:${`${OTHERS} ${RELATIVES}`.replace(/\s+/g, '|')}) `);

/** Whether a mark is about someone else than the customer: "Spouse Do Not Call" beside "ID", but not beside "Spouse ID". */
export function isOfOther(mark: Column, identifier: Column | undefined): boolean {
	const role = identifier ? roleOf(identifier, [mark]) : '';
	const spaced = deburr(mark.key).replace(/(?<=[a-z])(?=[A-Z])|[^a-zA-Z]+/g, ' ');
	const others = ` ${spaced.toLowerCase()} `.replace(` ${role} `, ' ');
	return isOfSecond(mark) || OF_OTHER.test(others);
}

/** What a column named after a role says of it: "Seller Phone" beside "Seller ID"; "Seller 2 Phone" is that of another. */
function slotBeside(role: string, { key, mark }: Column): Slot | undefined {
	const name = plainName(key);
	const rest = name.startsWith(role)
		? name.slice(role.length).replace(/^0*1(?!\d)/, '')
		: name.endsWith(role) && name.slice(0, -role.length).replace(/of$/, '');
	if (mark === 'mark' || role === '' || !rest || /^\d/.test(rest)) return undefined;
	const slot = slotOf(rest)?.slot;
	if (slot === 'identifier') return undefined;
	return slot === 'shortName' || slot === 'displayName' ? 'fullName' : slot;
}

const WHOLE = ['shortName', 'firstName', 'lastName'];
/** The names of two people who both have a number, or an address: "Name" and "Phone", "Student Name" and "Student Phone". */
function secondIn(own: readonly Level[]): Column[] {
	// A number that is empty in this run is still someone's.
	const [roles, rest] = partition(columnsIn(own).filter(isOfPerson), hasRole);
	const name = rest
		.filter(isFilled)
		.find(({ slot = '', isReference }) => WHOLE.includes(slot) && !isReference);
	const other = roles.filter(isFilled).find(isName);
	return name && other && areAlike(rest.filter(isContact), roles) ? [name, other] : [];
}

/** Whether two groups of columns both have a name, a number, or an address. */
const areAlike = (...groups: ReadonlyArray<readonly Column[]>): boolean =>
	['fullName', 'phoneNumber', 'email'].some((kind) =>
		groups.every((each) =>
			each.some(({ slot = '' }) => (WHOLE.includes(slot) ? 'fullName' : slot) === kind),
		),
	);

/**
 * Reads the columns named after an identifier as those of its person: `Seller Phone` beside `Seller ID`. The first of these rules that
 * holds says what is read. Someone else is there where two columns are a name, a number or an address and one of them is a party's, also
 * where it is empty; where a user chose the identifier, other columns of another count, too.
 *
 * | identifier | beside it | are read |
 * |---|---|---|
 * | any | no one else | all columns, its own first |
 * | "ID", "Customer ID", without a number, or a name beside another, of its own | someone else | all but those of others |
 * | "Seller ID", with whatever columns of no one say | someone else | its own |
 * | any other | someone else | none: it is open whose the rest is |
 */
export function ofRole(
	person: Person,
	identifier: Column,
	isChosen: boolean,
): Result<Person, string> {
	const columns = columnsIn(person.own);
	const role = roleOf(identifier, columns);
	const slots = new Map(columns.map((column) => [column, slotBeside(role, column)]));
	const asOwn = (column: Column): Column => {
		const slot = slots.get(column);
		const isMeant =
			isChosen || column.slot === 'displayName' || (!column.slot && isContact({ slot }));
		if (slot && isMeant) return { ...column, slot, rank: 0 };
		// Of two that are as good its own is better.
		return slot ? { ...column, rank: (column.rank ?? 0) - 0.5 } : column;
	};
	const [named, rest] = partition(columns, (column) => slots.get(column));
	const own = named.map(asOwn);
	// A column that is empty in this run is still someone's.
	const people = rest.filter(isOfPerson);
	const [others, flat] = partition(people, hasRole);
	const noOnes = [...flat, ...columnsIn(person.addresses).filter(isContact)];
	const isOwnTwice = areAlike(noOnes, own.filter(isOfParty));
	const isOtherTwice = areAlike(noOnes, others.filter(isOfParty)) || areAlike(own, others);
	if (!isChosen && !isOwnTwice && !isOtherTwice) return ok(withColumns(person, asOwn));

	const isOfRow = role === '' || identifier.slot !== undefined;
	const isKnownParty = !isOfRow && PARTY.test(role);
	const isParty = isKnownParty || isOwnTwice || own.some(isContact);
	const isOtherThere = isParty
		? others.length > 0
		: isOtherTwice || secondIn(person.own).length > 0;
	const isNoOneNamed = flat.some((column) => isName(column) && column.slot !== 'displayName');
	const isOwnThere = own.some((column) => isOfPerson(column) && column.key !== identifier.key);
	const isNamedTwice =
		isOwnTwice ||
		(isNoOneNamed && ((isOwnThere && !isOfRow) || areAlike(own.filter(isContact), noOnes)));
	const isAlone = !isOtherThere && !isNamedTwice;
	const isWhole = [isName, isContact].every((is) => own.some(is) || !noOnes.some(is));
	const isOnlyOwn = !isAlone && isParty && own.length > 0 && isWhole;
	if (!isAlone && !isOnlyOwn && (isParty || !isOfRow))
		return fail(
			`is unclear, because each row contains several people. It is open what of ${formatColumns(people)} belongs to '${nameOf(identifier)}'. Name that column as it, e.g. Seller Phone beside Seller ID, or set the option 'Identifier Column' to another ID`,
		);
	const left = isAlone ? [] : isOnlyOwn ? people : others;
	// "Lead Status" is that of a customer, too.
	const isMarkOfOther = (column: Column): boolean =>
		isKnownParty &&
		column.mark !== 'status' &&
		hasRole(column) &&
		!plainName(column.key).includes(role);
	const read = withColumns(person, (column) => ({
		...asOwn(column),
		...(left.includes(column) && { slot: undefined }),
		...(isMarkOfOther(column) && { mark: undefined }),
	}));
	const { addresses, around } = person;
	return ok(isOnlyOwn ? { ...read, addresses: [], around: [...around, ...addresses] } : read);
}

/** A person whose columns say something else. */
function withColumns(person: Person, change: (column: Column) => Column): Person {
	const own = person.own.map((level) => {
		const changed: Level = { ...level, columns: new Map() };
		for (const [key, column] of level.columns)
			changed.columns.set(key, { ...change(column), level: changed });
		return changed;
	});
	return { ...person, own };
}
