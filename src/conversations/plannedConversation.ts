import { compact, difference } from 'lodash';

/** A conversation to start (interface: Conversation, create request item); a call has a number. */
interface NewConversation {
	readonly agentId: string;
	readonly conversationType: string;
	readonly toPhoneNumber?: string;
	readonly dynamicVariables: Readonly<Record<string, unknown>>;
	readonly [field: string]: unknown;
}

/** The fields of a new conversation that the documentation of the service lists. */
export const LISTED_FIELDS = [
	'agentId',
	'conversationType',
	'toPhoneNumber',
	'dynamicVariables',
] as const;

/** Names the fields of a new conversation that the documentation of the service does not list. */
export const unlistedFields = (conversation: Readonly<Record<string, unknown>>): string[] =>
	difference(Object.keys(conversation), LISTED_FIELDS);

/** A conversation to start, with its person and campaign. */
export interface PlannedConversation {
	readonly conversation: NewConversation;
	/** Why the person must not be called, e.g. "Marked do not call in row 3"; undefined for people who may be called. */
	readonly heldBack?: string | undefined;
	/** Names a person without a number; '' names no one. */
	readonly personId: string;
	readonly campaignKey: string;
	/** The time zone of the row. '' means the zones of the number. */
	readonly timeZone: string;
}

/** Lists the keys of a conversation's person: the number in E.164 and the Person ID, if it has them. */
export const personKeys = ({ conversation, personId }: PlannedConversation): string[] =>
	compact([conversation.toPhoneNumber, personId]);

/** Returns the key of a conversation's person: its number, else its Person ID, else the whole conversation as JSON. */
export const identityOf = (planned: PlannedConversation): string =>
	personKeys(planned)[0] ?? JSON.stringify(planned.conversation);

/** Names the identity of a conversation: "phone number (+14155550100)", else "Person ID (7)", else its whole "content". */
export const describeIdentity = ({ conversation, personId }: PlannedConversation): string => {
	const { toPhoneNumber } = conversation;
	if (toPhoneNumber !== undefined) return `phone number (${toPhoneNumber})`;
	return personId === '' ? 'content' : `Person ID (${personId})`;
};
