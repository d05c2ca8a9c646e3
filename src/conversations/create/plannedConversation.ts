import type { CountryCode } from '../../core/libphonenumber';
import type { NewConversation } from './newConversation';

/** What one row wants to start, and what belongs to its person and campaign. */
export interface PlannedConversation {
	readonly conversation: NewConversation;
	/** The country of its number; undefined without a number, or where that belongs to no country. */
	readonly country?: CountryCode | undefined;
	/** Whether its row says that the person must not be called. */
	readonly isMarked: boolean;
	/** Names a person without a number; '' names no one. */
	readonly personId: string;
	readonly campaignKey: string;
	/** The time zone of the row; '' stands for those of the number. */
	readonly timeZone: string;
}
