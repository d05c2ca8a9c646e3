import { toSentence } from '../../../src/core/problems';
import { readCustomerRows } from '../../support/customerRows';

const person = (id: unknown, more: object = {}) => ({
	id,
	name: 'Ana',
	phone: '+14155550178',
	...more,
});
const marks = { panel: { doNotDisturbColumn: 'DNC' } };
const inJson = { panel: { inputMode: 'json' } };
const manual = { panel: { customer: { mappingMode: 'defineBelow' }, doNotDisturb: undefined } };

describe('the question of marks', () => {
	it('gives each customer the answer of its cell; a blank one says nothing', async () => {
		const rows = ['yes', 'No', '', null, ['no', 'x']].map((DNC, i) => person(`C-${i}`, { DNC }));
		const { sent } = await readCustomerRows(rows, marks);
		const read = sent.map((customer) => customer?.isDoNotDisturbEnabled);
		expect(read).toEqual([true, false, undefined, undefined, true]);
	});

	it('is not read from a column that was not chosen', async () => {
		const { sent } = await readCustomerRows([person(1, { 'Do Not Call': 'yes' })]);
		expect(sent[0]).not.toHaveProperty('isDoNotDisturbEnabled');
	});

	it('is a consent if the user chose that: only a yes lets a customer be called', async () => {
		const rows = ['yes', 'No', '', null, ['no', 'x']].map((OK, i) => person(`C-${i}`, { OK }));
		const panel = { doNotDisturb: 'allowed', consentColumn: 'OK' };
		const { sent } = await readCustomerRows([...rows, person('C-0', { OK: 'no' })], { panel });
		const read = sent.map((customer) => customer?.isDoNotDisturbEnabled);
		// Rows that disagree about a customer are no consent.
		expect(read).toEqual([true, true, true, true, true, true]);
		const agreed = await readCustomerRows(rows.slice(0, 1), { panel });
		expect(agreed.sent[0]?.isDoNotDisturbEnabled).toBe(false);
	});

	it('stops the run at values that are neither yes nor no, in each way to enter them', async () => {
		const questionAbout = (column: string) =>
			`'${column}' has values that are neither yes nor no: 'ask' (row 1). Enter each under Options > 'Values That Mean Yes' (do not call) or 'Values That Mean No'`;
		const rows = [person(1, { DNC: 'ask' }), person(2)];
		expect((await readCustomerRows(rows, marks)).stop).toBe(questionAbout('DNC'));
		const entered = [{ identifier: 'C', isDoNotDisturbEnabled: 'ask' }];
		expect((await readCustomerRows(entered, manual)).stop).toBe(questionAbout('Do Not Disturb'));
		expect((await readCustomerRows(entered, inJson)).stop).toBe(questionAbout('Do Not Disturb'));
	});

	it('holds for all rows of the identifier, and for no other spelling', async () => {
		const rows = [person('a1'), person('a1', { DNC: 'x' }), person('A1')];
		const { sent } = await readCustomerRows(rows, marks);
		const marked = { isDoNotDisturbEnabled: true };
		expect(sent).toMatchObject([marked, marked, { identifier: 'A1' }]);
		expect(sent[2]?.isDoNotDisturbEnabled).toBeUndefined();
	});

	it('is sent alone from a row with other invalid cells', async () => {
		const content = { source: { method: 'api' }, identifier: '1', isDoNotDisturbEnabled: true };
		const read = await readCustomerRows([person(1, { email: 'x', DNC: 1 })], marks);
		const fault = `'Email' "x" is not an e-mail address. Correct it or leave it empty`;
		expect(read.rows).toEqual([{ content, reason: `Only the mark is sent: ${fault}` }]);
		const options = { invalidRows: 'stop' };
		const stopping = await readCustomerRows([person(1, { email: 'x', DNC: 1 })], {
			...marks,
			options,
		});
		expect(stopping.rows[0]).toMatchObject({ problems: [{ reason: 'is not an e-mail address' }] });
	});

	it('is cleared in a row that says nothing but no', async () => {
		const { sent } = await readCustomerRows([{ id: 'a', name: '', DNC: 'no' }], marks);
		expect(sent).toMatchObject([{ identifier: 'a', isDoNotDisturbEnabled: false }]);
	});

	it('goes with every good row of the customer, wherever that stands', async () => {
		const rows = [person(1, { phone: '12', DNC: 1 }), person(1)];
		const marked = { identifier: '1', isDoNotDisturbEnabled: true };
		const whole = { ...marked, name: 'Ana', phoneNumber: '+14155550178' };
		expect((await readCustomerRows(rows, marks)).sent).toEqual([marked, whole]);
		expect((await readCustomerRows([...rows].reverse(), marks)).sent).toEqual([whole, marked]);
	});
});

