import fc from 'fast-check';
import omit from 'lodash/omit';
import { columnHolders, plainName, slotOf } from '../../../../src/customers/columnNames';
import columnNames from '../../../support/columnNames.json';
import { listed } from '../../../support/listed';
import phoneNames from '../../../support/phoneNames.json';
import { fieldsOf, mapRows, planCustomerRows } from '../../../support/mapRows';
import { propertyRuns } from '../../../support/propertyRuns.mjs';

/** The names of columns by what they hold, the best first, in one language or in those of APIs. */
type Names = ReadonlyArray<Readonly<Record<string, readonly string[] | undefined>>>;
const namesOf: Readonly<Record<string, Names>> = columnNames;

const known = Object.values(namesOf)
	.flatMap((ranks) =>
		ranks.flatMap((languages) => Object.values(languages).flatMap((names) => names ?? [])),
	)
	.concat(Object.values(phoneNames).flat());
const holders = Object.values(columnHolders).flatMap((names) => names.split(/,\s+/));

/** Texts that are all different, so it can be seen where a value came from. */
const text = fc.integer({ min: 0, max: 1e9 }).map((n) => `t${n}`);
const leaf = fc.oneof(
	{ weight: 5, arbitrary: text },
	{ weight: 1, arbitrary: fc.constantFrom(null, '', ' ', true, false, 'yes', 'no', 0, 7, -1.5) },
);
const cell = fc.oneof(
	{ weight: 5, arbitrary: leaf },
	{ weight: 1, arbitrary: text.map((value) => ({ value })) },
	{ weight: 1, arbitrary: fc.array(leaf, { maxLength: 3 }) },
	{
		weight: 1,
		arbitrary: fc.dictionary(
			fc.constantFrom('value', 'number', 'phone', 'area', 'PhoneNumber', 'email', 'id', 'text'),
			leaf,
		),
	},
	{
		weight: 1,
		arbitrary: fc.array(fc.record({ value: leaf, primary: fc.boolean(), label: text }), {
			maxLength: 3,
		}),
	},
	{ weight: 1, arbitrary: fc.anything({ maxDepth: 2 }) },
);
const name = fc.oneof(
	{ weight: 8, arbitrary: fc.constantFrom(...known) },
	{ weight: 1, arbitrary: fc.constantFrom('__proto__', 'constructor', 'toString', 'City', '') },
);
const columns = fc.dictionary(name, cell, { maxKeys: 8, noNullPrototype: true });
const row = fc.oneof(
	columns,
	fc
		.tuple(columns, fc.constantFrom(...holders), columns)
		.map(([outer, holder, inner]): Record<string, unknown> => ({ ...outer, [holder]: inner })),
);

/** The same row with the keys of all its objects in another order. */
function reversed(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(reversed);
	if (typeof value !== 'object' || value === null) return value;
	if (Object.getPrototypeOf(value) !== Object.prototype) return value;
	return Object.fromEntries(
		Object.entries(value)
			.reverse()
			.map(([key, member]) => [key, reversed(member)]),
	);
}

/** All texts in a value, whole and by their words. */
function textsIn(value: unknown): string[] {
	if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(textsIn);
	return [String(value), ...String(value).split(/\s+/)];
}

it('maps a row alike whatever the order of its keys', () => {
	fc.assert(
		fc.property(row, (some) => {
			expect(fieldsOf(reversed(some) as typeof some)).toEqual(fieldsOf(some));
		}),
		propertyRuns(2_000),
	);
});

it('maps rows alike in whatever order they come', () => {
	fc.assert(
		fc.property(fc.array(row, { maxLength: 30 }), (rows) => {
			const forwards = mapRows(rows).fields;
			expect(mapRows(rows.toReversed()).fields.toReversed()).toEqual(forwards);
		}),
		propertyRuns(500),
	);
});

it('invents no value: every text of a customer stands in the row', () => {
	fc.assert(
		fc.property(row, (some) => {
			const fields = omit(fieldsOf(some), 'isDoNotDisturbEnabled', 'metadata');
			const given = new Set(textsIn(some));
			const words = Object.values(fields).flatMap(
				(value) => String(value ?? '').match(/\S+/g) ?? [],
			);
			expect(
				words.filter((word) => !given.has(word) && !given.has(word.replace(/^\+/, ''))),
			).toEqual([]);
		}),
		propertyRuns(2_000),
	);
});

