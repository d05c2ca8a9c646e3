import type { CellKind } from '../../../../src/customers/mapping/readCell';
import { readCell } from '../../../../src/customers/mapping/readCell';

const nested = (depth: number, value: unknown): unknown =>
	depth === 0 ? value : { value: nested(depth - 1, value) };

it.each<[string, unknown, CellKind, unknown]>([
	['text', ' a ', 'name', ' a '],
	['blank text', ' \t', 'name', undefined],
	['a number', 7, 'name', 7],
	['zero, which is no name', 0, 'name', undefined],
	['zero as a number', 0, 'number', 0],
	['zero as text', '0.0', 'identifier', undefined],
	['a placeholder', ' N/A ', 'name', undefined],
	['what a spreadsheet could not compute', '#REF!', 'identifier', undefined],
	['a record that is linked', [7, 'Ana Silva'], 'identifier', 7],
	['the name of a record that is linked', [7, 'Ana Silva'], 'name', 'Ana Silva'],
	[
		'the configuration of an empty column',
		{ id: 'a%3Ab', type: 'phone_number', phone_number: null },
		'phone',
		undefined,
	],
	['never the ID of a column', { id: 'a%3Ab' }, 'identifier', undefined],
	['false, which is no text', false, 'name', undefined],
	['null', null, 'name', undefined],
	['nothing', undefined, 'name', undefined],
	['an empty list', [], 'phone', undefined],
	['a list of one', ['a'], 'phone', 'a'],
	['a list of lists', [[['a']]], 'phone', 'a'],
	['what is deep enough', nested(4, 'a'), 'name', 'a'],
	['what is too deep', nested(5, 'a'), 'name', undefined],
	['lists that are too deep', [[[[['a']]]]], 'name', undefined],
	['the best member', { text: 'c', value: 'b', id: 'a' }, 'identifier', 'b'],
	['the best member that is filled', { value: ' ', text: 'b', id: null }, 'identifier', 'b'],
	['the first of two alike', { value: 'a', id: 'b' }, 'identifier', 'a'],
	['no member that fits', { other: 'a' }, 'identifier', undefined],
	['a member that its type names', { type: 'rich', rich: 'a', value: 'b' }, 'name', 'a'],
	['a type that names nothing', { type: 'rich', value: 'b' }, 'name', 'b'],
	['a type that is no text', { type: 5, 5: 'a', value: 'b' }, 'name', 'b'],
	['an inherited type', Object.create({ type: 'rich', rich: 'a' }), 'name', undefined],
	['first and last name', { first: ' Ana ', last: 'Silva' }, 'name', 'Ana Silva'],
	['a last name alone', { first: '', last: 'Silva' }, 'name', 'Silva'],
	['no names', { first: '', last: null }, 'name', undefined],
	['first and last of something else', { first: '1', last: '2' }, 'phone', undefined],
])('reads %s', (_, value, kind, expected) => {
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
		Object.fromEntries(Array.from({ length: count }, (_, n) => [`x${n}`, ['a']]));
	expect(readCell(lists(50), 'phone')).toBe('a');
	expect(readCell(lists(51), 'phone')).toBeUndefined();
	const texts = Array.from({ length: 60 }, () => ({ plain_text: 'a' }));
	expect(readCell(texts, 'name')).toBe(Array.from({ length: 50 }, () => 'a').join(' '));
});

it('joins the parts of a rich text', () => {
	expect(
		readCell([{ plain_text: 'Ana' }, { plain_text: ' ' }, { plain_text: 'Silva' }, null], 'name'),
	).toBe('Ana Silva');
	expect(readCell([{ plain_text: '' }], 'name')).toBeUndefined();
});

describe('a list of several', () => {
	const phones = (...entries: unknown[]) => readCell(entries, 'phone');

	it('gives the first that is filled, where none is better', () => {
		expect(phones('', 'a', 'b')).toBe('a');
		expect(
			phones({ value: null }, { value: 'a', type: 'work' }, { value: 'b', type: 'home' }),
		).toBe('a');
		expect(phones({ value: '' }, null, 5)).toBe(5);
	});

	it.each(['primary', 'is_primary', 'isPrimary', 'default', 'isDefault'])(
		'gives the one that is %s',
		(name) => {
			const main = { value: 'a', [name]: true };
			expect(phones({ value: 'x', type: 'mobile' }, main, { value: 'y', [name]: true })).toBe('a');
			expect(phones({ value: 'x' }, { value: 'a', [name]: 'true' })).toBe('x');
		},
	);

	it('gives the one whose metadata says that it is primary', () => {
		expect(phones({ value: 'x' }, { value: 'a', metadata: { primary: true } })).toBe('a');
		expect(phones({ value: 'x' }, { value: 'a', metadata: { primary: 1 } })).toBe('x');
		expect(phones({ value: 'x' }, { value: 'a', other: { primary: true } })).toBe('x');
	});

	it.each(['label', 'type', 'category', 'field', 'kind', 'PhoneType', 'phoneLabel'])(
		'gives the mobile number by its %s',
		(name) => {
			expect(
				phones(
					{ value: 'x', [name]: 'Work' },
					{ value: 'a', [name]: 'MOBILE' },
					{ value: 'b', [name]: 'cell' },
				),
			).toBe('a');
			expect(
				readCell(
					[
						{ value: 'x', [name]: 'Work' },
						{ value: 'a', [name]: 'mobile' },
					],
					'email',
				),
			).toBe('x');
			expect(phones({ value: 'x' }, { value: 'a', [name]: ['mobile'] })).toBe('x');
		},
	);

	it('does not take a note about a mobile number for its label', () => {
		expect(phones({ value: 'x' }, { value: 'a', note: 'mobile' })).toBe('x');
	});
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
	])('is put together from %j', (value, number) => {
		expect(readCell(value, 'phone')).toBe(number);
	});
});

describe('numbers under labels', () => {
	it('are read from the mobile one, then in the order of the labels', () => {
		expect(readCell({ work: ['w'], Mobile: ['m'], home: ['h'] }, 'phone')).toBe('m');
		expect(readCell({ work: ['w'], mobile: [''], home: ['h'] }, 'phone')).toBe('h');
		expect(readCell({ b: ['w'], a: ['h'] }, 'email')).toBe('h');
		expect(readCell({ a: [], b: [] }, 'email')).toBeUndefined();
	});

	it('are none where a label has no list, or something else is looked for', () => {
		expect(readCell({ work: ['w'], home: 'h' }, 'phone')).toBeUndefined();
		expect(readCell({ work: ['w'] }, 'identifier')).toBeUndefined();
		expect(readCell({ work: ['w'] }, 'number')).toBeUndefined();
	});
});
