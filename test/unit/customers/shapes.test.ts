import shapes from '../../support/customerSources/shapes.json';
import { mapRows, planCustomerRows } from '../../support/mapRows';

/** An output of a product, named by where its shape is documented, and what a careful person would send of it. */
interface Shape {
	readonly row: Readonly<Record<string, unknown>>;
	/** Identifier, name, number and mark. */
	readonly sent?: Readonly<Record<string, unknown>>;
	/** How the refusal of the run begins, or "row" where only this row is refused. */
	readonly refused?: string;
	/** The number as it is sent, where it is spelled otherwise. */
	readonly number?: string;
}

const all = Object.entries<Shape>(shapes);

it('covers at least 150 shapes', () => {
	expect(all.length).toBeGreaterThanOrEqual(150);
});

describe.each(all)('%s', (_, { row, sent, refused, number }) => {
	const { rows, findings } = planCustomerRows([row], { defaultCountry: 'US' });

	it('is read as a careful person would', () => {
		const { identifier, name, phoneNumber, isDoNotDisturbEnabled } = mapRows([row]).fields[0] ?? {};
		const read = { identifier, name, phoneNumber, isDoNotDisturbEnabled };
		if (sent) expect(read).toEqual({ ...{ identifier: undefined, name: undefined }, ...sent });
		if (number !== undefined) expect(rows[0]?.values[0]?.phoneNumber).toBe(number);
		const reason = findings.problems[0]?.message ?? (rows[0]?.problems ? 'row' : '');
		expect(reason).toMatch(
			new RegExp(`^${refused ?? (sent?.['identifier'] === undefined ? '' : '$')}`),
		);
	});
});
