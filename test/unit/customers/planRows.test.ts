import { batchSettings } from '../../../src/customers/batchSettings';
import { readCustomers } from '../../../src/customers/readCustomers';
import { jsonLedger } from '../../support/fakeRuntime';
import { finish } from '../../support/finish';
import { listed } from '../../support/listed';
import { planCustomerRows } from '../../support/mapRows';

type Rows = readonly object[];
type Row = Readonly<Record<string, unknown>>;

const sentOf = (rows: Rows, options: object = {}, panel: object = {}) =>
	planCustomerRows(rows, options, panel).rows.map(({ values }) => values[0]);
/** Why the rows of a run are refused, one by one. */
const refusals = (rows: Rows, options: object = {}, panel: object = {}) =>
	planCustomerRows(rows, options, panel).rows.map(({ problems }) => problems?.[0]?.message);
const findings = (rows: Rows, options: object = {}, panel: object = {}) =>
	planCustomerRows(rows, options, panel).findings;
const readLists = (...lists: unknown[]) =>
	finish(
		readCustomers(
			lists.map((customersJson) => ({ parameters: { customersJson } })),
			batchSettings.parse({ inputMode: 'json', options: {} }),
			{ ledger: jsonLedger(), account: '' },
		),
	).rows;
const manual = { customerMapping: 'defineBelow' };
const PHONE = '+14155550178';

it('says the columns of a run in a dry run with automatic mapping, and in every run what none of them gives', () => {
	const row = { 'Record ID': '1', 'First Name': 'Ana', 'Last Name': 'Silva', City: 'Reno' };
	const missing =
		'No filled column is read as Phone Number. Rename the one that has it, or choose Map Each Column Manually';
	expect(findings([row], {}, { dryRun: true }).notes).toEqual([
		missing,
		'Mapped: Record ID to Identifier, First Name + Last Name to Name. Not used: City.',
	]);
	expect(findings([row], {}, { dryRun: false }).notes).toEqual([missing]);
	expect(findings([row], {}, { dryRun: true, ...manual }).notes).toEqual([]);
});

it('what a message carries is a customer only if it is a person or names one', () => {
	const carried = (body: object) => sentOf([{ headers: { host: 'example.com' }, body }])[0];
	expect(carried({ id: 7, amount: 5 })).toBeUndefined();
	expect(carried({ id: 7, amount: 5, customer_id: 9 })).toEqual({ identifier: '9' });
	expect(carried({ id: 7, name: 'Ana' })).toEqual({ identifier: '7', name: 'Ana' });
});

describe('an identifier that two people have', () => {
	const ana = { 'Customer Number': 'K-1', Name: 'Ana Silva', Email: 'ana@example.com' };
	const ben = { 'Customer Number': 'K-1', Name: 'Ben Ode', Email: 'ben@example.com' };
	const eve = { 'Customer Number': 'K-2', Name: 'Eve Lund', Email: 'eve@example.com' };

	it("is nobody's: none of them is sent, and the message names both and the way out", () => {
		expect(sentOf([ana, eve, ben]).map((value) => value?.name)).toEqual([
			undefined,
			'Eve Lund',
			undefined,
		]);
		expect(refusals([ana, eve, ben])[0]).toBe(
			"'K-1' in 'Customer Number' is the ID of different people, e.g. Ana Silva (row 1) and Ben Ode (row 3). Choose a column that is unique for each person",
		);
	});

	it('is found in another spelling of the ID, and its field is named', () => {
		const { rows } = planCustomerRows([ana, { ...ben, 'Customer Number': 'k-1' }]);
		for (const { problems } of rows)
			expect(problems).toMatchObject([{ path: ['customer', 'identifier'] }]);
	});

	it.each<[string, Row, Row, string]>([
		['only a mark is sent', ana, { ...ben, Phone: '12', DNC: 'yes' }, ''],
		['one is invalid', ana, { ...ben, Phone: '12' }, ''],
		[
			'it is their address',
			{ ...ana, Email: 'x@example.com' },
			{ ...ben, Email: 'X@example.com' },
			'Email',
		],
		[
			'it is that of a household',
			{ ...ana, Email: 'x@example.com' },
			{ Name: 'Ada Silva', Email: 'x@example.com' },
			'Email',
		],
		[
			'it is their number',
			{ ...ana, Phone: '(415) 555-0178' },
			{ ...ben, Email: '', Phone: '(415) 555-0178' },
			'Phone',
		],
	])('is found where %s', (_, one, other, identifierColumn) => {
		const { rows } = planCustomerRows([one, other], { identifierColumn, defaultCountry: 'US' });
		expect(rows.map(({ values }) => values)).toEqual([[], []]);
		expect(rows[0]?.problems?.[0]?.message).toMatch(/is the ID of different people/);
	});

	it('may be an address or a number that one person has in several rows', () => {
		const once = { ...ana, Phone: '(415) 555-0178' };
		for (const identifierColumn of ['Email', 'Phone'])
			expect(
				sentOf([once, { ...once, Name: 'Ana Maria Silva' }], {
					identifierColumn,
					defaultCountry: 'US',
				}),
			).not.toContain(undefined);
	});

	it('is found though a row without a name is like both of them', () => {
		expect(sentOf([{ 'Customer Number': 'K-1' }, ana, ben])).toEqual([
			undefined,
			undefined,
			undefined,
		]);
	});

	const [one, eveToo, other] = ['Ana', 'Eve', 'Ben'].map((name) => ({
		identifier: name === 'Eve' ? 'K-2' : 'K-1',
		name,
		email: `${name}@example.com`,
	}));
	const list = [one, eveToo, other] as Row[];
	const different =
		/^'K-1' is the ID of different people, e\.g\. Ana \(row 1\) and Ben \(row [13]\)\./;

	it("is nobody's with fields mapped by hand, too", () => {
		const options = { duplicates: 'keepLast' };
		expect(sentOf(list, options, manual)).toEqual([undefined, eveToo, undefined]);
		expect(refusals(list, options, manual)[0]).toMatch(different);
	});

	it("is nobody's in JSON, within a list and across rows", () => {
		const [planned] = readLists(list);
		expect(planned?.entries).toEqual([]);
		expect(planned?.problems?.[0]?.message).toMatch(different);
		const marked = [{ ...other, phoneNumber: '12', isDoNotDisturbEnabled: true }];
		expect(readLists([one], marked).map(({ entries }) => entries)).toEqual([[], []]);
		const across = readLists(list.slice(0, 2), list.slice(2));
		expect(across.map(({ entries }) => entries)).toEqual([[], []]);
		expect(readLists(list.slice(0, 2))[0]?.entries).toHaveLength(2);
	});

	it('is accepted from another column where the user chooses one', () => {
		expect(sentOf([ana, ben], { identifierColumn: 'email' })).toMatchObject([
			{ identifier: 'ana@example.com' },
			{ identifier: 'ben@example.com' },
		]);
	});
});

