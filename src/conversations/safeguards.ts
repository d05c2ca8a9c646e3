import { z } from 'zod/v4';
import type { CountryCode, PhoneSettings } from '../core/phoneNumber';
import { defaultCountry, readPhoneNumber } from '../core/phoneNumber';
import { textOf } from '../core/text';

/** The parts of a text; anything else stays as it is. */
export const splitList = (value: unknown, separator: RegExp): unknown =>
	typeof value === 'string'
		? value
				.split(separator)
				.map((part) => part.trim())
				.filter((part) => part !== '')
		: value;

/** The countries that may be called: ISO 3166 codes, as a list or as text separated by commas; none for all of them. */
export const allowedCountries: z.ZodType<CountryCode[]> = z.preprocess(
	(value) => splitList(value, /[,;\s]+/) ?? [],
	z
		.array(defaultCountry, { error: 'must be a list of country codes, e.g. US, CA' })
		.transform((countries) => countries.filter((country) => country !== undefined)),
);

/** Reads the numbers that must not be called: a list, or text with one number per line or separated by commas. */
export function doNotCallNumbers(
	entered: unknown,
	settings: PhoneSettings,
): { readonly numbers: ReadonlySet<string>; readonly problems: readonly string[] } {
	const list = splitList(entered ?? [], /[,;\n\r]+/);
	const parts: readonly unknown[] = Array.isArray(list) ? list : [list];
	const numbers = new Set<string>();
	const problems: string[] = [];
	for (const part of parts) {
		if (part === null || part === undefined || textOf(part).trim() === '') continue;
		const read = readPhoneNumber(part, settings);
		if ('number' in read) numbers.add(read.number);
		else problems.push(`contains a number that cannot be read: ${read.problem}`);
	}
	return { numbers, problems: problems.slice(0, 5) };
}
