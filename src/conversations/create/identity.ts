import { readPhoneNumber } from '../../core/phoneNumber';
import { sameText } from '../../core/text';
import type { PlannedConversation } from './readRows';

type Whose = Pick<PlannedConversation, 'conversation' | 'numbers' | 'personId'>;

/**
 * The key of whoever has a number, in all that compares people. Argentina and Mexico have a digit before mobile numbers that not
 * everyone writes.
 */
export const numberKey = (number: string): string =>
	`number:${number.replace(/^(\+54)9(?=\d{10}$)|^(\+52)1(?=\d{10}$)/, '$1$2')}`;

/** The keys of whoever a Person ID names: chats are often told apart by a number. */
export function personKeys(personId: string): string[] {
	if (personId === '') return [];
	const read = personId.includes('+') ? readPhoneNumber(personId) : undefined;
	const ofNumber = read && 'number' in read ? [numberKey(read.number)] : [];
	return [`person:${sameText(personId)}`, ...ofNumber];
}

/** All that tells who a conversation is for, the surest first: each of its numbers, the person that the user names, or its content. */
export function keysOf({ conversation, numbers, personId }: Whose): string[] {
	const keys = [...numbers.map(numberKey), ...personKeys(personId)];
	return keys.length > 0 ? keys : [JSON.stringify(conversation)];
}

/** All keys of the one person whom it calls: another number that stands in a conversation may be anyone's. */
export const ownKeys = (whose: Whose): string[] =>
	keysOf({ ...whose, numbers: whose.numbers.slice(0, 1) });

/** Who a conversation is for, and nothing else: its number on every channel, or else what comes next. */
export const identityOf = (whose: Whose): string => keysOf(whose)[0] ?? '';

/** What two conversations of one identity have in common, in a sentence. */
export const describeIdentity = ({ numbers: [number], personId }: Whose): string => {
	if (number !== undefined) return `phone number (${number})`;
	return personId === '' ? 'content' : `Person ID (${personId})`;
};
