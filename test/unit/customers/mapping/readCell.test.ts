import type { CellKind } from '../../../../src/customers/mapping/readCell';
import { readCell } from '../../../../src/customers/mapping/readCell';

const nested = (depth: number, value: unknown): unknown =>
	depth === 0 ? value : { value: nested(depth - 1, value) };

it.each<[string, unknown, CellKind, unknown]>([
	['zero as a number', 0, 'number', 0],
	['zero as text', '0.0', 'identifier', undefined],
	['what is deep enough', nested(4, 'a'), 'name', 'a'],
	['what is too deep', nested(5, 'a'), 'name', undefined],
	['lists that are too deep', [[[[['a']]]]], 'name', undefined],
	['never the ID of a column', { id: 'a%3Ab' }, 'identifier', undefined],
	['a type that names nothing', { type: 'rich', value: 'b' }, 'name', 'b'],
	['a type that is no text', { type: 5, 5: 'a', value: 'b' }, 'name', 'b'],
	['an inherited type', Object.create({ type: 'rich', rich: 'a' }), 'name', undefined],
	['first and last name', { first_name: ' Ana ', last_name: 'Silva' }, 'name', 'Ana Silva'],
	['a last name alone', { first: '', last: 'Silva' }, 'name', 'Silva'],
	['first and last of something else', { first: '1', last: '2' }, 'phone', undefined],
	['lists under labels of something else', { work: ['w'] }, 'identifier', undefined],
	['lists beside something else', { a: ['w'], b: 'h' }, 'phone', undefined],
	['rich text', [{ plain_text: 'Ana' }, { plain_text: ' ' }, { plain_text: 'Q' }], 'name', 'Ana Q'],
	['empty rich text', [{ plain_text: '' }], 'name', undefined],
	['the address of one label', { work: ['w'], home: ['h'] }, 'email', 'h'],
	['the list in an object', { elements: ['w'] }, 'email', 'w'],
	[
		'a mobile number, not an address',
		[{ value: 'x' }, { value: 'a', type: 'mobile' }],
		'email',
		'x',
	],
	['a label that is no text', [{ value: 'x' }, { value: 'a', label: ['mobile'] }], 'phone', 'x'],
	['a primary that is true alone', [{ value: 'x' }, { value: 'a', primary: 'true' }], 'phone', 'x'],
	['a note about a mobile number', [{ value: 'x' }, { value: 'a', note: 'mobile' }], 'phone', 'x'],
])('reads %s', (_, value, kind, expected) => {
	expect(readCell(value, kind)).toBe(expected);
});

it.each([
	{ name: 'Fax', number: 'x' },
	{ phone_type: 'Work fax', number: 'x' },
	{ numberType: 'Fax', number: 'x' },
	{ type: { id: 2, name: 'Fax' }, number: 'x' },
	{ title: 'Assistant', number: 'x' },
	{ use: 'old', value: 'x' },
	{ type: 'mobile', active: false, number: 'x' },
	{ type: 'mobile', is_deleted: 'true', number: 'x' },
	{ type: 'mobile', status: 'invalid', number: 'x' },
	{ type: 'mobile', isValid: 0, number: 'x' },
])('reads no number from %j', (entry) => {
	expect(readCell([entry, { note: 'Old friend', active: null, value: 'y' }], 'phone')).toBe('y');
});

it.each([
	[{ fax: 'x', home: 'h', mobile: 'm' }, 'phone', 'm'],
	[{ name: 'Bo Alt', address: 'a' }, 'email', 'a'],
	[{ Type: 'Home', Value: 'a' }, 'email', 'a'],
] as const)('reads %j', (value, kind, expected) => {
	expect(readCell(value, kind)).toBe(expected);
});

it('does not look at objects of many members, nor behind the fiftieth entry of a list', () => {
	const members = (count: number) => ({
		...Object.fromEntries(Array.from({ length: count - 1 }, (_, n) => [`x${n}`, n])),
		value: 'a',
	});
	expect(readCell(members(50), 'name')).toBe('a');
	expect(readCell(members(51), 'name')).toBeUndefined();
	const list = (at: number) => Array.from({ length: 60 }, (_, n) => (n === at ? 'a' : ''));
	expect(readCell(list(49), 'phone')).toBe('a');
	expect(readCell(list(50), 'phone')).toBeUndefined();
	const lists = (count: number) =>
		Object.fromEntries(Array.from({ length: count }, (_, n) => [`home${n}`, ['a']]));
	expect(readCell(lists(50), 'phone')).toBe('a');
	expect(readCell(lists(51), 'phone')).toBeUndefined();
	const texts = Array.from({ length: 60 }, () => ({ plain_text: 'a' }));
	expect(readCell(texts, 'name')).toBe(Array.from({ length: 50 }, () => 'a').join(' '));
});

describe('a phone number in parts', () => {
	it.each<[unknown, unknown]>([
		[{ PhoneNumber: '555 0178', PhoneAreaCode: '415', PhoneCountryCode: '+1' }, '+1 415 555 0178'],
		[{ PhoneNumber: 5550178, PhoneAreaCode: 415, PhoneCountryCode: 1 }, '+1 415 5550178'],
		[{ PhoneNumber: '555', PhoneCountryCode: '1+1' }, '+1+1 555'],
		[{ PhoneNumber: '555', PhoneCountryCode: ' ' }, '555'],
		[{ phone: '5550178', area: '415' }, '415 5550178'],
		[{ phone: ' ', area: '415' }, undefined],
		[{ PhoneNumber: '', PhoneAreaCode: '415', number: '5' }, '415 5'],
		[{ PhoneNumber: ['555'], number: '5' }, '555'],
		[{ countryCode: '+91', number: '7034567890' }, '+91 7034567890'],
		[{ country: 'Deutschland', number: '030 1234567' }, '+49 030 1234567'],
		[{ country: 'US', number: '+4930123456' }, '+4930123456'],
		[{ prefix: '+91', number: '7034567890' }, '+91 7034567890'],
		[{ prefix: '501', number: '5550178' }, '501 5550178'],
		[{ countryCode: '91', number: '70 0034 5678' }, '+91 70 0034 5678'],
		[{ countryCode: '49', number: '4930123456' }, '+4930123456'],
		[{ countryCode: '44', number: '4930123456' }, '+44 4930123456'],
		[{ countryCode: '49', area: '30', number: '4930123456' }, '+49 30 4930123456'],
		[{ countryCode: '49', number: '49' }, '+49 49'],
	])('is put together from %j', (value, number) => {
		expect(readCell(value, 'phone')).toBe(number);
	});
});
