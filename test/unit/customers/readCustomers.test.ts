import { readCustomerRows } from '../../support/customerRows';

const person = (id: unknown, more: object = {}) => ({
	id,
	name: 'Ana',
	phone: '+14155550178',
	...more,
});
const marks = { panel: { doNotDisturbColumnName: 'DNC' } };
const manual = { panel: { customerMapping: 'defineBelow', doNotDisturb: undefined } };

describe('the question of marks', () => {
	it('gives each customer the answer of its cell; a blank one says nothing', async () => {
		const rows = ['yes', 'No', '', null].map((DNC, i) => person(`C-${i}`, { DNC }));
		const { sent } = await readCustomerRows(rows, marks);
		expect(sent.map(([customer]) => customer?.isDoNotDisturbEnabled)).toEqual([
			true,
			false,
			undefined,
			undefined,
		]);
	});

	it('is not read from a column that was not chosen', async () => {
		const { sent } = await readCustomerRows([person(1, { 'Do Not Call': 'yes' })]);
		expect(sent[0]?.[0]).not.toHaveProperty('isDoNotDisturbEnabled');
	});

	it('stops the run at values that are neither yes nor no, in each way to enter them', async () => {
		const stop = /'Do Not Disturb' has values that are neither yes nor no: 'ask' \(1 row\)/;
		expect((await readCustomerRows([person(1, { DNC: 'ask' }), person(2)], marks)).stop).toMatch(
			stop,
		);
		const entered = [{ identifier: 'C', isDoNotDisturbEnabled: 'ask' }];
		expect((await readCustomerRows(entered, manual)).stop).toMatch(stop);
		expect((await readCustomerRows(entered, { panel: { inputMode: 'json' } })).stop).toMatch(stop);
	});

	it('reads the values of the user, and a dry run lists the others', async () => {
		const rows = [person(1, { DNC: 'Ja' }), person(2, { DNC: 'nein' })];
		const options = { markedValues: 'ja, DNC' };
		const { sent, notes } = await readCustomerRows(rows, {
			options,
			panel: { ...marks.panel, dryRun: true },
		});
		expect(sent.flat().map(({ isDoNotDisturbEnabled: marked }) => marked)).toEqual([true, false]);
		expect(notes).toContain("'Do Not Disturb': these values count as not marked: 'nein' (1 row)");
	});

	it('holds for all rows of the identifier, and for no other spelling', async () => {
		const rows = [person('a1'), person('a1', { DNC: 'x' }), person('A1')];
		const { sent } = await readCustomerRows(rows, marks);
		const marked = { isDoNotDisturbEnabled: true };
		expect(sent).toMatchObject([[marked], [marked], [{ identifier: 'A1' }]]);
		expect(sent[2]?.[0]?.isDoNotDisturbEnabled).toBeUndefined();
	});

	it('is sent alone from a row with other invalid cells, of one customer or of a list', async () => {
		const marked = { identifier: '1', isDoNotDisturbEnabled: true };
		const { sent, notes, rows } = await readCustomerRows(
			[person(1, { phone: '415 555', DNC: 1 })],
			marks,
		);
		expect(sent).toEqual([[marked]]);
		expect(rows[0]?.reason).toMatch(
			/^Only the mark is sent: 'Phone Number' "415 555" has no country code/,
		);
		expect(notes).toContain('1 mark without the other cells, which are not valid');
		const list = [
			{ ...marked, email: 'x' },
			{ identifier: '2', email: 'x' },
		];
		const json = await readCustomerRows([list as never], { panel: { inputMode: 'json' } });
		expect([json.sent, json.reasons]).toEqual([[[marked]], [undefined]]);
		expect(json.rows[0]?.reason).toContain('is not an e-mail address');
	});

	it('goes with a whole row of the customer, wherever that stands, and the other row is rejected', async () => {
		const rows = [person(1, { phone: 'x', DNC: 1 }), person(1)];
		for (const [first, second] of [rows, [...rows].reverse()] as const) {
			const { sent, reasons } = await readCustomerRows([first ?? {}, second ?? {}], marks);
			const phoneNumber = '+14155550178';
			expect(sent.flat()).toEqual([
				{ identifier: '1', name: 'Ana', phoneNumber, isDoNotDisturbEnabled: true },
			]);
			expect(reasons.join()).toContain('contains more than the digits of one number');
		}
	});
});

