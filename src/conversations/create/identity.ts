import type { PlannedConversation } from './plannedConversation';

/** The key of a person with a number in E.164, on every channel. */
export const numberKey = (number: string): string => `number:${number}`;

/** The key of a person whom the user names, from the unchanged Person ID. */
export const personKey = (personId: string): string => `person:${personId}`;

/** The keys of the person of a conversation: its number first, then its Person ID. */
export const personKeys = ({
	conversation: { toPhoneNumber },
	personId,
}: PlannedConversation): string[] => [
	...(toPhoneNumber === undefined ? [] : [numberKey(toPhoneNumber)]),
	...(personId === '' ? [] : [personKey(personId)]),
];

/** The key of the person of a conversation: its number, its Person ID, or its content. */
export const identityOf = (planned: PlannedConversation): string =>
	personKeys(planned)[0] ?? JSON.stringify(planned.conversation);

/** Describes the identity that two conversations share. */
export const describeIdentity = ({
	conversation: { toPhoneNumber },
	personId,
}: PlannedConversation): string => {
	if (toPhoneNumber !== undefined) return `phone number (${toPhoneNumber})`;
	return personId === '' ? 'content' : `Person ID (${personId})`;
};
