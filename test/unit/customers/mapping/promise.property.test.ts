import fc from 'fast-check';
import { listed } from '../../../support/listed';
import { planCustomerRows } from '../../../support/mapRows';
import { propertyRuns } from '../../../support/propertyRuns.mjs';

/** Cells that say nothing, and cells that say something which has to be corrected. */
const NOTHING = ['', ' ', '-', 'N/A', 'none', 'null', 'undefined', '#REF!', '#N/A', '\u200b', null];
const nothing = fc.constantFrom(...NOTHING, '0', 0);
const orNothing = <T>(value: T) =>
	fc.oneof(fc.constant<unknown>(value), fc.constantFrom<unknown>(...NOTHING, 0));
const isSaid = (cell: unknown): boolean => ![...NOTHING, '0', 0].includes(cell as string);

const NAMES = {
	first: ['First Name', 'Vorname', 'Prénom', 'given_name', 'Imię', 'contact_first_name'],
	last: ['Last Name', 'Nachname', 'Apellidos', 'family_name', 'Nazwisko', 'Cognome'],
	full: ['Full Name', 'customer_name', 'Nom complet', 'Volledige naam'],
	display: ['Display Name', 'Kontaktname', 'Anzeigename'],
};

const named = fc.record({
	columns: fc.tuple(
		fc.constantFrom(...NAMES.first),
		fc.constantFrom(...NAMES.last),
		fc.constantFrom(...NAMES.full),
		fc.constantFrom(...NAMES.display),
	),
	cells: fc.tuple(
		orNothing('Ana'),
		orNothing('Silva'),
		orNothing('Ana María Silva'),
		orNothing('Acme'),
	),
	isReversed: fc.boolean(),
});

const rowOf = (entries: ReadonlyArray<readonly [string, unknown]>, isReversed: boolean) =>
	Object.fromEntries(isReversed ? entries.toReversed() : entries);

it('the name is first and last, else the whole, else a part, and only then what lists show', () => {
	fc.assert(
		fc.property(named, ({ columns, cells, isReversed }) => {
			const entries = columns.map((column, i): [string, unknown] => [column, cells[i]]);
			const company = [['Company', 'Acme Ltd']] as const;
			const row = rowOf([['Customer ID', 'C-1'], ...company, ...entries], isReversed);
			const [first, last, full, display] = cells.map((cell) => (isSaid(cell) ? cell : undefined));
			const whole = first && last ? `${String(first)} ${String(last)}` : full;
			const sent = planCustomerRows([row]).rows[0]?.values[0];
			expect(sent?.name).toBe(whole ?? first ?? last ?? display);
		}),
		propertyRuns(2_000),
	);
});

/** Numbers as they are written at home, with the names of their country. */
const HOME = [
	['US', '(415) 555-0178', '+14155550178', 'United States', '+1'],
	['DE', '0151 12345678', '+4915112345678', 'Germany', '49'],
	['FR', '06 12 34 56 78', '+33612345678', 'France', '+33'],
	['ES', '612 34 56 78', '+34612345678', 'Spain', '34'],
	['IN', '7034567890', '+917034567890', 'India', '+91'],
	['GB', '07400 123456', '+447400123456', 'United Kingdom', '44'],
] satisfies Array<[string, string, string, string, string]>;
const COUNTRIES = ['Country', 'Land', 'Country Code', 'País', 'mailing_country', 'Pays'];
const PHONES = ['Phone', 'Tel. mobil', 'Customer Mobile 1', 'N° de portable', 'Telefon komórkowy'];

const located = fc.constantFrom(...HOME).chain((from) =>
	fc.record({
		from: fc.constant(from),
		country: fc.constantFrom(from[0], from[0].toLowerCase(), from[3], from[4], '', '-', null),
		defaultCountry: fc.constantFrom(...HOME.map(([code]) => code), ''),
		column: fc.constantFrom(...COUNTRIES),
		phone: fc.constantFrom(...PHONES),
		isAbroad: fc.boolean(),
		isReversed: fc.boolean(),
	}),
);

it('a number is in the country of its row, else in the one that was chosen, and never in another', () => {
	fc.assert(
		fc.property(located, ({ from, country, defaultCountry, column, phone, ...how }) => {
			const [code, home, number] = from;
			const cells: Array<[string, unknown]> = [
				['ID', 'C-1'],
				[phone, how.isAbroad ? number : home],
				[column, country],
			];
			const { rows } = planCustomerRows([rowOf(cells, how.isReversed)], { defaultCountry });
			const sent = rows[0]?.values[0]?.phoneNumber;
			if (how.isAbroad || isSaid(country) || defaultCountry === code) expect(sent).toBe(number);
			else if (defaultCountry === '') expect(sent).toBeUndefined();
			else if (sent !== undefined) {
				const prefix = HOME.find(([other]) => other === defaultCountry)?.[4].replace('+', '');
				expect(sent).toMatch(new RegExp(`^\\+${prefix}|^\\+91703`));
			}
		}),
		propertyRuns(2_000),
	);
});