describe('the identifier', () => {
	it('has the prefix of the user, mapped or entered', () => {
		const options = { identifierPrefix: 'hs-' };
		expect(sentOf([{ vid: 7 }], options)).toEqual([{ identifier: 'hs-7' }]);
		expect(sentOf([{ identifier: 7 }], options, manual)).toEqual([{ identifier: 'hs-7' }]);
	});

	it('has a prefix that is remembered without a mapping, too', () => {
		const { sources } = findings([{ identifier: 7 }], { identifierPrefix: 'hs-' }, manual);
		expect(sources).toMatchObject({ prefix: ['hs-'] });
	});

	it('stops the run where the column of the user is in no row', () => {
		const options = { identifierColumn: 'Kunden-ID' };
		expect(findings([{ id: 7, Mail: 'x' }], options).problems).toEqual([
			{
				path: ['options', 'identifierColumn'],
				message: "'Kunden-ID' is in no row. Columns found: id, Mail",
			},
		]);
	});

	it.each(['identifierColumn', 'identifierPrefix'])(
		'stops the run where the expression of %s gives nothing',
		(option) => {
			for (const value of [undefined, null])
				expect(() => findings([{ id: 7 }], { [option]: value })).toThrow(/gave no value|must be/);
			if (option === 'identifierPrefix')
				expect(() => findings([{ id: 7 }], { [option]: 'undefined-' })).toThrow(/gave nothing/);
		},
	);

	it('stops the run where a column is chosen that nothing reads', () => {
		const { problems } = findings([{ identifier: 7 }], { identifierColumn: 'id' }, manual);
		expect(problems[0]?.message).toContain('applies to Map Automatically only');
	});

	it.each([
		'-',
		'N/A',
		'none',
		'#REF!',
		'#N/D',
		'#VALOR!',
		'#NOMBRE?',
		'#NV',
		'null',
		'undefined',
		'0',
		0,
		'0.0',
		' ',
		null,
	])('is missing where a cell has %j', (identifier) => {
		for (const panel of [{}, manual])
			expect(refusals([{ identifier }], {}, panel)[0]).toMatch(/^is missing/);
	});

	it("is the same with the apostrophe that makes a spreadsheet's cell text", () => {
		for (const panel of [{}, manual])
			expect(sentOf([{ identifier: "'7" }, { identifier: "d'Ana" }], {}, panel)).toEqual([
				{ identifier: '7' },
				{ identifier: "d'Ana" },
			]);
	});

	it.each(['crm-', 'hubspot-eu-', 'shop/', '-crm', 'crm:', 'a_'])(
		'is refused where an expression left its fixed part alone: %s',
		(identifier) => {
			for (const panel of [{}, manual])
				expect(refusals([{ identifier: 'crm-1' }, { identifier }], {}, panel)).toEqual([
					undefined,
					`'${identifier}' contains an expression that gave nothing. Correct it`,
				]);
		},
	);

	it.each(['crm-a', 'A1-', 'aB3_', '-Nx7', 'ana', 'crm-2026-', '/users/7'])(
		'may have signs at its ends: %s',
		(identifier) => {
			expect(sentOf([{ identifier }], {}, manual)).toEqual([{ identifier }]);
		},
	);

	it.each(['1.23457E+11', '1.23457 E+11', '1,23457E+11', '1,23457 E + 11', '123E+09'])(
		'is refused where a spreadsheet rounded it: %s',
		(vid) => {
			expect(refusals([{ vid }])[0]).toMatch(/^is a number that was rounded/);
		},
	);
});

