import { visible } from '../../core/text';

/** What tells people apart who have the same identifier. */
export interface Described {
	readonly identifier: string;
	readonly name?: string | undefined;
	readonly phoneNumber?: string | undefined;
	readonly email?: string | undefined;
}

/** A row, and one of those it is about. */
export type RowOf = readonly [row: number, person: Described];

/** Two different people who have the same identifier. */
export type Shared = readonly [RowOf, RowOf];

/** Enough to compare with; a person with more spellings is compared with the first of them. */
const MAX_KNOWN = 20;

/** Finds the identifiers that different people of a run have: such an ID is nobody's. */
export function sharedIdentifiers(people: Iterable<RowOf>): ReadonlyMap<string, Shared> {
	const known = new Map<string, RowOf[]>();
	const shared = new Map<string, Shared>();
	for (const each of people) {
		const [, person] = each;
		const { identifier } = person;
		const before = known.get(identifier);
		if (!before) known.set(identifier, [each]);
		else if (!shared.has(identifier)) {
			const other = before.find(([, earlier]) => !mayBeSame(earlier, person));
			if (other) shared.set(identifier, [other, each]);
			else if (before.length < MAX_KNOWN && !before.some(([, earlier]) => isEqual(earlier, person)))
				before.push(each);
		}
	}
	return shared;
}

const isEqual = (a: Described, b: Described): boolean =>
	a.name === b.name && a.email === b.email && a.phoneNumber === b.phoneNumber;

/** Whether two rows can be about one person: nothing they have in common to compare says otherwise. */
function mayBeSame(a: Described, b: Described): boolean {
	const contacts = [same(a.email, b.email), same(a.phoneNumber, b.phoneNumber)];
	const isReachedAlike = contacts.includes(true);
	const isReachedElsewhere = contacts.includes(false);
	const [one, other] = [wordsOf(a.name), wordsOf(b.name)];
	if (one.length === 0 || other.length === 0) return isReachedAlike || !isReachedElsewhere;
	const common = one.filter((word) => other.includes(word)).length;
	if (common === Math.min(one.length, other.length))
		return isReachedAlike || contacts.some((each) => each !== false);
	return isReachedAlike && common > 0;
}

/** Undefined where one of them is empty. */
function same(a: string | undefined, b: string | undefined): boolean | undefined {
	if (a === undefined || b === undefined) return undefined;
	return a.toLowerCase() === b.toLowerCase();
}

/** The words of a name in small letters without accents; an initial is a word too. */
const wordsOf = (name = ''): string[] =>
	visible(name)
		.normalize('NFD')
		.replace(/\p{M}/gu, '')
		.toLowerCase()
		.split(/[^\p{L}\p{N}]+/u)
		.filter((word) => word !== '');