it('reads any row without throwing, and keeps or leaves out its other columns', () => {
	fc.assert(
		fc.property(fc.oneof(row, fc.object({ maxDepth: 5 })), (some) => {
			planCustomerRows([some]);
			planCustomerRows([some], { remainingColumns: 'metadata' });
			mapRows([some]);
		}),
		propertyRuns(1_000),
	);
});

const marks = {
	en: ['Do Not Call', 'No Calls', 'Opted Out of Calls', 'Do Not Allow Phone Calls', 'Do Not Phone'],
	de: listed(`
		Nicht anrufen | Nicht stören | Anrufsperre | Keine Anrufe | Kontaktsperre | Werbesperre
	`),
	fr: ['Ne pas appeler', 'Ne pas déranger', 'Ne pas téléphoner', 'Liste rouge', 'Bloctel'],
	es: ['No llamar', 'No molestar', 'No contactar', 'Lista Robinson'],
	pt: ['Não ligar', 'Não perturbe', 'Não incomodar', 'Não contatar', 'Não contactar'],
	it: ['Non chiamare', 'Non disturbare', 'Non contattare', 'Non telefonare'],
	nl: ['Niet bellen', 'Niet storen', 'Niet contacteren', 'Bel-me-niet'],
} as const;

const languages = ['en', 'de', 'fr', 'es', 'pt', 'it', 'nl'] as const;

describe.each(languages)('columns in %s', (language) => {
	const names = (slot: string) =>
		slot === 'phoneNumber'
			? phoneNames[language]
			: (namesOf[slot] ?? []).flatMap((languages) => languages[language] ?? []);
	const one = (slot: string) => fc.constantFrom(...names(slot));

	it('are mapped as those of any other language', () => {
		const slots = fc.tuple(
			...(['identifier', 'phoneNumber', 'email', 'priority'] as const).map(one),
			fc.constantFrom(...marks[language]),
		);
		fc.assert(
			fc.property(slots, ([identifier = '', phone = '', email = '', priority = '', mark = '']) => {
				const some = {
					[identifier]: 'C-1',
					[phone]: '+14155550101',
					[email]: 'ana@example.com',
					[priority]: '3',
					[mark]: 'x',
				};
				expect(fieldsOf(some)).toEqual({
					identifier: 'C-1',
					phoneNumber: '+14155550101',
					email: 'ana@example.com',
					priority: '3',
					isDoNotDisturbEnabled: true,
				});
			}),
		);
	});

	it('give the first name before the last', () => {
		const first = names('firstName').concat(names('shortName'))[0] ?? '';
		for (const last of names('lastName'))
			expect(fieldsOf({ [last]: 'Silva', [first]: 'Ana' })).toEqual({ name: 'Ana Silva' });
	});
});

const places = Object.entries(namesOf).flatMap(([slot, ranks]) =>
	ranks.flatMap((languages, i) =>
		Object.values(languages).flatMap((names = []) =>
			names.map((name) => ({ name, slot, rank: name === slot && slot !== 'metadata' ? 0 : i + 1 })),
		),
	),
);

it.each(places)('$name is read as $slot, with rank $rank', ({ name, slot, rank }) => {
	expect(slotOf(name)).toEqual({ slot, rank });
});

it.each(
	listed(`
	Last Contact | First Contact | Last Customer | Student Contact | Key Customer | Key Client |
	Customer Value | Customer Type | Guest Number | Number of Guests | Lead Number | Call Code |
	National ID | ID Number | Address ID | Address Name | Phone ID | Phone Ref | No Email |
	Phone (Legal Guardian) | Email (Delegate)
`),
)('a column %s holds no field', (name) => {
	expect(slotOf(name)).toBeUndefined();
});

it('reads thousands of long names that are almost made of words without delay', () => {
	const names = ['personalemail', 'telefonoadres', 'nombrenumero'].map((words) => words.repeat(5));
	const row = Object.fromEntries(
		Array.from({ length: 2_000 }, (_, i) => [
			`${names[i % 3] ?? ''}q${'q'.repeat(i % 5)}${i}`,
			'x',
		]),
	);
	// Trying each division of a name would take hours.
	expect(fieldsOf(row)).toBeDefined();
}, 60_000);

it('no name stands for two things', () => {
	const byName = new Map<string, Set<string>>();
	for (const { name, slot } of places)
		byName.set(plainName(name), (byName.get(plainName(name)) ?? new Set()).add(slot));
	expect(Array.from(byName).filter(([, found]) => found.size > 1)).toEqual([]);
});
