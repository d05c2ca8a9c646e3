import type { PlannedConversation } from '../../src/conversations/create/plannedConversation';
import { AGENT, phoneOf } from './samples';

/** A call that a row wants to make, to the n-th number. */
export function plannedCall(
	n: number,
	more: Partial<PlannedConversation> = {},
): PlannedConversation {
	const toPhoneNumber = phoneOf(n);
	return {
		conversation: {
			agentId: AGENT,
			conversationType: 'telephony',
			toPhoneNumber,
			dynamicVariables: {},
		},
		country: 'US',
		isMarked: false,
		campaignKey: '',
		personId: '',
		timeZone: '',
		...more,
	};
}

/** A chat without a number. */
export function plannedChat(more: Partial<PlannedConversation> = {}): PlannedConversation {
	const conversation = { agentId: AGENT, conversationType: 'chat', dynamicVariables: {} };
	return { ...plannedCall(0), conversation, country: undefined, ...more };
}