describe('identifiers', () => {
	it('are compared exactly as they are sent', async () => {
		const rows = ['003A', '003a', ' 003A'].map((id, i) => person(id, { name: `Ana ${i % 2}` }));
		const { sent, stop } = await readCustomerRows(rows);
		expect(sent.flat().map(({ identifier }) => identifier)).toEqual(['003A', '003a', '003A']);
		expect(stop).toBeUndefined();
	});

	const shared = [person('H1'), person('H1', { name: 'Ben' })];
	it('that rows with different names share are a question, until the column is chosen', async () => {
		expect((await readCustomerRows(shared)).stop).toMatch(
			/rows with different names have the same Identifier: H1 \(rows 1 and 2\)\. Choose the column/,
		);
		const columns = [{ field: 'identifier', column: 'id' }];
		const { stop } = await readCustomerRows(shared, { options: { columnsToUse: { columns } } });
		expect(stop).toBeUndefined();
	});

	it('have the prefix of the user', async () => {
		const { sent } = await readCustomerRows([person(7)], { options: { identifierPrefix: 'crm-' } });
		expect(sent).toMatchObject([[{ identifier: 'crm-7' }]]);
	});
});

describe('a row', () => {
	it('with nothing but an identifier says so, and the others are sent', async () => {
		const { sent, reasons } = await readCustomerRows([person(1), { id: 2 }]);
		expect(sent.map(({ length }) => length)).toEqual([1, 0]);
		expect(reasons[1]).toContain('has nothing but an Identifier');
	});

	it.each([
		['DE', '+4915155550178'],
		['Germany', '+4915155550178'],
		['Narnia', 'is not a country'],
		['', 'has no country code'],
	])('reads its number with the country %s and no other cell', async (country, expected) => {
		const row = person(1, { phone: '0151 55550178', Country: 'US', City: 'Berlin' });
		const { sent, reasons } = await readCustomerRows([row], { country });
		expect(`${sent[0]?.[0]?.phoneNumber} ${reasons[0]}`).toContain(expected);
	});

	it('is sent without an invalid number or address where the user wants that', async () => {
		const { sent, notes } = await readCustomerRows([person(1, { phone: 'x' })], {
			options: { leaveOutBadCells: true },
		});
		expect(sent).toEqual([[{ identifier: '1', name: 'Ana' }]]);
		expect(notes).toContain('1 customer without a Phone Number or Email that is not valid');
	});

	it('has its unmapped columns as metadata, beside a chosen one', async () => {
		const options = {
			unmappedToMetadata: true,
			columnsToUse: { columns: [{ field: 'metadata', column: 'Extra' }] },
		};
		const row = person(1, { Extra: '{"a": 1}', City: 'Bern', Empty: '', DNC: 'no' });
		const { sent } = await readCustomerRows([row], { ...marks, options });
		expect(sent[0]?.[0]?.metadata).toEqual({ City: 'Bern', a: 1 });
	});

	it.each<[unknown, string]>([
		[5, 'must be an object'],
		[[], 'is an empty list'],
		['{"identifier": 1', 'is not valid JSON'],
		[{ identifer: 'C-1' }, "has no field 'identifer'"],
	])('of JSON that is no customer is refused: %j', async (entered, message) => {
		const { reasons } = await readCustomerRows([entered as never], {
			panel: { inputMode: 'json' },
		});
		expect(reasons[0]).toContain(message);
	});
});

it.each([
	[{ email: undefined }, "'Email' is mapped to a column that no row has"],
	[
		{ name: undefined, email: undefined },
		"'Name' and 'Email' are mapped to columns that no row has",
	],
])('fields that are mapped to a column that no row has stop the run', async (lost, message) => {
	const rows = [{ identifier: 1, ...lost }];
	expect((await readCustomerRows(rows, manual)).stop).toContain(message);
});
