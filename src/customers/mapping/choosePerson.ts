import type { Result } from '../../core/result';
import { fail, ok } from '../../core/result';
import { isOwnId, plainName } from '../columnNames';
import type { Column, Level } from './columns';

/** Whose columns a run reads: the levels of the person, its addresses, and those around it, of which only the marks count. */
export interface Person {
	/** The levels of the person, the innermost first. */
	readonly own: readonly Level[];
	readonly addresses: readonly Level[];
	/** The settings of the person, and what it stands in. */
	readonly around: readonly Level[];
	/** What the rows are, if not people. */
	readonly thing: Level['thing'];
	/** Whether its columns have a name and a way to reach it. */
	readonly isPerson: boolean;
	/** IDs in objects that have nothing else, e.g. `customer: { id: 7 }`. */
	readonly references: readonly Column[];
	/** Columns beside the object of the person that name it, for one without an ID: `customer_id` beside `customer`. */
	readonly beside: readonly Column[];
}

/**
 * Chooses whose columns the rows of a run are read from, once for all of them: the row itself, or the one object in it that is a
 * person. Says why where that is open.
 */
export const choosePerson = (root: Level): Result<Person, string> =>
	personIn(root, { around: [], beside: [], thing: undefined });

/** The person whose columns a level has, without a look for others inside. */
export function personAt(level: Level): Person {
	const top = topOf(level);
	const own = ownLevels(top);
	const inner = (kind: Level['kind']) => own.flatMap((each) => innerOf(each, kind));
	return {
		own,
		addresses: inner('address'),
		around: [...inner('settings'), ...parentsOf(top)],
		thing: thingOf(top, own),
		isPerson: true,
		references: [],
		beside: [],
	};
}

const topOf = (level: Level): Level =>
	level.kind === 'own' && level.parent ? topOf(level.parent) : level;

const parentsOf = ({ parent }: Level): Level[] => (parent ? [parent, ...parentsOf(parent)] : []);

type Context = Pick<Person, 'around' | 'beside' | 'thing'>;

function personIn(
	level: Level,
	{ around, beside, thing: carriedIn }: Context,
): Result<Person, string> {
	const own = ownLevels(level);
	const of = (kind: Level['kind']): Level[] => own.flatMap((each) => innerOf(each, kind));
	const addresses = of('address');
	const settings = [...own, ...addresses].flatMap((each) => innerOf(each, 'settings'));
	const inner = [...of('person'), ...of('content')].filter(hasPerson);
	const outside = [...around, ...settings];
	const [only, ...more] = of('content');
	// A message that carries a deal names its person by an ID alone.
	if (
		only &&
		more.length === 0 &&
		inner.length === 0 &&
		!hasOneOf(own, ['identifier', ...NAMES, ...CONTACTS]) &&
		columnsOf([only]).some((column) => isFilled(column) && isIdOfPerson(column))
	)
		return personIn(only, {
			around: [...outside, ...own],
			beside: [],
			thing: thingOf(level, own, carriedIn),
		});
	const thing = thingOf(level, own, carriedIn);
	const isPerson = thing === undefined && isNamedPerson(own);
	const people = inner.filter(({ kind, hasSeveral }) => kind === 'person' && !hasSeveral);
	if (isPerson ? people.length === 0 : inner.length === 0) {
		const references = of('person').flatMap(onlyId);
		return ok({ own, addresses, around: outside, thing, isPerson, references, beside });
	}
	if (isPerson || inner.length > 1) return fail(severalIn(isPerson ? people : inner, isPerson));
	const [chosen = level] = inner;
	if (chosen.hasSeveral) return fail(listIn(chosen));
	return personIn(chosen, {
		around: [...outside, ...own, ...addresses],
		beside: chosen.kind === 'person' ? own.flatMap((each) => namingIn(each, chosen)) : [],
		// `customer.created` says what it carries.
		thing: saysPeople(own) ? undefined : thing,
	});
}

/** What the rows are, if not people: the object of a person says so by its name, others by a column, or what carries them does. */
const thingOf = (
	level: Level,
	own: readonly Level[],
	carriedIn?: Level['thing'],
): Level['thing'] =>
	level.kind === 'person'
		? undefined
		: (own.find((each) => each.thing)?.thing ?? (saysPeople(own) ? undefined : carriedIn));

const saysPeople = (own: readonly Level[]): boolean => own.some(({ isPeople }) => isPeople);

const listIn = (level: Level): string =>
	`is unclear, because rows contain several people each (${nameOf(level)}). Use n8n's Split Out node first`;

const nameOf = ({ path }: Pick<Level, 'path'>): string => path.join('.');
const ROW = { path: ['customer'] };

function severalIn(levels: readonly Level[], isPerson: boolean): string {
	const names = [...(isPerson ? ['the row itself'] : []), ...levels.map(nameOf)];
	return `is unclear, because each row contains several people (${names.join(', ')}). Set Identifier Column to the ID of the one you mean, e.g. ${nameOf(levels[0] ?? ROW)}.id`;
}

/** A level with those that have columns of the same person, the innermost first. */
const ownLevels = (level: Level): Level[] => [...innerOf(level, 'own').flatMap(ownLevels), level];

/** In the order of their names: that of the rows must not count. */
const innerOf = (level: Level, kind: Level['kind']): Level[] =>
	[...level.levels.values()]
		.filter((each) => each.kind === kind)
		.toSorted((a, b) => (a.key < b.key ? -1 : 1));

const isFilled = ({ filled }: Column): boolean => filled > 0;
const columnsOf = (levels: readonly Level[]): Column[] =>
	levels.flatMap(({ columns }) => [...columns.values()]);

const isIdOfPerson = ({ slot, rank = 0 }: Column): boolean =>
	slot === 'identifier' && !isOwnId({ slot, rank });

const WHOLE_NAMES = ['fullName', 'firstName', 'lastName'];
const CONTACTS = ['phoneNumber', 'email'];
const NAMES = [...WHOLE_NAMES, 'shortName', 'displayName'];

const hasOneOf = (levels: readonly Level[], slots: readonly string[]): boolean =>
	columnsOf(levels).some((column) => isFilled(column) && slots.includes(column.slot ?? ''));

/** Whether there is a name, a number or an address. */
export const hasContact = (levels: readonly Level[]): boolean =>
	hasOneOf(levels, [...NAMES, ...CONTACTS]);

/** Whether a row is a person by itself: it has a name and a way to reach it. */
export const isNamedPerson = (own: readonly Level[]): boolean =>
	hasOneOf(own, NAMES) && hasOneOf(own, CONTACTS);

/** Whether an object has the name, the number or the address of someone, or contains one that has. */
export function hasPerson(level: Level): boolean {
	const own = ownLevels(level);
	const addresses = own.flatMap((each) => innerOf(each, 'address'));
	const inner = own.flatMap((each) => [...innerOf(each, 'person'), ...innerOf(each, 'content')]);
	return hasContact([...own, ...addresses]) || inner.some(hasPerson);
}

/** The ID of an object that has nothing else: it names the person of the row around it. */
const onlyId = (level: Level): Column[] =>
	hasPerson(level)
		? []
		: [...level.columns.values()].filter((column) => column.slot === 'identifier');

/** The columns beside the object of a person that have its ID by their name: `customer_id` beside `customer`. */
const namingIn = ({ columns }: Level, { key }: Level): Column[] =>
	[...columns.values()].filter(
		(column) =>
			isIdOfPerson(column) && plainName(column.key) === `${plainName(key.replace(/_?id$/i, ''))}id`,
	);
