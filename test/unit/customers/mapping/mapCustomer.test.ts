import { listed } from '../../../support/listed';
import { fieldsOf, mapRows, planCustomerRows } from '../../../support/mapRows';

describe('columns mapped automatically', () => {
	it.each([
		[
			{ customer_id: 'a', 'E-Mail': 'b', MOBILE: 'c' },
			{ identifier: 'a', email: 'b', phoneNumber: 'c' },
		],
		[{ 'Full Name': 'A B', 'First Name': 'C' }, { name: 'A B' }],
		[{ Name: ' ', 'First Name': 'A', 'Last Name': 'B' }, { name: 'A B' }],
		[{ constructor: 'x', __proto__: { name: 'y' } }, {}],
	])('takes %j for %j', (row, fields) => {
		expect(fieldsOf(row)).toEqual(fields);
	});

	it('takes each field from the columns of the run, in whatever order and number they come', () => {
		const rows = [
			{ 'Record ID': 'a', Email: 'b' },
			{ 'Record ID': 'c', Mobile: 'd' },
			{ 'Record ID': 'e' },
			{ 'Record ID': 'f', Mobile: 'g', City: 'h' },
			{ City: 'i', 'Record ID': 'j' },
		];
		const { fields, remaining } = mapRows(rows);
		expect(fields).toEqual([
			{ identifier: 'a', email: 'b' },
			{ identifier: 'c', phoneNumber: 'd' },
			{ identifier: 'e' },
			{ identifier: 'f', phoneNumber: 'g' },
			{ identifier: 'j' },
		]);
		expect(remaining).toEqual([{}, {}, {}, { City: 'h' }, { City: 'i' }]);
	});

	it('takes the identifier of all rows from one column, also where it is empty', () => {
		const rows = [{ id: 1, 'Customer Number': 'K-1' }, { id: 2, 'Customer Number': '' }, { id: 3 }];
		expect(mapRows(rows).fields.map(({ identifier }) => identifier)).toEqual([
			'K-1',
			undefined,
			undefined,
		]);
	});

	it.each([
		['id before a payer', { ID: 5, 'Payer ID': 9, Name: 'Ana', Phone: '1' }, 5],
		['id before an account', { AccountId: 'x', Id: 5, Name: 'Ana' }, 5],
		['customer number before id', { id: 5, Kundennummer: 'K-1' }, 'K-1'],
		['record ID before customer number', { 'Customer Number': 'K-1', 'Record ID': '9' }, '9'],
		['id where the better one is empty', { external_id: null, id: 5, name: 'Ana' }, 5],
		[
			'a UUID',
			{ id: '0b6a6b7e-3c1f-4d2a-9f60-5a7d1c2e3f40', name: 'Ana' },
			'0b6a6b7e-3c1f-4d2a-9f60-5a7d1c2e3f40',
		],
		['the customer of an order', { id: 5, customer: { id: 7 } }, 7],
		[
			'the own ID of a person who refers to a customer',
			{ id: 5, name: 'Ana', phone: '1', customer: { id: 7 } },
			5,
		],
		['text in customer, which is its ID', { id: 'pm_1', customer: 'cus_9' }, 'cus_9'],
		['the own ID where customer is a name', { id: 5, customer: 'Ana Silva', phone: '1' }, 5],
		[
			'the same column with a phone number and without one',
			{ id: 1, 'Customer ID': 'C7', 'Customer Number': 'K-7', Name: 'Ana' },
			'K-7',
		],
		['text in customer beside a name', { id: 'sub_1', name: 'Gold', customer: 'cus_9' }, 'cus_9'],
		['the customer of what has a name', { id: 5, name: 'Gold', customer: { id: 7 } }, 7],
		['none where what has a name has no customer', { id: 5, name: 'X', customer: '' }, undefined],
		['none where the row has nothing but an ID', { id: 5, links: { customer: 'CU1' } }, undefined],
		['none where the customer of the row is empty', { id: 5, customer: null, total: 1 }, undefined],
		['none where its ID is 0, as for guests', { id: 5, customer_id: 0, email: 'a' }, undefined],
		['never an address', { BillAddr: { Id: 3 }, address: { id: 4 } }, undefined],
	])('takes as identifier %s', (_, row, identifier) => {
		expect(fieldsOf(row)['identifier']).toBe(identifier);
	});

	it.each([
		[{ 'Do Not Disturb': 'no', 'Do Not Call': 'yes' }, true],
		[{ 'Do Not Disturb': 'no', 'Do Not Call': 'perhaps' }, 'perhaps'],
		[{ 'Do Not Disturb': 'perhaps', 'Do Not Call': 'no' }, 'perhaps'],
		[{ 'Do Not Disturb': 'perhaps', properties: { 'Do Not Call': 'X' } }, true],
		[{ 'Do Not Disturb': ' ', 'Do Not Call': 'nein' }, false],
		[{ 'Do Not Disturb': '', 'Do Not Call': null }, undefined],
		[{ HasOptedOutOfEmail: true, emailBlacklisted: true, sms_opt_out: 'yes' }, undefined],
		[{ dnd: false, dndSettings: { Call: { status: 'active' } } }, true],
		[{ DNC__c: false, preferences: { do_not_call: 'ja' } }, true],
		[{ phone_consent: 'no' }, true],
		[{ metadata: { do_not_call: 'yes' } }, true],
		[{ meta_data: [{ id: 1, key: 'dnc', value: 'yes' }] }, true],
		[{ phone_consent: 'yes' }, undefined],
		[{ order_id: 1, do_not_call: 'x', customer: { id: 1, phone: '1' } }, true],
		[{ id: 1, owner: { do_not_call: true } }, undefined],
		[{ phone: { number: '1', do_not_call: true } }, true],
		[{ phone: { number: '1', callable: false } }, true],
		[{ phone: { number: '1', dnc: 'perhaps' } }, true],
		[{ phone: { number: '1', do_not_call: false } }, undefined],
		[{ phone_numbers: [{ sanitized_number: '+14155550178', dnc_status: 'dnc' }] }, true],
		...[
			{ label: 'DO NOT CALL' },
			{ status: 'opted_out' },
			{ status: 'Blocked' },
			{ status: 'Do not call' },
			{ type: 'Mobile - DNC' },
			{ type: { name: 'DNC' } },
			{ note: 'Opted out of calls' },
		].map((said): [Record<string, unknown>, unknown] => [
			{ phones: [{ value: '1' }, { value: '2', ...said }] },
			true,
		]),
		[{ phones: [{ value: '1', label: 'DNC clear', note: 'call her wife after 6' }] }, undefined],
		[{ phones: [{ number: '', do_not_call: true }] }, true],
		[{ phone: { label: 'Fax', number: '1', dnc: 'yes' } }, true],
		[{ emails: [{ value: '', label: 'Do not call' }] }, true],
		[{ emails: [{ value: 'a@example.com', status: 'unsubscribed' }] }, undefined],
		[{ emails: [{ value: 'a@example.com', label: 'Do not call' }] }, true],
		[{ phones: [{ value: '1', status: 'opted out of emails' }] }, undefined],
		[{ dnc: 'perhaps', phones: [{ number: '1' }, { number: '2', dnc: 'Y' }] }, true],
		[{ status: 'Opted out of calls' }, true],
		[{ Tags: { name: 'No calls' } }, true],
		[{ Status: 'Blacklisted' }, true],
		[{ 'DNC scrub result': 'Found' }, true],
		[{ 'Call Result': 'DNC requested' }, true],
		[{ 'Contact?': 'No' }, true],
		[{ 'Contact Permission': 'None' }, true],
		[{ Channels: 'email;sms' }, true],
		[{ Channels: 'email;phone', 'Sales channel': 'web' }, undefined],
		[{ Status: 'Active', Contact: 'None', 'Last contact': 'No' }, undefined],
		[{ contact_preferences: { phone: 'never' } }, true],
		[{ contact_preferences: { phone: '+14155550178' } }, undefined],
		[{ custom_attributes: [{ attribute_code: 'do_not_call', value: '1' }] }, true],
		[{ consents: [{ purpose: 'telemarketing', consent: false }] }, true],
		[{ metadata: '{"do_not_call":"yes"}' }, true],
		[{ 'DNC clean': 'Yes' }, undefined],
		[{ 'DNC clean': 'No' }, true],
		[{ 'Nicht auf Robinsonliste': 'Nein' }, true],
		[{ 'DNC Status': 'TPS clear' }, 'TPS clear'],
		[{ 'Lead Status': 'DNC clear' }, undefined],
		[{ DNC: 'no', 'DNC Region': 'Texas', 'DNC Vendor': 'Acme', 'DNC Date': '2026-01-02' }, false],
		[{ 'DNC Region': 'Texas' }, 'Texas'],
		[{ DNC: '2025-01-01' }, true],
		[{ 'Do Not Call': '01/31/2025' }, true],
		[{ DNC: { start: '2025-01-01', end: null } }, true],
		[{ DNC: { type: 'date', date: { start: '2025-01-01' } } }, true],
		[{ Estado: 'No llamar más' }, true],
		[{ DNC: '0000-00-00' }, false],
		[{ DNC: '+14155550178' }, '+14155550178'],
		[{ 'DNC Region': '2025-01-01' }, '2025-01-01'],
		[{ 'DNC check': 'Match' }, true],
		[{ 'TPS check': 'Not registered' }, undefined],
		[{ 'DNC Vendor': 'Acme' }, undefined],
		[{ 'DNC Added': '2026-01-02' }, true],
		[{ 'Anrufsperre seit': '01.02.2026' }, true],
		[{ opted_out_at: 1_767_312_000_000 }, true],
		[{ 'DNC Date': 'pending' }, 'pending'],
		[{ 'DNC Date': '', 'DNC Check Date': '2026-01-02', unsubscribed_at: '2026-01-02' }, undefined],
		...[
			['Spouse Do Not Call', 'Do Not Call (Spouse)', 'spouse_do_not_call', 'Emergency Contact DNC'],
			['Legal Guardian Do Not Call', "Mother's DNC", 'Co-Applicant Do Not Call', 'Agent DNC'],
			['Anrufsperre Ehepartner', 'Madre: no llamar', 'Contact 2 Do Not Call', 'Guest #2 DNC'],
		].flatMap((columns) =>
			columns.flatMap((column): Array<[Record<string, unknown>, unknown]> => [
				[{ id: 1, [column]: 'No' }, undefined],
				[{ id: 1, [column]: 'Yes' }, true],
				[{ id: 1, [column]: 'No', DNC: 'no' }, false],
				[{ id: 1, [column]: 'Yes', DNC: 'no' }, true],
			]),
		),
		...[
			'Customer Do Not Call',
			'lead_dnc',
			'Person: DNC',
			'Guest 1 DNC',
			'Ask before we call: DNC',
		].map((column): [Record<string, unknown>, unknown] => [{ id: 1, [column]: 'No' }, false]),
		[{ 'Spouse ID': 7, 'Spouse Name': 'Bo Silva', 'Spouse Do Not Call': 'No' }, undefined],
	])('reads the marks of %j as %j', (row, mark) => {
		expect(fieldsOf(row)['isDoNotDisturbEnabled']).toBe(mark);
	});

	it('takes the date of a mark for a yes in the rows in which no mark answers', () => {
		const rows = [
			{ id: 1, DNC: 'no', 'DNC Date': '2026-01-02' },
			{ id: 2, DNC: '', 'DNC Date': '2026-01-02' },
			{ id: 3, DNC: '', 'DNC Date': '', opted_out_at: 'soon' },
			{ id: 4, DNC: '', 'DNC Date': '2026-01-02', opted_out_at: 'soon' },
		];
		const marks = mapRows(rows).fields.map(({ isDoNotDisturbEnabled: mark }) => mark);
		expect(marks).toEqual([false, true, 'soon', true]);
	});

	it.each([
		[{ Vorname: 'Ana', Name: 'Ana Silva' }, 'Ana Silva'],
		[{ Name: 'Ana Silva', Customer: 'Yes', Vendor: 'No' }, 'Ana Silva'],
		[{ Customer: 'Yes', Vendor: 'No' }, undefined],
		[{ Name: 'Ana Silva', Client: 'Acme Corp' }, 'Ana Silva'],
		[{ Customer: 'Ana Silva' }, 'Ana Silva'],
		[{ 'First Name': 'Ana', Name: 'Ana Silva' }, 'Ana Silva'],
		[{ 'First Name': 'Ana', Name: 'Annabel Lee' }, 'Annabel Lee'],
		[{ billing: { first_name: 'Ana' }, last_name: 'Silva' }, 'Silva'],
		[{ first_name: 'Na', last_name: 'Li' }, 'Na Li'],
		[{ first_name: 'Ana', last_name: 'NA' }, 'Ana'],
		[{ 'Last Name': ' ', billing: { first_name: ' Ana ', last_name: 'Silva' } }, 'Ana Silva'],
		[{ 'Billing First Name': 'Ana', billing_last_name: 'Silva' }, 'Ana Silva'],
		[{ 'First Name': 'Ana', 'Billing Name': 'Ben Ode' }, 'Ana'],
		[{ 'First Name': 'Ana', 'Customer Name': 'Ben Ode' }, 'Ana'],
		[{ Nome: 'Ana', Cognome: 'Silva', 'Nome completo cliente': 'Ben Ode' }, 'Ana Silva'],
		[
			{ 'Full Name': 'Ana Silva', 'Customer First Name': 'B', 'Customer Last Name': 'O' },
			'Ana Silva',
		],
		[{ 'Nome do cliente': 'Ana', 'Sobrenome do cliente': 'Silva' }, 'Ana Silva'],
		[{ 'Kunde Name': 'Silva', 'Kunde Vorname': 'Ana' }, 'Ana Silva'],
		[{ Klant: 'Ana Silva' }, 'Ana Silva'],
	])('reads the name in %j as %j', (row, name) => {
		expect(fieldsOf(row)).toEqual({ name });
	});

	it.each([
		[{ phones: ['', '2', '3'] }, '2'],
		[{ phones: [...new Array<string>(50).fill(''), '2'] }, undefined],
		[{ phone: true, phones: ['2'] }, '2'],
		[{ phone: { value: '1', ...Object.fromEntries([...'x'.repeat(60)].entries()) } }, undefined],
		[{ properties: { gsm: '1' }, 'Mobile Phone Number': '2' }, '1'],
		[{ mobile: 0, phone: '2' }, '2'],
		[{ mob_phone: '1', bus_phone: '2' }, '1'],
		[{ data: { data: { data: { phone: '1' } } } }, '1'],
		[{ data: { data: { data: { data: { phone: '1' } } } } }, undefined],
		[{ shipping: { phone: '1' }, owner: { phone: '2' } }, undefined],
		...listed(`
			Husband | Spouse | Daughter | Wife's cell | motherMobile | Mobile (mom) | Next of kin | Mutter | Ehefrau | conjoint | Hija | figlio | vrouw |
			Wrong number | Not in service | Out of service | Do not use | Don't use | Dead | Bad | Bad number | No longer valid | Nanny | Accountant |
			Agent | School | Assistant | Neighbour | Front desk | Site contact | Home nurse | Work colleague | Hausverwaltung | Voisine | Suegra
		`).map((label): [Record<string, unknown>, unknown] => [
			{
				phones: [
					{ label, value: '1' },
					{ label: 'Home', value: '2' },
				],
			},
			'2',
		]),
		...[
			{ raw_number: '(415) 555-0178', sanitized_number: '+14155550178', status: 'valid_number' },
			{ tel: '+14155550178', id: 12345678, position: 0 },
			{ internationalFormat: '+14155550178', nationalFormat: '(415) 555-0178' },
			{ phoneE164: '+14155550178', fax_number: '+12125550161' },
		].map((phone): [Record<string, unknown>, unknown] => [
			{ phone_numbers: [phone] },
			'+14155550178',
		]),
		[
			{ phone_numbers: [{ sanitized_number: '+14155550178', status: 'invalid_number' }] },
			undefined,
		],
		[{ phone_numbers: [{ account_id: '12345678', updated_at: '2026-01-02' }] }, undefined],
		[{ phones: [{ type: 'mobile', relationship: 'Son', value: '1' }] }, undefined],
		[
			{
				phones: [
					{ label: 'Personal', value: '1' },
					{ label: 'Mobile', value: '2', name: 'Mason Motherwell' },
				],
			},
			'2',
		],
		[{ phone: { unknown: '1' }, phones: [[[[[['2']]]]]] }, undefined],
	])('reads the number in %j as %j', (row, phone) => {
		expect(fieldsOf(row)['phoneNumber']).toBe(phone);
	});

	it('reads an address in a member of any name', () => {
		const contact_emails = [{ mail: 'a@example.com', email_status: 'verified' }];
		expect(fieldsOf({ contact_emails })).toEqual({ email: 'a@example.com' });
	});

	it('takes a list for metadata', () => {
		expect(fieldsOf({ vid: 1, metadata: ['x'] })).toEqual({ identifier: 1, metadata: ['x'] });
		expect(fieldsOf({ vid: 1, metadata: { x: 1 } })).toMatchObject({ metadata: { x: 1 } });
	});

	it('keeps what remains where it stood', () => {
		const row = {
			id: 1,
			City: 'Lagos',
			properties: { firstname: 'Ana', plan: 'gold', note: '' },
			fields: [
				{ key: 'phone', value: '1' },
				{ key: 'tier', value: '2' },
			],
			owner: { email: 'ana@example.com' },
			preferences: '{"account":12345678901234567890}',
			row_number: 7,
		};
		expect(mapRows([row]).remaining[0]).toEqual({
			City: 'Lagos',
			properties: { plan: 'gold' },
			fields: { tier: '2' },
			owner: { email: 'ana@example.com' },
			preferences: '{"account":12345678901234567890}',
		});
	});

	it('is not confused by columns named like members of every object', () => {
		const row = JSON.parse(
			'{"vid":1,"__proto__":{"phone":"1"},"constructor":{"phone":"2"},"fields":[{"key":"__proto__","value":"3"}],"properties":{"__proto__":{"email":"x"}}}',
		) as Record<string, unknown>;
		expect(fieldsOf(row)).toEqual({ identifier: 1 });
		expect(Object.keys(mapRows([row]).remaining[0] ?? {})).toEqual([
			'__proto__',
			'constructor',
			'fields',
			'properties',
		]);
		expect(fieldsOf({ phone: { type: '__proto__' } })).toEqual({});
	});

	it('reads deep, wide and circular values in no time', () => {
		let deep: Record<string, unknown> = { id: 1 };
		for (let level = 0; level < 10_000; level++) deep = { properties: deep, phones: [deep] };
		const wide = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`fields ${i}`, {}]));
		const circular: Record<string, unknown> = { id: 2 };
		circular['properties'] = circular;
		circular['phones'] = [circular];
		expect(fieldsOf(deep)).toEqual({});
		expect(fieldsOf(wide)).toEqual({});
		expect(fieldsOf(circular)).toEqual({ identifier: 2 });
		expect(fieldsOf({ phones: new Array(1_000_000).fill('') })).toEqual({});
	}, 60_000);

	const own = { identifier: 'a' };
	it.each<[object, object, object]>([
		[{ City: 'Lagos', Notes: null }, {}, own],
		[
			{ City: 'Lagos', Notes: null },
			{ remainingColumns: 'metadata' },
			{ ...own, metadata: { City: 'Lagos' } },
		],
		[{}, { remainingColumns: 'metadata' }, own],
		[
			{ id: undefined, metadata: { x: 1 }, City: 'A' },
			{ remainingColumns: 'metadata' },
			{ ...own, metadata: { City: 'A', x: 1 } },
		],
		[
			{ metadata: '{"x":1}', City: 'A' },
			{ remainingColumns: 'metadata' },
			{ ...own, metadata: { City: 'A', x: 1 } },
		],
		[{ metadata: ['vip', 'gold'] }, {}, { ...own, metadata: { metadata: ['vip', 'gold'] } }],
		[{ metadata: [] }, {}, own],
		[
			{ metadata: ['vip'], City: 'A' },
			{ remainingColumns: 'metadata' },
			{ ...own, metadata: { City: 'A', metadata: ['vip'] } },
		],
		[
			{ metadata: 'gold', City: 'A' },
			{ remainingColumns: 'metadata' },
			{ ...own, metadata: { City: 'A', metadata: 'gold' } },
		],
	])('has the other columns of %j as metadata with %j', (more, options, sent) => {
		const { rows } = planCustomerRows([{ identifier: 'a', ...more }], options);
		expect(rows[0]?.values).toEqual([sent]);
	});

	it.each([
		[
			{ Vorname: 'Ana', Mail: 'ana@example.com' },
			". Set the option 'Identifier Column' to the column that has it, or to one that is different for each customer, e.g. Mail. Columns found: Vorname, Mail",
		],
		[
			{ 'Record ID': ' ', Name: 'Ana' },
			". It is read from 'Record ID', which is empty in all rows. Set the option 'Identifier Column' to use another",
		],
		[{}, ''],
		[
			Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`Column ${i}`, 'x'])),
			/Columns found: Column 0, .* Column 11 and 28 more$/,
		],
	])('says which columns there are where %j has no identifier', (row, found) => {
		const [planned] = planCustomerRows([row]).rows;
		const message = 'is missing. Every customer needs an ID of your own system';
		expect(planned?.problems).toEqual([
			{
				path: ['customer', 'identifier'],
				message: typeof found === 'string' ? `${message}${found}` : expect.stringMatching(found),
			},
		]);
	});

	it('says which column is empty where others are filled, and the way out', () => {
		const { rows } = planCustomerRows([{ id: 1, external_id: 'a' }, { id: 2 }]);
		expect(rows[1]?.problems?.[0]?.message).toBe(
			"is missing. Every customer needs an ID of your own system. It is read from 'external_id' in all rows. Set the option 'Identifier Column' to use another",
		);
	});
});

