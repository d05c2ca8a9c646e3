import { once } from 'lodash';
import { z } from 'zod/v4';
import { countryCodes, type CountryCode } from './libphonenumber';
import { addFault } from './problems';
import { cleanText } from './plainText';

/** Reads an ISO 3166 code or an English name, e.g. "DE", "Germany" or "UK"; undefined for any other text. */
export function readCountry(entered: string): CountryCode | undefined {
	const text = cleanText(entered);
	return countryCodes.get(text.toUpperCase()) ?? codesByName().get(comparableCountry(text));
}

/** A country in a parameter of the run or of a row. Blank means no country. */
export const countryParameter = z
	.string({ error: 'must be a country, e.g. DE or Germany' })
	.nullish()
	.transform((entered, context) => {
		const value = entered ?? '';
		if (cleanText(value) === '') return undefined;
		const country = readCountry(value);
		if (country) return country;
		const fix = 'Use its two-letter code, e.g. DE';
		return addFault(context, { value, reason: 'is not a country name that is known here', fix });
	});

/** Country codes by long and short English name, e.g. "united kingdom" and "uk". */
const codesByName = once(() => {
	const styles = (['long', 'short'] as const).map(
		(style) => new Intl.DisplayNames('en', { style, type: 'region' }),
	);
	const named = styles.flatMap((names) =>
		Array.from(
			countryCodes.values(),
			(code) => [comparableCountry(names.of(code) ?? code), code] as const,
		),
	);
	// Intl has no name "USA".
	return new Map<string, CountryCode>([...named, ['usa', 'US']]);
});

/** Converts a country name for comparison: lower case, without accents, with plain apostrophes. */
const comparableCountry = (name: string): string =>
	name
		.normalize('NFD')
		.replace(/\p{M}/gu, '')
		.replace(/\u2019/g, "'")
		.toLowerCase();
