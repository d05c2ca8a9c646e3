import marks from '../../support/customerMarks.json';
import moreShapes from '../../support/customerSources/moreShapes.json';
import shapes from '../../support/customerSources/shapes.json';
import { planCustomerRows } from '../../support/mapRows';

type Fields = Readonly<Record<string, unknown>>;

/** Rows of one run, named by where their shape is documented, and what a careful person would send of each. */
interface Shape {
	readonly country?: string;
	readonly row: Fields;
	readonly sent?: Fields;
	/** How the refusal of the run or of the row begins, where nothing is sent. */
	readonly refused?: string;
	/** Other rows of the same run, and what is sent of each, or how its refusal begins. */
	readonly beside?: readonly Fields[];
	readonly besideSent?: ReadonlyArray<Fields | string>;
}

const all = [shapes, moreShapes, marks].flatMap((each) => Object.entries<Shape>(each));

it('covers at least 850 shapes', () => {
	expect(all.length).toBeGreaterThanOrEqual(850);
});

it.each(all)('%s: is sent as a careful person would, or refused', (_, shape) => {
	const { country = 'US', row, sent, refused = '.+', beside = [], besideSent = [] } = shape;
	const { rows, findings } = planCustomerRows([row, ...beside], { defaultCountry: country });
	const outcomes = rows.map(({ values: [value], problems }) => {
		const problem = findings.problems[0] ?? problems?.[0];
		if (problem || !value) return problem?.message ?? '';
		const { identifier, name, phoneNumber, email, isDoNotDisturbEnabled, priority } = value;
		return { identifier, name, phoneNumber, email, isDoNotDisturbEnabled, priority };
	});
	const expected = [sent ?? refused, ...besideSent].map((each): unknown =>
		typeof each === 'string' ? expect.stringMatching(new RegExp(`^(${each})`)) : each,
	);
	expect(outcomes.slice(0, expected.length)).toEqual(expected);
});
