import { sameText } from '../../core/text';
import type { PlannedConversation } from './readRows';

type Whose = Pick<PlannedConversation, 'conversation' | 'numbers' | 'personId'>;

/**
 * Who a conversation is for, and nothing else: its number on every channel, or the person that the user names; without either it
 * is its content.
 */
export const identityOf = ({ conversation, numbers: [number], personId }: Whose): string => {
	if (number !== undefined) return JSON.stringify(['number', personNumber(number)]);
	return personId === ''
		? JSON.stringify(conversation)
		: JSON.stringify(['person', sameText(personId)]);
};

/** A number as the person who has it: Argentina and Mexico have a digit before mobile numbers that not everyone writes. */
export const personNumber = (number: string): string =>
	number.replace(/^\+549(?=\d{10}$)/, '+54').replace(/^\+521(?=\d{10}$)/, '+52');

/** What two conversations of one identity have in common, in a sentence. */
export const describeIdentity = ({ numbers: [number], personId }: Whose): string => {
	if (number !== undefined) return `phone number (${number})`;
	return personId === '' ? 'content' : `Person ID (${personId})`;
};
