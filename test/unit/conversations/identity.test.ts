import { describeIdentity, identityOf } from '../../../src/conversations/identity';
import type { NewConversation } from '../../../src/conversations/newConversation';

const of = (more: Partial<NewConversation>, personId = '') =>
	identityOf({
		conversation: {
			agentId: 'a',
			conversationType: 'CHAT',
			dynamicVariables: {},
			...more,
		} as NewConversation,
		personId,
	});

it('is the number with the type, whoever it is said to be', () => {
	expect(of({ toPhoneNumber: '+14155550178' })).toBe('["CHAT","+14155550178"]');
	expect(of({ toPhoneNumber: '+14155550178' }, 'P-1')).toBe('["CHAT","+14155550178"]');
});

it('is the person where there is no number', () => {
	expect(of({}, 'P-1')).toBe('["CHAT","person","P-1"]');
	expect(of({ conversationType: 'WEB' }, 'P-1')).toBe('["WEB","person","P-1"]');
});

it('is the content where there is neither', () => {
	expect(of({})).toBe('{"agentId":"a","conversationType":"CHAT","dynamicVariables":{}}');
	expect(of({ dynamicVariables: { a: 1 } })).not.toBe(of({}));
});

it.each([
	[{ toPhoneNumber: '+14155550178' }, 'P-1', 'phone number (+14155550178)'],
	[{}, 'P-1', 'Person ID (P-1)'],
	[{}, '', 'content'],
])('is described by what two have in common: %j, %j', (more, personId, expected) => {
	const conversation = { agentId: 'a', conversationType: 'chat', dynamicVariables: {}, ...more };
	expect(describeIdentity({ conversation, personId })).toBe(expected);
});
