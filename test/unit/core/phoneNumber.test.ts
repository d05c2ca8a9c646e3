import { countryOf, defaultCountry, readPhoneNumber } from '../../../src/core/phoneNumber';
import type { CountryCode } from '../../../src/core/phoneNumber';

const reasonOf = (value: unknown, country?: CountryCode): string => {
	const read = readPhoneNumber(value, { defaultCountry: country });
	return 'reason' in read ? read.reason : `was read as ${read.number}`;
};

describe('a phone number', () => {
	it.each([
		['+14155550178', '+14155550178'],
		['  +14155550178\n', '+14155550178'],
		["'+14155550119", '+14155550119'],
		["' +14155550119", '+14155550119'],
		['\u2019+14155550119', '+14155550119'],
		['0017025550133', '+17025550133'],
		['00 1 702 555 0133', '+17025550133'],
		['+1 (206) 555-0186', '+12065550186'],
		['(+1) 206 555-0186', '+12065550186'],
		['(+12065550186)', '+12065550186'],
		['+1 617 555 0188', '+16175550188'],
		['+1.617.555.0188', '+16175550188'],
		['+1/617/555/0188', '+16175550188'],
		['+1\u00a0617\u2009555\u202f0188', '+16175550188'],
		['+1 617\u2010555\u20130188', '+16175550188'],
		['\u202a+16175550188\u202c', '+16175550188'],
		['\u200b+16175550188\ufeff', '+16175550188'],
		["'\u202a+16175550188\u202c", '+16175550188'],
		['\u2066+16175550188\u2069', '+16175550188'],
		['\u2068+16175550188\u2069', '+16175550188'],
		['\u200f+16175550188\u200e', '+16175550188'],
		['\u202atel:+16175550188\u202c', '+16175550188'],
		['+1617\u200b555\u00ad0188', '+16175550188'],
		['tel:+1-617-555-0188', '+16175550188'],
		['Phone: +1-617-555-0188', '+16175550188'],
		['TEL:+16175550188', '+16175550188'],
		['+14155550000', '+14155550000'],
		[`+1${'-'.repeat(88)}4155550178`, '+14155550178'],
		[
			'\uff0b\uff14\uff14\uff17\uff19\uff11\uff11\uff11\uff12\uff13\uff14\uff15\uff16',
			'+447911123456',
		],
		['+\u0669\u0666\u0666\u0665\u0660\u0661\u0662\u0663\u0664\u0665\u0666\u0667', '+966501234567'],
		['(0049) 30 1234567', '+49301234567'],
		['+49 (030) 1234567', '+49301234567'],
		['+49 (0)30 1234567', '+49301234567'],
		['0044 (0) 20 7946 0958', '+442079460958'],
		['+44 07911 123456', '+447911123456'],
		['+33 06 12 34 56 78', '+33612345678'],
		['+39 06 12345678', '+390612345678'],
		['+225 01 23 45 67 89', '+2250123456789'],
		['+242 06 612 3456', '+242066123456'],
		['+229 01 95 12 34 56', '+2290195123456'],
		['+1 900 234 5678', '+19002345678'],
		['+800 1234 5678', '+80012345678'],
	])('is read in %j', (entered, number) => {
		expect(readPhoneNumber(entered)).toMatchObject({ number });
	});

	it.each<[unknown, CountryCode, string]>([
		['212-555-0196', 'US', '+12125550196'],
		[2125550196, 'US', '+12125550196'],
		[4155550000, 'US', '+14155550000'],
		[14155550000, 'US', '+14155550000'],
		['14155550178', 'US', '+14155550178'],
		['919876543210', 'IN', '+919876543210'],
		['447911123456', 'GB', '+447911123456'],
		['+49 30 1234567', 'US', '+49301234567'],
		['0049 30 1234567', 'US', '+49301234567'],
		['011 44 20 7946 0958', 'US', '+442079460958'],
		['0011 44 20 7946 0958', 'AU', '+442079460958'],
		['001 44 20 7946 0958', 'TH', '+442079460958'],
		['00 1 415 555 0178', 'TH', '+14155550178'],
		['(030) 1234567', 'DE', '+49301234567'],
		['030/1234567', 'DE', '+49301234567'],
		['0171 2345678', 'DE', '+491712345678'],
		[1712345678, 'DE', '+491712345678'],
		['06 1234 5678', 'IT', '+390612345678'],
		['347 1234567', 'IT', '+393471234567'],
		['0123456789', 'CI', '+2250123456789'],
		['8 495 123 45 67', 'RU', '+74951234567'],
		['495 123 45 67', 'RU', '+74951234567'],
		['06 1 234 5678', 'HU', '+3612345678'],
		['8 612 34567', 'LT', '+37061234567'],
		['011 15 2345-6789', 'AR', '+5491123456789'],
		['0 15 11 98765-4321', 'BR', '+5511987654321'],
		['31987654321', 'BR', '+5531987654321'],
		['13123456789', 'CN', '+8613123456789'],
		['090-1234-5678', 'JP', '+819012345678'],
		['\u0660\u0665\u0660\u0661\u0662\u0663\u0664\u0665\u0666\u0667', 'SA', '+966501234567'],
	])('is read in %j of %s', (entered, country, number) => {
		expect(readPhoneNumber(entered, { defaultCountry: country })).toMatchObject({ number });
	});

	it.each<[unknown, string, CountryCode?]>([
		['1.3125E+10', 'was rounded by the spreadsheet'],
		['1,4155E+10', 'was rounded by the spreadsheet'],
		['1.4155e10', 'was rounded by the spreadsheet', 'US'],
		['1E+10', 'was rounded by the spreadsheet'],
		['14155E+6', 'was rounded by the spreadsheet', 'US'],
		[14155000000, 'may be rounded by the spreadsheet', 'US'],
		[1.4155e21, 'is not a whole number'],
		[NaN, 'is not a whole number'],
		[-14155550178, 'is not a whole number', 'US'],
		[4155550178.5, 'is not a whole number', 'US'],
		['4155550178.0', 'has decimal places', 'US'],
		['+14155550178.0', 'has decimal places'],
		['4155550178,00', 'has decimal places', 'US'],
		['+12065550196 ext. 4', 'has an extension'],
		['+12065550196 ext 4', 'has an extension'],
		['+12065550196 Ext.42', 'has an extension'],
		['+12065550196x4', 'has an extension'],
		['+12065550196 #4', 'has an extension'],
		['+12065550196;ext=4', 'has an extension'],
		['+12065550196,,4', 'has an extension'],
		['+12065550196-123#', 'has an extension'],
		['+12065550196 (x4)', 'has an extension'],
		['+4930123456 Durchwahl 12', 'has an extension'],
		['tel:+12065550196;ext=4', 'has an extension'],
		['+4930123456 (12)', 'ends in brackets'],
		['030 123456 (12)', 'ends in brackets', 'DE'],
		['212-555-0196', 'has no country code'],
		[14155550178, 'has no country code'],
		['14155000000', 'has no country code'],
		['0305550196', 'has no country code'],
		['000 14155550178', 'has no country code'],
		['12345', 'has no country code'],
		[0, 'has no country code'],
		['+0123456789', 'is not a valid phone number'],
		['+123456', 'is not a valid phone number'],
		['+1234567890123456', 'is not a valid phone number'],
		['+1415555017', 'is not a valid phone number'],
		['+141555501789', 'is not a valid phone number'],
		['+1 123 456 7890', 'is not a valid phone number'],
		['+49110', 'is not a valid phone number'],
		['+44999', 'is not a valid phone number'],
		['911', 'is not a valid phone number', 'US'],
		['112', 'is not a valid phone number', 'DE'],
		['116 117', 'is not a valid phone number', 'DE'],
		['555-0196', 'is not a valid phone number', 'US'],
		['10115', 'is not a valid phone number', 'DE'],
		['01067', 'is not a valid phone number', 'DE'],
		['20240115', 'is not a valid phone number', 'DE'],
		['447911123456', 'is not a valid phone number', 'US'],
		['+39 (0)347 1234567', 'is not a valid phone number'],
		['447911123456', 'can be read as two different numbers', 'DE'],
		['14155550178', 'is not a valid phone number', 'DE'],
		['491701234567', 'can be read as two different numbers', 'DE'],
		['16847331234', 'is not a valid phone number', 'TD'],
		['+5521123456789', 'is not a valid phone number'],
		['+1415\u202e8710555', 'contains invisible marks'],
		['+1415\u200f5550178', 'contains invisible marks'],
		['(+1\u2066415\u2069)5550178', 'contains invisible marks'],
		["'\u202e+14155550\u202c178", 'contains invisible marks'],
		...['\u202b', '\u202d', '\u202e', '\u2067'].flatMap((mark): Array<[string, string]> => [
			[`${mark}+14155550178`, 'contains invisible marks'],
			[`tel:\u200b${mark}+14155550178\u202c`, 'contains invisible marks'],
		]),
		['15.01.2024', 'is a date', 'DE'],
		['03.04.24', 'is a date', 'DE'],
		['2024-01-15', 'is a date', 'DE'],
		['12/31/2024', 'is a date', 'DE'],
		['12:30', 'contains letters or other characters', 'DE'],
		['2024-01-15T00:00:00.000Z', 'contains letters or other characters', 'DE'],
		['++14155550178', 'contains more than one number'],
		['=+14155550178', 'contains letters or other characters'],
		['"+14155550178"', 'contains letters or other characters'],
		['whatsapp:+14155550178', 'contains letters or other characters'],
		['+1+4155550178', 'contains more than one number'],
		['+14155550178, +14155550179', 'contains more than one number'],
		['+14155550178;+14155550179', 'contains more than one number'],
		['+14155550178 or 4155550179', 'contains more than one number'],
		['+14155550178/+14155550179', 'contains more than one number'],
		['030123456/57', 'contains more than one number', 'DE'],
		['030/123456/57', 'contains more than one number', 'DE'],
		['030/1234/5678', 'contains more than one number', 'DE'],
		['123456/654321', 'contains more than one number', 'DE'],
		['04321 123 - 04321 456', 'contains more than one number', 'DE'],
		['+14155550178\n+14155550179', 'contains more than one line'],
		['+49 30 1234\t5678', 'contains more than one line'],
		['+1 415 CALL NOW', 'contains letters or other characters'],
		['1-800-FLOWERS', 'contains letters or other characters', 'US'],
		['+1415555O178', 'contains letters or other characters'],
		["+1415'5550178", 'contains letters or other characters'],
		['+1415tel:5550178', 'contains letters or other characters'],
		['+4930123456\u00b2', 'contains letters or other characters'],
		['-4155550178', 'contains letters or other characters', 'US'],
		['#REF!', 'contains letters or other characters'],
		['n/a', 'contains letters or other characters'],
		['(+)', 'has no digits'],
		[`+1${'-'.repeat(89)}4155550178`, 'is too long for a phone number'],
		['', 'is empty'],
		['  ', 'is empty'],
		["'", 'is empty'],
		['tel:', 'is empty'],
		[undefined, 'is empty'],
		[null, 'is empty'],
		[true, 'is not text'],
		[14155550178n, 'is not text'],
		[['+14155550178'], 'is not text'],
		[{ number: '+14155550178' }, 'is not text'],
	])('is not read in %j, which %s', (...[entered, reason, country]) => {
		expect(reasonOf(entered, country)).toContain(reason);
	});

	it('says what is wrong and what to do', () => {
		const problem = '"212-555-0196" has no country code. Add it, ';
		const reason = 'has no country code';
		expect(
			[{ defaultCountry: undefined }, {}].map((each) => readPhoneNumber('212-555-0196', each)),
		).toEqual([
			{ reason, problem: `${problem}or set Default Country` },
			{ reason, problem: `${problem}e.g. +14155550178` },
		]);
	});

	it('does not quote an endless text', () => {
		const read = readPhoneNumber('x'.repeat(100_000));
		expect('problem' in read ? read.problem.length : 0).toBeLessThan(200);
	});

	it('may be in a range that is not known, where that is allowed', () => {
		const settings = { allowUnknownRanges: true };
		expect(readPhoneNumber('+1 232 456 7890', settings)).toMatchObject({ number: '+12324567890' });
		expect(readPhoneNumber('+1 232 456 789', settings)).toHaveProperty('problem');
		expect(readPhoneNumber('+57 0321 1234567', settings)).toHaveProperty('problem');
		expect(readPhoneNumber('112', { ...settings, defaultCountry: 'DE' })).toHaveProperty('problem');
	});

	it('is read anew with other settings, however often it was read before', () => {
		const read = (settings: object) => readPhoneNumber('0171 23 45 678', settings);
		for (let again = 0; again < 2; again++) {
			expect(read({ defaultCountry: 'DE' })).toMatchObject({ number: '+491712345678' });
			expect(read({ defaultCountry: 'US' })).toHaveProperty('problem');
			expect(read({ defaultCountry: undefined })).toMatchObject({
				problem: expect.stringContaining('Default Country'),
			});
			expect(read({})).toMatchObject({ problem: expect.stringContaining('e.g. +14155550178') });
		}
		const far = '+1 232 456 7890';
		expect(readPhoneNumber(far, { allowUnknownRanges: true })).toHaveProperty('number');
		expect(readPhoneNumber(far)).toHaveProperty('problem');
	});

	it('tells its country', () => {
		expect(readPhoneNumber('+1 416 555 0178')).toMatchObject({ country: 'CA' });
		expect([countryOf('+14165550178'), countryOf('+80012345678'), countryOf('x')]).toEqual([
			'CA',
			undefined,
			undefined,
		]);
	});
});

describe('a default country', () => {
	it.each([
		['US', 'US'],
		[' de ', 'DE'],
		['', undefined],
	])('is read in %j', (entered, expected) => {
		expect(defaultCountry.parse(entered)).toBe(expected);
	});

	it.each(['+1', 'USA', 'XX', '__proto__', 'constructor', 1, null])('is not %j', (entered) => {
		expect(defaultCountry.safeParse(entered).error?.issues[0]?.message).toContain('e.g. US');
	});
});