describe('someone who is marked', () => {
	const marked = { id: 1, Name: 'Ana', 'Do Not Call': 'yes' };
	const alone = { identifier: '1', isDoNotDisturbEnabled: true };

	it.each([
		['a number', { Phone: '12' }],
		['an address', { Email: 'nobody' }],
		['a priority', { 'Calling Priority': 'high' }],
		['all of them', { Phone: '12', Email: 'nobody', Priority: 'high' }],
	])('is sent with identifier and mark alone where %s is invalid', (_, bad) => {
		for (const options of [{}, { leaveOutBadCells: true }]) {
			expect(sentOf([{ ...marked, ...bad }], options)).toEqual([alone]);
			expect(findings([{ ...marked, ...bad }], options).notes).toEqual([
				'1 row marked Do Not Disturb: only the mark is sent, because other cells are invalid',
			]);
		}
	});

	it('is sent so with fields mapped by hand and in JSON', () => {
		const customer = { identifier: '1', email: 'nobody', isDoNotDisturbEnabled: 'Ja' };
		expect(sentOf([customer], {}, manual)).toEqual([alone]);
		expect(readLists([customer])[0]?.entries).toEqual([{ content: alone }]);
	});

	it('is sent so in JSON beside others who are invalid', () => {
		const customer = { identifier: '1', name: 'Ana', isDoNotDisturbEnabled: 'yes' };
		const bad = { identifier: '2', phoneNumber: '12' };
		const [row] = readLists([bad, customer, { identifier: '3' }]);
		expect(row?.entries).toEqual([]);
		expect(row?.urgent).toEqual([{ content: alone }]);
		expect(row?.problems?.[0]?.message).toContain('12');
		const shared = ['Ben', 'Eve'].map((name) => ({ identifier: '4', name }));
		expect(readLists([...shared, customer])[0]?.urgent).toMatchObject([{ content: alone }]);
	});

	it('is marked in all rows of the same customer, whichever of them is sent', () => {
		const rows = ['no', 'yes', ''].map((cell) => ({ ...marked, 'Do Not Call': cell }));
		const sent = { identifier: '1', name: 'Ana', isDoNotDisturbEnabled: true };
		expect(sentOf(rows)).toEqual([sent, sent, sent]);
	});

	it('stays marked in later rounds of the execution', () => {
		const ledger = jsonLedger();
		const sent = ['yes', 'no'].map(
			(cell) => planCustomerRows([{ ...marked, 'Do Not Call': cell }], {}, {}, ledger).rows[0],
		);
		expect(sent.map((row) => row?.values[0]?.isDoNotDisturbEnabled)).toEqual([true, true]);
	});

	it.each([
		[{ ...marked, id: '' }, /^is missing/],
		[{ ...marked, 'Do Not Call': 'ask' }, /^'ask' is neither yes nor no/],
		[{ id: 1, 'May we call?': 'Yes, on Mondays' }, /^'\(Yes, on Mondays\)' is neither yes nor no/],
		[
			{ id: 1, name: 'Ana', 'Phone consent': 'ask her husband' },
			/^'ask her husband' is neither yes nor no. Use true or false. It is read from 'Phone consent'. If that column says something else, rename it$/,
		],
	])(
		'is refused where the identifier is missing or the mark cannot be read: %j',
		(row, message) => {
			expect(refusals([row])[0]).toMatch(message);
		},
	);

	const calls = [
		{ id: 1, name: 'Ana', 'Telemarketing list': 'Y' },
		{ id: 2, name: 'Ben', 'Telemarketing list': 'N' },
	];
	const unused = 'looks like a do-not-call mark and is not used';
	const isAnswer = 'may say yes or no to calls and is not used';
	const asked = `'Telemarketing list' ${isAnswer}`;
	const bloctel = { identifier: 1, Bloctel: 'oui' };

	it.each<[string, Rows, object, string[]]>([
		['beside the person', [{ vid: 1, owner: { dnd: true } }], {}, [`'owner.dnd' ${unused}`]],
		['beside fields', [bloctel], manual, [`'Bloctel' ${unused}. Map it to Do Not Disturb`]],
		['but none where it is', [{ ...bloctel, isDoNotDisturbEnabled: 'yes' }], manual, []],
		[
			'beside another that is mapped',
			[{ ...bloctel, isDoNotDisturbEnabled: 'no' }],
			manual,
			[`'Bloctel' ${unused}. Map it to Do Not Disturb`],
		],
		['but none that is used', [bloctel], {}, []],
		['nor beside a number that is empty', [{ vid: 1, phone: { number: '', dnc: 'yes' } }], {}, []],
		['that may say yes or no to calls', calls, {}, [asked]],
		['or to all channels', [{ vid: 1, Consent: 'no' }], {}, [`'Consent' ${isAnswer}`]],
		['of them beside fields', calls, manual, [`${asked}. Map it to Do Not Disturb`]],
		['whose check says yes', [{ vid: 1, 'DNC checked': 'yes' }], {}, [`'DNC checked' ${unused}`]],
		[
			'its date',
			[{ identifier: 1, 'DNC Date': '2026-01-02' }],
			manual,
			[`'DNC Date' ${unused}. Map it to Do Not Disturb`],
		],
		...listed(`
			DNC Wash Date | TPS Date | DNC Override | DND released | DNC Until | Kontaktsperre bis | unsubscribed_at | Litigator | RPO |
			suppression_list | Cease and desist
		`).map((column): [string, Rows, object, string[]] => [
			`that is unclear, ${column}`,
			[{ vid: 1, [column]: '2026-01-02' }],
			{},
			[`'${column}' ${unused}`],
		]),
		[
			'or a number of someone else',
			[{ vid: 1, phones: [{ label: 'Agent', number: PHONE }] }],
			{},
			["'phones' has an entry 'Agent', which may be someone else's and is not used"],
		],
		[
			'or the label of one',
			[{ vid: 1, 'Phone 1 - Label': 'Agent', 'Phone 1 - Value': PHONE }],
			{},
			["'Phone 1 - Label' has an entry 'Agent', which may be someone else's and is not used"],
		],
		['but none of dates', [{ vid: 1, 'DNC Date': '2026-01-02', DNC: 'no' }], {}, []],
		['but none that says more', [...calls, { id: 3, 'Telemarketing list': 'May 2' }], {}, []],
	])('is asked for in every run where a column is not used: one %s', (_, rows, panel, notes) => {
		const said = findings(rows, {}, panel).notes.filter((note) => !note.startsWith('No filled'));
		expect(said).toEqual(notes);
	});

	it('leaves a remark that marks someone in the metadata of all rows', () => {
		const rows = [
			{ id: 1, name: 'Ana', Notes: 'DNC' },
			{ id: 2, name: 'Ben', Notes: 'likes tea' },
		];
		expect(sentOf(rows, { remainingColumns: 'metadata' })).toEqual([
			{ identifier: '1', name: 'Ana', isDoNotDisturbEnabled: true, metadata: { Notes: 'DNC' } },
			{ identifier: '2', name: 'Ben', metadata: { Notes: 'likes tea' } },
		]);
	});
});

