import { readSpelling } from '../../../src/core/phoneSpelling';

const reasonOf = (value: unknown): string => {
	const read = readSpelling(value);
	return 'reason' in read ? read.reason : read.digits;
};

it.each([
	[undefined, 'is empty. Enter a number with its country code, e.g. +14155550178'],
	[true, 'must be a phone number as text, e.g. +14155550178'],
	[
		'9'.repeat(101),
		`"${'9'.repeat(40)}…" is too long for a phone number. Enter one number, e.g. +14155550178`,
	],
	[' 1a2 ', '"1a2" contains letters or other characters. Enter it like +14155550178'],
	['+1 415 (1)', '"+1 415 (1)" ends in brackets. Remove what is in brackets'],
	[1.5, '"1.5" is not a whole number. Format the column as text and enter the number again'],
])('says what is wrong with %j and what to do', (value, problem) => {
	expect(readSpelling(value)).toMatchObject({ problem });
});

describe('a number of a sheet', () => {
	// Six digits and five zeros or more are what a spreadsheet shows of a rounded number.
	it.each([
		[100000000, true],
		[12345600000, true],
		[12345670000, false],
		[1234567000000, false],
		[1234560000, false],
		[10000000, false],
		[12300000, false],
		[1020300000, true],
		[4155550178, false],
	])('%d may be rounded: %s', (value, isRounded) => {
		expect(reasonOf(value)).toBe(isRounded ? 'may be rounded by the spreadsheet' : String(value));
	});
});

describe('slashes', () => {
	const TWO = 'contains more than one number';
	it.each([
		['4150/1234', '41501234'],
		['41505/1234', TWO],
		['415/123', TWO],
		['041505/1234', '0415051234'],
		['0415050/1234', TWO],
		['1415050/1234', TWO],
		['1415050/12340', TWO],
		['00415055/1234', '004150551234'],
		['004150550/1234', TWO],
		['+4150555/1234', '+41505551234'],
		['+41505551/1234', TWO],
		['41500/1234', TWO],
		['123456/1/12', '123456112'],
		['1234567/1/12', TWO],
		['12/345/67', '1234567'],
		['12/3456/67', TWO],
		['12//67', TWO],
		['12/345/6', TWO],
		['12/345/6789', '123456789'],
		['12/345/67890', TWO],
		['12/345/3456/67', TWO],
		['12/3456/345/67', TWO],
		['12/345/678/90', '1234567890'],
		['+12/345', TWO],
		['/1234', 'contains letters or other characters'],
	])('%j is read as %s', (value, read) => {
		expect(reasonOf(value)).toBe(read);
	});
});
