import fc from 'fast-check';
import {
	numberProblem,
	otherNumbers,
	readNumber,
	readNumbers,
} from '../../../../src/conversations/create/numbers';
import { AGENT, PHONE, phoneOf } from '../../../support/samples';
import { fieldsRow, start } from '../../../support/startConversations';

const settings = { defaultCountry: 'US' } as const;
const conversation = { agentId: AGENT, conversationType: 'telephony', dynamicVariables: {} };
const numbersIn = (more: object) => {
	const { numbers, unreadable } = readNumbers({ ...conversation, ...more }, settings);
	return { numbers, unreadable: unreadable.map(({ problem }) => problem) };
};

describe('the numbers of a conversation', () => {
	it.each([
		...['phone', 'phoneNumber', 'mobile', 'msisdn', 'tel', 'telephone', 'cell', 'dialTo'],
		...['callee', 'recipient', 'destination', 'to', 'contact', 'alternativePhone', 'Number2'],
		...['ｐｈｏｎｅ', 'te\u200bl', 'e164', 'nummer', 'número', 'телефон', 'sipUri', 'wa'],
	])('are read from the field %s, in whatever spelling', (field) => {
		expect(numbersIn({ [field]: '(415) 555-0001' }).numbers).toEqual([phoneOf(1)]);
		expect(numbersIn({ [field]: [`tel:${phoneOf(1)}`, { [field]: phoneOf(2) }] }).numbers).toEqual([
			phoneOf(1),
			phoneOf(2),
		]);
		expect(numbersIn({ details: { more: { [field]: phoneOf(3) } } }).numbers).toEqual([phoneOf(3)]);
	});

	it('are each there once, that of the call first', () => {
		const fields = { phone: phoneOf(2), mobile: phoneOf(1), contact: phoneOf(2) };
		expect(numbersIn({ ...fields, toPhoneNumber: PHONE }).numbers).toEqual([
			PHONE,
			phoneOf(2),
			phoneOf(1),
		]);
	});

	it('are not the ID of a line, nor what the agent knows or other fields hold', () => {
		const others = { phoneId: '14155550001', dynamicVariables: { phone: phoneOf(1) } };
		expect(
			numbersIn({ ...others, metadata: { phone: phoneOf(1) }, orderId: '4155550001' }),
		).toEqual({ numbers: [], unreadable: [] });
		expect(
			numbersIn({ number: 'A-17', contact: 'Ana', phone: '', mobile: null }).unreadable,
		).toEqual([]);
	});

	it.each(['fromPhoneNumber', 'from', 'From Number', 'caller_id'])(
		'are not that of the line in %s, which would make everyone one person',
		async (field) => {
			expect(numbersIn({ [field]: phoneOf(9) }).numbers).toEqual([]);
			const row = (n: number, doNotCall: string) =>
				fieldsRow({
					toPhoneNumber: phoneOf(n),
					options: {
						doNotCall,
						allowedCountries: ['US'],
						additionalFieldsJson: { [field]: '+442079460000' },
					},
				});
			const { sent } = await start([row(1, 'yes'), row(2, '')]);
			expect(sent).toMatchObject([{ toPhoneNumber: phoneOf(2), [field]: '+442079460000' }]);
		},
	);

	it('are refused in a field for them that cannot be read', () => {
		const fields = { toPhoneNumber: PHONE, mobile: '+1 555' };
		expect(readNumbers(fields, settings)).toEqual({
			numbers: [PHONE],
			unreadable: [
				{
					field: 'mobile',
					text: '+1 555',
					problem: expect.stringMatching(/^contains mobile, which "\+1 555" /) as string,
				},
			],
		});
	});

	const nested = (value: unknown, levels: number): unknown =>
		levels === 0 ? value : { more: nested(value, levels - 1) };

	it.each<[string, object]>([
		['deeper than anyone looks', { details: nested({ phone: phoneOf(3) }, 150) }],
		['below a name that only counts at the top', { call: { metadata: { phone: phoneOf(3) } } }],
		['in what a field for a number contains', { destination: { value: '415-555-0003' } }],
		['in JSON in a text', { payload: '[{"phone": "4155550003"}]' }],
		['as a key', { routes: { [phoneOf(3)]: true } }],
		['as the name of a field', { [phoneOf(3)]: 'main' }],
		['with hyphens that are no signs of ASCII', { x: '+1‐415‐555‐0003' }],
		['in wide digits', { x: '＋１４１５５５５０００３' }],
		['in an address with escapes', { x: 'tel:%2B14155550003' }],
		['in an address whose colon is escaped', { x: 'tel%3A%2B14155550003' }],
		['in an address of WhatsApp', { x: 'https://wa.me/14155550003' }],
		['in an address with slashes', { x: 'sip://+14155550003@line.test' }],
	])('are read %s', (_, fields) => {
		expect(numbersIn(fields)).toMatchObject({ numbers: [phoneOf(3)], unreadable: [] });
	});

	it.each<[string, object]>([
		['a mark of direction', { x: '+1\u202e3128675309' }],
		['digits that look like others', { x: '+1 415 555 ०००३' }],
		['words around it', { to: 'Ana <+1 900 555 0123>' }],
		['a long gap before it', { x: `${' '.repeat(5_000)}${phoneOf(3)}` }],
		['words around it in any field', { x: 'call +19005550178 now' }],
		['two numbers in any field', { x: '+1 900 555 0178 / +1 415 555 0179' }],
		['another one in its address', { x: 'tel:+14155550178?x=+19005550178' }],
		['an address that has no number', { x: 'wa.me/99999999999' }],
		['a name in other letters', { ｐｈｏｎｅ: '999' }],
		['an escaped plus', { x: '%2B14155550003' }],
		['two numbers', { contact: '+14155550001, +19005550123' }],
		['a plan that does not know it', { target: '+1 000 000 0000' }],
		['too many levels', { details: nested({ phone: phoneOf(3) }, 5_000) }],
	])('are refused with %s', (_, fields) => {
		const { numbers, unreadable } = numbersIn(fields);
		expect([numbers, unreadable]).toEqual([[], [expect.not.stringContaining('undefined')]]);
	});

	it.each([
		['a nil UUID', '00000000-0000-4000-8000-000000000000'],
		['a time', '2026-12-01T09:00:00+01:00'],
		['a version', '+1.2.3'],
		['a sum', '1+415 = 416'],
	])('are not %s', (_, x) => {
		expect(numbersIn({ x, list: [x] })).toEqual({ numbers: [], unreadable: [] });
	});

	it('are found whatever else is in it', () => {
		fc.assert(
			fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(99), (others, n) => {
				const { numbers } = numbersIn({ ...others, mobilePhone: phoneOf(n) });
				expect(numbers).toContain(phoneOf(n));
			}),
		);
	});
});

