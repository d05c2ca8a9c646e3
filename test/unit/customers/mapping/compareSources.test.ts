import omit from 'lodash/omit';
import { batchSettings } from '../../../../src/customers/batchSettings';
import {
	compareSources,
	goneColumns,
	sourcesOf,
} from '../../../../src/customers/mapping/describeMapping';
import { readCustomers } from '../../../../src/customers/readCustomers';
import { jsonLedger } from '../../../support/fakeRuntime';
import { finish } from '../../../support/finish';
import { mapRows } from '../../../support/mapRows';

type Row = Readonly<Record<string, unknown>>;

const sources = (row: Row) => sourcesOf(mapRows([row]).mapping, '');
const RENAMED = { 'Record ID': '1', Name: 'Ana', Phone: '+14155550178' };
const ROW = { ...RENAMED, 'Do Not Call': 'no' };
const before = sources(ROW);

it.each([
	[
		'the same columns',
		{ 'Record ID': '2', Name: 'Ben', Phone: '+14155550179', 'Do Not Call': 'yes' },
	],
	[
		'another column for a field',
		{ 'Record ID': '2', 'Full Name': 'Ben', Mobile: '+1', 'Do Not Call': 'no' },
	],
	[
		'columns that are empty in all rows',
		{ 'Record ID': '2', Name: 'Ben', Phone: '', 'Do Not Call': null },
	],
	[
		'one more field',
		{ 'Record ID': '2', Name: 'B', Phone: '1', 'Do Not Call': 'x', Email: 'b@example.com' },
	],
])('a source with %s has not changed for the worse', (_, row) => {
	expect(compareSources(before, sources(row))).toBeUndefined();
});

it('a field that has no column any more stops the run, with the column it had', () => {
	const now = sources({ 'Record ID': '2', Name: 'Ben', 'Phone (new)': '1', 'Do Not Call': 'no' });
	expect(compareSources(before, now)).toBe(
		"Not sent, because the rows have no column any more for Phone Number ('Phone'). Check whether it was renamed. If that is right, turn off 'Skip Unchanged Customers' for one run",
	);
});

const told = { ...ROW, 'Last Outcome': 'DNC', Country: 'India' };

it.each<[string, Row, Row, string | undefined]>([
	['a mark renamed', ROW, { ...RENAMED, 'To be called': 'no idea' }, "Disturb ('Do Not Call')"],
	['another mark left', ROW, { ...RENAMED, 'Opt Out': 'no' }, "Disturb ('Do Not Call')"],
	['a status that marked someone gone', told, { ...ROW, Country: 'India' }, "'Last Outcome')"],
	['one that marks no one now', told, { ...told, 'Last Outcome': 'sold' }, undefined],
	['the country gone', told, { ...ROW, 'Last Outcome': 'DNC' }, "Country ('Country')"],
	['the country empty', told, { ...told, Country: '' }, "Country ('Country')"],
	['another country', told, { ...omit(told, 'Country'), 'Phone Country': 'IN' }, undefined],
])('what says a mark or a country has to be there: %s', (_, first, second, reason) => {
	const stopped = compareSources(sources(first), sources(second));
	if (reason === undefined) expect(stopped).toBeUndefined();
	else expect(stopped).toContain(reason);
});

it('a column that is gone is named though another takes its place', () => {
	const two = { ...omit(ROW, 'Name'), 'First Name': 'Ana', 'Last Name': 'Ode', Mobile: '1' };
	const now = sources(omit(two, 'Last Name', 'Mobile'));
	expect(compareSources(sources(two), now)).toBeUndefined();
	expect(goneColumns(sources(two), now)).toEqual([
		"Columns that the last run read are gone: 'Last Name', 'Mobile'",
	]);
});

it('another prefix stops the run', () => {
	const [one, other] = ['hs-', 'hs_'].map((prefix) => sourcesOf(mapRows([ROW]).mapping, prefix));
	expect(compareSources(one, other)).toMatch(
		/^Not sent, because Identifier Prefix was 'hs-' until now and is 'hs_'\. Each/,
	);
});

it('without a mapping the prefix alone is compared, also after a run with one', () => {
	const [one, other] = ['', 'hs-'].map((prefix) => ({ prefix: [prefix] }));
	expect(compareSources(before, one)).toBeUndefined();
	expect(compareSources(before, other)).toMatch(/^Not sent, because Identifier Prefix was ''/);
	expect(compareSources(one, other)).toMatch(/^Not sent, because Identifier Prefix was ''/);
	expect(compareSources(other, before)).toMatch(/^Not sent, because Identifier Prefix was 'hs-'/);
});

it('an identifier from another column stops the run, with both', () => {
	const now = sources({ id: '2', Name: 'Ben', Phone: '1', 'Do Not Call': 'no' });
	expect(compareSources(before, now)).toBe(
		"Not sent, because Identifier was read from 'Record ID' until now and would be read from 'id'. Each customer would be created again. Set the option 'Identifier Column' to 'Record ID'. If that is right, turn off 'Skip Unchanged Customers' for one run",
	);
});

it('nothing is compared where nothing was remembered', () => {
	expect(compareSources({}, before)).toBeUndefined();
});

it('columns are told apart by their whole names', () => {
	const long = 'Phone Number (with country code, please enter digits only)';
	const named = (end: string) => sources({ id: 1, [`${long} ${end}`]: '1' });
	expect(goneColumns(named('1'), named('2'))[0]).toContain(`'${long} 1'`);
});

describe('without a mapping', () => {
	const fieldsOf = (customer: object, inputRow: object, inputMode = 'fields') => {
		const customersJson = inputMode === 'json' ? [customer] : undefined;
		const settings = batchSettings.parse({ inputMode, options: {} });
		const rows = [{ parameters: { customer, customersJson, inputRow } }];
		return finish(readCustomers(rows, settings, { ledger: jsonLedger(), account: '' })).sources;
	};
	const all = { id: 1, Phone: '1', dnc: 'no' };
	const full = { identifier: 1, phoneNumber: '+14155550178', isDoNotDisturbEnabled: 'no' };
	const less = { ...full, isDoNotDisturbEnabled: '' };

	it.each(['fields', 'json'])('a field that had values and has none stops the run: %s', (mode) => {
		const filled = fieldsOf(full, all, mode);
		expect(compareSources(filled, fieldsOf(less, { id: 1, Phone: '1' }, mode))).toBe(
			"Not sent, because 'Do Not Disturb' had values in the last run and has none now, and the rows have no 'dnc' any more. Check what it is mapped to. If that is right, turn off 'Skip Unchanged Customers' for one run",
		);
		expect(compareSources(filled, fieldsOf(less, { ...all, dnc: '' }, mode))).toBeUndefined();
		expect(compareSources(filled, fieldsOf(full, { id: 1 }, mode))).toBeUndefined();
		expect(compareSources(before, filled)).toBeUndefined();
	});
});
