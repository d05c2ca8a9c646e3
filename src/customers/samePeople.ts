import intersection from 'lodash/intersection';
import { visible } from '../core/text';
import type { Customer } from './customer';

/** A person as a row tells of them. */
export interface PersonOfRow {
	readonly row: number;
	readonly person: Customer;
}

/** Enough to compare with; a person with more spellings is compared with the first of them. */
const MAX_KNOWN = 20;

/** Why an identifier in a column is nobody's, and what to do: undefined where all who have it may be one person. */
export function describeShared(
	people: readonly PersonOfRow[],
	column: string | undefined,
): string | undefined {
	for (const [i, first] of people.slice(0, MAX_KNOWN).entries()) {
		const second = people.slice(i + 1).find(({ person }) => !mayBeSame(first.person, person));
		if (second)
			return `'${first.person.identifier}'${column === undefined ? '' : ` in '${column}'`} is the ID of different people, e.g. ${who(first)} and ${who(second)}. Choose a column that is unique for each person`;
	}
	return undefined;
}

const who = ({ row, person: { name, email, phoneNumber } }: PersonOfRow): string =>
	`${name ?? email ?? phoneNumber ?? 'someone'} (row ${row + 1})`;

/** Whether two rows can be about one person: nothing they have in common to compare says otherwise. */
function mayBeSame(a: Customer, b: Customer): boolean {
	const contacts = [same(a, b, 'email'), same(a, b, 'phoneNumber')];
	const isReachedAlike = contacts.includes(true);
	const [one, other] = [wordsOf(a.name), wordsOf(b.name)];
	if (one.length === 0 || other.length === 0) return isReachedAlike || !contacts.includes(false);
	const common = intersection(one, other).length;
	// A short name of someone, e.g. without the middle name, whose number or address may have changed.
	if (common === Math.min(one.length, other.length)) return contacts.some((each) => each !== false);
	// Those of one household share a last name, a number and an address; a first name may be spelt in other ways.
	const [first = '', otherFirst = ''] = [one[0], other[0]];
	const isSpelt = one.includes(otherFirst) || other.includes(first) || first[0] === otherFirst[0];
	return isReachedAlike && common > 0 && isSpelt;
}

/** Undefined where one of them is empty, or is the identifier that they share. */
function same(a: Customer, b: Customer, field: 'email' | 'phoneNumber'): boolean | undefined {
	const [one, other] = [a[field]?.toLowerCase(), b[field]?.toLowerCase()];
	if (one === undefined || other === undefined || isIn(a.identifier, one)) return undefined;
	return one === other;
}

const isIn = (identifier: string, contact: string): boolean => {
	const digits = identifier.replace(/\D/g, '').slice(-7);
	return contact.includes('@')
		? identifier.toLowerCase().includes(contact)
		: digits.length === 7 && contact.endsWith(digits);
};

/** The words of a name in small letters without accents; an initial is a word too. */
export const wordsOf = (name = ''): string[] =>
	visible(name)
		.normalize('NFD')
		.replace(/\p{M}/gu, '')
		.toLowerCase()
		.match(/[\p{L}\p{N}]+/gu) ?? [];
