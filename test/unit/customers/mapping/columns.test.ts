import { isOwnLine } from '../../../../src/customers/columnNames';
import { fieldsOf, mapRows } from '../../../support/mapRows';

it('reads the columns of objects in a row, down to the third', () => {
	const email = { Email: 'a@example.com' };
	const within = (depth: number): Record<string, unknown> =>
		depth === 0 ? email : { properties: within(depth - 1) };
	expect(fieldsOf(within(3))).toEqual({ email: 'a@example.com' });
	expect(fieldsOf(within(4))).toEqual({});
});

it('takes all fields from the person in a row, and from an address only what the person lacks', () => {
	expect(
		fieldsOf({
			Phone: '1',
			Email: 'row@example.com',
			contact: { Phone: '2' },
			address: { Phone: '3', Email: 'address@example.com', id: 'A-1', name: 'Head office' },
		}),
	).toEqual({ phoneNumber: '2' });
	expect(fieldsOf({ address: { id: 'A-1', Phone: '3' } })).toEqual({ phoneNumber: '3' });
	const { fields, remaining } = mapRows([
		{
			'Contact Email': 'b@x.de',
			'Billing Email': 'a@x.de',
			'Phone (Billing)': '3',
			'Billing City': 'Rom',
		},
	]);
	expect(fields).toEqual([{ email: 'b@x.de', phoneNumber: '3' }]);
	expect(remaining).toEqual([{ 'Billing City': 'Rom' }]);
});

describe('a list of named values', () => {
	const listed = (entries: unknown, more: object = {}) => fieldsOf({ fields: entries, ...more });

	it('is read by labels that are text', () => {
		for (const label of ['id', 'type'])
			expect(listed([{ [label]: 'Email', value: 'a' }])).toEqual({ email: 'a' });
		expect(listed([{ name: '', value: 'a@example.com' }])).toEqual({});
		expect(listed([{ name: 5, value: 'a@example.com' }])).toEqual({});
		expect(listed([{ column: 'Email', text: 'a@example.com' }])).toEqual({});
	});

	it('counts the first of one name, and its text before its value', () => {
		expect(
			listed([
				null,
				{ name: 'Email', text: 'a@example.com', value: 'x' },
				{ name: 'Email', value: 'b@example.com' },
				{ name: '__proto__', value: { Phone: '1' } },
			]),
		).toEqual({ email: 'a@example.com' });
	});

	it('counts two hundred entries at most', () => {
		const entries = (at: number) =>
			Array.from({ length: 250 }, (_, n) => ({
				name: n === at ? 'Email' : `x${n}`,
				value: 'a@example.com',
			}));
		expect(listed(entries(199))).toEqual({ email: 'a@example.com' });
		expect(listed(entries(200))).toEqual({});
	});
});

it('does not depend on the order of the columns', () => {
	const row = {
		'E-Mail': 'b@example.com',
		Email: 'a@example.com',
		Mail: 'c@example.com',
		Mobile: '1',
		Cell: '2',
	};
	const reversed = Object.fromEntries(Object.entries(row).reverse());
	expect(fieldsOf(reversed)).toEqual(fieldsOf(row));
});

it.each([
	['Work (direct)', true],
	['Work', true],
	['Home 2', true],
	['Mobile phone', true],
	['Landline', true],
	['Agent', false],
	['Agent phone', false],
	['Work phone of the agent', false],
	['', true],
	['Work '.repeat(90), false],
])('the label %j is one of an own line: %j', (label, isOwn) => {
	expect(isOwnLine(label)).toBe(isOwn);
});

it.each([
	[{ Name: 'Ana' }, 'Nope', ['options', 'identifierColumn'], "'Nope' is in no row"],
	[{ 'Order ID': 7, Name: 'Ana' }, '', ['customer', 'identifier'], 'seem to be orders (Order ID)'],
])('what %j and %j leave open is a problem of %j', (row, column, path, words) => {
	const { problem } = mapRows([row], column);
	expect(problem).toEqual({ path, message: expect.stringContaining(words) });
});
