import { describeIdentity, identityOf } from '../../../../src/conversations/create/identity';
import { plannedCall, plannedChat } from '../../../support/plannedConversations';
import { phoneOf } from '../../../support/samples';

it('is the number, whoever it is said to be, on whatever channel and by whatever agent', () => {
	const id = identityOf(plannedCall(1));
	const { conversation } = plannedCall(1);
	for (const more of [
		{ personId: 'P-1' },
		{ campaignKey: 'spring' },
		{ timeZone: 'Europe/Berlin' },
		...['web', 'chat', 'voice'].map((conversationType) => ({
			conversation: { ...conversation, conversationType },
		})),
		{ conversation: { ...conversation, agentId: 'other', dynamicVariables: { a: 1 } } },
	])
		expect(identityOf(plannedCall(1, more))).toBe(id);
	expect(identityOf(plannedCall(2))).not.toBe(id);
	expect(identityOf(plannedCall(2, { numbers: [phoneOf(1), phoneOf(2)] }))).toBe(id);
});

it('is the person where there is no number, on every channel and in every spelling that looks the same', () => {
	const id = identityOf(plannedChat({ personId: 'P-1' }));
	const { conversation } = plannedChat();
	const web = { ...conversation, conversationType: 'web' };
	expect(identityOf(plannedChat({ personId: 'P-1', conversation: web }))).toBe(id);
	for (const personId of [' p-1', 'P-1\u200b', '\uff30-1'])
		expect([personId, identityOf(plannedChat({ personId }))]).toEqual([personId, id]);
	expect(identityOf(plannedChat({ personId: 'P-2' }))).not.toBe(id);
});

it('is the content where there is neither', () => {
	const { conversation } = plannedChat();
	expect(identityOf(plannedChat())).toBe(identityOf(plannedChat({ campaignKey: 'spring' })));
	const other = { ...conversation, dynamicVariables: { a: 1 } };
	expect(identityOf(plannedChat({ conversation: other }))).not.toBe(identityOf(plannedChat()));
});

it.each([
	[plannedCall(1, { personId: 'P-1' }), `phone number (${phoneOf(1)})`],
	[plannedChat({ personId: 'P-1' }), 'Person ID (P-1)'],
	[plannedChat(), 'content'],
])('is described by what two have in common (%#)', (planned, expected) => {
	expect(describeIdentity(planned)).toBe(expected);
});