const MARKS = listed(`
	Do Not Call | DNC__c | cf_do_not_call | Anrufsperre | Ne pas appeler (O/N) | No llamar | Não ligar |
	Non chiamare | Bel-me-niet | Nie dzwonić | hasOptedOutOfCalls | dnd | preferences.do_not_call |
	Do Not Call (Y/N) | Bloctel | Registro delle opposizioni
`);
const CONSENTS = listed(`
	Consent to calls | May we call you? | Einwilligung Telefon | Accepte les appels |
	Consenso chiamate | Acepta llamadas | Pode ligar? | Toestemming bellen
`);
const STATUSES = ['Status', 'Tags', 'Lead Status', 'Contact preference', 'Disposition', 'Statut'];
const YES = [
	...listed('yes | Ja | OUI | sí | Sim | x | TRUE | 1 | ✓ | tak'),
	true,
	1,
	['yes'],
	{ value: 'true' },
];
const NO = [
	...listed('no | Nein | non | false | 0 | Não | nie'),
	false,
	['no'],
	{ checked: false },
];
const STOP = [
	...listed('Do Not Call | DNC | nicht anrufen | dnc list'),
	['VIP', 'DNC'],
	[{ name: 'No phone calls' }],
];
const OTHER = ['Open', 'Unsubscribed', ['VIP'], 'No call yet', 'Called', { name: 'Customer' }];

/** A column with a cell, and what that says of the mark. */
const cellOf = (columns: readonly string[], cells: readonly unknown[], says: string) =>
	fc.tuple(fc.constantFrom(...columns), fc.constantFrom(...cells)).map((cell) => ({ cell, says }));
const mark = fc.oneof(
	cellOf(MARKS, YES, 'yes'),
	cellOf(MARKS, NO, 'no'),
	cellOf(MARKS, NOTHING, 'nothing'),
	cellOf(MARKS, ['perhaps'], 'what?'),
	cellOf(CONSENTS, ['no', 'Nein', false, 'withdrawn'], 'yes'),
	cellOf(CONSENTS, ['yes', 'Ja', true, ''], 'nothing'),
	cellOf(STATUSES, STOP, 'yes'),
	cellOf(STATUSES, OTHER, 'nothing'),
);
const marked = fc.record({
	marks: fc.uniqueArray(mark, { selector: ({ cell: [column] }) => column, maxLength: 5 }),
	phone: fc.constantFrom<unknown>('+14155550178', '12', '+14155550178 / +14155550179', ''),
	email: fc.constantFrom<unknown>('ana@example.com', 'not an address', '-'),
	isReversed: fc.boolean(),
});

it('any yes in any spelling wins and is sent whatever else is wrong, and a word that says neither is never a no', () => {
	fc.assert(
		fc.property(marked, fc.boolean(), ({ marks, phone, email, isReversed }, isBefore) => {
			const cells = [
				['Customer ID', 'C-1'],
				['Phone', phone],
				['E-Mail', email],
			] as const;
			const own = marks.map(({ cell: [column, cell] }): [string, unknown] => {
				const [holder = '', inner] = column.split('.');
				return inner === undefined ? [column, cell] : [holder, { [inner]: cell }];
			});
			const row = rowOf([...cells, ...own], isReversed);
			// Another row of the same run must not change what this one says.
			const other = { 'Customer ID': 'C-2', 'Do Not Call': 'no' };
			const { rows } = planCustomerRows(isBefore ? [other, row] : [row, other]);
			const plan = rows[isBefore ? 1 : 0];
			const said = marks.map(({ says }) => says);
			const isBad = phone === '12' || String(phone).includes('/') || email === 'not an address';
			if (said.includes('yes')) {
				expect(plan?.values[0]).toMatchObject({ identifier: 'C-1', isDoNotDisturbEnabled: true });
				expect(Object.keys(plan?.values[0] ?? {}).length === 2).toBe(
					isBad || (!isSaid(phone) && !isSaid(email)),
				);
			} else if (isBad || said.includes('what?')) expect(plan?.values).toEqual([]);
			else
				expect(plan?.values[0]?.isDoNotDisturbEnabled).toBe(
					said.includes('no') ? false : undefined,
				);
		}),
		propertyRuns(3_000),
	);
});

it('an identifier that says nothing is none', () => {
	fc.assert(
		fc.property(nothing, (cell) => {
			const rows = [{ 'Customer ID': cell, Phone: '+14155550178' }, { 'Customer ID': 'C-2' }];
			expect(planCustomerRows(rows).rows.map(({ values }) => values.length)).toEqual([0, 1]);
		}),
	);
});
