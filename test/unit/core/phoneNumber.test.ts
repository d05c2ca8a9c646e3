import fc from 'fast-check';
import { phoneNumber, readPhoneNumber, withCountryCode } from '../../../src/core/phoneNumber';

const problemOf = (value: unknown): string => {
	const read = readPhoneNumber(value);
	return 'problem' in read ? read.problem : `was read as ${read.number}`;
};

describe('a phone number', () => {
	it.each([
		['+14155550178', '+14155550178'],
		['  +14155550178\n', '+14155550178'],
		["'+14155550119", '+14155550119'],
		["' +14155550119", '+14155550119'],
		['0017025550133', '+17025550133'],
		['00 1 702 555 0133', '+17025550133'],
		['+1 (206) 555-0186', '+12065550186'],
		['+1 617 555 0188', '+16175550188'],
		['+1.617.555.0188', '+16175550188'],
		['+1/617/555/0188', '+16175550188'],
		['+1\u00a0617\u2009555\u202f0188', '+16175550188'],
		['+1 617\u2010555\u20130188', '+16175550188'],
		['\u202a+16175550188\u202c', '+16175550188'],
		['\u200b+16175550188\ufeff', '+16175550188'],
		['tel:+1-617-555-0188', '+16175550188'],
		['TEL:+16175550188', '+16175550188'],
		['+14155550000', '+14155550000'],
		[`+1${'-'.repeat(88)}4155550178`, '+14155550178'],
		['+1234567', '+1234567'],
		['+123456789012345', '+123456789012345'],
	])('is repaired: %j', (entered, expected) => {
		expect(readPhoneNumber(entered)).toEqual({ number: expected });
	});

	it.each([
		['1.3125E+10', 'was rounded by the spreadsheet'],
		['1.4155E+10', 'was rounded by the spreadsheet'],
		['1,4155E+10', 'was rounded by the spreadsheet'],
		['1.4155e10', 'was rounded by the spreadsheet'],
		['1E+10', 'was rounded by the spreadsheet'],
		['14155E+6', 'was rounded by the spreadsheet'],
		['n1E+10', 'characters that are not part'],
		['1E+10 or so', 'characters that are not part'],
		[1.4155e21, 'was rounded by the spreadsheet'],
		['+12065550196 ext. 4', 'has an extension'],
		['+12065550196 ext 4', 'has an extension'],
		['+12065550196 Ext.42', 'has an extension'],
		['+12065550196x4', 'has an extension'],
		['+12065550196 #4', 'has an extension'],
		['+12065550196;ext=4', 'has an extension'],
		['+4930123456 Durchwahl 12', 'has an extension'],
		['212-555-0196', 'has no country code'],
		['2125550196', 'has no country code'],
		['(212) 555-0196', 'has no country code'],
		[14155550178, 'has no country code'],
		['14155000000', 'has no country code'],
		[0, 'is too short for a phone number'],
		['0305550196', 'has no country code'],
		['000 14155550178', 'has no country code'],
		['12', 'is too short for a phone number'],
		['12345', 'is too short for a phone number'],
		['+0123456789', 'is no international number'],
		['+123456', 'is no international number'],
		['+1234567890123456', 'is no international number'],
		['+', 'is no international number'],
		['++14155550178', 'characters that are not part'],
		['+1+4155550178', 'characters that are not part'],
		['+1 415 CALL NOW', 'characters that are not part'],
		['+1415555017８', 'characters that are not part'],
		['+14155550178, +14155550179', 'characters that are not part'],
		['+14155550178;+14155550179', 'characters that are not part'],
		['+1415555O178', 'characters that are not part'],
		["+1415'5550178", 'characters that are not part'],
		['+1415tel:5550178', 'characters that are not part'],
		[`+1${'-'.repeat(89)}4155550178`, 'is too long for a phone number. Enter one number only'],
		['#REF!', 'characters that are not part'],
		['n/a', 'characters that are not part'],
		['', 'is empty'],
		['  ', 'is empty'],
		["'", 'is empty'],
		['tel:', 'is empty'],
		[undefined, 'is empty'],
		[14155000000, 'was rounded by the spreadsheet'],
		[null, 'is empty'],
		[true, 'must be a phone number as text'],
		[['+14155550178'], 'must be a phone number as text'],
		[{ number: '+14155550178' }, 'must be a phone number as text'],
	])('is refused: %j', (entered, problem) => {
		expect(problemOf(entered)).toContain(problem);
	});

	it('does not quote an endless text', () => {
		expect(problemOf('x'.repeat(100_000)).length).toBeLessThan(200);
	});

	it('is a zod schema that says the same', () => {
		expect(phoneNumber.parse("'+14155550119")).toBe('+14155550119');
		expect(phoneNumber.safeParse('1.3125E+10').error?.issues[0]?.message).toBe(
			problemOf('1.3125E+10'),
		);
	});

	const e164 = fc
		.tuple(
			fc.integer({ min: 1, max: 9 }),
			fc.string({ unit: digit(), minLength: 6, maxLength: 14 }),
		)
		.map(([first, rest]) => `+${first}${rest}`);
	const separators = fc.array(
		fc.constantFrom(' ', '-', '.', '(', ')', '\u00a0', '\u2011', '\u2013', '\u200e', '\t', '/'),
		{ maxLength: 3 },
	);

	it('survives any spaces, dashes and brackets in it', () => {
		fc.assert(
			fc.property(
				e164,
				fc.array(separators, { minLength: 18, maxLength: 18 }),
				(number, between) => {
					const entered = [...number]
						.map((sign, i) => `${sign}${between[i]?.join('') ?? ''}`)
						.join('');
					fc.pre(!entered.includes('(0)'));
					expect(readPhoneNumber(entered)).toEqual({ number });
				},
			),
			{ numRuns: 1000 },
		);
	});

	it('is E.164 or refused, whatever was entered', () => {
		fc.assert(
			fc.property(
				fc.oneof(fc.anything(), fc.string({ unit: fc.constantFrom(...'+0123456789 -()xE.') })),
				(entered) => {
					const read = readPhoneNumber(entered);
					if ('number' in read) expect(read.number).toMatch(/^\+[1-9]\d{6,14}$/);
					else expect(read.problem).toMatch(/^('|is empty|must be)/);
				},
			),
			{ numRuns: 1000 },
		);
	});

	it('keeps its digits in their order, whatever was taken away', () => {
		fc.assert(
			fc.property(fc.string({ unit: fc.constantFrom(...'+0123456789 -()') }), (entered) => {
				const read = readPhoneNumber(entered);
				if ('number' in read) {
					expect(read.number.slice(1)).toBe(entered.replace(/\D/g, '').replace(/^00(?!\+)/, ''));
				}
			}),
			{ numRuns: 1000 },
		);
	});
});

function digit(): fc.Arbitrary<string> {
	return fc.constantFrom(...'0123456789');
}

describe('a country code', () => {
	it.each([
		['617 555 0188', '+1', '+1617 555 0188'],
		['617 555 0188', '1', '+1617 555 0188'],
		[6175550188, '+1', '+16175550188'],
		[" '(617) 555-0188 ", '+1', '+1(617) 555-0188'],
		['030 1234567', '+49', '+4930 1234567'],
		['(030) 1234567', '49', '+49(30) 1234567'],
		['06 12345678', '+39', '+3906 12345678'],
		["617'555", '+1', "+1617'555"],
		['9'.repeat(100), '+1', `+1${'9'.repeat(100)}`],
		['617e5x', '+1', '+1617e5x'],
		['1200', '+1', '+11200'],
		['1000', '+1', '+11000'],
	])('stands before %j with %s', (entered, code, expected) => {
		expect(withCountryCode(entered, code)).toBe(expected);
	});

	it.each([
		'+49 30 1234567',
		'0049 30 1234567',
		'1.4155E+10',
		'1e10',
		'tel: 617',
		'',
		null,
		true,
		undefined,
		[6175550188],
	])('leaves %j as it is', (entered) => {
		expect(withCountryCode(entered, '+1')).toBe(entered);
	});

	it('leaves what is too long for a number as it is', () => {
		expect(withCountryCode('9'.repeat(101), '+1')).toBe('9'.repeat(101));
	});

	it.each(['+49(0)30 1234567', '+49  (0) 30 1234567', '+ 49-(0)30 1234567', '0049 (0)30 1234567'])(
		'is not followed by a (0), as in %s',
		(entered) => {
			expect(problemOf(entered)).toContain('holds (0), which is not dialled');
		},
	);

	it('is not followed by a (0)', () => {
		expect(problemOf('+49 (0)30 1234567')).toBe(
			"'+49 (0)30 1234567' holds (0), which is not dialled after a country code. Remove it",
		);
	});
});