it.each(listed('Guest 2 Phone | Guest #2 Phone | Contact #2 Phone | Customer # 2 Phone'))(
	'the number of the second of several people is not that of the person: %s',
	(column) => {
		const fields = fieldsOf({ ID: 5, Name: 'Ana Silva', [column]: '+12125550161' });
		expect(fields).toEqual({ identifier: 5, name: 'Ana Silva' });
	},
);

it.each<object>([
	{ 'Name 2': 'Ben Ode', 'Phone 2': '+12125550161' },
	{ 'Name 2': 'Ana Silva', 'Phone 2': '+12125550161' },
	{ 'Contact 2 Name': '', 'Contact 2 Phone': '+12125550161' },
	{ 'Contact 10 Name': 'Di Moe', 'Contact 10 Phone': '+12125550161' },
	{ 'Alternate Contact Name': 'Ben Ode', 'Alternate Contact Phone': '+12125550161' },
	{ 'Guest 2 Phone': '+12125550161' },
	{ 'Vorname 2': 'Ben', 'Telefon 2': '+12125550161' },
	{ billing_first_name: 'Ben', billing_last_name: 'Ode', billing_phone: '+12125550161' },
	{ billing_address: { name: 'Ben Ode', phone: '+12125550161' } },
	{ 'Student Phone': '+12125550161' },
	{ Teléfono: '', 'Teléfono Paciente': '+12125550161' },
])('the number beside the name of someone else is not that of the person: %j', (other) => {
	const person = { ID: 5, Name: 'Ana Silva', Phone: '' };
	expect(fieldsOf({ ...person, ...other })).toMatchObject({ name: 'Ana Silva' });
	expect(fieldsOf({ ...person, ...other })['phoneNumber']).toBeUndefined();
});

