import { defaultCountry } from '../../../src/core/phoneNumber';
import { readMapped } from '../../../src/customers/mapCustomer';
import { mapColumns } from '../../../src/customers/mapColumns';
import crms from '../../support/customerSources/crms.json';
import desks from '../../support/customerSources/desks.json';
import shops from '../../support/customerSources/shops.json';
import tables from '../../support/customerSources/tables.json';

interface Sample {
	readonly row: Readonly<Record<string, unknown>>;
	readonly fields: Readonly<Record<string, unknown>>;
	readonly country?: string;
}

const samples = Object.entries<Sample>({ ...crms, ...shops, ...tables, ...desks });

it('covers at least 40 sources', () => {
	expect(samples.length).toBeGreaterThanOrEqual(40);
});

describe.each(samples)('a row of %s', (_, { row, fields, country = 'US' }) => {
	it('is mapped to the fields of a customer', () => {
		expect(mapColumns(row).fields).toEqual(fields);
	});

	it('is accepted as a customer', () => {
		const { read } = readMapped(row, {
			customerMapping: 'autoMapInputData',
			defaultCountry: defaultCountry.parse(country),
			remainingColumns: 'metadata',
		});
		expect(read).toMatchObject({ ok: true });
	});
});
