import {
	describeIdentity,
	identityOf,
} from '../../../../src/conversations/create/plannedConversation';
import { plannedCall, plannedChat } from '../../../support/plannedConversations';
import { phoneOf } from '../../../support/samples';

it.each([
	[plannedCall(1, { personId: 'P-1' }), phoneOf(1), `phone number (${phoneOf(1)})`],
	// Salesforce counts its IDs in capitals and small letters.
	[plannedChat({ personId: 'P-1a' }), 'P-1a', 'Person ID (P-1a)'],
	[plannedChat(), JSON.stringify(plannedChat().conversation), 'content'],
])('a conversation is for a number, or else a person, or else its content (%#)', (...entry) => {
	const [planned, identity, words] = entry;
	expect([identityOf(planned), describeIdentity(planned)]).toEqual([identity, words]);
});
