import shapes from '../../support/customerSources/shapes.json';
import { planCustomerRows } from '../../support/mapRows';

/** An output of a product, named by where its shape is documented, and what a careful person would send of it. */
interface Shape {
	readonly row: Readonly<Record<string, unknown>>;
	/** Other rows of the same run. */
	readonly beside?: ReadonlyArray<Readonly<Record<string, unknown>>>;
	readonly sent?: Readonly<Record<string, unknown>>;
	/** How the refusal of the run or of the row begins, where nothing is sent. */
	readonly refused?: string;
}

const all = Object.entries<Shape>(shapes);

it('covers at least 380 shapes', () => {
	expect(all.length).toBeGreaterThanOrEqual(380);
});

describe.each(all)('%s', (_, { row, beside = [], sent, refused }) => {
	const { rows, findings } = planCustomerRows([row, ...beside], { defaultCountry: 'US' });

	it('is sent as a careful person would, or refused', () => {
		const problem = findings.problems[0] ?? rows[0]?.problems?.[0];
		expect(problem?.message ?? '').toMatch(new RegExp(`^${refused ?? '$'}`));
		if (!sent) return;
		const { identifier, name, phoneNumber, email, isDoNotDisturbEnabled } =
			rows[0]?.values[0] ?? {};
		expect({ identifier, name, phoneNumber, email, isDoNotDisturbEnabled }).toEqual(sent);
	});
});
