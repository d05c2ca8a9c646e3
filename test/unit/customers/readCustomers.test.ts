import { toSentence } from '../../../src/core/problems';
import { readCustomerRows } from '../../support/customerRows';

const person = (id: unknown, more: object = {}) => ({
	id,
	name: 'Ana',
	phone: '+14155550178',
	...more,
});
const marks = { panel: { doNotDisturbColumnName: 'DNC' } };
const inJson = { panel: { inputMode: 'json' } };
const manual = { panel: { customerMapping: 'defineBelow', doNotDisturb: undefined } };

describe('the question of marks', () => {
	it('gives each customer the answer of its cell; a blank one says nothing', async () => {
		const rows = ['yes', 'No', '', null, ['no', 'x']].map((DNC, i) => person(`C-${i}`, { DNC }));
		const { sent } = await readCustomerRows(rows, marks);
		const read = sent.map(([customer]) => customer?.isDoNotDisturbEnabled);
		expect(read).toEqual([true, false, undefined, undefined, true]);
	});

	it('is not read from a column that was not chosen', async () => {
		const { sent } = await readCustomerRows([person(1, { 'Do Not Call': 'yes' })]);
		expect(sent[0]?.[0]).not.toHaveProperty('isDoNotDisturbEnabled');
	});

	it('stops the run at values that are neither yes nor no, in each way to enter them', async () => {
		const stop = /'Do Not Disturb' has values that are neither yes nor no: 'ask' \(1 row\)/;
		const rows = [person(1, { DNC: 'ask' }), person(2)];
		expect((await readCustomerRows(rows, marks)).stop).toMatch(stop);
		const entered = [{ identifier: 'C', isDoNotDisturbEnabled: 'ask' }];
		expect((await readCustomerRows(entered, manual)).stop).toMatch(stop);
		expect((await readCustomerRows(entered, inJson)).stop).toMatch(stop);
	});

	it('reads the values of the user, and a dry run lists the others', async () => {
		const rows = [person(1, { DNC: 'Ja' }), person(2, { DNC: 'nein' })];
		const panel = { ...marks.panel, dryRun: true };
		const options = { markedValues: 'ja, DNC' };
		const { sent, notes } = await readCustomerRows(rows, { options, panel });
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

	it('is sent alone from a row with other invalid cells', async () => {
		const marked = { identifier: '1', isDoNotDisturbEnabled: true };
		const contents = [{ source: { method: 'api' }, ...marked }];
		const read = await readCustomerRows([person(1, { email: 'x', DNC: 1 })], marks);
		const fault = `'Email' "x" is not an e-mail address. Correct it or leave it empty`;
		expect(read.rows).toEqual([{ contents, reason: `Only the mark is sent: ${fault}` }]);
		expect(read.notes).toContain('1 mark without the other cells, which are not valid');
	});

	it.each(['10', '01', '11'])(
		'is sent alone from a list with invalid customers, whose row is rejected: %s',
		async ([first, second]) => {
			const bad = (is: string | undefined) => (is === '1' ? { email: 'x' } : {});
			const marked = { identifier: '1', isDoNotDisturbEnabled: true };
			const third = { ...marked, identifier: '3' };
			const list = [{ ...marked, ...bad(first) }, { identifier: '2', ...bad(second) }, third];
			const { rows, notes } = await readCustomerRows([list as never], inJson);
			const contents = [marked, third].map((each) => ({ source: { method: 'api' }, ...each }));
			const reason = 'Only the mark is sent: the list is not valid';
			const problems = expect.arrayContaining([expect.objectContaining({ value: 'x' })]);
			expect(rows).toMatchObject([{ contents, problems, reason }]);
			expect(notes).toContain('2 marks without the other cells, which are not valid');
		},
	);

	it('goes with a whole row of the customer, wherever that stands, and the other row is rejected', async () => {
		const rows = [person(1, { phone: 'x', DNC: 1 }), person(1)];
		for (const [first, second] of [rows, [...rows].reverse()] as const) {
			const { sent, reasons } = await readCustomerRows([first ?? {}, second ?? {}], marks);
			const whole = { identifier: '1', name: 'Ana', phoneNumber: '+14155550178' };
			expect(sent.flat()).toEqual([{ ...whole, isDoNotDisturbEnabled: true }]);
			expect(reasons.join()).toContain('contains more than the digits of one number');
		}
	});
});

describe('identifiers', () => {
	it('are compared exactly as they are sent, with the prefix of the user', async () => {
		const rows = ['003A', '003a', ' 003A'].map((id, i) => person(id, { name: `Ana ${i % 2}` }));
		const nameless = ['003A', ''].map((id) => person(id, { name: '' }));
		const options = { identifierPrefix: 'x-' };
		const { sent, stop } = await readCustomerRows([...rows, ...nameless], { options });
		const identifiers = sent.map(([each]) => each?.identifier);
		expect(identifiers).toEqual(['x-003A', 'x-003a', 'x-003A', 'x-003A', undefined]);
		expect(stop).toBeUndefined();
	});

	it('that rows with different names share are a question, until the column is chosen', async () => {
		const rows = [person('H1'), person('H1', { name: 'Ben' })];
		const stopWith = async (field: string, column: string) => {
			const options = { columnsToUse: { columns: [{ field, column }] } };
			return (await readCustomerRows(rows, { options })).stop;
		};
		expect(await stopWith('name', 'name')).toMatch(
			/^rows with different names have the same Identifier: H1 \(rows 1 and 2\)\. Choose the column/,
		);
		expect(await stopWith('identifier', 'id')).toBeUndefined();
	});
});

describe('a row', () => {
	it('with nothing but an identifier says so, and the others are sent', async () => {
		const rows = [person(1), { id: 2 }, { id: 3, DNC: 1 }, { id: 4, email: 5 }];
		const read = await readCustomerRows(rows, marks);
		expect(read.sent.map(({ length }) => length)).toEqual([1, 0, 1, 0]);
		expect(read.rows[2]?.reason).toBeUndefined();
		const bare = 'has nothing but an Identifier. Fill in another column, or remove the row';
		expect(read.reasons).toEqual([undefined, bare, undefined, 'must be text']);
	});

	it.each([
		['DE', '+4915155550178'],
		['Germany', '+4915155550178'],
		['', 'has no country code'],
	])('reads its number with the country %s and no other cell', async (country, expected) => {
		const row = person(1, { phone: '0151 55550178', Country: 'US', City: 'Berlin' });
		const { sent, reasons } = await readCustomerRows([row], { country });
		expect(`${sent[0]?.[0]?.phoneNumber} ${reasons[0]}`).toContain(expected);
	});

	it('is sent without an invalid number or address where the user wants that', async () => {
		const [cut, whole] = ['Ana', 'Bo'].map((name) => ({ identifier: name, name }));
		const bad = { phoneNumber: 'x' };
		const invalid = [
			{ ...cut, ...bad, priority: -1 },
			{ identifier: 'C', ...bad },
		];
		const rows = [[{ ...cut, ...bad }, whole], ...invalid];
		const panel = { ...inJson, options: { leaveOutBadCells: true } };
		const { sent, notes } = await readCustomerRows(rows as never, panel);
		expect(sent).toEqual([[cut, whole], [], []]);
		expect(notes).toEqual(['Invalid Phone Number or Email left out of 1 customer']);
	});

	it.each([
		['{"a": 1}', { City: 'Bern', a: 1 }],
		['gold', { City: 'Bern', metadata: 'gold' }],
	])('has its unmapped columns as metadata, beside the chosen %s', async (Extra, metadata) => {
		const columns = [{ field: 'metadata', column: 'Extra' }];
		const options = { unmappedToMetadata: true, columnsToUse: { columns } };
		const row = person(1, { Extra, City: 'Bern', Empty: '', DNC: 'no' });
		const { sent } = await readCustomerRows([row], { ...marks, options });
		expect(sent[0]?.[0]?.metadata).toEqual(metadata);
	});

	it('has its metadata cleared by null in JSON only', async () => {
		const customer = { identifier: 'C-1', name: 'Ana', metadata: null };
		expect((await readCustomerRows([customer], inJson)).sent).toEqual([[customer]]);
		const { sent } = await readCustomerRows([customer], manual);
		expect(sent).toEqual([[{ identifier: 'C-1', name: 'Ana' }]]);
	});

	const A = { identifier: 'A' };
	const noObject = `must be an object with the fields of a customer, e.g. {"identifier": "C-1"}`;
	const noCountry =
		'"Narnia" is not a country. Use its two-letter code or its English name, e.g. DE or Germany';
	it.each<[unknown, object, string, string]>([
		['{"identifier": "C-1", "name": "Ana"}', {}, '', `customer ${noObject}`],
		[5, inJson, '', `customersJson ${noObject}`],
		[[], inJson, '', 'customersJson is an empty list. Enter a customer'],
		[[A, 5], inJson, '', `customersJson.1 ${noObject}`],
		[[A, { identifier: 'B', email: 5 }], inJson, 'B', 'customersJson.1.email must be text'],
		[A, { ...inJson, country: 'Narnia' }, 'A', `options.defaultCountry ${noCountry}`],
	])('is refused as a whole: %j', async (entered, panel, identifier, problem) => {
		const { stop, rows } = await readCustomerRows([entered as never], panel);
		const [{ problems = [], ...row } = {}] = rows;
		const said = problems.map((each) => `${each.path.join('.')} ${toSentence(each)}`);
		expect([stop, row, said]).toEqual([
			undefined,
			{ contents: [], entered: { identifier } },
			[problem],
		]);
	});
});

const gone = { email: undefined };
it.each([
	[gone, "'Email' is mapped to a column that no row has"],
	[{ ...gone, name: undefined }, "'Name' and 'Email' are mapped to columns that no row has"],
])('fields that are mapped to a column that no row has stop the run', async (lost, message) => {
	const rows = [{ identifier: 1, ...lost }];
	expect((await readCustomerRows(rows, manual)).stop).toContain(message);
	const whole = { identifier: 2, name: 'Ana', email: 'a@b.co' };
	expect((await readCustomerRows([...rows, whole], manual)).stop).toBeUndefined();
});
