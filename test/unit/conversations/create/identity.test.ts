import {
	describeIdentity,
	digitsOfPerson,
	identityOf,
	numberKey,
	personKeys,
} from '../../../../src/conversations/create/identity';
import { plannedCall, plannedChat } from '../../../support/plannedConversations';
import { phoneOf } from '../../../support/samples';

it.each([
	[plannedCall(1, { personId: 'P-1' }), `phone number (${phoneOf(1)})`],
	[plannedChat({ personId: 'P-1' }), 'Person ID (P-1)'],
	[plannedChat(), 'content'],
])('is described by what two have in common (%#)', (planned, expected) => {
	expect(describeIdentity(planned)).toBe(expected);
});

it.each([
	[plannedCall(1, { personId: 'P-1' }), `number:${phoneOf(1)}`],
	[plannedChat({ personId: ' P-1' }), 'person:p-1'],
	[plannedChat(), JSON.stringify(plannedChat().conversation)],
])('is the number, or else the person, or else the content (%#)', (planned, expected) => {
	expect(identityOf(planned)).toBe(expected);
});

it.each([
	['+5491123456789', '+541123456789'],
	['+549112345678', '+549112345678'],
	['+54911234567890', '+54911234567890'],
	['+5215512345678', '+525512345678'],
	['+521551234567', '+521551234567'],
	['+52155123456789', '+52155123456789'],
	['+5511987654321', '+551187654321'],
	['+5511912345678', '+5511912345678'],
	['+14155550101', '+14155550101'],
	['+393912345678', '+393912345678'],
])('of %s has the key of %s', (number, same) => {
	expect(numberKey(number)).toBe(`number:${same}`);
});

it.each<readonly [string, readonly string[]]>([
	['', []],
	['P-1', ['person:p-1']],
	['00493012345678', ['person:00493012345678']],
	['+1415wa:5550101', ['person:+1415wa:5550101']],
	...['+14155550101', 'whatsapp:+14155550101', 'TEL://+1 415 555 0101'].map(
		(id) => [id, [`person:${id.toLowerCase()}`, 'number:+14155550101']] as const,
	),
])('of the Person ID "%s" has the keys %j', (personId, keys) => {
	expect(personKeys(personId)).toEqual(keys);
});

it.each([
	['14155550101', '4155550101'],
	['tel:(415) 555-0101', '4155550101'],
	['５５５–０１０１', '5550101'],
	['00 555.0101', '5550101'],
	['55501010', '55501010'],
	['5550101', undefined],
	['000-0101', undefined],
	['12345678901234567', '8901234567'],
	['123456789012345678', undefined],
	['P-5550101', undefined],
	['555-0101 P', undefined],
])('of the Person ID "%s" may be a number that ends in %s', (personId, digits) => {
	expect(digitsOfPerson(personId)).toBe(digits);
});