it('stops the run where a field is mapped to a column that no row has', () => {
	const reason = (...rows: object[]) => findings(rows, {}, manual).reasonNotToSend;
	const row = { identifier: 1, isDoNotDisturbEnabled: undefined };
	expect(reason(row, row)).toBe(
		"Not sent, because 'Do Not Disturb' is mapped to a column that no row has. Correct its expression, or remove the field. If the source leaves out empty columns, enter a value for them, e.g. {{ $json.column ?? '' }}",
	);
	expect(
		reason({ identifier: 1, name: undefined }, { identifier: 2, name: 'Ana' }),
	).toBeUndefined();
	expect(reason({ identifier: 1, name: null, email: '' })).toBeUndefined();
});

it('leaves bad cells out in JSON, too', () => {
	const rows = [
		{ identifier: '1', name: 'Ana', phoneNumber: '12' },
		{ identifier: '2', email: 'nobody' },
		{ identifier: '3', email: 'nobody', isDoNotDisturbEnabled: 'yes' },
	];
	const read = (...customersJson: object[]) =>
		finish(
			readCustomers(
				[{ parameters: { customersJson } }],
				batchSettings.parse({ inputMode: 'json', options: { leaveOutBadCells: true } }),
				{ ledger: jsonLedger(), account: '' },
			),
		);
	const {
		rows: [row],
		notes,
	} = read(...rows);
	expect(row?.entries.map(({ content }) => content)).toEqual([
		{ identifier: '1', name: 'Ana' },
		{ identifier: '2' },
		{ identifier: '3', isDoNotDisturbEnabled: true },
	]);
	expect(notes).toContain(
		'Sent without invalid cells: 1 customer without Phone Number, 1 customer without Email',
	);
	expect(read({ identifier: '1', priority: 'high', email: 'nobody' }).rows[0]?.entries).toEqual([]);
});

it('reads JSON like fields: a key that gives nothing in any row stops the run, or is said', () => {
	const json = (...customersJson: object[]) =>
		finish(
			readCustomers(
				[{ parameters: { customersJson, inputRow: { id: 1, dnc: 'yes', tags: 'VIP, DNC' } } }],
				batchSettings.parse({ inputMode: 'json', options: {} }),
				{ ledger: jsonLedger(), account: '' },
			),
		);
	const row = { identifier: '1', isDoNotDisturbEnabled: 'no' };
	expect(json({ ...row, name: undefined }).stop).toMatch(/'Name' is mapped to a column that no/);
	expect(json({ ...row, name: undefined }, { identifier: '2', name: 'Ana' }).stop).toBeUndefined();
	expect(json({ ...row, name: '', email: null }, row).notes).toEqual([
		"'Name' is mapped and empty in all rows",
		"'Email' is mapped and empty in all rows",
		"'dnc' looks like a do-not-call mark and is not used. Map it to Do Not Disturb",
		"'tags' says of someone not to call and is not used. Map it to Do Not Disturb",
	]);
});

it('a column Priority is read where it has a number, and its words alone, as a board of tasks has them, are not', () => {
	const rows = [
		{ id: 1, Name: 'Ana', Priority: 'High' },
		{ id: 2, Name: 'Ben', Priority: 'Low' },
	];
	expect(sentOf(rows)).toEqual([
		{ identifier: '1', name: 'Ana' },
		{ identifier: '2', name: 'Ben' },
	]);
	expect(sentOf([...rows, { id: 3, Priority: '3' }])).toEqual([
		undefined,
		undefined,
		{ identifier: '3', priority: 3 },
	]);
});

