import fc from 'fast-check';
import { planCustomerRows } from '../../../support/mapRows';

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
		{ numRuns: 2_000 },
	);
});

/** Numbers as they are written at home, with the names of their country. */
const HOME = [
	{
		code: 'US',
		home: '(415) 555-0178',
		number: '+14155550178',
		said: ['US', 'United States', '+1'],
	},
	{ code: 'DE', home: '0151 12345678', number: '+4915112345678', said: ['DE', 'Germany', '49'] },
	{ code: 'FR', home: '06 12 34 56 78', number: '+33612345678', said: ['fr', 'France', '+33'] },
	{ code: 'ES', home: '612 34 56 78', number: '+34612345678', said: ['ES', 'Spain', '34'] },
	{ code: 'IN', home: '7034567890', number: '+917034567890', said: ['IN', 'India', '+91'] },
	{
		code: 'GB',
		home: '07400 123456',
		number: '+447400123456',
		said: ['GB', 'United Kingdom', '44'],
	},
] as const;
const COUNTRIES = ['Country', 'Land', 'Country Code', 'País', 'mailing_country', 'Pays'];
const PHONES = ['Phone', 'Tel. mobil', 'Customer Mobile 1', 'N° de portable', 'Telefon komórkowy'];

const located = fc
	.record({
		from: fc.constantFrom(...HOME),
		defaultCountry: fc.constantFrom(...HOME.map(({ code }) => code), ''),
		column: fc.constantFrom(...COUNTRIES),
		phone: fc.constantFrom(...PHONES),
		isAbroad: fc.boolean(),
		isReversed: fc.boolean(),
	})
	.chain((how) =>
		fc.record({
			how: fc.constant(how),
			country: fc.oneof(
				fc.constantFrom<unknown>(...how.from.said),
				fc.constantFrom<unknown>('', '-', null),
			),
		}),
	);

it('a number is in the country of its row, else in the one that was chosen, and never in another', () => {
	fc.assert(
		fc.property(located, ({ how, country }) => {
			const { from, defaultCountry, column, phone, isAbroad, isReversed } = how;
			const spelled = isAbroad ? from.number : from.home;
			const cells = [
				['ID', 'C-1'],
				[phone, spelled],
				[column, country],
			] as const;
			const { rows } = planCustomerRows([rowOf(cells, isReversed)], { defaultCountry });
			const sent = rows[0]?.values[0]?.phoneNumber;
			const isKnown = isAbroad || isSaid(country) || defaultCountry === from.code;
			if (isKnown) expect(sent).toBe(from.number);
			else if (defaultCountry === '') expect(sent).toBeUndefined();
			const prefix = HOME.find(({ code }) => code === defaultCountry)?.said[2].replace('+', '');
			if (!isKnown && sent !== undefined)
				expect(sent).toMatch(new RegExp(`^\\+${prefix}|^\\+91703`));
		}),
		{ numRuns: 2_000 },
	);
});

const MARKS = [
	'Do Not Call',
	'DNC__c',
	'cf_do_not_call',
	'Anrufsperre',
	'Ne pas appeler (O/N)',
	'No llamar',
]
	.concat(['Não ligar', 'Non chiamare', 'Bel-me-niet', 'Nie dzwonić', 'hasOptedOutOfCalls', 'dnd'])
	.concat([
		'preferences.do_not_call',
		'Do Not Call (Y/N)',
		'Bloctel',
		'Registro delle opposizioni',
	]);
const CONSENTS = [
	'Consent to calls',
	'May we call you?',
	'Einwilligung Telefon',
	'Accepte les appels',
].concat(['Consenso chiamate', 'Acepta llamadas', 'Pode ligar?', 'Toestemming bellen']);
const STATUSES = ['Status', 'Tags', 'Lead Status', 'Contact preference', 'Disposition', 'Statut'];
const YES = [
	'yes',
	'Ja',
	'OUI',
	'sí',
	'Sim',
	'x',
	'TRUE',
	true,
	1,
	'1',
	'✓',
	'tak',
	['yes'],
	{ value: 'true' },
];
const NO = ['no', 'Nein', 'non', 'false', false, '0', 'Não', 'nie', ['no'], { checked: false }];
const STOP = [
	'Do Not Call',
	'DNC',
	['VIP', 'DNC'],
	[{ name: 'No phone calls' }],
	'nicht anrufen',
	'dnc list',
];
const OTHER = ['Open', 'Unsubscribed', ['VIP'], 'No call yet', 'Called', { name: 'Customer' }];

const mark = fc.oneof(
	fc
		.tuple(fc.constantFrom(...MARKS), fc.constantFrom<unknown>(...YES))
		.map((cell) => ({ cell, says: 'yes' })),
	fc
		.tuple(fc.constantFrom(...MARKS), fc.constantFrom<unknown>(...NO))
		.map((cell) => ({ cell, says: 'no' })),
	fc
		.tuple(fc.constantFrom(...MARKS), fc.constantFrom<unknown>(...NOTHING))
		.map((cell) => ({ cell, says: 'nothing' })),
	fc
		.tuple(fc.constantFrom(...MARKS), fc.constant<unknown>('perhaps'))
		.map((cell) => ({ cell, says: 'what?' })),
	fc
		.tuple(fc.constantFrom(...CONSENTS), fc.constantFrom<unknown>('no', 'Nein', false, 'withdrawn'))
		.map((cell) => ({ cell, says: 'yes' })),
	fc
		.tuple(fc.constantFrom(...CONSENTS), fc.constantFrom<unknown>('yes', 'Ja', true, ''))
		.map((cell) => ({ cell, says: 'nothing' })),
	fc
		.tuple(fc.constantFrom(...STATUSES), fc.constantFrom<unknown>(...STOP))
		.map((cell) => ({ cell, says: 'yes' })),
	fc
		.tuple(fc.constantFrom(...STATUSES), fc.constantFrom<unknown>(...OTHER))
		.map((cell) => ({ cell, says: 'nothing' })),
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
		{ numRuns: 3_000 },
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
