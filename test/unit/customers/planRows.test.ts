import { batchSettings } from '../../../src/customers/batchSettings';
import { createBatch } from '../../../src/customers/createBatch';
import { readCustomers } from '../../../src/customers/readCustomers';
import { fakeRuntime, inTurn, reply } from '../../support/fakeRuntime';
import { planCustomerRows } from '../../support/mapRows';
import { runRows } from '../../support/runRows';

type Planned = ReturnType<typeof planCustomerRows>;
const valuesOf = ({ rows }: Planned) => rows.map(({ values }) => values[0]);
const messagesOf = ({ rows }: Planned) => rows.map(({ problems }) => problems?.[0]?.message);
const readLists = (lists: readonly unknown[]) =>
	readCustomers(
		lists.map((customersJson) => ({ parameters: { customersJson } })),
		batchSettings.parse({ inputMode: 'json', options: {} }),
	);
const manual = { customerMapping: 'defineBelow' };

describe('the columns of a run in words', () => {
	const row = { 'Record ID': '1', 'First Name': 'Ana', 'Last Name': 'Silva', City: 'Reno' };

	it('are said in a dry run with automatic mapping, and only there', () => {
		const notes = (panel: object) => planCustomerRows([row], {}, panel).findings.notes;
		expect(notes({ dryRun: true })).toEqual([
			'Mapped: Record ID to Identifier, First Name + Last Name to Name. Not used: City.',
		]);
		expect(notes({ dryRun: false })).toEqual([]);
		expect(notes({ dryRun: true, ...manual })).toEqual([]);
	});

	it('stand in the hint, in whole sentences', async () => {
		const customer = { 'Record ID': '1', 'First Name': 'Ana', City: 'Reno' };
		const panel = { inputMode: 'fields', customerMapping: 'autoMapInputData', dryRun: true };
		const rows = [{ parameters: { ...panel, options: {}, customer } }];
		const { summary } = await runRows(createBatch, rows, fakeRuntime(inTurn(reply(200))).context());
		expect(summary).toBe(
			'Dry run: 1 customer would be sent in 1 request. Turn off Dry Run to send them. Mapped: Record ID to Identifier, First Name to Name. Not used: City.',
		);
	});
});

it('what a message carries is a customer only if it is a person or names one', () => {
	const carried = (body: object) =>
		planCustomerRows([{ headers: { host: 'example.com' }, body }]).rows[0]?.values;
	expect(carried({ id: 7, amount: 5 })).toEqual([]);
	expect(carried({ id: 7, amount: 5, customer_id: 9 })).toMatchObject([{ identifier: '9' }]);
	expect(carried({ id: 7, name: 'Ana' })).toMatchObject([{ identifier: '7', name: 'Ana' }]);
});

