import range from 'lodash/range';
import { readPhoneNumber } from '../../core/phoneNumber';
import { sameText } from '../../core/text';
import type { PlannedConversation } from './readRows';

type Whose = Pick<PlannedConversation, 'numbers' | 'personId'>;

/**
 * The key of whoever has a number, in all that compares people. Argentina, Brazil and Mexico have a digit before mobile numbers that
 * not everyone writes.
 */
export const numberKey = (number: string): string =>
	`number:${number.replace(/(?<=\+54)9(?=\d{10}$)|(?<=\+52)1(?=\d{10}$)|(?<=\+55\d\d)9(?=[6-9]\d{7}$)/, '')}`;

/** The keys of whoever a Person ID names: chats are often told apart by a number. */
export function personKeys(personId: string): string[] {
	if (personId === '') return [];
	const text = withoutScheme(personId);
	const read = text.includes('+') ? readPhoneNumber(text) : undefined;
	const ofNumber = read && 'number' in read ? [numberKey(read.number)] : [];
	return [`person:${sameText(personId)}`, ...ofNumber];
}

/** How chats name a number: whatsapp:+14155550178. */
const withoutScheme = (personId: string): string =>
	personId.replace(/^(?:whatsapp|tel|sms|sip|signal|viber|wa):(?:\/\/)?/i, '');

const MIN_DIGITS = 7;
const MIN_PLAIN_DIGITS = 8;
const MAX_DIGITS = 17;
/** So many last digits tell a number without its country code. */
const NATIONAL_DIGITS = 10;

/** The last digits of a Person ID that may be a number without its plus or its country code; undefined for any other. */
export function digitsOfPerson(personId: string): string | undefined {
	const text = withoutScheme(personId).normalize('NFKC');
	if (!/^[+\d\s()./\p{Pd}-]+$/u.test(text)) return undefined;
	const digits = text.replace(/\D/g, '');
	const isLong = digits.length >= (/^\d+$/.test(text) ? MIN_PLAIN_DIGITS : MIN_DIGITS);
	const shown = digits.replace(/^0+/, '');
	return isLong && digits.length <= MAX_DIGITS && shown.length >= MIN_DIGITS
		? shown.slice(-NATIONAL_DIGITS)
		: undefined;
}

/** The key of a Person ID that is a number, however a spreadsheet writes it: 123, 00123 or 123.0. */
export function plainKeys(personId: string): string[] {
	const [, digits] = /^0*(\d+)(?:\.0+)?$/.exec(personId.normalize('NFKC')) ?? [];
	return digits === undefined ? [] : [`person:${digits}`];
}

/** The names by which such a Person ID finds a number. */
export const nameOfDigits = (digits: string): string => `digits:${digits}`;
export const namesOfNumber = (number: string): string[] =>
	range(MIN_DIGITS, NATIONAL_DIGITS + 1).map((length) => nameOfDigits(number.slice(-length)));

/** All that tells who a conversation is for, the surest first: each of its numbers, and the person that the user names. */
export const keysOf = ({ numbers, personId }: Whose): string[] => [
	...numbers.map(numberKey),
	...personKeys(personId),
];

/** It with the one person alone whom it calls: another number that stands in a conversation may be anyone's. */
export const ofOne = <T extends Whose>(whose: T): T => ({
	...whose,
	numbers: whose.numbers.slice(0, 1),
});
export const ownKeys = (whose: Whose): string[] => keysOf(ofOne(whose));

/** Who a conversation is for, and nothing else: its number on every channel, the person that the user names, or its content. */
export const identityOf = (whose: PlannedConversation): string =>
	keysOf(whose)[0] ?? JSON.stringify(whose.conversation);

/** What two conversations of one identity have in common, in a sentence. */
export const describeIdentity = ({ numbers: [number], personId }: Whose): string => {
	if (number !== undefined) return `phone number (${number})`;
	return personId === '' ? 'content' : `Person ID (${personId})`;
};
