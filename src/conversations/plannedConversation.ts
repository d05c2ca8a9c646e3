import { compact, difference } from 'lodash';
import type { CountryCode } from '../core/libphonenumber';

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
	/** The country of its number; undefined without a number or a country. */
	readonly country?: CountryCode | undefined;
	/** Whether its row says that the person must not be called. */
	readonly isHeldBack: boolean;
	/** Names a person without a number; '' names no one. */
	readonly personId: string;
	readonly campaignKey: string;
	/** The time zone of the row. '' means the zones of the number. */
	readonly timeZone: string;
}

/** The keys of a person: the number in E.164 on every channel, and the unchanged Person ID. */
export const personKeys = ({ conversation, personId }: PlannedConversation): string[] =>
	compact([conversation.toPhoneNumber, personId]);

/** The key of the person of a conversation: its number, else its Person ID, else its whole content. */
export const identityOf = (planned: PlannedConversation): string =>
	personKeys(planned)[0] ?? JSON.stringify(planned.conversation);

/** Describes what identifies the person of a conversation, e.g. "phone number (+14155550100)". */
export const describeIdentity = ({
	conversation: { toPhoneNumber },
	personId,
}: PlannedConversation): string => {
	if (toPhoneNumber !== undefined) return `phone number (${toPhoneNumber})`;
	return personId === '' ? 'content' : `Person ID (${personId})`;
};