describe('an identifier that two people have', () => {
	const ana = { 'Customer Number': 'K-1', Name: 'Ana Silva', Email: 'ana@example.com' };
	const ben = { 'Customer Number': 'K-1', Name: 'Ben Ode', Email: 'ben@example.com' };
	const eve = { 'Customer Number': 'K-2', Name: 'Eve Lund', Email: 'eve@example.com' };

	it("is nobody's: none of them is sent, and the message names both and the way out", () => {
		const planned = planCustomerRows([ana, eve, ben]);
		expect(valuesOf(planned).map((value) => value?.name)).toEqual([
			undefined,
			'Eve Lund',
			undefined,
		]);
		expect(messagesOf(planned)[0]).toBe(
			"'K-1' in 'Customer Number' is the ID of different people, e.g. Ana Silva (row 1) and Ben Ode (row 3). Choose a column that is unique for each person",
		);
	});

	it.each<[string, object, object, boolean]>([
		['one person twice', ana, ana, false],
		['another spelling of the name', ana, { ...ana, Name: 'SILVA, Ana' }, false],
		['a middle name', ana, { ...ana, Name: 'Ana Maria Silva', Email: 'a@example.com' }, false],
		['a new address', ana, { ...ana, Email: 'new@example.com' }, false],
		['a new name at the same address', ana, { ...ana, Name: 'Ana Costa' }, false],
		['another name at the same address', ana, { ...ana, Name: 'Ben Ode' }, true],
		['a name alone that differs', { ...ana, Email: '' }, { ...ben, Email: '' }, true],
		['no names, one address', { ...ana, Name: '' }, { ...ana, Name: '' }, false],
		['no names, two addresses', { ...ana, Name: '' }, { ...ben, Name: '' }, true],
		['nothing to compare', { ...ana, Email: '' }, { ...ana, Name: '' }, false],
	])('is found by name and address: %s', (_, one, other, isShared) => {
		const planned = planCustomerRows([one, other]);
		expect(planned.rows.every(({ problems }) => problems !== undefined)).toBe(isShared);
	});

	it('is found though a row without a name is like both of them', () => {
		const planned = planCustomerRows([{ 'Customer Number': 'K-1' }, ana, ben]);
		expect(valuesOf(planned)).toEqual([undefined, undefined, undefined]);
	});

	const asFields = (identifier: string, name: string) => ({
		identifier,
		name,
		email: `${name}@example.com`,
	});
	const different =
		/^'K-1' is the ID of different people, e\.g\. Ana \(row 1\) and Ben \(row [13]\)\./;

	it("is nobody's with fields mapped by hand, too", () => {
		const rows = [asFields('K-1', 'Ana'), asFields('K-2', 'Eve'), asFields('K-1', 'Ben')];
		const planned = planCustomerRows(rows, { duplicates: 'keepLast' }, manual);
		expect(valuesOf(planned).map((value) => value?.name)).toEqual([undefined, 'Eve', undefined]);
		expect(messagesOf(planned)[0]).toMatch(different);
	});

	it("is nobody's in JSON, within a list and across rows", () => {
		const list = [asFields('K-1', 'Ana'), asFields('K-2', 'Eve'), asFields('K-1', 'Ben')];
		const [planned] = readLists([list]).rows;
		expect([planned?.entries, planned?.problems?.[0]?.message]).toEqual([
			[],
			expect.stringMatching(different),
		]);
		const [one, other] = readLists([list.slice(0, 2), list.slice(2)]).rows;
		expect([one?.entries, other?.entries]).toEqual([[], []]);
		expect(readLists([list.slice(0, 2)]).rows[0]?.entries).toHaveLength(2);
	});

	it('is accepted from another column where the user chooses one', () => {
		const planned = planCustomerRows([ana, ben], { identifierColumn: 'email' });
		expect(valuesOf(planned).map((value) => value?.identifier)).toEqual([
			'ana@example.com',
			'ben@example.com',
		]);
	});
});

