import type { PlannedConversation } from './createInput';

/** Who a conversation is for: its type and number, or what the user says; without either it is its content. */
export const identityOf = ({
	conversation,
	personId,
}: Pick<PlannedConversation, 'conversation' | 'personId'>): string => {
	const { conversationType, toPhoneNumber } = conversation;
	if (toPhoneNumber !== undefined) return JSON.stringify([conversationType, toPhoneNumber]);
	return JSON.stringify(personId === '' ? conversation : [conversationType, 'person', personId]);
};
