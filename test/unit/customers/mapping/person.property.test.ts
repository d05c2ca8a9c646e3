import fc from 'fast-check';
import { planCustomerRows } from '../../../support/mapRows';
import { propertyRuns } from '../../../support/propertyRuns.mjs';

type Cells = Record<string, unknown>;

/** Someone as he really is, whatever a source makes of him. */
interface Someone {
	readonly id: number;
	readonly first: string;
	readonly last: string;
	readonly line: number;
	readonly marks: readonly string[];
	/** Whether the cell of the identifier says nothing in this row. */
	readonly isGuest: boolean;
}

const YES = ['yes', 'Ja', 'x', 'TRUE', '1', 'oui'];
const NO = ['no', 'Nein', 'false', '0'];
const NOTHING = ['', ' ', '-', 'N/A', 'null', '#REF!', '0', 'undefined', '\u200b'];

const someone: fc.Arbitrary<Someone> = fc.record({
	id: fc.integer({ min: 1, max: 9_999 }),
	first: fc.constantFrom('Ana', 'Ben', 'Cleo', 'Dov'),
	last: fc.constantFrom('Silva', 'Ode', 'Lund', 'Wu'),
	line: fc.integer({ min: 0, max: 99 }),
	marks: fc.array(fc.constantFrom(...YES, ...NO, ''), { minLength: 3, maxLength: 3 }),
	isGuest: fc.boolean(),
});

/** How a source writes it down: where the person stands, how its columns are called, what stands beside it. */
const layout = fc.record({
	holder: fc.constantFrom('', 'customer', 'contact', 'body', 'body.contact', 'order.customer'),
	inner: fc.constantFrom('', 'properties', 'fields', 'attributes'),
	id: fc.constantFrom('Customer ID', 'contactId', 'Kundennummer', 'customer_number'),
	name: fc.constantFrom<string[]>(
		['First Name', 'Last Name'],
		['Vorname', 'Nachname'],
		['firstname', 'lastname'],
	),
	phone: fc.constantFrom('Phone', 'mobile', 'Telefonnummer', 'phone_number'),
	worse: fc.constantFrom('Work Phone', 'home_phones'),
	mark: fc.constantFrom('Do Not Call', 'DNC__c', 'cf_do_not_call', 'Bloctel', 'dnd'),
	settings: fc.constantFrom('preferences', 'settings', 'consents'),
	nothing: fc.constantFrom(...NOTHING),
	isReversed: fc.boolean(),
});
type Layout = Parameters<Parameters<typeof layout.map>[0]>[0];

const numberOf = ({ id, line }: Someone): string =>
	`+1415555${String((id + line) % 10_000).padStart(4, '0')}`;
const OTHER = '+12125550199';

const reversed = (cells: Cells): Cells => Object.fromEntries(Object.entries(cells).reverse());

function rowOf(person: Someone, how: Layout): Cells {
	const [first = '', last = ''] = how.name;
	const [own, nested, around] = person.marks;
	const columns: Cells = {
		[first]: person.first,
		[last]: person.last,
		// Of two numbers the better one is nothing in some rows.
		...(person.line % 2 === 0
			? { [how.phone]: numberOf(person) }
			: { [how.phone]: how.nothing, [how.worse]: numberOf(person) }),
		[how.id]: person.isGuest ? how.nothing : `C-${person.id}`,
		[how.mark]: own,
		display_name: 'Some Company',
		Fax: OTHER,
	};
	const self: Cells = { [how.settings]: { do_not_call: nested } };
	if (how.inner === '') Object.assign(self, columns);
	else self[how.inner] = columns;
	const beside: Cells = {
		owner: { id: 77, name: 'Some Owner', phone: OTHER, email: 'owner@example.com' },
		shipping: { name: 'A Neighbour', phone: OTHER },
	};
	const [outer, holder] = how.holder.split('.');
	if (outer === '') return { ...self, ...beside, 'Opted Out of Calls': around };
	if (outer === 'order')
		return {
			id: 555,
			order_number: 9,
			name: '#9',
			total: 5,
			customer: self,
			...beside,
			no_calls: around,
		};
	const inside = holder === undefined ? self : { [holder]: self };
	return { [outer ?? '']: inside, ...beside, no_calls: around };
}

/** Any yes of any row of a person wins. */
const isMarked = (rows: readonly Someone[]): boolean =>
	rows.some(({ marks }) => marks.some((word) => YES.includes(word)));

const runs = fc.tuple(
	fc.uniqueArray(someone, { selector: ({ id }) => id, minLength: 1, maxLength: 6 }),
	layout,
	fc.nat(5),
);

it('sends each person with its own values or not at all, wherever it stands and whoever stands beside it', () => {
	fc.assert(
		fc.property(runs, ([unique, how, repeated]) => {
			const again = unique[repeated % unique.length];
			const people = again
				? [...unique, { ...again, marks: ['', '', again.marks[0] ?? ''] }]
				: unique;
			const cells = people.map((person) => rowOf(person, how));
			const rows = how.isReversed ? cells.map(reversed) : cells;
			const { rows: plans, findings } = planCustomerRows(rows);
			// An ID that no row has may as well be a column that is not there.
			const isReadable = people.some(({ isGuest }) => !isGuest);
			expect(findings.problems.length === 0 || !isReadable).toBe(true);
			const sent = plans.map(({ values: [value] }) => value);
			expect(
				sent.map(
					(value) =>
						value && { ...value, isDoNotDisturbEnabled: value.isDoNotDisturbEnabled === true },
				),
			).toEqual(
				people.map((person) =>
					person.isGuest
						? undefined
						: {
								identifier: `C-${person.id}`,
								name: `${person.first} ${person.last}`,
								phoneNumber: numberOf(person),
								isDoNotDisturbEnabled: isMarked(people.filter(({ id }) => id === person.id)),
							},
				),
			);
		}),
		propertyRuns(3_000),
	);
});

it('refuses everyone whose ID two people have, and no one else', () => {
	fc.assert(
		fc.property(runs, fc.array(fc.nat(5)), ([unique, how], shared) => {
			const people = unique.map((person) => ({ ...person, isGuest: false }));
			const doubles = shared.flatMap((at) => {
				const other = people[at % people.length];
				return other ? [{ ...other, first: 'Zoe', last: 'Quist', line: other.line + 1 }] : [];
			});
			const all = [...people, ...doubles];
			const { rows } = planCustomerRows(all.map((person) => rowOf(person, how)));
			const ids = new Set(doubles.map(({ id }) => id));
			expect(rows.map(({ values }) => values.length)).toEqual(
				all.map(({ id }) => (ids.has(id) ? 0 : 1)),
			);
		}),
		propertyRuns(1_000),
	);
});