it.each<[object, object]>([
	[
		{ 'Customer First Name': 'Ben', 'Customer Last Name': 'Ode', 'Buyer First Name': 'Ana' },
		{ name: 'Ben Ode' },
	],
	[
		{ buyer_last_name: 'Lund', customer_first_name: 'Ben', customer_last_name: 'Ode' },
		{ name: 'Ben Ode' },
	],
	[
		{ contactEmail: 'ana@example.com', customerName: 'Ben Ode', customerEmail: 'b@example.com' },
		{ name: 'Ben Ode', email: 'b@example.com' },
	],
])('the name and the e-mail of %j are those of the one whose ID it is', (row, fields) => {
	expect(fieldsOf({ 'Customer ID': 5, ...row })).toEqual({ identifier: 5, ...fields });
});

it.each(['Lead', 'Customer', 'Student'])(
	'the ID and the e-mail beside the name of a %s are not those of someone who has a first and a last name',
	(role) => {
		const other = {
			[`${role} ID`]: 7,
			[`${role} Name`]: 'Ben Ode',
			[`${role} Email`]: 'ben@example.com',
		};
		const fields = fieldsOf({ ID: 5, 'First Name': 'Ana', 'Last Name': 'Silva', ...other });
		expect(fields).toMatchObject({ identifier: 5, name: 'Ana Silva' });
		expect(fields['email']).toBeUndefined();
	},
);