describe('the identifier', () => {
	it('has the prefix of the user, mapped or entered', () => {
		const options = { identifierPrefix: 'hs-' };
		expect(valuesOf(planCustomerRows([{ id: 7 }], options))).toEqual([{ identifier: 'hs-7' }]);
		const json = { inputMode: 'json' };
		const entered = planCustomerRows([], options, json);
		expect(entered.rows).toEqual([]);
		const mapped = planCustomerRows([{ identifier: 7 }], options, manual);
		expect(valuesOf(mapped)).toEqual([{ identifier: 'hs-7' }]);
	});

	it('stops the run where the column of the user is in no row', () => {
		const { findings } = planCustomerRows([{ id: 7, Mail: 'x' }], {
			identifierColumn: 'Kunden-ID',
		});
		expect(findings.problems).toEqual([
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
				expect(() => planCustomerRows([{ id: 7 }], { [option]: value })).toThrow(
					/gave no value|must be/,
				);
		},
	);

	it('stops the run where a column is chosen that nothing reads', () => {
		const { findings } = planCustomerRows([{ identifier: 7 }], { identifierColumn: 'id' }, manual);
		expect(findings.problems[0]?.message).toContain('applies to Map Automatically only');
	});

	it.each(['-', 'N/A', 'none', '#REF!', 'null', 'undefined', '0', 0, '0.0', ' ', null])(
		'is missing where a cell has %j',
		(identifier) => {
			for (const panel of [{}, manual])
				expect(messagesOf(planCustomerRows([{ identifier }], {}, panel))[0]).toMatch(/^is missing/);
		},
	);

	it('is refused where a spreadsheet rounded it', () => {
		expect(messagesOf(planCustomerRows([{ id: '1.23457E+11' }]))[0]).toMatch(
			/^is a number that was rounded/,
		);
	});
});

describe('someone who is marked', () => {
	const marked = { id: 1, Name: 'Ana', 'Do Not Call': 'yes' };
	const alone = { identifier: '1', isDoNotDisturbEnabled: true };

	it.each([
		['a number', { Phone: '12' }],
		['an address', { Email: 'nobody' }],
		['a priority', { Priority: 'high' }],
		['all of them', { Phone: '12', Email: 'nobody', Priority: 'high' }],
	])('is sent with identifier and mark alone where %s is invalid', (_, bad) => {
		for (const options of [{}, { leaveOutBadCells: true }]) {
			const planned = planCustomerRows([{ ...marked, ...bad }], options);
			expect(valuesOf(planned)).toEqual([alone]);
			expect(planned.findings.notes).toEqual([
				'1 row marked Do Not Disturb: only the mark is sent, because other cells are invalid',
			]);
		}
	});

	it('is sent so with fields mapped by hand and in JSON', () => {
		const customer = { identifier: '1', email: 'nobody', isDoNotDisturbEnabled: 'Ja' };
		expect(valuesOf(planCustomerRows([customer], {}, manual))).toEqual([alone]);
	});

	it('is marked in all rows of the same customer, whichever of them is sent', () => {
		const rows = [{ ...marked, 'Do Not Call': 'no' }, marked, { ...marked, 'Do Not Call': '' }];
		expect(valuesOf(planCustomerRows(rows)).map((value) => value?.isDoNotDisturbEnabled)).toEqual([
			true,
			true,
			true,
		]);
	});

	it('is refused where the identifier is missing, and where the mark cannot be read', () => {
		expect(messagesOf(planCustomerRows([{ ...marked, id: '' }]))[0]).toMatch(/^is missing/);
		expect(messagesOf(planCustomerRows([{ ...marked, 'Do Not Call': 'ask' }]))[0]).toMatch(
			/^'ask' is neither yes nor no/,
		);
	});

	it('is said in every run where a column that looks like a mark is not used', () => {
		const notes = (rows: readonly object[], panel = {}) =>
			planCustomerRows(rows, {}, panel).findings.notes;
		expect(notes([{ id: 1, owner: { dnd: true } }])).toEqual([
			"'owner.dnd' looks like a do-not-call mark and is not used",
		]);
		expect(notes([{ identifier: 1, Bloctel: 'oui' }], manual)).toEqual([
			"'Bloctel' looks like a do-not-call mark and is not used. Map it to Do Not Disturb",
		]);
		expect(notes([{ identifier: 1, Bloctel: 'oui', isDoNotDisturbEnabled: 'no' }], manual)).toEqual(
			[],
		);
		expect(notes([{ id: 1, Bloctel: 'oui' }])).toEqual([]);
	});

	it('is asked for in every run where a column that is not used says yes or no about calls', () => {
		const notes = (rows: readonly object[], panel = {}) =>
			planCustomerRows(rows, {}, panel).findings.notes;
		const rows = [
			{ id: 1, name: 'Ana', 'Telemarketing list': 'Y' },
			{ id: 2, name: 'Ben', 'Telemarketing list': 'N' },
		];
		const note = "'Telemarketing list' says yes or no about calls and is not used";
		expect(notes(rows)).toEqual([note]);
		expect(notes(rows, manual)).toEqual([`${note}. Map it to Do Not Disturb`]);
		expect(notes([...rows, { id: 3, name: 'Cy', 'Telemarketing list': 'May 2' }])).toEqual([]);
	});

	it('leaves a remark that marks someone in the metadata of all rows', () => {
		const rows = [
			{ id: 1, name: 'Ana', Notes: 'DNC' },
			{ id: 2, name: 'Ben', Notes: 'likes tea' },
		];
		const plan = planCustomerRows(rows, { remainingColumns: 'metadata' });
		expect(plan.rows.flatMap(({ values }) => values)).toEqual([
			{ identifier: '1', name: 'Ana', isDoNotDisturbEnabled: true, metadata: { Notes: 'DNC' } },
			{ identifier: '2', name: 'Ben', metadata: { Notes: 'likes tea' } },
		]);
	});

	it('is refused with its column where a consent to calls cannot be read', () => {
		const row = { id: 1, name: 'Ana', 'Phone consent': 'ask her husband' };
		expect(messagesOf(planCustomerRows([row]))).toEqual([
			"'ask her husband' is neither yes nor no. Use true or false. It is read from 'Phone consent'",
		]);
	});
});

it('stops the run where a field is mapped to a column that no row has', () => {
	const rows = [
		{ identifier: 1, isDoNotDisturbEnabled: undefined },
		{ identifier: 2, isDoNotDisturbEnabled: undefined },
	];
	expect(planCustomerRows(rows, {}, manual).findings.reasonNotToSend).toBe(
		"Not sent, because 'Do Not Disturb' is mapped to a column that no row has. Correct its expression, or remove the field. If the source leaves out empty columns, enter a value for them, e.g. {{ $json.column ?? '' }}",
	);
	const some = [
		{ identifier: 1, name: undefined },
		{ identifier: 2, name: 'Ana' },
	];
	expect(planCustomerRows(some, {}, manual).findings.reasonNotToSend).toBeUndefined();
	const untouched = [{ identifier: 1, name: null, email: '' }];
	expect(planCustomerRows(untouched, {}, manual).findings.reasonNotToSend).toBeUndefined();
});

describe('bad cells', () => {
	const rows = [
		{ id: 1, Name: 'Ana', Phone: '12', Email: 'ana@example.com' },
		{ id: 2, Name: 'Ben', Phone: '+14155550178', Email: 'nobody' },
		{ id: 3, Name: 'Eve', Priority: 'high' },
	];

	it('make a row invalid', () => {
		expect(valuesOf(planCustomerRows(rows))).toEqual([undefined, undefined, undefined]);
	});

	it('are left out where the user wants that, and the run says which', () => {
		const planned = planCustomerRows(rows, { leaveOutBadCells: true });
		expect(valuesOf(planned)).toEqual([
			{ identifier: '1', name: 'Ana', email: 'ana@example.com' },
			{ identifier: '2', name: 'Ben', phoneNumber: '+14155550178' },
			undefined,
		]);
		expect(planned.findings.notes).toEqual([
			'Sent without invalid cells: 1 customer without Phone Number, 1 customer without Email',
		]);
	});
});

describe('the country of a row', () => {
	const number = (row: object, defaultCountry = 'US') => {
		const planned = planCustomerRows([{ id: 1, ...row }], { defaultCountry });
		return valuesOf(planned)[0]?.phoneNumber ?? messagesOf(planned)[0];
	};

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
		expect(number(row)).toBe(expected);
	});

	it('makes a number invalid where it is none that is known', () => {
		expect(number({ Phone: '(415) 555-0178', Country: 'Utopia' })).toContain(
			"('Utopia' is not a known country)",
		);
	});
});

