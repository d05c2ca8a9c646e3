import { customerFields, readCustomer } from '../../../src/customers/customer';
import { toSentence } from '../../../src/core/problems';
import { EXAMPLE_ID, NOT_REAL_TEXT } from '../../../src/core/schemas';

const read = (fields: object) => readCustomer({ identifier: 'C', ...fields }, 'US');

it('leaves blank fields out, each of them', () => {
	for (const blank of ['', ' \t\n', '\u200b', '#REF!', null, undefined, []])
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
	['metadata', ' {"a": 1}', { a: 1 }],
	['metadata', '[{"a": 1}]', '[{"a": 1}]'],
	['metadata', false, false],
])('reads the %s %j as %j', (field, cell, expected) => {
	expect(read({ [field]: cell })).toMatchObject({ customer: { [field]: expected }, problems: [] });
});

it.each<[string, unknown, string]>([
	['identifier', '  ', 'is empty. Every customer needs an ID of your own system'],
	['identifier', '#N/A', 'is empty. Every customer needs an ID of your own system'],
	['identifier', 'null', `"null" ${NOT_REAL_TEXT}`],
	['identifier', {}, 'must be text or a number'],
	['identifier', 1.5, 'is a number that was rounded or has a fraction. Format the column as text'],
	[
		'identifier',
		'crm-undefined',
		'"crm-undefined" contains an expression that gave nothing. Correct it',
	],
	['name', {}, 'must be text'],
	[
		'phoneNumber',
		'12',
		'"12" is not a valid phone number. Check it for missing or extra digits and for its country code, e.g. +14155550178',
	],
	['email', 5, 'must be text'],
	['email', 'a@b', '"a@b" is not an e-mail address. Correct it or leave it empty'],
	['priority', 1.5, 'must be a whole number, 0 or more'],
	['metadata', [1], 'must be an object, text, a number, true or false'],
	[
		'metadata',
		{ a: NaN },
		'contains a value that JSON cannot represent (NaN, Infinity, or too many levels). Leave it out',
	],
	['id', 'x', `"x" is not a UUID. It should look like ${EXAMPLE_ID}`],
	['source', 'api', 'must be an object'],
])('refuses the %s %j, and says what to do', (field, cell, message) => {
	expect(read({ [field]: cell }).problems.map(toSentence)).toEqual([message]);
});
