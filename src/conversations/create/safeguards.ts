import { z } from 'zod/v4';
import type { CountryCode, PhoneSettings } from '../../core/phoneNumber';
import { defaultCountry, readPhoneNumber } from '../../core/phoneNumber';
import { splitList } from '../../core/schemas';
import { isBlank, textOf, visible } from '../../core/text';
import { numberKey, personKeys } from './identity';

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
	const list = splitList(entered ?? []);
	const parts: readonly unknown[] = Array.isArray(list) ? list : [list];
	return parts.flatMap((part) => {
		const text = visible(textOf(part ?? ''));
		return text === '' ? [] : [{ text, read: readPhoneNumber(part, settings) }];
	});
}

/** Reads the numbers that must not be called, as the keys of their people. */
export function doNotCallNumbers(
	entered: unknown,
	settings: PhoneSettings,
): { readonly numbers: ReadonlySet<string>; readonly problems: readonly string[] } {
	const people = peopleIn(entered, settings);
	const numbers = people.flatMap(({ read }) => ('number' in read ? [numberKey(read.number)] : []));
	const problems = people.flatMap(({ read }) =>
		'problem' in read ? [`contains a number that cannot be read: ${read.problem}`] : [],
	);
	const isNone = people.length === 0 && !isBlank(entered);
	return { numbers: new Set(numbers), problems: isNone ? [NO_NUMBERS] : problems.slice(0, 5) };
}

const NO_NUMBERS = 'contains no number. Enter at least one, or remove it';

/** What the user says about people who may or may not have been called: their keys, each with the number or the text that was entered. */
export interface SettledByHand {
	readonly called: ReadonlyMap<string, string>;
	readonly notCalled: ReadonlyMap<string, string>;
}

/** Reads the people whom the user settles. */
export function settledPeople(
	entered: { readonly called?: unknown; readonly notCalled?: unknown },
	settings: PhoneSettings,
): SettledByHand {
	const namedIn = (list: unknown): ReadonlyMap<string, string> =>
		new Map(
			peopleIn(list, settings).flatMap(({ text, read }) =>
				'number' in read
					? [...personKeys(text), numberKey(read.number)].map((key) => [key, read.number] as const)
					: personKeys(text).map((key) => [key, text] as const),
			),
		);
	return { called: namedIn(entered.called), notCalled: namedIn(entered.notCalled) };
}

/** What is wrong with these lists: both are empty, or someone is in both. */
export function settledProblem({ called, notCalled }: SettledByHand): string | undefined {
	if (called.size + notCalled.size === 0)
		return 'is empty. Enter the numbers that were called or not called, or remove it';
	const both = new Set([...called].flatMap(([key, name]) => (notCalled.has(key) ? [name] : [])));
	return both.size === 0
		? undefined
		: `contains ${[...both].slice(0, 5).join(', ')} under both Called and Not Called. Remove it from one of them`;
}
