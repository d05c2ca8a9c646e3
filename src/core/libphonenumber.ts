import { getCountryCallingCode, parsePhoneNumberFromString } from 'libphonenumber-js/core';
import type { CountryCode, MetadataJson, PhoneNumberType } from 'libphonenumber-js/core';
import json from 'libphonenumber-js/metadata.max.json';

// The build bundles the library into this file: the package has no dependencies.

export type { CountryCode };

/** The settings for ambiguous numbers. */
export interface PhoneSettings {
	/** The country of numbers without a country code; absent if the user cannot set one. */
	readonly defaultCountry?: CountryCode | undefined;
	/** Whether to accept a number of a possible length in an unlisted range. */
	readonly allowUnassigned?: boolean | undefined;
}

/** A number in E.164. +800 has no country, and some plans have no type. */
export interface PhoneNumber {
	readonly number: string;
	readonly country: CountryCode | undefined;
	readonly type: PhoneNumberType | undefined;
}

/** The full numbering plans of all countries, with the ranges of each type of number. */
export const metadata = json as unknown as MetadataJson;

/** The ISO 3166 codes of all countries that the library has a plan of. */
export const countryCodes: ReadonlyMap<string, CountryCode> = new Map(
	Object.keys(metadata.countries).map((code) => [code, code as CountryCode]),
);

/** The calling code of a country, e.g. 49 for Germany. */
export const callingCodeOf = (country: CountryCode): string =>
	getCountryCallingCode(country, metadata);

/** The limit of E.164, also for countries with an open plan. */
const MAX_DIGITS = 15;

/** Reads digits as a phone number; undefined if it is not valid. With `allowUnassigned`, a possible number is enough. */
export function readNumber(
	digits: string,
	{ defaultCountry, allowUnassigned }: PhoneSettings,
): PhoneNumber | undefined {
	// `extract` would find a number within other text.
	const options = { extract: false, ...(defaultCountry && { defaultCountry }) };
	const parsed = parsePhoneNumberFromString(digits, options, metadata);
	// The + is not a digit.
	if (!parsed || parsed.number.length > MAX_DIGITS + 1) return undefined;
	const { number, country } = parsed;
	const type = parsed.getType();
	// A type, e.g. mobile, proves a valid number. isValid() is slower, but also accepts plans without types.
	if (type !== undefined || parsed.isValid()) return { number, country, type };
	// An unassigned number has a possible length, but is in no range that the numbering plan lists.
	if (!allowUnassigned || !parsed.isPossible()) return undefined;
	// In unassigned numbers the library keeps the national prefix, e.g. 0, so the number would be wrong.
	const [possibleCountry] = parsed.getPossibleCountries();
	const prefix = possibleCountry ? readNationalPrefix(possibleCountry) : '';
	const hasPrefix = prefix !== '' && parsed.nationalNumber.startsWith(prefix);
	return hasPrefix ? undefined : { number, country, type };
}

/** The index in a numbering plan, which is a list. */
const NATIONAL_PREFIX_INDEX = 5;

/** Reads the prefix of domestic calls, e.g. 0 in Germany and 8 in Russia; '' for a country without one. */
export function readNationalPrefix(country: CountryCode): string {
	const prefix: unknown = metadata.countries[country]?.[NATIONAL_PREFIX_INDEX];
	return typeof prefix === 'string' ? prefix : '';
}
