import { z } from 'zod/v4';
import type { CountryCode, PhoneSettings } from '../../core/phoneNumber';
import { defaultCountry, readPhoneNumber } from '../../core/phoneNumber';
import { isBlank, textOf, visible } from '../../core/text';

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

/** The entries of a list of people: a list, or text with one per line or separated by commas; blank ones are none. */
function peopleIn(entered: unknown, settings: PhoneSettings) {
	const list = splitList(entered ?? [], /[,;\n\r]+/);
	const parts: readonly unknown[] = Array.isArray(list) ? list : [list];
	return parts.flatMap((part) => {
		const text = visible(textOf(part ?? ''));
		return text === '' ? [] : [{ text, read: readPhoneNumber(part, settings) }];
	});
}

/** Reads the numbers that must not be called. */
export function doNotCallNumbers(
	entered: unknown,
	settings: PhoneSettings,
): { readonly numbers: ReadonlySet<string>; readonly problems: readonly string[] } {
	const people = peopleIn(entered, settings);
	const numbers = people.flatMap(({ read }) => ('number' in read ? [read.number] : []));
	const problems = people.flatMap(({ read }) =>
		'problem' in read ? [`contains a number that cannot be read: ${read.problem}`] : [],
	);
	const isNone = people.length === 0 && !isBlank(entered);
	return { numbers: new Set(numbers), problems: isNone ? [NO_NUMBERS] : problems.slice(0, 5) };
}

const NO_NUMBERS = 'contains no number. Enter at least one, or remove it';

/** What the user says about people who may or may not have been called: phone numbers or person IDs. */
export interface SettledByHand {
	readonly called: ReadonlySet<string>;
	readonly notCalled: ReadonlySet<string>;
}

/** Reads the people whom the user settles. */
export function settledPeople(
	entered: { readonly called?: unknown; readonly notCalled?: unknown },
	settings: PhoneSettings,
): SettledByHand {
	const namesIn = (list: unknown): ReadonlySet<string> =>
		new Set(
			peopleIn(list, settings).map(({ text, read }) => ('number' in read ? read.number : text)),
		);
	return { called: namesIn(entered.called), notCalled: namesIn(entered.notCalled) };
}

/** What is wrong with these lists: both are empty, or someone is in both. */
export function settledProblem({ called, notCalled }: SettledByHand): string | undefined {
	if (called.size + notCalled.size === 0)
		return 'is empty. Enter the numbers that were called or not called, or remove it';
	const both = [...called].filter((name) => notCalled.has(name));
	return both.length === 0
		? undefined
		: `contains ${both.slice(0, 5).join(', ')} under both Called and Not Called. Remove it from one of them`;
}
