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
			{ identifier: 'C-1', name: 'Ana', 'Phone Number': '+14155550178', 'E-Mail': 'a@example.com' },
			{ identifier: 'C-1', name: 'Ana', phoneNumber: '+14155550178', email: 'a@example.com' },
		],
		['aliases', ana, sent],
		[
			'other spellings of a name',
			{
				CUSTOMER_ID: 'C-1',
				'first-name': 'Ana',
				LastName: 'Silva',
				'mobile phone': '+14155550178',
			},
			sent,
		],
		[
			'the exact name beside an alias',
			{ ...ana, Identifier: 'X', Name: 'Ana S.' },
			{ ...sent, identifier: 'X', name: 'Ana S.' },
		],
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

	it('and the hint lists what was mapped and what was not', async () => {
		const row = { ...ana, properties: 'p', tags: 't', Optout: '' };
		expect(
			(await readCustomerRows([row], { panel: { doNotDisturbColumnName: 'Optout' } })).notes,
		).toEqual([
			'Mapped: Customer ID to Identifier, First Name + Last Name to Name, Phone to Phone Number, Optout to Do Not Disturb. Not mapped: properties, tags',
		]);
	});
});

describe('what is open is a question that names the columns and both answers', () => {
	it.each<[string, Record<string, unknown>, string]>([
		[
			'two columns for one field',
			{ ...ana, Mobile: '+14155550179' },
			"Both 'Phone' and 'Mobile' could be Phone Number.",
		],
		[
			'a whole name beside its parts',
			{ ...ana, 'Contact Name': 'Bo' },
			"'Contact Name', 'First Name', 'Last Name' could be Name.",
		],
		[
			'no identifier',
			{ Name: 'Ana', Kundennummer: '7' },
			"No column was found for Identifier. Columns found: 'Name', 'Kundennummer'.",
		],
		[
			'nothing but an identifier',
			{ id: '7', Vorname: 'Ana' },
			'No column was found for Name or Phone Number or Email.',
		],
		[
			'a nested field',
			{ id: '7', name: 'Ana', phone: [{ value: '+14155550178' }] },
			"'phone' contains objects or lists.",
		],
		[
			'nested columns where a field is missing',
			{ id: '7', name: 'Big deal', contact: { name: 'Ana' } },
			"No column was found for Phone Number or Email. Columns found: 'id', 'name', 'contact'. Objects and lists are not read: 'contact'.",
		],
	])('%s', async (_, row, question) => {
		const read = await readCustomerRows([row]);
		expect(read.question).toContain(question);
		expect(read.question).toMatch(/'Columns to Use', or 'Map Each Column Manually'$/);
		expect(read.sent).toEqual([[]]);
	});

	it('is answered by Columns to Use, for the fields that are never found by name, too', async () => {
		const columns = [
			{ field: 'identifier', column: 'Kundennummer' },
			{ field: 'phoneNumber', column: 'Handy' },
			{ field: 'priority', column: 'Rang' },
			{ field: 'metadata', column: 'plan.tier' },
		];
		const row = {
			Kundennummer: 7,
			Phone: '1',
			Mobile: '2',
			Handy: '+14155550178',
			Rang: '0',
			plan: { tier: 'gold' },
			name: 'Ana',
			email: 'a@example.com',
		};
		const read = await readCustomerRows([row], { options: { columnsToUse: { columns } } });
		expect(read.sent).toEqual([
			[
				{
					identifier: '7',
					name: 'Ana',
					phoneNumber: '+14155550178',
					email: 'a@example.com',
					priority: 0,
					metadata: 'gold',
				},
			],
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
