import type { PlannedConversation } from './createInput';

type Whose = Pick<PlannedConversation, 'conversation' | 'personId'>;

/** Who a conversation is for: its type and number, or what the user says; without either it is its content. */
export const identityOf = ({ conversation, personId }: Whose): string => {
	const { conversationType, toPhoneNumber } = conversation;
	if (toPhoneNumber !== undefined) return JSON.stringify([conversationType, toPhoneNumber]);
	return JSON.stringify(personId === '' ? conversation : [conversationType, 'person', personId]);
};

/** What two conversations of one identity have in common, in a sentence. */
export const describeIdentity = ({ conversation, personId }: Whose): string => {
	const { toPhoneNumber } = conversation;
	if (toPhoneNumber !== undefined) return `phone number (${toPhoneNumber})`;
	return personId === '' ? 'content' : `Person ID (${personId})`;
};
