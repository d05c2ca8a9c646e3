import { readPhoneNumber } from '../../../src/core/phoneNumber';
import type { CountryCode } from '../../../src/core/phoneNumber';

const outcome = (value: unknown, defaultCountry?: CountryCode): string => {
	const read = readPhoneNumber(value, { defaultCountry });
	return 'number' in read ? read.number : read.reason;
};

const MORE = 'contains more than the digits of one number';
const INVALID = 'is not a valid phone number';
const AS_NUMBER = 'is a number, which may have lost its leading zero';

it.each<[unknown, string, CountryCode?]>([
	['+14155550178', '+14155550178'],
	[' +1 (415) 555-0178\n', '+14155550178'],
	['+1\u00a0415\u2009555\u202f0178', '+14155550178'],
	['\u202a+14155550178\u202c', '+14155550178'],
	['TEL:+14155550178', '+14155550178'],
	['+14155550178;', '+14155550178'],
	['+49 (0)30 1234567', '+49301234567'],
	['+39 06 12345678', '+390612345678'],
	['415-555-0178', '+14155550178', 'US'],
	[4155550178, '+14155550178', 'US'],
	['0049 30 1234567', '+49301234567', 'DE'],
	['+49 30 1234567', '+49301234567', 'US'],
	// The sign + or Default Country is the country, and nothing else.
	['415-555-0178', 'has no country code'],
	['0014155550178', 'has no + before its country code'],
	['0049 30 1234567', INVALID, 'US'],
	['+1415555017', INVALID],
	['491701234567', 'can be read as two different numbers', 'DE'],
	['+39 (0)347 1234567', 'can be read as two different numbers'],
	['13123456789', '+8613123456789', 'CN'],
	// A sheet that keeps numbers as numbers loses the zero that Italy dials.
	[331234567, AS_NUMBER, 'IT'],
	[3012345678, '+493012345678', 'DE'],
	['1.4155E+10', 'was rounded by the spreadsheet'],
	[1.4155e21, 'was rounded by the spreadsheet'],
	[4155550178.5, 'has decimal places'],
	[-4155550178, INVALID],
	['301234567.0', 'has decimal places', 'DE'],
	['+12065550196 ext. 4', MORE],
	['+12065550196...*227', MORE],
	['+14155550178\n+14155550179', MORE],
	['089/12345 089/67890', INVALID, 'DE'],
	['+1415\u202e8710555', MORE],
	['1'.repeat(101), MORE],
	['', 'is empty'],
	['n/a', 'has no digits'],
	["'+", 'has no digits'],
	['\u00a0\u200b', 'is empty'],
	[undefined, 'is empty'],
	[['+14155550178'], 'is not text'],
])('%j gives %s (%#)', (...[value, expected, country]) => {
	expect(outcome(value, country)).toBe(expected);
});

it('carries its country and its type', () => {
	expect(readPhoneNumber('+1 416 555 0178')).toMatchObject({ country: 'CA' });
	expect(readPhoneNumber('+1 900 234 5678')).toMatchObject({ type: 'PREMIUM_RATE' });
	expect(readPhoneNumber('+80012345678')).toMatchObject({ country: undefined });
});

it('says the value, the reason and the fix', () => {
	const fault = { value: '415 555', reason: 'has no country code' };
	expect(readPhoneNumber('415 555', { defaultCountry: undefined })).toEqual({
		...fault,
		fix: 'Add it, or set Default Country',
	});
	expect(readPhoneNumber('415 555')).toEqual({ ...fault, fix: 'Add it, e.g. +14155550178' });
});

it('may be in a range that is not known, where that is allowed', () => {
	const settings = { allowUnassigned: true };
	expect(readPhoneNumber('+1 232 456 7890', settings)).toMatchObject({ number: '+12324567890' });
	expect(readPhoneNumber('+1 232 456 789', settings)).toHaveProperty('reason');
	expect(readPhoneNumber('+57 0321 1234567', settings)).toHaveProperty('reason');
});
