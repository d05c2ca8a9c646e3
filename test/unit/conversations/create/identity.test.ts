import { describeIdentity } from '../../../../src/conversations/create/identity';
import { plannedCall, plannedChat } from '../../../support/plannedConversations';
import { phoneOf } from '../../../support/samples';

it.each([
	[plannedCall(1, { personId: 'P-1' }), `phone number (${phoneOf(1)})`],
	[plannedChat({ personId: 'P-1' }), 'Person ID (P-1)'],
	[plannedChat(), 'content'],
])('is described by what two have in common (%#)', (planned, expected) => {
	expect(describeIdentity(planned)).toBe(expected);
});
