import { z } from 'zod/v4';
import { sendSettings, ungrouped } from '../../bulk/run';
import { countryParameter } from '../../core/country';
import type { CountryCode, PhoneSettings } from '../../core/phoneNumber';
import { readPhoneNumber } from '../../core/phoneNumber';
import { toSentence } from '../../core/problems';
import { markedValues } from '../../core/readMark';
import {
	choice,
	collectionOf,
	numberBetween,
	splitList,
	trueOrFalse,
	wholeNumber,
} from '../../core/schemas';
import { isBlank, toText, cleanText } from '../../core/plainText';
import { hoursSettings } from '../hours/hoursSettings';
import { isPlanId } from './approvedPlan';
import { numberKey, personKey } from './identity';

/** Default hours between two calls to a person. */
export const HOURS_BETWEEN_CALLS = 12;

/** Default max conversations per execution, for users and for agents. */
const MAX_CONVERSATIONS = 500;
const TOOL_CONVERSATIONS = 5;

/** Default max conversations per day that an agent may start. */
const TOOL_PER_DAY = 20;

const NO_PLAN =
	'is not a valid plan ID. Copy planId from a dry run with Output: One Item for the Run';

/** The ID of an approved plan. Blank is an error, because it would approve every plan. */
const approvedPlan = z.string({ error: NO_PLAN }).trim().refine(isPlanId, { error: NO_PLAN });

/** The countries that may be called: ISO 3166 codes, as a list or as text. Empty allows every country. */
export const allowedCountries: z.ZodType<CountryCode[]> = z.preprocess(
	(value) => splitList(value, /[,;\s]+/) ?? [],
	z
		.array(countryParameter, { error: 'must be a list of country codes, e.g. US, CA' })
		.transform((countries) => countries.filter((country) => country !== undefined))
		.refine((countries) => countries.length > 0, {
			error: 'is empty. Choose at least one country, or remove it to call all',
		}),
);

const safeguards = collectionOf(
	z.strictObject({
		// Read per row.
		personId: z.unknown().optional(),
		allowedCountries: allowedCountries.optional(),
		approvedPlan: approvedPlan.optional(),
		attempts: z
			.object({ limit: z.looseObject({ maximum: wholeNumber(1, 10).default(3) }) })
			.optional(),
		callingHours: hoursSettings.optional(),
		markedValues: markedValues.optional(),
		notCalled: z.unknown().optional(),
		numbersNeverCalled: z.unknown().optional(),
		hoursBetweenCalls: numberBetween('hours', 0, 168).optional(),
		maximumConversations: wholeNumber(1).optional(),
		maximumPerDay: wholeNumber(1, 100_000).optional(),
	}),
).prefault({});

const panel = z.object({
	inputMode: choice(['fields', 'json']),
	variablesMode: choice(['columns', 'fields', 'json']).default('fields'),
	doNotCall: choice(['marked', 'none']).default('marked'),
	/** The name of the column. '' if an expression gives the mark. */
	doNotCallColumnName: z.string().default(''),
	// A tool of an agent has no dry run and no question about marks.
	dryRun: trueOrFalse.optional(),
	asTool: z.boolean().default(false),
	options: collectionOf(
		z.strictObject({
			...sendSettings({ batchSize: 50, parallelRequests: 1, invalidRows: 'stop' }),
			// Read per row.
			additionalFieldsJson: z.unknown().optional(),
			allowUnassigned: trueOrFalse.default(false),
			allowPremiumRate: trueOrFalse.default(false),
		}),
	).prefault({}),
	safeguards,
});