it.each(['+41860791234567', '+19002345678', '+447640123456'])(
	'refuses the number %s, at which no one answers',
	(Phone) => {
		expect(messagesOf(planCustomerRows([{ id: 1, Phone }]))[0]).toMatch(
			/is a (voicemail box|premium-rate number|pager)\. Enter/,
		);
	},
);

describe('rows that are no people', () => {
	it.each<[string, object, RegExp]>([
		[
			'orders of a customer type',
			{ id: 5, order_number: 1, type: 'customer', name: 'Ana', phone: '1' },
			/^is missing\. The rows seem to be orders/,
		],
		[
			'orders',
			{ id: 5, order_number: 1001, name: '#1001', phone: '+14155550178' },
			/^is missing\. The rows seem to be orders \(order_number\)/,
		],
		[
			'deals',
			{ id: 5, dealname: 'Big', Email: 'a@example.com' },
			/^is missing\. The rows seem to be deals/,
		],
		[
			'charges',
			{ id: 'ch_1', object: 'charge', customer: null },
			/^is missing\. The rows seem to be payments \(object\)/,
		],
		[
			'entries of a form',
			{ submission_id: 5, Name: 'Ana', Email: 'a@example.com' },
			/^is missing\. The rows seem to be form entries/,
		],
		[
			'two people each',
			{ id: 1, customer: { id: 2, name: 'Ana' }, contact: { id: 3, name: 'Ben' } },
			/^is unclear, because each row contains several people \(contact, customer\)/,
		],
		[
			'a person with another',
			{ id: 1, name: 'Ana', phone: '1', contact: { id: 3, name: 'Ben', phone: '2' } },
			/^is unclear, because each row contains several people \(the row itself, contact\)/,
		],
		[
			'companies with their people',
			{
				id: 1,
				name: 'Acme',
				contacts: [
					{ id: 2, name: 'Ana' },
					{ id: 3, name: 'Ben' },
				],
			},
			/^is unclear, because rows contain several people each \(contacts\)/,
		],
	])('are refused with the way out: %s', (_, row, message) => {
		const { findings } = planCustomerRows([row]);
		expect(findings.problems[0]?.message).toMatch(message);
		expect(findings.problems[0]?.message).toMatch(/Set Identifier Column|Split Out/);
	});

	it('are refused where Identifier Column is in a list of several people, of whom one would be sent', () => {
		const contacts = [{ id: 1, phone: '+14155550178' }, { id: 2 }];
		const { findings } = planCustomerRows([{ contacts }], { identifierColumn: 'contacts.id' });
		expect(findings.problems[0]?.message).toMatch(/several people each \(contacts\).*Split Out/);
	});

	it.each<[object, string, object]>([
		[
			{ id: 5, order_number: 1, email: 'una@example.com' },
			'email',
			{ identifier: 'una@example.com', email: 'una@example.com' },
		],
		[
			{
				id: 1,
				name: 'Ana',
				phone: '+14155550178',
				contact: { id: 3, name: 'Ben', phone: '+14155550179' },
			},
			'contact.id',
			{ identifier: '3', name: 'Ben', phoneNumber: '+14155550179' },
		],
		[
			{
				id: 1,
				name: 'Ana',
				phone: '+14155550178',
				contact: { id: 3, name: 'Ben', phone: '+14155550179' },
			},
			'id',
			{ identifier: '1', name: 'Ana', phoneNumber: '+14155550178' },
		],
		[
			{ order_number: 1, account: 'A-7', customer: { name: 'Ana', phone: '+14155550178' } },
			'account',
			{ identifier: 'A-7', name: 'Ana', phoneNumber: '+14155550178' },
		],
	])(
		'are read from the level that Identifier Column is on, or from the person in it: %j',
		(row, identifierColumn, customer) => {
			expect(valuesOf(planCustomerRows([row], { identifierColumn }))).toEqual([customer]);
		},
	);

	it.each<[object, string | undefined]>([
		[{ 'Customer ID': 'K-1', Name: 'Ana Silva', 'Order Date': '2026-01-01' }, 'Ana Silva'],
		[{ 'Customer ID': 'K-1', Name: '#1001', 'Order Date': '2026-01-01' }, undefined],
		[{ contactId: 'K-1', name: 'Big deal', pipelineId: 'p' }, undefined],
	])('have the name of the customer only where it is one: %j', (row, name) => {
		expect(valuesOf(planCustomerRows([row]))[0]).toEqual({
			identifier: 'K-1',
			...(name !== undefined && { name }),
		});
	});

	it('leave a guest without an ID out, and keep the others', () => {
		const order = (customer_id: number, phone: string) => ({
			id: 9,
			line_items: [],
			customer_id,
			billing: { first_name: 'Ana', last_name: 'Silva', phone },
		});
		const planned = planCustomerRows([
			order(0, '+14155550178'),
			order(7, '+14155550179'),
			order(0, '+14155550177'),
		]);
		expect(valuesOf(planned).map((value) => value?.identifier)).toEqual([
			undefined,
			'7',
			undefined,
		]);
	});
});