describe('identifiers', () => {
	it('are compared exactly as they are sent, with the prefix of the user', async () => {
		const rows = ['003A', '003a', ' 003A'].map((id, i) => person(id, { name: `Ana ${i % 2}` }));
		const nameless = ['003A', ''].map((id) => person(id, { name: '' }));
		const options = { identifierPrefix: 'x-' };
		const { sent, stop } = await readCustomerRows([...rows, ...nameless], { options });
		const identifiers = sent.map((each) => each?.identifier);
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
		expect(read.sent.map((each) => each?.identifier)).toEqual(['1', undefined, '3', undefined]);
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
		expect(`${sent[0]?.phoneNumber} ${reasons[0]}`).toContain(expected);
	});

	it('is sent without an invalid number or address where the user wants that', async () => {
		const cut = { identifier: 'Ana', name: 'Ana' };
		const whole = { identifier: 'Bo', name: 'Bo' };
		const bad = { phoneNumber: '12' };
		const rows = [{ ...cut, ...bad }, { ...whole }, { ...cut, ...bad, priority: -1 }];
		const panel = { ...inJson, options: { leaveOutBadCells: true } };
		const read = await readCustomerRows([...rows, { identifier: 'C', ...bad }], panel);
		expect(read.sent).toEqual([cut, whole, undefined, undefined]);
		expect(read.rows[0]?.reason).toMatch(/^Without invalid cells: 'Phone Number' "12" has no/);
	});

	it('has its metadata cleared by null in JSON only', async () => {
		const customer = { identifier: 'C-1', name: 'Ana', metadata: null };
		expect((await readCustomerRows([customer], inJson)).sent).toEqual([customer]);
		const { sent } = await readCustomerRows([customer], manual);
		expect(sent).toEqual([{ identifier: 'C-1', name: 'Ana' }]);
	});

	const A = { identifier: 'A' };
	const noObject = `must be an object with the fields of a customer, e.g. {"identifier": "C-1"}`;
	const list = 'is a list. For one customer per row, add a Split Out node before this one';
	const noCountry =
		'"Narnia" is not a country name that is known here. Use its two-letter code, e.g. DE';
	it.each<[unknown, object, string, string]>([
		['{"identifier": "C-1", "name": "Ana"}', {}, '', `customer ${noObject}`],
		[5, inJson, '', 'customerJson must be an object, e.g. {"identifier": "C-1"}'],
		[[A], inJson, '', `customerJson ${list}`],
		[JSON.stringify([A]), inJson, '', `customerJson ${list}`],
		[{ identifier: 'B', email: 5 }, inJson, 'B', 'customerJson.email must be text'],
		[A, { ...inJson, country: 'Narnia' }, 'A', `options.defaultCountry ${noCountry}`],
	])('is refused as a whole: %j', async (entered, panel, identifier, problem) => {
		const { stop, rows } = await readCustomerRows([entered as never], panel);
		const [{ problems = [], ...row } = {}] = rows;
		const texts = problems.map((each) => `${each.path.join('.')} ${toSentence(each)}`);
		expect([stop, row, texts]).toEqual([undefined, { entered: { identifier } }, [problem]]);
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

it('a field of the mapper that does not exist stops the run, and in JSON its row', async () => {
	const rows = [
		{ identifier: 1, name: 'Ana' },
		{ identifier: 2, phone: '+14155550178' },
	];
	const fault = "has no field 'phone'. Remove or rename it. The fields are identifier, name,";
	expect((await readCustomerRows(rows, manual)).stop).toContain(`'Customer' ${fault}`);
	const { stop, reasons } = await readCustomerRows(rows, inJson);
	expect([stop, reasons]).toEqual([undefined, [undefined, expect.stringContaining(fault)]]);
});
