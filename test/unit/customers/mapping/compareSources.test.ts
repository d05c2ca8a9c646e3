import { compareSources, sourcesOf } from '../../../../src/customers/mapping/describeMapping';
import { mapRows } from '../../../support/mapRows';

const sources = (row: Readonly<Record<string, unknown>>) => sourcesOf(mapRows([row]).mapping);
const before = sources({
	'Record ID': '1',
	Name: 'Ana',
	Phone: '+14155550178',
	'Do Not Call': 'no',
});

it.each([
	[
		'the same columns',
		{ 'Record ID': '2', Name: 'Ben', Phone: '+14155550179', 'Do Not Call': 'yes' },
	],
	[
		'another column for a field',
		{ 'Record ID': '2', 'Full Name': 'Ben', Mobile: '+1', 'Opt Out': 'x' },
	],
	[
		'columns that are empty in all rows',
		{ 'Record ID': '2', Name: 'Ben', Phone: '', 'Do Not Call': null },
	],
	['one more field', { 'Record ID': '2', Name: 'B', Phone: '1', DNC: 'x', Email: 'b@example.com' }],
])('a source with %s has not changed for the worse', (_, row) => {
	expect(compareSources(before, sources(row))).toBeUndefined();
});

it('a field that has no column any more stops the run, with the column it had', () => {
	const now = sources({ 'Record ID': '2', Name: 'Ben', 'Phone (new)': '1', 'Do Not Call': 'no' });
	expect(compareSources(before, now)).toBe(
		"Not sent, because the rows have no column any more for Phone Number ('Phone'). Check whether it was renamed. If that is right, turn off 'Skip Unchanged Customers' for one run",
	);
});

it('a mark whose column was renamed stops the run', () => {
	const now = sources({ 'Record ID': '2', Name: 'Ben', Phone: '1', 'To be called': 'no idea' });
	expect(compareSources(before, now)).toContain("Do Not Disturb ('Do Not Call')");
});

it('an identifier from another column stops the run, with both', () => {
	const now = sources({ id: '2', Name: 'Ben', Phone: '1', 'Do Not Call': 'no' });
	expect(compareSources(before, now)).toBe(
		"Not sent, because Identifier was read from 'Record ID' until now and would be read from 'id'. Each customer would be created again. Set Identifier Column to 'Record ID'. If that is right, turn off 'Skip Unchanged Customers' for one run",
	);
});

it('nothing is compared where nothing was remembered', () => {
	expect(compareSources({}, before)).toBeUndefined();
});
