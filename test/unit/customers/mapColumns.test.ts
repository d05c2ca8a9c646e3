import fc from 'fast-check';
import { aliases } from '../../../src/customers/aliases';
import { readCustomerRows } from '../../support/customerRows';

const ana = {
	'Customer ID': 'C-1',
	'First Name': 'Ana',
	'Last Name': 'Silva',
	Phone: '+14155550178',
};
const sent = { identifier: 'C-1', name: 'Ana Silva', phoneNumber: '+14155550178' };

describe('flat rows are mapped by the exact names of their columns', () => {
	it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
		[
			'the names of the fields',
			{
				identifier: 'C-1',
				name: 'Ana Silva',
				'Phone Number': ana.Phone,
				'E-Mail': 'a@b.co',
				tags: ['x'],
			},
			{ ...sent, email: 'a@b.co' },
		],
		['aliases', ana, sent],
		[
			'other spellings of a name',
			{ CUSTOMER_ID: 'C-1', 'first-name': 'Ana', LastName: 'Silva', 'mobile phone': ana.Phone },
			sent,
		],
		[
			'exact names before aliases',
			{ ...ana, Identifier: 'X', Name: 'A' },
			{ ...sent, identifier: 'X', name: 'A' },
		],
		['no name by one of its parts', { ...ana, 'Last Name': '' }, { ...sent, name: undefined }],
		['Priority only if it is chosen', { ...ana, Priority: 'high' }, sent],
	])('%s', async (_, row, expected) => {
		const read = await readCustomerRows([row]);
		expect([read.question, read.sent]).toEqual([undefined, [[expected]]]);
	});

	it('by each alias of the documents', async () => {
		for (const [field, names] of Object.entries(aliases))
			for (const name of names) {
				const value = field === 'phoneNumber' ? '+14155550178' : 'a@example.com';
				const row =
					field === 'identifier' ? { [name]: value, email: value } : { id: 'C', [name]: value };
				expect((await readCustomerRows([row])).sent[0]?.[0]).toMatchObject({ [field]: value });
			}
	});

	it('and the hint lists what was mapped and what was not, without blank cells', async () => {
		const row = { ...ana, properties: 'p', tags: 't', Optout: '', Mobile: '', lists: [] };
		const rows = [row, { ...ana, 'Last Name': ' ' }];
		const panel = { doNotDisturbColumnName: 'Optout' };
		const { notes, sent: customers } = await readCustomerRows(rows, { panel });
		expect(notes).toEqual([
			'Mapped: Customer ID to Identifier, First Name + Last Name to Name, Phone to Phone Number, Optout to Do Not Disturb. Not mapped: properties, tags',
		]);
		expect(customers[1]).toEqual([{ ...sent, name: 'Ana' }]);
		expect((await readCustomerRows([{ id: 7, name: 'Ana' }])).notes).toEqual([
			'Mapped: id to Identifier, name to Name',
		]);
	});
});

