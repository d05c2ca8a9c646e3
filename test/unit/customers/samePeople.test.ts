import type { Customer } from '../../../src/customers/customer';
import { describeShared } from '../../../src/customers/samePeople';

const person = (fields: object): Customer => ({ identifier: 'C-1', ...fields }) as Customer;
const shared = (...people: object[]) =>
	describeShared(
		people.map((fields, row) => ({ row, person: person(fields) })),
		'Account',
	);

const ANA = { name: 'Ana María Lee', email: 'ana@x.com', phoneNumber: '+14155550101' };

it.each<[string, object, object]>([
	['a new name at the same address', ANA, { ...ANA, name: 'Ana Costa' }],
	['another spelling of a first name', ANA, { ...ANA, name: 'Anna Lee' }],
	['the same spelt without accents', ANA, { ...ANA, name: 'ANA MARIA LEE' }],
	['a short name and a new address', ANA, { name: 'Ana Lee', phoneNumber: '+14155550101' }],
	['a short name and nothing else', ANA, { name: 'Ana' }],
	['an initial', ANA, { ...ANA, name: 'A. Lee' }],
	['another last name in front', ANA, { ...ANA, name: 'Lopez, Ana' }],
	['no name and the same address', ANA, { email: 'ANA@X.com', phoneNumber: '+14155550109' }],
	['no name and nothing to compare', ANA, { priority: 'vip' }],
])('one ID may be that of one person: %s', (_, one, other) => {
	expect(shared(one, other)).toBeUndefined();
	expect(shared(other, one)).toBeUndefined();
});

it.each<[string, object, object]>([
	['another name at one number', ANA, { ...ANA, name: 'Bo Lee' }],
	['another name alone', ANA, { name: 'Bo Lee' }],
	[
		'one name, another number and address',
		ANA,
		{ ...ANA, email: 'a@y.com', phoneNumber: '+14155550109' },
	],
	['one first letter, no word in common', ANA, { ...ANA, name: 'Alice Smith' }],
	['no name, another address', ANA, { email: 'bo@x.com' }],
	['a spelling of the name, not reached alike', ANA, { name: 'Ann Lee' }],
])('one ID is not that of two people: %s', (_, one, other) => {
	expect(shared(one, other)).toMatch(/^'C-1' in 'Account' is the ID of different people/);
	expect(shared(other, one)).toMatch(/Choose a column that is unique for each person$/);
});

it.each<[string, object, object]>([
	['the address', { identifier: 'office@x.com' }, { email: 'office@x.com' }],
	['the number', { identifier: '(415) 555-0101' }, { phoneNumber: '+14155550101' }],
])('%s that is the ID itself says nothing of who has it', (_, identifier, contact) => {
	const [ana, bo] = ['Ana Lee', 'Ann Lee'].map((name) => ({ ...identifier, ...contact, name }));
	expect(shared(ana ?? {}, bo ?? {})).toContain('e.g. Ana Lee (row 1) and Ann Lee (row 2)');
});

it('the end of a long ID that is no number is compared', () => {
	const [ana, bo] = ['Ana Lee', 'Ann Lee'].map((name) => ({ ...ANA, identifier: 'A-0101', name }));
	expect(shared(ana ?? {}, bo ?? {})).toBeUndefined();
});

it('names people by what they have, and any two of several', () => {
	expect(shared({ email: 'a@x.com' }, { email: 'a@x.com' }, { email: 'b@x.com' })).toContain(
		'e.g. a@x.com (row 1) and b@x.com (row 3)',
	);
	const [first, second] = ['+14155550101', '+14155550102'];
	expect(shared({ phoneNumber: first }, { phoneNumber: second })).toContain(
		`e.g. ${first} (row 1) and ${second} (row 2)`,
	);
	expect(shared({ priority: 'vip' }, { email: 'a@x.com' }, { email: 'b@x.com' })).toContain(
		'e.g. a@x.com (row 2) and b@x.com (row 3)',
	);
});
