import { Metadata } from 'libphonenumber-js/core';
import { metadata } from '../../src/core/libphonenumber';
import type { CountryCode } from '../../src/core/libphonenumber';

/** All countries that the library knows. */
export const countries = Object.keys(metadata.countries) as CountryCode[];

/** What people of a country dial before a number abroad, where it is one text. */
export function exitCodeOf(country: CountryCode): string | undefined {
	const plans = new Metadata(metadata);
	plans.selectNumberingPlan(country);
	const code = plans.numberingPlan?.defaultIDDPrefix() || plans.numberingPlan?.IDDPrefix() || '';
	return /^\d+$/.test(code) ? code : undefined;
}
