import fc from 'fast-check';
import { getExampleNumber } from 'libphonenumber-js/core';
import examples from 'libphonenumber-js/examples.mobile.json';
import { recognizeClean } from '../../../src/core/cleanNumber';
import { metadata, parse } from '../../../src/core/libphonenumber';
import { callingCodeOf, countries } from '../../support/phoneNumbers';

const callingCodes = [
	...Object.keys(metadata.country_calling_codes),
	...Object.keys(metadata.nonGeographic),
];

const exampleOf = (country: (typeof countries)[number]): string =>
	getExampleNumber(country, examples, metadata)?.number ?? '';

/** What is recognized is valid to the library, too, in the same country and of no type that has to be looked at. */
function expectAsLibrary(number: string): void {
	const recognized = recognizeClean(number);
	if (!recognized) return;
	const read = parse(number);
	const { country, maybeSpecial } = recognized;
	expect(read).toMatchObject({ number, country });
	expect(read?.isValid()).toBe(true);
	if (!maybeSpecial)
		expect(read?.getType()).not.toMatch(/PREMIUM|SHARED|PERSONAL|PAGER|VOICEMAIL|UAN/);
}

const digits = (max: number) =>
	fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: max });

describe('a number that is clean already', () => {
	it('is recognized without the library in nearly every country', () => {
		const slow = countries.filter((country) => !recognizeClean(exampleOf(country)));
		expect(slow.length).toBeLessThan(20);
		expect(slow).not.toEqual(expect.arrayContaining(['US', 'GB', 'DE', 'FR', 'IN', 'CA']));
	});

	it('is clean to the quick way only where it is to the library', () => {
		const random = fc
			.tuple(fc.constantFrom(...callingCodes), digits(13))
			.map(([code, rest]) => `+${code}${rest}`);
		// Numbers beside a real one come close to the edges of its range.
		const beside = fc
			.tuple(fc.constantFrom(...countries), digits(4), fc.nat(4))
			.map(([country, rest, cut]) => exampleOf(country).slice(0, -1 - cut) + rest);
		// Where a number goes on after a prefix, the library may take the prefix away.
		const prefixed = fc
			.tuple(
				fc.constantFrom(...countries),
				fc.constantFrom('0', '1', '8', '9', '15', '44'),
				digits(9),
			)
			.map(([country, prefix, rest]) => `+${callingCodeOf(country)}${prefix}${rest}`);
		fc.assert(fc.property(fc.oneof(random, beside, prefixed), expectAsLibrary), {
			numRuns: 20_000,
			examples: [['+559038583980'], ['+3758129799188']],
		});
	});

	it.each(countries)('is told from those a digit away in %s as the library does', (country) => {
		const example = exampleOf(country);
		const at = callingCodeOf(country).length + 1;
		for (const last of ['', example.slice(-1), '00']) expectAsLibrary(example + last);
		expectAsLibrary(example.slice(0, -1));
		for (const digit of '0123456789')
			expectAsLibrary(example.slice(0, at) + digit + example.slice(at + 1));
	});

	it('is recognized beyond countries, too', () => {
		const found = Object.keys(metadata.nonGeographic).filter((code) =>
			['12345678', '123456789', '1234567890', '3123456789', '511234567', '10123456'].some((rest) =>
				recognizeClean(`+${code}${rest}`),
			),
		);
		expect(found).toEqual(['800', '808', '870', '881', '882', '979']);
	});

	it.each([
		'',
		'+',
		'14155550178',
		'+1 4155550178',
		'+14155550178\n',
		'+1415555017',
		'+４４7911123456',
	])('is not %j', (value) => {
		expect(recognizeClean(value)).toBeUndefined();
	});
});