it.each<object>([
	{ 'Phone 2': '+12125550161' },
	{ 'Phone 1': '+12125550161', 'Phone 2': '+12125550162' },
	{ 'Contact 1 Name': 'Ana Silva', 'Contact 1 Phone': '+12125550161' },
	{ 'Work Name': 'Acme', 'Work Phone': '+12125550161' },
	{ billing_first_name: 'Ana', billing_last_name: 'Silva', billing_phone: '+12125550161' },
	{ billing_phone: '+12125550161' },
	{ 'Customer Phone 2': '+12125550161', 'Contact 1 Phone': '' },
	{ 'Contact Number': '+12125550161', 'Contact Type': 'Lead', 'Company Phone': '+12125550162' },
	{ 'Primary Phone': '+12125550161', 'Billing Phone': '+12125550162' },
])('the number beside the same name, or none, is: %j', (own) => {
	const person = { ID: 5, Name: 'Ana Silva', Phone: '' };
	expect(fieldsOf({ ...person, ...own })['phoneNumber']).toBe('+12125550161');
});

it.each<[string, object]>([
	['Parent ID', { Phone: '', 'Parent Phone': '+12125550161' }],
	['Parent ID', { Phone: '+14155550178', 'Parent Email': 'p@example.com' }],
	['Owner Email', { Email: '', 'Owner Email': 'p@example.com' }],
	['Lead ID', { Phone: '+14155550178', 'Lead Name': '' }],
	['', { Phone: '', 'Guest Phone': '+12125550161', 'Guest ID': 'G-1' }],
	['', { Phone: '', 'Phone of Guest': '+12125550161', 'Guest ID': 'G-1' }],
])(
	'nothing of two people is sent where it is open whose ID it is, also where a column is empty: %s of %j',
	(identifierColumn, other) => {
		const row = { Name: 'Ana Silva', [identifierColumn || 'ID']: 'P-1', ...other };
		expect(mapRows([row], identifierColumn).problem?.message).toMatch(
			/^is unclear, because each row contains several people.*Name that column/,
		);
	},
);