/** The schema of these settings, as the panel has them. */
export const createSettings = panel.transform(
	({ options: entered, safeguards: chosen, asTool, doNotCall, ...simple }, context) => {
		const options = ungrouped(entered);
		const refuse = (path: readonly string[], message: string): void =>
			context.addIssue({ code: 'custom', path: ['safeguards', ...path], message });
		const asksMarks = doNotCall === 'marked' && !asTool;
		if (chosen.markedValues && !asksMarks) refuse(['markedValues'], NO_QUESTION);
		const neverCalled = readNumbersNeverCalled(chosen.numbersNeverCalled, options);
		for (const message of neverCalled.problems) refuse(['numbersNeverCalled'], message);
		const notCalled = 'notCalled' in chosen ? readNotCalled(chosen.notCalled, options) : undefined;
		if (notCalled?.size === 0) refuse(['notCalled'], NO_ONE);
		const maxPerDay = chosen.maximumPerDay ?? (asTool ? TOOL_PER_DAY : undefined);
		return {
			...options,
			...simple,
			dryRun: simple.dryRun ?? !asTool,
			// If calls are counted, each person is called once per run.
			duplicates:
				(chosen.attempts || maxPerDay !== undefined) && options.duplicates === 'sendAll'
					? 'keepFirst'
					: options.duplicates,
			allowedCountries: chosen.allowedCountries ?? [],
			approvedPlan: chosen.approvedPlan,
			attempts: chosen.attempts?.limit,
			/** The values that mean marked besides yes; undefined if no one is marked. */
			markedValues: asksMarks ? (chosen.markedValues ?? new Set<string>()) : undefined,
			numbersNeverCalled: neverCalled.numbers,
			hours: chosen.callingHours?.when,
			hoursBetweenCalls: chosen.hoursBetweenCalls ?? HOURS_BETWEEN_CALLS,
			isHoursChosen: chosen.hoursBetweenCalls !== undefined,
			maximumConversations:
				chosen.maximumConversations ?? (asTool ? TOOL_CONVERSATIONS : MAX_CONVERSATIONS),
			maximumPerDay:
				maxPerDay === undefined
					? undefined
					: { max: maxPerDay, isChosen: chosen.maximumPerDay !== undefined },
			/** The people listed under Not Called; undefined in a run that calls. */
			notCalled,
		};
	},
);

/** The settings of a run of Conversation > Create. */
export type CreateSettings = z.output<typeof createSettings>;

/** Splits a list or a text of people by lines or commas, without blank entries. */
function splitPeople(entered: unknown, settings: PhoneSettings) {
	const list = splitList(entered ?? []);
	const parts: readonly unknown[] = Array.isArray(list) ? list : [list];
	return parts.flatMap((part) => {
		const text = cleanText(toText(part ?? ''));
		return text === '' ? [] : [{ text, read: readPhoneNumber(part, settings) }];
	});
}

const NO_QUESTION = "is used only if 'Do Not Call' is 'Marked in a Column'. Remove it";

/** Reads the numbers that are never called, in E.164. */
export function readNumbersNeverCalled(
	entered: unknown,
	settings: PhoneSettings,
): { readonly numbers: ReadonlySet<string>; readonly problems: readonly string[] } {
	if (isBlank(entered)) return { numbers: new Set(), problems: [] };
	const people = splitPeople(entered, settings);
	const numbers = people.flatMap(({ read }) => ('number' in read ? [read.number] : []));
	const problems = people.flatMap(({ read }) =>
		'reason' in read ? [`contains a number that cannot be read: ${toSentence(read)}`] : [],
	);
	const isNone = people.length === 0;
	return { numbers: new Set(numbers), problems: isNone ? [NO_NUMBERS] : problems.slice(0, 5) };
}

const NO_NUMBERS = 'contains no number. Enter at least one, or remove it';

/** Reads the people who were not called: the keys of each, with the number or the text that was entered. */
export const readNotCalled = (
	entered: unknown,
	settings: PhoneSettings,
): ReadonlyMap<string, string> =>
	new Map(
		splitPeople(entered, settings).flatMap(({ text, read }) =>
			'number' in read
				? [personKey(text), numberKey(read.number)].map((key) => [key, read.number] as const)
				: [[personKey(text), text] as const],
		),
	);

const NO_ONE = 'is empty. Enter the numbers or person IDs that were not called, or remove it';
