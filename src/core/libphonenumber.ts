import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/core';
import type { CountryCode, MetadataJson, PhoneNumber } from 'libphonenumber-js/core';
import json from 'libphonenumber-js/metadata.max.json';

// The build bundles the library into this file: the package has no dependencies.

export type { CountryCode };

/** A number as the library reads it. */
export type Parsed = PhoneNumber;

/** The full numbering plans of all countries, with the ranges of each type of number. */
export const metadata = json as unknown as MetadataJson;

/** Reads a number of digits, with a + in front or of the country, the way libphonenumber does. */
export const parse = (digits: string, country?: CountryCode): Parsed | undefined =>
	parsePhoneNumberFromString(
		digits,
		{ extract: false, ...(country && { defaultCountry: country }) },
		metadata,
	);

/** The ISO 3166 codes of all countries that the library has a plan of. */
export const countryCodes = Object.keys(metadata.countries) as CountryCode[];

/** Whether a text is an ISO 3166 code of the library. */
export const isCountry = (code: string): code is CountryCode =>
	Object.hasOwn(metadata.countries, code) && isSupportedCountry(code as CountryCode, metadata);

/** The index of the prefix in a numbering plan of the metadata. */
const NATIONAL_PREFIX = 5;

/** The prefix of domestic calls, e.g. 0 in Germany and 8 in Russia. */
export function readNationalPrefix(country: CountryCode): string {
	const prefix: unknown = metadata.countries[country]?.[NATIONAL_PREFIX];
	return typeof prefix === 'string' ? prefix : '';
}

/** Whether a parsed number still begins with the prefix of domestic calls. */
export function hasPrefix(parsed: Parsed): boolean {
	const [country = parsed.country] = parsed.getPossibleCountries();
	const prefix = country ? readNationalPrefix(country) : '';
	return prefix !== '' && parsed.nationalNumber.startsWith(prefix);
}
