import fc from 'fast-check';
import { getExampleNumber, Metadata, parsePhoneNumberFromString } from 'libphonenumber-js/core';
import examples from 'libphonenumber-js/examples.mobile.json';
import type { CountryCode } from '../../../src/core/phoneNumber';
import { toSentence } from '../../../src/core/problems';
import { readPhoneNumber } from '../../../src/core/phoneNumber';
import { metadata, readNationalPrefix } from '../../../src/core/libphonenumber';
import { propertyRuns, sizeOf } from '../../support/propertyRuns.mjs';

/** All countries that the library knows. */
const countries = Object.keys(metadata.countries) as CountryCode[];

/** The prefix of calls abroad from a country, if it is a single text. */
function exitCodeOf(country: CountryCode): string | undefined {
	const plans = new Metadata(metadata);
	plans.selectNumberingPlan(country);
	const code = plans.numberingPlan?.defaultIDDPrefix() || plans.numberingPlan?.IDDPrefix() || '';
	return /^\d+$/.test(code) ? code : undefined;
}

const example = (country: CountryCode) => {
	const number = getExampleNumber(country, examples, metadata);
	if (!number) throw new Error(`${country} has no example`);
	return number;
};

/** Whether a spelling is read; throws if it is read as another number. */
function read(spelling: unknown, expected: string, settings: object = {}): boolean {
	const result = readPhoneNumber(spelling, settings);
	if ('number' in result && result.number !== expected) {
		throw new Error(
			`${JSON.stringify(spelling)} ${JSON.stringify(settings)} was read as ${result.number}, not ${expected}`,
		);
	}
	return 'number' in result;
}

const SEPARATORS = [' ', '.', '-', '\u00a0', ''];
const spell = (text: string): string[] => [
	text,
	...SEPARATORS.map((separator) => text.replace(/[\s-]+/g, separator)),
	text.replace(/[\s()-]+/g, '/'),
	`\u202a${text}\u202c`,
	`tel:${text}`,
];

const internationalSpellings = (country: CountryCode): string[] => {
	const { countryCallingCode: code, nationalNumber, ...number } = example(country);
	const grouped = example(country).formatInternational();
	const trunk = example(country).formatNational();
	// Without its brackets, the 0 is a digit like any other.
	const bracketed = [`+${code} (0)${nationalNumber}`, `00${code} (0)${nationalNumber}`];
	const spellings = [
		number.number,
		grouped,
		grouped.replace('+', '00'),
		grouped.replace(/^\+(\d+)/, '(+$1)'),
		grouped.replace(/^(\+\d+ )(\d+)/, '$1($2)'),
		`+${code} ${readNationalPrefix(country)}${nationalNumber}`,
		`+${code} ${trunk}`,
	];
	return [...spellings.flatMap(spell), ...bracketed];
};

const nationalSpellings = (country: CountryCode): unknown[] => {
	const { nationalNumber, number, countryCallingCode } = example(country);
	const formatted = example(country).formatNational();
	const exit = exitCodeOf(country);
	return [
		formatted,
		nationalNumber,
		number.slice(1),
		`${readNationalPrefix(country)}${nationalNumber}`,
		`00${number.slice(1)}`,
		...(exit ? [`${exit} ${number.slice(1)}`, `${exit}${countryCallingCode} ${formatted}`] : []),
	].flatMap((spelling) => [
		...spell(spelling),
		...(/^[1-9]\d*$/.test(spelling) ? [Number(spelling)] : []),
		`${spelling.replace(/\D/g, '')}.0`,
	]);
};

describe('the example of every country', () => {
	it('is read as itself in every international spelling, or not at all, whatever the default country', () => {
		const unread = countries.filter((country) => {
			const { number } = example(country);
			const spellings = internationalSpellings(country);
			const foreign = ([undefined, 'US', 'DE', 'IT', 'TH', 'RU'] as const).slice(0, sizeOf(6, 3));
			for (const spelling of spellings)
				for (const defaultCountry of [country, ...foreign])
					read(spelling, number, { defaultCountry });
			const some = countries.slice(0, sizeOf(countries.length, 10));
			return !some.every((defaultCountry) => read(number, number, { defaultCountry }));
		});
		expect(unread).toEqual([]);
	});

	it.each([false, true])(
		'is read as itself in every national spelling, or not at all, with unknown ranges: %j',
		(allowUnassigned) => {
			const unread = countries.filter((defaultCountry) => {
				const { number } = example(defaultCountry);
				const settings = { defaultCountry, allowUnassigned };
				for (const spelling of nationalSpellings(defaultCountry)) read(spelling, number, settings);
				return !read(example(defaultCountry).formatNational(), number, settings);
			});
			expect(unread).toEqual([]);
		},
	);

	it('has no extension, no second number and nothing after it', () => {
		for (const country of countries) {
			const number = example(country).formatInternational();
			for (const more of [' x12', '#7', ';ext=1', '/2', ', 5', '\n5', ' (5)', `/${number}`])
				expect(readPhoneNumber(`${number}${more}`)).toHaveProperty('reason');
		}
	});
});

describe('whatever is entered', () => {
	const text = fc.string({
		unit: fc.constantFrom(..."+0123456789 -()/.,;xE'\n\u00a0\uff11\u0661"),
	});
	const country = fc.option(fc.constantFrom(...countries), { nil: undefined });

	it('is a clean number, which is read as itself, or a problem that says why', () => {
		fc.assert(
			fc.property(fc.oneof(fc.anything(), text), country, (value, defaultCountry) => {
				const result = readPhoneNumber(value, { defaultCountry });
				if ('number' in result) {
					expect(parsePhoneNumberFromString(result.number, metadata)?.isValid()).toBe(true);
					expect(readPhoneNumber(result.number)).toEqual(result);
				} else {
					expect(toSentence(result)).toMatch(/^("|is empty|must be)/);
					expect(result.reason).not.toMatch(/\d/);
				}
			}),
			propertyRuns(5000),
		);
	});
});