it.each<[string, Record<string, unknown>, object]>([
	[
		'ID',
		{ ID: 1, Name: 'Ana', Phone: '1', 'Student Phone': '2', 'Student Email': 'b@example.com' },
		{ identifier: 1, name: 'Ana', phoneNumber: '1' },
	],
	['', { ID: 1, Name: '', Phone: '1', 'Student Name': 'Ben' }, { identifier: 1, phoneNumber: '1' }],
	[
		'',
		{ 'Patient ID': 1, 'Patient Phone': '', 'Client Name': 'Ben', 'Client Phone': '2' },
		{ identifier: 1 },
	],
	[
		'Correo Alumno',
		{ 'Correo Alumno': 'b@example.com', 'Nombre Alumno': 'Ben', Nombre: 'Ana', Correo: '' },
		{ identifier: 'b@example.com', name: 'Ben', email: 'b@example.com' },
	],
	...['DoctorNo', 'Doctor-No.', 'doctor_no', 'doctorno'].map(
		(column): [string, Record<string, unknown>, object] => [
			column,
			{ [column]: 'D', DoctorName: 'Eve', DoctorPhone: '2', Name: 'Ana', Phone: '1' },
			{ identifier: 'D', name: 'Eve', phoneNumber: '2' },
		],
	),
])('of two people only what is of the one with the ID is sent: %s of %j', (column, row, fields) => {
	expect(mapRows([row], column).fields).toEqual([fields]);
});
