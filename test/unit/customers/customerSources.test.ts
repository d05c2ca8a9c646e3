import crms from '../../support/customerSources/crms.json';
import desks from '../../support/customerSources/desks.json';
import shops from '../../support/customerSources/shops.json';
import tables from '../../support/customerSources/tables.json';
import { mapRows, planCustomerRows } from '../../support/mapRows';

interface Sample {
	readonly row: Readonly<Record<string, unknown>>;
	readonly fields?: Readonly<Record<string, unknown>>;
	/** How a refusal begins. */
	readonly problem?: string;
	readonly country?: string;
}

const samples = Object.entries<Sample>({ ...crms, ...shops, ...tables, ...desks });

it('covers at least 40 sources', () => {
	expect(samples.length).toBeGreaterThanOrEqual(40);
});

describe.each(samples)('a row of %s', (_, { row, fields, problem, country = 'US' }) => {
	const { rows, findings } = planCustomerRows([row], {
		defaultCountry: country,
		remainingColumns: 'metadata',
	});

	it('is mapped to the fields of a customer, or refused with its reason', () => {
		const { fields: mapped, problem: found } = mapRows([row]);
		if (fields) expect(mapped[0]).toEqual(fields);
		expect(found?.message ?? '').toMatch(new RegExp(`^${problem ?? '$'}`));
	});

	it('is accepted as a customer, or stops the run', () => {
		expect(findings.problems.length).toBe(problem === undefined ? 0 : 1);
		if (problem === undefined) expect(rows[0]?.values).toHaveLength(1);
	});
});
