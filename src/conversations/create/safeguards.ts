import { z } from 'zod/v4';
import type { CountryCode, PhoneSettings } from '../../core/phoneNumber';
import { defaultCountry, readPhoneNumber } from '../../core/phoneNumber';
import { isBlank, textOf } from '../../core/text';

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
		.transform((countries) => countries.filter((country) => country !== undefined))
		.refine((countries) => countries.length > 0, {
			error: 'is empty. Choose at least one country, or remove it to call all',
		}),
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
	const isNone = numbers.size === 0 && problems.length === 0 && !isBlank(entered);
	return { numbers, problems: isNone ? [NO_NUMBERS] : problems.slice(0, 5) };
}

const NO_NUMBERS = 'contains no number. Enter at least one, or remove it';
