import type { CountryCode } from '../../core/libphonenumber';
import type { NewConversation } from './newConversation';

/** A conversation to start, with its person and campaign. */
export interface PlannedConversation {
	readonly conversation: NewConversation;
	/** The country of its number; undefined without a number or a country. */
	readonly country?: CountryCode | undefined;
	/** Whether its row marks the person as do not call. */
	readonly isMarked: boolean;
	/** Names a person without a number; '' names no one. */
	readonly personId: string;
	readonly campaignKey: string;
	/** The time zone of the row. '' means the zones of the number. */
	readonly timeZone: string;
}
