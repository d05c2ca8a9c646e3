import { customerFields, readCustomer, rejectUnknownFields } from '../../../src/customers/customer';
import { uuidOf } from '../../support/samples';

const read = (fields: object) => readCustomer({ identifier: 'C', ...fields }, 'US');
const problem = (fields: object) =>
	read(fields)
		.problems.map(({ reason: message }) => message)
		.join();

it('has the fields of the interface', () => {
	expect(Object.keys(customerFields).join()).toBe(
		'identifier,name,phoneNumber,email,priority,isDoNotDisturbEnabled,metadata,id',
	);
});

it('is sent as it was entered where nothing is wrong', () => {
	const customer = {
		identifier: 'C-1',
		name: 'Ana D\u00edaz',
		phoneNumber: '+14155550178',
		email: 'ana@example.com',
		metadata: { plan: { tier: 1, tags: ['a', null, true] } },
		priority: 0,
		source: { method: 'api', more: 1 },
		id: uuidOf(1),
	};
	expect(read(customer)).toEqual({ customer, problems: [] });
});

it('leaves blank fields out, each of them', () => {
	for (const blank of ['', ' \t\n', '\u200b', null, undefined, []])
		for (const field of Object.keys(customerFields).filter((name) => name !== 'identifier'))
			expect(read({ [field]: blank })).toEqual({ customer: { identifier: 'C' }, problems: [] });
});

it.each<[string, unknown, unknown]>([
	['identifier', 100001, '100001'],
	['identifier', '\ufeff x ', 'x'],
	['name', 42, '42'],
	['phoneNumber', '(415) 555-0178', '+14155550178'],
	['email', ' ana@example.com\u200b', 'ana@example.com'],
	['priority', ' 5 ', 5],
	['metadata', '{"a": 1}', { a: 1 }],
	['metadata', false, false],
])('reads the %s %j as %j', (field, cell, expected) => {
	expect(read({ [field]: cell })).toMatchObject({ customer: { [field]: expected }, problems: [] });
});

it.each<[string, unknown, string]>([
	['identifier', '  ', 'is empty'],
	['identifier', {}, 'must be text or a number'],
	['identifier', 1.5, 'was rounded or has a fraction'],
	['identifier', 'crm-undefined', 'contains an expression that gave nothing'],
	['name', {}, 'must be text'],
	['phoneNumber', '12', 'is not a valid phone number'],
	['email', 'a@b', 'is not an e-mail address'],
	['priority', 1.5, 'must be a whole number'],
	['metadata', { a: NaN }, 'JSON cannot represent'],
	['id', 'x', 'is not a UUID'],
	['source', 'api', 'must be an object'],
])('refuses the %s %j, and says what to do', (field, cell, message) => {
	expect(problem({ [field]: cell })).toContain(message);
});

it('has no members that the interface does not have', () => {
	expect(rejectUnknownFields({ identifier: 1, source: {}, phone: 1, toString: 1 })).toEqual([
		{ path: [], reason: expect.stringContaining("has no field 'phone', 'toString'") as string },
	]);
});
