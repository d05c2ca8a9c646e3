import { createPlanner } from '../../../src/customers/columnPlan';
import { mapColumns } from '../../../src/customers/mapColumns';

const fieldsOf = (row: Readonly<Record<string, unknown>>) => mapColumns(row).fields;

it('keeps the plan of a layout, and of the last sixteen', () => {
	const plan = createPlanner();
	const layout = (n: number) => ({ [`Column ${n}`]: 1, Email: 'a' });
	const first = plan(layout(0)).plan;
	expect(plan({ ...layout(0), Email: 'b' }).plan).toBe(first);
	for (let n = 1; n < 16; n++) plan(layout(n));
	expect(plan(layout(0)).plan).toBe(first);
	plan(layout(16));
	expect(plan(layout(0)).plan).not.toBe(first);
});

it.each<[object, object]>([
	[
		{ a: 1, b: 2 },
		{ b: 2, a: 1 },
	],
	[{ a: 1, b: 2 }, { a: 1 }],
	[{ a: 1 }, { a: 1, b: 2 }],
	[{ properties: { a: 1 } }, { properties: { b: 1 } }],
	[{ properties: { a: 1 } }, { properties: null }],
	[{ properties: 'x' }, { properties: { a: 1 } }],
])('makes another plan for %j than for %j', (one, other) => {
	const plan = createPlanner();
	const first = plan(one as Record<string, unknown>);
	const second = plan(other as Record<string, unknown>);
	expect(second.plan).not.toBe(first.plan);
	expect(second.records[0]).toBe(other);
});

it('reads the columns of objects in a row, down to the third', () => {
	const email = { Email: 'a@example.com' };
	const within = (depth: number): Record<string, unknown> =>
		depth === 0 ? email : { properties: within(depth - 1) };
	expect(fieldsOf(within(3))).toEqual({ email: 'a@example.com' });
	expect(fieldsOf(within(4))).toEqual({});
});

it('reads twelve levels at most', () => {
	const rows = (count: number) => ({
		...Object.fromEntries(
			Array.from({ length: count }, (_, n) => [
				['properties', 'fields', 'data', 'attributes'][n % 4] + ' '.repeat(Math.floor(n / 4)),
				{ x: n },
			]),
		),
		contact: { Email: 'a@example.com' },
	});
	const { plan } = createPlanner()(rows(30));
	expect(plan.levels.length).toBeLessThanOrEqual(12);
});

it('takes a person before the row, and the row before an address', () => {
	expect(
		fieldsOf({
			Phone: '1',
			Email: 'row@example.com',
			contact: { Phone: '2' },
			address: { Phone: '3', Email: 'address@example.com', id: 'A-1', name: 'Head office' },
		}),
	).toMatchObject({ phoneNumber: '2', email: 'row@example.com' });
	expect(fieldsOf({ address: { id: 'A-1', Phone: '3' } })).toEqual({ phoneNumber: '3' });
});

describe('a list of named values', () => {
	const listed = (entries: unknown, more: object = {}) => fieldsOf({ fields: entries, ...more });

	it.each(['key', 'title', 'name', 'id', 'type'])('is read by %s', (label) => {
		expect(listed([{ [label]: 'Email', value: 'a@example.com' }])).toEqual({
			email: 'a@example.com',
		});
		expect(listed([{ [label]: '', value: 'a@example.com' }])).toEqual({});
		expect(listed([{ [label]: 5, value: 'a@example.com' }])).toEqual({});
	});

	it('is read by the title of its column', () => {
		expect(listed([{ column: { title: 'Email' }, text: 'a@example.com' }])).toEqual({
			email: 'a@example.com',
		});
		expect(listed([{ column: 'Email', text: 'a@example.com' }])).toEqual({});
		expect(listed([{ column: null, name: 'Email', text: 'a@example.com' }])).toEqual({
			email: 'a@example.com',
		});
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
