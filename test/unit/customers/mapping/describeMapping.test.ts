import type { Columns } from '../../../../src/customers/mapping/table';
import { mapRows } from '../../../support/mapRows';

const describeMapping = (rows: readonly Columns[]) => mapRows(rows).description;

describe('a mapping in words', () => {
	it('names what became a field and what did not, over all rows', () => {
		const rows = [
			{ 'Record ID': 1, properties: { firstname: 'Ana', lastname: 'Silva' }, City: 'Reno' },
			{ 'Record ID': 2, properties: { firstname: 'Ben' }, Mobile: '+14155550101', Notes: 'late' },
			{ 'Record ID': 3, Phone: '+14155550102', City: ' ', Empty: null },
		];
		expect(describeMapping(rows)).toBe(
			'Mapped: Record ID to Identifier, properties.firstname + properties.lastname to Name, Mobile or Phone to Phone Number. Not used: City, Notes.',
		);
	});

	it('does not call a column unused that another row needed', () => {
		const rows = [
			{ id: 1, Phone: '1', Mobile: '2' },
			{ id: 2, Phone: '1' },
		];
		expect(describeMapping(rows)).toBe(
			'Mapped: id to Identifier, Mobile or Phone to Phone Number.',
		);
	});

	it('says nothing about no rows', () => {
		expect(describeMapping([])).toBeUndefined();
		expect(describeMapping([{}])).toBeUndefined();
	});

	it('has a bounded length, however many and long the columns are', () => {
		const row = (n: number) =>
			Object.fromEntries(
				Array.from({ length: 2_000 }, (_, i) => [`${n} ${i} ${'x'.repeat(500)}`, 'value']),
			);
		const text = describeMapping([row(1), row(2)]) ?? '';
		expect(text.length).toBeLessThan(700);
		// Of the second row, none is kept any more.
		expect(text).toContain('and 1988 more.');
	});
});

it('names three ways to a field and counts the others, and shortens long names', () => {
	const rows = ['Phone', 'Mobile', 'Cell', 'Telephone', 'Phone Number'].map((name) => ({
		[name]: '1',
	}));
	expect(describeMapping(rows)).toBe('Mapped: Cell or Mobile or Phone or 2 more to Phone Number.');
	const long = (length: number) => describeMapping([{ ['x'.repeat(length)]: 'a' }]);
	expect(long(40)).toBe(`Not used: ${'x'.repeat(40)}.`);
	expect(long(41)).toBe(`Not used: ${'x'.repeat(40)}….`);
});

it('tells columns apart by where they are', () => {
	expect(describeMapping([{ properties: { City: 'a' }, City: 'b' }])).toBe(
		'Not used: City, properties.City.',
	);
});