describe('what is open is a question that names the columns and both answers', () => {
	it.each<[Record<string, unknown>, ...string[]]>([
		[
			{ ...ana, Mobile: '+14155550179', 'Contact Name': 'Bo' },
			"'Contact Name', 'First Name', 'Last Name' could be Name. Choose one",
			"Both 'Phone' and 'Mobile' could be Phone Number. Choose one",
		],
		[
			{ ...ana, last_name: 'S' },
			"'First Name', 'Last Name', 'last_name' could be Name. Choose one",
		],
		[
			{ Name: 'Ana', Kundennummer: '7' },
			"No filled column was found for Identifier. Columns found: 'Name', 'Kundennummer'. Choose columns",
		],
		[{ id: '' }, 'No filled column was found for Identifier. Columns found: none. Choose columns'],
		[
			{ id: '7', Vorname: 'Ana' },
			"No filled column was found for Name or Phone Number or Email. Columns found: 'id', 'Vorname'. Choose columns",
		],
		[
			{ id: '7', name: 'Ana', phone: [{ value: '+14155550178' }] },
			"'phone' contains objects or lists. Columns found: 'id', 'name', 'phone'. Choose another for Phone Number",
		],
		[
			{ id: '7', name: 'Big deal', contact: { name: 'Ana' } },
			"No filled column was found for Phone Number or Email. Columns found: 'id', 'name', 'contact'. Objects and lists are not read: 'contact'. Choose columns",
		],
	])('is asked about the row %j', async (row, ...questions) => {
		const read = await readCustomerRows([row]);
		const ways = "under Options > 'Columns to Use', or 'Map Each Column Manually'";
		const asked = questions.map((question) => `${question} ${ways}`).join('. ');
		expect(read.question).toBe(`it is unclear which columns to use. ${asked}`);
		expect(read.sent).toEqual([[]]);
	});

	it('is answered by Columns to Use, for the fields that are never found by name, too', async () => {
		const chosen = { identifier: 'Kundennummer', phoneNumber: 'Handy', priority: 'Rang' };
		const columns = Object.entries({ ...chosen, metadata: 'plan.tier' }).map(([field, column]) => ({
			field,
			column,
		}));
		const answers = { Kundennummer: 7, Handy: '+14155550178', Rang: '0', plan: { tier: 'gold' } };
		const rows = [
			{ ...answers, Phone: '1', Mobile: '2', name: 'Ana' },
			{ Kundennummer: 8, name: 'Bo' },
		];
		const read = await readCustomerRows(rows, { options: { columnsToUse: { columns } } });
		const phoneNumber = '+14155550178';
		expect(read.sent).toEqual([
			[{ identifier: '7', name: 'Ana', phoneNumber, priority: 0, metadata: 'gold' }],
			[{ identifier: '8', name: 'Bo' }],
		]);
	});

	it.each([
		[
			['Kunde'],
			"'Kunde' is a column that no row has. Columns found: 'id'. Choose another for Name",
		],
		[[''], 'a column that no row has'],
		[['__proto__'], "'__proto__' is a column that no row has"],
		[['id', 'tags'], "Both 'id' and 'tags' could be Name"],
	])('refuses the answers %j', async (chosen, message) => {
		const columns = chosen.map((column) => ({ field: 'name', column }));
		const options = { columnsToUse: { columns } };
		expect((await readCustomerRows([{ id: 7 }], { options })).question).toContain(message);
	});

	it('is not asked about names of any length, or of objects', async () => {
		const long = 'x'.repeat(10_000);
		const row = JSON.parse(
			`{"id": 7, "email": "a@example.com", "__proto__": 1, "constructor": 2, "${long}": 3}`,
		) as Record<string, unknown>;
		const { sent: [[customer] = []] = [], notes = [] } = await readCustomerRows([row], {
			options: { unmappedToMetadata: true },
		});
		expect(customer).toMatchObject({ identifier: '7', metadata: { constructor: 2, [long]: 3 } });
		expect(notes.join().length).toBeLessThan(300);
	});
});

it('no value reaches a field but from one column of that name, whatever else a row has', async () => {
	const names = fc.constantFrom('Phone', 'Mobile', 'Email', 'Name', 'Customer', 'Handy', 'tags');
	const cells = fc.constantFrom<unknown>('', null, 'Ana', '+14155550178', 'a@example.com', ['x'], {
		a: 1,
	});
	await fc.assert(
		fc.asyncProperty(
			fc.array(fc.dictionary(names, cells), { minLength: 1, maxLength: 4 }),
			async (rows) => {
				const read = await readCustomerRows(rows.map((row, i) => ({ ...row, ID: `C-${i}` })));
				for (const [i, [customer]] of read.sent.entries()) {
					if (!customer) continue;
					const { identifier, phoneNumber, email, name } = customer;
					expect(identifier).toBe(`C-${i}`);
					const row = rows[i] ?? {};
					if (phoneNumber !== undefined)
						expect([row['Phone'], row['Mobile']]).toContain(phoneNumber);
					if (email !== undefined) expect(row['Email']).toBe(email);
					if (name !== undefined) expect(row['Name']).toBe(name);
					const phones = rows.flatMap((each) =>
						['Phone', 'Mobile'].filter((column) => each[column]),
					);
					expect(new Set(phones).size).toBeLessThan(2);
				}
			},
		),
	);
});