describe('a number that came by another field', () => {
	const rowWith = (additionalFieldsJson: object, options: object = {}, more: object = {}) =>
		fieldsRow({ ...more, options: { ...options, additionalFieldsJson } });

	it('is not called where it is listed, or marked in another row', async () => {
		const listed = await start([rowWith({ mobile: phoneOf(5) }, { doNotCallNumbers: phoneOf(5) })]);
		expect([listed.sent, listed.problems]).toEqual([
			[],
			['Not called, because the number is listed under Do Not Call'],
		]);
		const marked = await start([
			rowWith({ mobile: phoneOf(5) }, { doNotCall: 'no' }),
			fieldsRow({ toPhoneNumber: phoneOf(5), options: { doNotCall: 'yes' } }),
		]);
		expect([marked.sent, marked.problems[0]]).toEqual([
			[],
			'Not called, because row 2 of the same person is marked do not call',
		]);
		const inJson = await start([
			{
				parameters: {
					inputMode: 'json',
					conversationsJson: { agentId: AGENT, toPhoneNumber: PHONE, recipient: '+1 415 555 0005' },
					options: { doNotCallNumbers: phoneOf(5) },
				},
			},
		]);
		expect(inJson.sent).toEqual([]);
	});

	it('is marked with its row', async () => {
		const { sent } = await start([
			rowWith({ mobile: phoneOf(5) }, { doNotCall: 'yes' }),
			fieldsRow({ toPhoneNumber: phoneOf(5), options: { doNotCall: 'no' } }),
			fieldsRow({ toPhoneNumber: phoneOf(6), options: { doNotCall: 'no' } }),
		]);
		expect(sent.map(({ toPhoneNumber }) => toPhoneNumber)).toEqual([phoneOf(6)]);
	});

	it('is called in allowed countries only, and never where it cannot be read', async () => {
		const abroad = await start([rowWith({ mobile: '+442079460000' }, { allowedCountries: 'US' })]);
		expect(abroad.sent).toEqual([]);
		expect(abroad.problems).toMatchObject([
			[['options.additionalFieldsJson', expect.stringContaining('+442079460000 is in GB')]],
		]);
		const broken = await start([rowWith({ mobile: 'call me' })]);
		expect(broken.sent).toEqual([]);
		expect(broken.problems).toMatchObject([
			[['options.additionalFieldsJson', expect.stringContaining('contains mobile, which')]],
		]);
	});

	it('makes the person of a chat that has no other', async () => {
		const chat = { conversationType: 'chat', toPhoneNumber: '' };
		const { sent, problems } = await start([
			rowWith({ phone: phoneOf(5) }, {}, chat),
			fieldsRow({ toPhoneNumber: phoneOf(5) }),
		]);
		expect(sent).toHaveLength(1);
		expect(problems[1]).toBe(`Not sent, because Row 1 has the same phone number (${phoneOf(5)})`);
	});
});

