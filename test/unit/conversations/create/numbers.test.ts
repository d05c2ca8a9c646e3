import fc from 'fast-check';
import {
	numberProblems,
	readNumber,
	readNumbers,
} from '../../../../src/conversations/create/numbers';
import { AGENT, PHONE, phoneOf } from '../../../support/samples';
import { fieldsRow, start } from '../../../support/startConversations';

const settings = { defaultCountry: 'US' } as const;
const conversation = { agentId: AGENT, conversationType: 'telephony', dynamicVariables: {} };
const numbersIn = (more: object) => readNumbers({ ...conversation, ...more }, settings);

describe('the numbers of a conversation', () => {
	it.each([
		...['phone', 'phoneNumber', 'mobile', 'msisdn', 'tel', 'telephone', 'cell', 'dialTo'],
		...['callee', 'recipient', 'destination', 'to', 'contact', 'alternativePhone', 'Number2'],
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
		).toEqual({ numbers: [], unreadable: [], texts: [] });
		expect(
			numbersIn({ number: 'A-17', contact: 'Ana', phone: '', mobile: null }).unreadable,
		).toEqual([]);
	});

	it('are refused in a field for them that cannot be read', () => {
		const { numbers, unreadable, texts } = numbersIn({ toPhoneNumber: PHONE, mobile: '+1 555' });
		expect([numbers, texts]).toEqual([[PHONE], ['+1 555']]);
		expect(unreadable).toEqual([expect.stringMatching(/^contains mobile, which "\+1 555" /)]);
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
		expect(JSON.stringify(abroad.problems)).toContain('+442079460000 is in GB');
		const broken = await start([rowWith({ mobile: 'call me' })]);
		expect(broken.sent).toEqual([]);
		expect(JSON.stringify(broken.problems)).toContain('contains mobile, which');
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

it('needs a number for a call only', () => {
	expect(readNumber('', 'chat', settings)).toEqual({});
	expect(readNumber('', 'telephony', settings)).toMatchObject({
		problem: expect.any(String) as string,
	});
	expect(readNumber('415 555 0178', 'chat', settings)).toEqual({ number: PHONE });
});

it('says which numbers are abroad, or cost more', () => {
	const all = { allowedCountries: [], allowSpecialNumbers: false };
	expect(numberProblems([PHONE], all)).toEqual([]);
	expect(numberProblems(['+19005550100'], all)).toEqual([
		'+19005550100 is a premium-rate number. Remove the row, or add Allow Special Numbers in the options',
	]);
	expect(numberProblems(['+19005550100'], { ...all, allowSpecialNumbers: true })).toEqual([]);
	expect(numberProblems([PHONE, '+493012345678'], { ...all, allowedCountries: ['US'] })).toEqual([
		'+493012345678 is in DE, which is not in Allowed Countries (US). Add it there, or remove the row',
	]);
});