it('bad cells make a row invalid, or are left out where the user wants that, and the run says which', () => {
	const rows = [
		{ id: 1, Name: 'Ana', Phone: '12', Email: 'ana@example.com' },
		{ id: 2, Name: 'Ben', Phone: PHONE, Email: 'nobody' },
		{ id: 3, Name: 'Eve', 'Calling Priority': 'high' },
	];
	expect(sentOf(rows)).toEqual([undefined, undefined, undefined]);
	expect(sentOf(rows, { leaveOutBadCells: true })).toEqual([
		{ identifier: '1', name: 'Ana', email: 'ana@example.com' },
		{ identifier: '2', name: 'Ben', phoneNumber: PHONE },
		undefined,
	]);
	expect(findings(rows, { leaveOutBadCells: true }).notes).toEqual([
		'Sent without invalid cells: 1 customer without Phone Number, 1 customer without Email',
	]);
});

describe('the country of a row', () => {
	const US = { defaultCountry: 'US' };
	it.each<[object, string]>([
		[{ Phone: '7034567890', 'Calling Code': '+91' }, '+917034567890'],
		[{ Phone: '7034567890', phone_country_code: 91 }, '+917034567890'],
		[{ Phone: '030 1234567', Country: 'Germany' }, '+49301234567'],
		[{ Phone: '030 1234567', Land: 'Deutschland' }, '+49301234567'],
		[{ Phone: '(415) 555-0178', Country: '' }, '+14155550178'],
		[{ Phone: '+49 30 1234567', Country: 'FR' }, '+49301234567'],
		[{ Phone: '+49 30 1234567', Country: 'Utopia' }, '+49301234567'],
		[{ Phone: '030 1234567', Country: 'FR', 'Calling Code': '+49' }, '+49301234567'],
		[{ billing: { phone: '030 1234567', country: 'DE' }, country: 'US' }, '+49301234567'],
	])('counts before Default Country in %j', (row, expected) => {
		expect(sentOf([{ id: 1, ...row }], US)[0]?.phoneNumber).toBe(expected);
	});

	it.each([
		[{ Country: 'Utopia' }, "('Utopia' is not a known country)"],
		[{ 'Phone Prefix': '+49' }, "('Phone Prefix' says +49. Add a column Country"],
		[{ CC: 49 }, "('CC' says 49."],
		[{ location: { country: 'DE' } }, "('country' says DE."],
		[{ addresses: [{ city: 'X' }, { countryIso2: 'DE' }] }, "('countryIso2' says DE."],
		[{ 'Country of Residence': 'Germany' }, "('Country of Residence' says Germany."],
		[{ City: 'Paris, France' }, "('City' says Paris, France. Add a column Country"],
	])(
		'makes a number invalid where it is open, and a column Country makes it plain: %j',
		(beside, why) => {
			const row = { id: 1, Phone: '(415) 555-0178', ...beside };
			expect(refusals([row], US)[0]).toContain(why);
			expect(sentOf([{ ...row, Phone: '+14155550178' }], US)).toHaveLength(1);
			expect(sentOf([{ ...row, Country: 'US' }], US)[0]?.phoneNumber).toBe('+14155550178');
		},
	);

	it('is the default one where the row names another whose numbers are read alike', () => {
		const row = { id: 1, Phone: '(415) 555-0178', 'Shipping Country': 'CA', 'Name Prefix': 'Mr' };
		expect(sentOf([row], US)[0]?.phoneNumber).toBe('+14155550178');
	});
});

it.each<[string, object]>([
	['nein', { isDoNotDisturbEnabled: true }],
	['ja', {}],
	['030/1234567', { phoneNumber: '+49301234567' }],
])('Telefonkontakt may be a number, or say whether someone wants calls: %s', (cell, sent) => {
	expect(sentOf([{ id: 1, Telefonkontakt: cell }], { defaultCountry: 'DE' })).toEqual([
		{ identifier: '1', ...sent },
	]);
});

it.each(['+41860791234567', '+19002345678', '+447640123456'])(
	'refuses the number %s, at which no one answers',
	(Phone) => {
		expect(refusals([{ id: 1, Phone }])[0]).toMatch(
			/is a (voicemail box|premium-rate number|pager)\. Enter/,
		);
	},
);

describe('a row whose person stands in an envelope, unlike the others', () => {
	const flat = { id: 1, name: 'Ana', phone: PHONE };
	const person = { id: 2, name: 'Ben', phone: '+14155550179' };

	it.each(['data', 'json', 'body'])('is refused with the place: %s', (envelope) => {
		const rows = [flat, { id: 9, [envelope]: person }, { id: 3, name: 'Eve' }];
		expect(sentOf(rows).map((value) => value?.identifier)).toEqual(['1', undefined, '3']);
		expect(refusals(rows)[1]).toBe(
			`has its fields in '${envelope}.name', unlike other rows. Bring all rows into one form`,
		);
	});

	it('is sent where it is marked, and where it only carries something', () => {
		const marked = { id: 9, 'Do Not Call': 'yes', data: person };
		const carrying = { ...person, data: { name: 'Campaign' } };
		expect(sentOf([flat, marked, carrying])).toMatchObject([
			{ identifier: '1' },
			{ identifier: '9', isDoNotDisturbEnabled: true },
			{ identifier: '2', name: 'Ben' },
		]);
	});
});

