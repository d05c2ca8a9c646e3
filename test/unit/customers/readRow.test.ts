import { batchSettings } from '../../../src/customers/batchSettings';
import { MARK } from '../../../src/customers/customer';
import { enteredIn, readRow } from '../../../src/customers/readRow';

const read = (parameters: object, options: object = {}) =>
	readRow(
		{ parameters: { ...parameters } },
		batchSettings.parse({
			inputMode: 'customersJson' in parameters ? 'json' : 'fields',
			customerMapping: 'defineBelow',
			options,
		}),
	);
const ANA = { identifier: 'C-1', name: 'Ana' };
const BAD = { identifier: 'C-2', email: 'nobody' };
const MARKED = { ...BAD, [MARK]: true };

it.each([
	['its identifier', { customer: BAD }, { identifier: 'C-2' }],
	['none', { customer: { email: 'nobody' } }, { identifier: '' }],
	['none of what is no row', { customer: 'x' }, { identifier: '' }],
	['nothing of a list', { customersJson: [BAD] }, undefined],
])('an invalid row shows %s in a dry run', (_, parameters, entered) => {
	expect(read(parameters)).toMatchObject({ values: [] });
	expect(read(parameters).entered).toEqual(entered);
});

it.each<[string, object, number, boolean | undefined]>([
	['all is right', { customersJson: [ANA, { ...ANA, identifier: 'C-3' }] }, 2, undefined],
	['one of them is marked', { customersJson: [ANA, MARKED] }, 2, true],
	['one of them is invalid', { customersJson: [ANA, BAD] }, 0, false],
	['the others are invalid', { customersJson: [MARKED, BAD] }, 0, true],
	['one row is marked', { customer: MARKED }, 1, true],
	['one row is right', { customer: ANA }, 1, undefined],
])('tells whether only marks are sent where %s', (_, parameters, count, isReduced) => {
	const row = read(parameters);
	expect(row.values).toHaveLength(count);
	expect(row.isReduced).toBe(isReduced);
});

it.each([
	['leaves out', { leaveOutBadCells: true }, ['email'], 2],
	['refuses', {}, undefined, 0],
])('%s invalid cells of customers in JSON as it is asked to', (_, options, leftOut, count) => {
	const row = read({ customersJson: [ANA, BAD] }, options);
	expect(row.leftOut).toEqual(leftOut);
	expect(row.values).toHaveLength(count);
	expect(row.isReduced).toBe(false);
});

it('what was entered are the objects of a row or of its JSON', () => {
	expect(enteredIn({ customer: ANA })).toEqual([ANA]);
	expect(enteredIn({ customer: 'x' })).toEqual([]);
	expect(enteredIn({ customersJson: JSON.stringify([ANA, 'x']) })).toEqual([ANA]);
	expect(enteredIn({ customersJson: { customers: [ANA] } })).toEqual([ANA]);
});
