import type { PlannedConversation } from './plannedConversation';

/** The key of a person with a number in E.164, on every channel. */
export const numberKey = (number: string): string => `number:${number}`;

/** The key of a person whom the user names, exactly as it is sent. */
export const personKey = (personId: string): string => `person:${personId}`;

/** The keys of the person of a conversation: its number first, then its Person ID. */
export const personKeys = ({
	conversation: { toPhoneNumber },
	personId,
}: PlannedConversation): string[] => [
	...(toPhoneNumber === undefined ? [] : [numberKey(toPhoneNumber)]),
	...(personId === '' ? [] : [personKey(personId)]),
];

/** Who a conversation is for, and nothing else: its number, its Person ID, or its content. */
export const identityOf = (planned: PlannedConversation): string =>
	personKeys(planned)[0] ?? JSON.stringify(planned.conversation);

/** What two conversations of one identity have in common, in words. */
export const describeIdentity = ({
	conversation: { toPhoneNumber },
	personId,
}: PlannedConversation): string => {
	if (toPhoneNumber !== undefined) return `phone number (${toPhoneNumber})`;
	return personId === '' ? 'content' : `Person ID (${personId})`;
};