it('says in every run which mapped fields are empty in all rows, but not those that no one touched', () => {
	const rows = [
		{ identifier: 1, name: '', email: null, priority: 'N/A', phoneNumber: PHONE },
		{ identifier: 2, name: ' ', email: null, priority: '', phoneNumber: '' },
	];
	expect(findings(rows, {}, manual).notes).toEqual([
		"'Name' is mapped and empty in all rows",
		"'Priority' is mapped and empty in all rows",
	]);
});

describe('rows that are no people', () => {
	const [ana, ben] = [
		{ id: 2, name: 'Ana' },
		{ id: 3, name: 'Ben' },
	];
	const order = { id: 5, order_number: 1, name: '#1001', phone: PHONE };

	it.each<[string, object, RegExp]>([
		[
			'orders of a customer type',
			{ ...order, type: 'customer', name: 'Ana' },
			/^is missing\. The rows seem to be orders/,
		],
		['orders', order, /^is missing\. The rows seem to be orders \(order_number\)/],
		[
			'deals',
			{ id: 5, dealname: 'Big', Email: 'a@example.com' },
			/^is missing\. The rows seem to be deals/,
		],
		[
			'charges',
			{ id: 'ch_1', object: 'charge', customer: null },
			/^is missing\. .* payments \(object\)/,
		],
		[
			'orders without a customer',
			{ id: 5, customer: null, name: '#1001', email: 'a@example.com' },
			/^is missing\. .* records \(name\)/,
		],
		['orders of no one', { id: 5, total: 9, email: 'a@example.com' }, /orders \(total\)/],
		['sales', { ...ana, phone: PHONE, quantity: 1, total: 9 }, /orders \((total|quantity)\)/],
		[
			'entries of a form',
			{ submission_id: 5, ...ana, Email: 'a@example.com' },
			/^is missing\. .* form entries/,
		],
		[
			'two people each',
			{ id: 1, customer: ana, contact: ben },
			/^is unclear, .* several people \(contact, customer\)/,
		],
		[
			'a person with another',
			{ ...ana, phone: '1', contact: { ...ben, phone: '2' } },
			/^is unclear, because each row contains several people \(the row itself, contact\)/,
		],
		[
			'a person and someone in a role',
			{ ...ana, phone: PHONE, student_name: 'Ben', student_phone: '+14155550179' },
			/^is unclear, because each row contains several people \(name, student_name\)/,
		],
		[
			'companies with their people',
			{ id: 1, name: 'Acme', contacts: [ana, ben] },
			/^is unclear, because rows contain several people each \(contacts\)/,
		],
		['a row of the Aggregate node', { id: [1, 2], name: ['A', 'B'] }, /several people each \(id\)/],
		['a page of users', { id: 'q', users: [{ ...ben, phone: '1' }, ana] }, /\(users\)/],
		['a page of data', { id: 'q', data: [{ ...ben, email: 'a@example.com' }] }, /\(data\)/],
		[
			'donations',
			{ id: 5, donor_name: 'Ana', donor_phone: PHONE, amount: 10 },
			/^is missing\. .* records \(donor_name\)/,
		],
		[
			'payments of someone named elsewhere',
			{ id: 'PM1', amount: 5, links: { customer: 'CU1' }, metadata: {} },
			/^is missing\. .* records \(id\)/,
		],
		[
			'quotes that name their customer',
			{ id: 'Q-1', title: 'Roof', customer_name: 'Ana', customer_email: 'a@example.com' },
			/^is missing\. .* records \(customer_name\)/,
		],
		[
			'jobs of a client',
			{ id: 'J-1', client_name: 'Ana', client_phone: PHONE, technician: 'Bob' },
			/^is missing\. .* records \(client_name\)/,
		],
		[
			'shipments',
			{ ...ana, phone: PHONE, tracking_number: '1Z' },
			/^is missing\. .* orders \(tracking_number\)/,
		],
		[
			'reservations',
			{ id: 5, guestName: 'Ana', guestEmail: 'a@example.com', phone: PHONE },
			/^is missing\. .* records \(guestName\)/,
		],
		[
			'orders of guests',
			{ id: 'T3', billingAddress: { firstName: 'Ana', phone: PHONE } },
			/^is missing\. .* records \(id\)/,
		],
	])('are refused with the way out: %s', (_, row, message) => {
		const [problem] = findings([row]).problems;
		expect(problem?.message).toMatch(message);
		expect(problem?.message).toMatch(/Set the option 'Identifier Column'|Split Out/);
	});

	it('are refused where Identifier Column is in a list of several people, of whom one would be sent', () => {
		const contacts = [{ id: 1, phone: PHONE }, { id: 2 }];
		for (const identifierColumn of ['contacts.id', 'contacts']) {
			const [problem] = findings([{ contacts }], { identifierColumn }).problems;
			expect(problem?.message).toMatch(/several people each \(contacts\).*Split Out/);
		}
	});

	const both = { ...ana, phone: PHONE, contact: { ...ben, phone: '+14155550179' } };
	it.each<[string, object, object]>([
		[
			'email',
			{ ...order, name: '', email: 'una@example.com' },
			{ identifier: 'una@example.com', email: 'una@example.com', phoneNumber: PHONE },
		],
		[
			'id',
			{ ...ana, phone: PHONE, quantity: 1, total: 9 },
			{ identifier: '2', name: 'Ana', phoneNumber: PHONE },
		],
		['contact.id', both, { identifier: '3', name: 'Ben', phoneNumber: '+14155550179' }],
		['id', both, { identifier: '2', name: 'Ana', phoneNumber: PHONE }],
		[
			'account',
			{ order_number: 1, account: 'A-7', customer: { name: 'Ana', phone: PHONE } },
			{ identifier: 'A-7', name: 'Ana', phoneNumber: PHONE },
		],
		[
			'account.id',
			{ ...both, account: { id: 'A-7' }, custom_fields: { 'Do Not Call': 'yes' } },
			{ identifier: 'A-7', isDoNotDisturbEnabled: true },
		],
	])(
		'are read from the level that Identifier Column is on, or from the person in it: %s of %j',
		(identifierColumn, row, customer) => {
			expect(sentOf([row], { identifierColumn })).toEqual([customer]);
		},
	);

	const others = {
		'Buyer Name': 'Ben Ode',
		'Buyer Phone': '+12125550161',
		buyer_email: 'b@example.com',
	};
	const seller = { identifier: 'S-1', name: 'Ana Silva', phoneNumber: PHONE };
	const alone = { identifier: 'S-1', name: 'Ana Silva', email: 'a@example.com' };
	const two = {
		Name: 'Ana Silva',
		Phone: '',
		Mobile: '',
		Email: 'a@example.com',
		'Student Name': 'Ben Ode',
		'Student Phone': PHONE,
		'Student Email': 'b@example.com',
	};
	it.each<[string, object, object]>([
		[
			'Seller ID',
			{ ...others, 'Seller ID': 'S-1', 'Seller Name': 'Ana Silva', 'Seller Phone': PHONE },
			seller,
		],
		[
			'sellerId',
			{
				...others,
				sellerId: 'S-1',
				sellerFirstName: 'Ana',
				sellerLastName: 'Silva',
				sellerMobile: PHONE,
			},
			seller,
		],
		[
			'SELLER_ID',
			{ ...others, SELLER_ID: 'S-1', SELLER_NAME: 'Ana Silva', SELLER_PHONE: PHONE },
			seller,
		],
		[
			'id_vendedor',
			{
				...others,
				id_vendedor: 'S-1',
				'Nombre del vendedor': 'Ana Silva',
				telefono_vendedor: PHONE,
			},
			seller,
		],
		[
			'Seller ID',
			{
				...others,
				'Seller ID': 'S-1',
				Email: 'who@example.com',
				'Seller Name': 'Ana Silva',
				'Seller Phone': '',
			},
			{ identifier: 'S-1', name: 'Ana Silva' },
		],
		['Seller ID', { 'Seller ID': 'S-1', 'Seller Name': 'Ana Silva', Phone: PHONE }, seller],
		...listed('Doctor | Parent | Account Manager | Seller').flatMap((role) => {
			const own = {
				[`${role} ID`]: 'S-1',
				[`${role} Name`]: 'Ana Silva',
				[`${role} Phone`]: PHONE,
			};
			return [
				{ 'Patient Name': 'Ben Ode', 'Patient Phone': '+12125550161' },
				{ 'First Name': 'Ben', 'Last Name': 'Ode', Phone: '+12125550161' },
			].map((other): [string, object, object] => [`${role} ID`, { ...own, ...other }, seller]);
		}),
		[
			'Student ID',
			{ ...two, 'Student ID': 'S-1', Phone: '+12125550161' },
			{ ...seller, name: 'Ben Ode', email: 'b@example.com' },
		],
		[
			'Student ID',
			{ ...two, 'First Name': 'Ana', 'Last Name': 'Silva', Name: '', 'Student ID': 'S-1' },
			{ ...seller, name: 'Ben Ode', email: 'b@example.com' },
		],
		['Record ID', { ...two, 'Record ID': 'S-1' }, alone],
		['Customer ID', { ...two, 'Customer ID': 'S-1' }, alone],
		[
			'Customer ID',
			{ ...others, 'Customer ID': 'S-1', 'Customer Name': 'Ana Silva', Phone: PHONE },
			seller,
		],
		[
			'Seller Email',
			{ ...others, 'Seller Email': 'a@example.com', 'Seller Phone': PHONE },
			{ identifier: 'a@example.com', email: 'a@example.com', phoneNumber: PHONE },
		],
		['Buyer ID', { 'Buyer ID': 'S-1', Phone: PHONE, Name: 'Ana Silva' }, seller],
		[
			'Account ID',
			{ 'Account ID': 'S-1', 'Contact Name': 'Ana Silva', 'Contact Phone': PHONE },
			seller,
		],
		...listed(`
			Email Address | Work Email | Primary Email | Billing Email | E-Mail-Adresse | E-mail 1 - Value | Personal Email
		`).map((column): [string, object, object] => [
			column,
			{ [column]: 'a@example.com', Name: 'Ana Silva', Phone: PHONE, 'Phone 2': '', 'E-mail 2': '' },
			{ ...seller, identifier: 'a@example.com', email: 'a@example.com' },
		]),
		[
			'Seller ID',
			{ 'Seller ID': 'S-1', Name: 'Ana Silva', Phone: '', 'Phone 2': PHONE, 'Work Phone': '' },
			seller,
		],
		[
			'Vendor ID',
			{
				'Vendor ID': 'S-1',
				'Vendor Name': 'Ana Silva',
				'Contact Name': 'Ben Ode',
				Phone: PHONE,
				Email: 'a@example.com',
			},
			{ ...seller, email: 'a@example.com' },
		],
		['Agent ID', { 'Agent ID': 'S-1', 'Agent Name': 'Ana Silva', 'Contact Number': PHONE }, seller],
		...[
			['Customer ID', 'Lead Status'],
			['Seller ID', 'Lead Status'],
			['Customer ID', 'Lead DNC'],
			['Lead ID', 'user_do_not_call'],
		].map(([id = '', column = '']): [string, object, object] => [
			id,
			{ [id]: 'S-1', Name: 'Ana Silva', Phone: PHONE, [column]: 'Do Not Call' },
			{ ...seller, isDoNotDisturbEnabled: true },
		]),
		...['Buyer DNC', 'Buyer Do Not Call', 'Customer DNC'].flatMap((column) =>
			['Yes', 'No'].map((cell): [string, object, object] => [
				'Seller ID',
				{ 'Seller ID': 'S-1', 'Seller Name': 'Ana Silva', Phone: PHONE, [column]: cell },
				seller,
			]),
		),
		[
			'Seller ID',
			{ 'Seller ID': 'S-1', 'Seller Name': 'Ana Silva', Phone: PHONE, 'Seller DNC': 'Yes' },
			{ ...seller, isDoNotDisturbEnabled: true },
		],
		[
			'Contact ID',
			{ 'Contact ID': 'S-1', Name: 'Ana Silva', Phone: PHONE, 'Emergency Contact DNC': 'No' },
			seller,
		],
		...['Spouse', 'Owner'].map((role): [string, object, object] => [
			`${role} ID`,
			{
				[`${role} ID`]: 'S-1',
				[`${role} Name`]: 'Ana Silva',
				[`${role} Phone`]: PHONE,
				[`${role} DNC`]: 'No',
			},
			{ ...seller, isDoNotDisturbEnabled: false },
		]),
		[
			'Owner ID',
			{
				'Owner ID': 'P2',
				'Owner 1 Name': 'Ben Ode',
				'Owner 1 Phone': '',
				'Owner 2 Name': 'Di Moe',
				'Owner 2 Phone': PHONE,
			},
			{ identifier: 'P2', name: 'Ben Ode' },
		],
	])(
		'are read from the columns that are named after Identifier Column: %s of %j',
		(identifierColumn, row, customer) => {
			expect(sentOf([row], { identifierColumn })).toEqual([customer]);
		},
	);

	const doctor = { 'Doctor ID': 'D-1', 'Doctor Name': 'Ana Silva' };
	it.each<[string, object]>([
		['Seller ID', { ...others, 'Seller ID': 'S-1', billing_address: { phone: PHONE } }],
		['Seller ID', { ...others, 'Seller ID': 'S-1', Phone: PHONE }],
		['Seller ID', { 'Seller ID': 'S-1', 'Seller Name': 'Ana', Name: 'Ben', Phone: PHONE }],
		['Seller ID', { ...others, 'Seller ID': 'S-1', 'Seller Name': 'Ana', Email: 'a@example.com' }],
		['Seller ID', { ...others, 'Seller ID': 'S-1' }],
		['Doctor ID', { ...doctor, Name: 'Ben Ode', Phone: PHONE }],
		['Doctor ID', { ...doctor, 'First Name': 'Ben', Phone: PHONE }],
		['Doctor ID', { ...doctor, 'Patient Name': 'Ben Ode', 'Patient Phone': PHONE }],
		['Account ID', { ...two, Phone: PHONE, 'Account ID': 'S-1' }],
	])(
		'are refused where it is open whether a number or a name belongs to Identifier Column: %s of %j',
		(identifierColumn, row) => {
			expect(findings([row], { identifierColumn }).problems[0]?.message).toMatch(
				/^is unclear, because each row contains several people.* belongs to '.* ID'/,
			);
		},
	);

	it.each<[object, object]>([
		[
			{ 'Customer ID': 'K-1', Name: 'Ana Silva', 'Order Date': '2026-01-01' },
			{ name: 'Ana Silva' },
		],
		[{ 'Customer ID': 'K-1', Name: '#1001', 'Order Date': '2026-01-01' }, {}],
		[{ contactId: 'K-1', name: 'Big deal', pipelineId: 'p' }, {}],
	])('have the name of the customer only where it is one: %j', (row, name) => {
		expect(sentOf([row])).toEqual([{ identifier: 'K-1', ...name }]);
	});

	it.each([
		{ total: 9 },
		{ amount: 9, product: 'Loan', price: 9 },
		{ orders_count: 3, total_spent: 9 },
		{ name: 'Ana77' },
	])('are not those that have a name and %j', (more) => {
		expect(sentOf([{ ...ana, phone: PHONE, ...more }])[0]?.identifier).toBe('2');
	});

	it('leave a guest without an ID out, and keep the others', () => {
		const billing = { first_name: 'Ana', last_name: 'Silva', phone: PHONE };
		const rows = [0, 7, 0].map((customer_id) => ({ id: 9, line_items: [], customer_id, billing }));
		expect(sentOf(rows).map((value) => value?.identifier)).toEqual([undefined, '7', undefined]);
	});
});