describe('a number that is read', () => {
	const all = { allowedCountries: [], allowSpecialNumbers: false };

	it('may be abroad, or cost more', () => {
		expect(numberProblem(PHONE, all)).toBeUndefined();
		expect(numberProblem('+19005550100', all)).toBe(
			'+19005550100 is a premium-rate number. Remove the row, or add Allow Special Numbers in the options',
		);
		const inUs = { ...all, allowedCountries: ['US'] as const };
		expect(numberProblem(PHONE, inUs)).toBeUndefined();
		expect(numberProblem('+493012345678', inUs)).toBe(
			'+493012345678 is in DE, which is not in Allowed Countries (US). Add it there, or remove the row',
		);
	});

	it.each([
		'+19005550100',
		'+878101234567890',
		'+19001550123',
		'+49900112345',
		'+61190012345',
		'+447001234567',
	])(
		'is taken for what the numbers are that begin like it, also in no known range: %s',
		(number) => {
			expect(readNumber(number, 'telephony', { allowUnknownRanges: true })).toEqual({ number });
			expect(numberProblem(number, all)).toEqual(expect.any(String));
			expect(numberProblem(number, { ...all, allowSpecialNumbers: true })).toBeUndefined();
		},
	);

	it.each(['+15555550123', '+493212345678', '+12120550123'])(
		'passes in no known range where nothing of the kind begins like it: %s',
		(number) => {
			expect(numberProblem(number, all)).toBeUndefined();
		},
	);
});

it.each([
	{ to: '19005551234' },
	{ number: '442079460018' },
	{ recipient: '44 20 7946 0018' },
	{ whatsapp: 442079460018 },
	{ phones: { work: '442079460018' } },
	{ destination: { phone: { primary: '19005551234' } } },
	{ mobile: { n: 442079460018 } },
])('a number without its code in a field for numbers is refused: %j', (field) => {
	expect(readNumbers(field, {}).unreadable).toHaveLength(1);
});

it.each([
	{ to: 'sales' },
	{ phones: { type: 'mobile', country: 'us' } },
	{ accountNumber: '12345678' },
	{ phone: { provider: { id: '123' } } },
])('what is no number beside one is no problem: %j', (field) => {
	expect(readNumbers(field, {}).unreadable).toEqual([]);
});

it.each([
	[{ Country: 'Saudi Arabia' }, '082 123 4567', ". It was read in SA, as 'Country' says"],
	[{ Country: 'US' }, '082 123 4567', ''],
	[{ Country: 'Saudi Arabia' }, '+1 082 123 4567', ''],
])('says beside %j of %s where it was read: %j', async (inputRow, toPhoneNumber, said) => {
	const options = { defaultCountry: 'US' };
	const { problems } = await start([fieldsRow({ inputRow, toPhoneNumber, options })]);
	expect(JSON.stringify(problems).match(/\. It was read.*says/)?.[0] ?? '').toBe(said);
	expect(problems).toEqual([[['toPhoneNumber', expect.any(String)]]]);
});

it.each(['', 'US'])(
	'names the column that may be its country, %j being chosen',
	async (defaultCountry) => {
		const inputRow = { 'Billing Country': 'Germany' };
		const row = fieldsRow({ inputRow, toPhoneNumber: '030 12345678', options: { defaultCountry } });
		expect(JSON.stringify((await start([row])).problems)).toMatch(
			/"030 12345678\\*" has no country code, and 'Billing Country' says .*Germany.*\. Add a column Country that says where the phone is, or remove this one, or write the number with \+/,
		);
	},
);

it("finds a person's other numbers in the objects that are the person's, however deep a row is nested", () => {
	const inside = (depth: number): unknown =>
		depth === 0 ? { Mobile: PHONE } : { data: inside(depth - 1) };
	expect(otherNumbers(inside(3), {}).numbers).toEqual([PHONE]);
	let row: unknown = { Mobile: PHONE };
	for (let depth = 0; depth < 20_000; depth++) row = { data: row };
	expect(otherNumbers(row, {}).numbers).toEqual([]);
});
