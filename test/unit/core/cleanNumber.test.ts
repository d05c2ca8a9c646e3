import fc from 'fast-check';
import { getExampleNumber } from 'libphonenumber-js/core';
import examples from 'libphonenumber-js/examples.mobile.json';
import { isCleanNumber, recognizeClean } from '../../../src/core/cleanNumber';
import { metadata, parse } from '../../../src/core/libphonenumber';
import { callingCodeOf, countries } from '../../support/phoneNumbers';

const callingCodes = [
	...Object.keys(metadata.country_calling_codes),
	...Object.keys(metadata.nonGeographic),
];

const byLibrary = (value: string): boolean => {
	const read = parse(value);
	return read?.number === value && read.isValid();
};

const digits = (max: number) =>
	fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: max });

describe('a number that is clean already', () => {
	it('is recognized without the library in nearly every country, with its country', () => {
		const slow = countries.filter((country) => {
			const number = getExampleNumber(country, examples, metadata)?.number ?? '';
			const recognized = recognizeClean(number);
			if (recognized) expect(recognized.country).toBe(parse(number)?.country);
			return !recognized;
		});
		expect(slow.length).toBeLessThan(20);
		expect(slow).not.toEqual(expect.arrayContaining(['US', 'GB', 'DE', 'FR', 'IN', 'CA']));
	});

	it('is clean to the quick way only where it is to the library, with one country', () => {
		const random = fc
			.tuple(fc.constantFrom(...callingCodes), digits(13))
			.map(([code, rest]) => `+${code}${rest}`);
		// Numbers beside a real one come close to the edges of its range.
		const beside = fc
			.tuple(fc.constantFrom(...countries), digits(4), fc.nat(4))
			.map(([country, rest, cut]) => {
				const number = getExampleNumber(country, examples, metadata)?.number ?? '';
				return `${number.slice(0, number.length - cut)}${rest}`;
			});
		// Where a number goes on after a prefix, the library may take the prefix away.
		const prefixed = fc
			.tuple(
				fc.constantFrom(...countries),
				fc.constantFrom('0', '1', '8', '9', '15', '44'),
				digits(9),
			)
			.map(([country, prefix, rest]) => `+${callingCodeOf(country)}${prefix}${rest}`);
		fc.assert(
			fc.property(fc.oneof(random, beside, prefixed), (number) => {
				const recognized = recognizeClean(number);
				if (recognized) {
					expect(byLibrary(number)).toBe(true);
					expect(recognized.country).toBe(parse(number)?.country);
				}
				expect(isCleanNumber(number)).toBe(/^\+\d{6,15}$/.test(number) && byLibrary(number));
			}),
			{ numRuns: 20_000 },
		);
	});

	it.each(['+559038583980', '+3758129799188'])(
		'is not %s, from which the library takes a prefix away',
		(number) => {
			expect(parse(number)?.number).not.toBe(number);
			expect(isCleanNumber(number)).toBe(false);
		},
	);

	it.each([
		undefined,
		null,
		14155550178,
		NaN,
		{},
		['+14155550178'],
		'',
		'+',
		'14155550178',
		'+1 4155550178',
		'+14155550178 ',
		'+14155550178\n',
		'+1415555017',
		'+４４7911123456',
	])('is not %j', (value) => {
		expect(isCleanNumber(value)).toBe(false);
	});
});

describe('a number a digit away from a clean one', () => {
	it.each(countries)('is recognized in %s only where the library finds it valid', (country) => {
		const example = getExampleNumber(country, examples, metadata)?.number ?? '';
		const last = Number(example.at(-1));
		const numbers = [
			example,
			example.slice(0, -1),
			`${example}${last}`,
			`${example}00`,
			...Array.from({ length: 10 }, (_, digit) => {
				const at = callingCodeOf(country).length + 1;
				return example.slice(0, at) + digit + example.slice(at + 1);
			}),
		];
		for (const number of numbers) {
			const recognized = recognizeClean(number);
			const country = parse(number)?.country;
			if (recognized) expect([number, recognized.country]).toEqual([number, country]);
			expect([number, isCleanNumber(number)]).toEqual([number, byLibrary(number)]);
		}
	});

	it('is recognized beyond countries, too', () => {
		const found = Object.keys(metadata.nonGeographic).filter((code) =>
			['12345678', '123456789', '1234567890', '3123456789', '511234567', '10123456'].some((rest) =>
				recognizeClean(`+${code}${rest}`),
			),
		);
		expect(found).toEqual(['800', '808', '870', '881', '882', '979']);
	});
});
