import fc from 'fast-check';
import { aliases } from '../../../src/customers/aliases';
import { readCustomerRows } from '../../support/customerRows';
import { propertyRuns } from '../../support/propertyRuns.mjs';

const ana = {
	'Customer ID': 'C-1',
	'First Name': 'Ana',
	'Last Name': 'Silva',
	Phone: '+14155550178',
};
const first = { identifier: 'C-1', name: 'Ana' };
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
			'the exact name of the identifier before its aliases',
			{ ...ana, Identifier: 'X' },
			{ ...sent, identifier: 'X' },
		],
		['a name of one filled part', { ...ana, 'Last Name': '' }, { ...sent, name: 'Ana' }],
		['a name of the one part that is there', { id: 'C-1', 'First name': 'Ana' }, first],
		['Priority only if it is chosen', { ...ana, Priority: 'high' }, sent],
	])('%s', async (_, row, expected) => {
		const read = await readCustomerRows([row]);
		expect([read.question, read.sent]).toEqual([undefined, [expected]]);
	});

	it('by each alias of the documents', async () => {
		for (const [field, names] of Object.entries(aliases))
			for (const name of names) {
				const value = field === 'phoneNumber' ? '+14155550178' : 'a@example.com';
				const row =
					field === 'identifier' ? { [name]: value, email: value } : { id: 'C', [name]: value };
				expect((await readCustomerRows([row])).sent[0]).toMatchObject({ [field]: value });
			}
	});

	it('and the hint lists what was mapped and what was not', async () => {
		const panel = { doNotDisturbColumn: 'Optout' };
		const describe = async (...rows: Array<Record<string, unknown>>) =>
			(await readCustomerRows(rows, { panel })).notes;
		const mapped = 'First Name + Last Name to Name, Phone or Mobile to Phone Number';
		expect(await describe(ana, { id: 'C-2', Mobile: '', Optout: '', tags: 't' })).toEqual([
			`No Email. Not mapped: tags. Mapped: Customer ID or id to Identifier, ${mapped}`,
		]);
		expect(await describe({ id: 7, name: 'Ana', Optout: '' })).toEqual([
			'Mapped: id to Identifier, name to Name',
		]);
	});
});

describe('what is open is a question that names the columns and both answers', () => {
	it.each<[Record<string, unknown>, ...string[]]>([
		[{ ...ana, Mobile: '' }, "Both 'Phone' and 'Mobile' could be Phone Number. Choose one"],
		[{ ...ana, id: '' }, "Both 'id' and 'Customer ID' could be Identifier. Choose one"],
		[{ ...ana, Name: '' }, "'Name', 'First Name', 'Last Name' could be Name. Choose one"],
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
			"No column was found for Identifier. Columns found: 'Name', 'Kundennummer'. Choose columns",
		],
		[
			{ id: '7', Vorname: 'Ana' },
			"No column was found for Name or Phone Number or Email. Columns found: 'id', 'Vorname'. Choose columns",
		],
		[
			{ id: '7', name: 'Ana', phone: [{ value: '+14155550178' }] },
			"No column was found for Phone Number or Email. Columns found: 'id', 'name', 'phone'. Objects and lists are not read: 'phone'. Choose columns",
		],
		[
			{ id: '7', name: 'Big deal', contact: { name: 'Ana' } },
			"No column was found for Phone Number or Email. Columns found: 'id', 'name', 'contact'. Objects and lists are not read: 'contact'. Choose columns",
		],
	])('is asked about the row %j', async (row, ...questions) => {
		const read = await readCustomerRows([row]);
		const ways = "under Options > 'Columns to Use', or 'Map Each Column Manually'";
		const questionText = questions.map((question) => `${question} ${ways}`).join('. ');
		expect(read.question).toBe(`it is unclear which columns to use. ${questionText}`);
		expect(read.sent).toEqual([undefined]);
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
			{ identifier: '7', name: 'Ana', phoneNumber, priority: 0, metadata: 'gold' },
			{ identifier: '8', name: 'Bo' },
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
});

it('a row in which the exact identifier is empty is rejected, whatever its other columns are', async () => {
	const {
		sent: customers,
		reasons,
		question,
	} = await readCustomerRows([
		{ ...ana, Identifier: 'X' },
		{ ...ana, Identifier: ' ' },
	]);
	expect(question).toBeUndefined();
	expect(customers).toEqual([{ ...sent, identifier: 'X' }, undefined]);
	expect(reasons[1]).toBe('is empty. Every customer needs an ID of your own system');
});

describe('a row of any columns', () => {
	const names = fc.constantFrom(
		'Identifier',
		'Customer ID',
		'Phone',
		'Mobile',
		'E-Mail',
		'Name',
		'First Name',
		'last_name',
		'Do Not Call',
		'Kunde',
		'tags',
	);
	const cells = fc.oneof(
		fc.constantFrom<unknown>('', null, ' ', 'Ana', 'x', 7, ['x'], { a: 1 }, 'yes', 'no'),
		fc.constantFrom<unknown>('+14155550178', '+14155550179', 'a@example.com'),
	);
	/** Rows of a sheet with all columns, or of a source that leaves some out. */
	const tables = fc
		.record({
			columns: fc.uniqueArray(names, { minLength: 1, maxLength: 6 }),
			rows: fc.array(fc.array(fc.option(cells, { nil: undefined, freq: 6 }), { minLength: 6 }), {
				minLength: 2,
				maxLength: 4,
			}),
		})
		.map(({ columns, rows }) =>
			rows.map((row, i) => {
				const filled = columns.map((column, at) => [column, row[at]] as const);
				const entries = filled.filter(([, cell]) => cell !== undefined);
				return { ID: `C-${i}`, ...Object.fromEntries(entries) } as Record<string, unknown>;
			}),
		);
	const seen = { alone: 0, asked: 0 };

	it('gives the same customer alone and among others, or the run asks', async () => {
		const settings = { options: { duplicates: 'keepFirst' } };
		await fc.assert(
			fc.asyncProperty(tables, async (rows) => {
				const together = await readCustomerRows(rows, settings);
				for (const [i, row] of rows.entries()) {
					const alone = await readCustomerRows([row], settings);
					if (together.question !== undefined || alone.question !== undefined) seen.asked += 1;
					else {
						seen.alone += 1;
						expect(together.rows[i]).toEqual(alone.rows[0]);
					}
				}
			}),
			propertyRuns(1_000),
		);
		expect(seen.alone).toBeGreaterThan(seen.asked / 10);
	});

	it('has no value in a field but from a column of that name', async () => {
		const get = (row: Record<string, unknown>, ...columns: string[]) =>
			columns.map((column) => row[column]);
		await fc.assert(
			fc.asyncProperty(tables, async (rows) => {
				const read = await readCustomerRows(rows);
				for (const [i, customer] of read.sent.entries()) {
					const row = rows[i] ?? {};
					if (!customer) continue;
					const { identifier, phoneNumber, email, name = '' } = customer;
					expect(get(row, 'ID', 'Identifier', 'Customer ID').map(String)).toContain(identifier);
					if (phoneNumber !== undefined) expect(get(row, 'Phone', 'Mobile')).toContain(phoneNumber);
					if (email !== undefined) expect(row['E-Mail']).toBe(email);
					const parts = get(row, 'First Name', 'last_name').filter((part) =>
						String(part ?? '').trim(),
					);
					expect([String(row['Name'] ?? ''), parts.join(' '), '']).toContain(name);
				}
			}),
			propertyRuns(1_000),
		);
	});
});
