import { isObject } from 'lodash';
import { z } from 'zod/v4';
import { sendSettings } from '../../bulk/run';
import { countryParameter } from '../../core/country';
import { readPhoneNumber, type CountryCode } from '../../core/phoneNumber';
import { markedValues } from '../../core/readMark';
import {
	choice,
	collectionOf,
	numberBetween,
	splitList,
	trueOrFalse,
	wholeNumber,
} from '../../core/schemas';
import { cleanText, isBlank, toText } from '../../core/plainText';
import { hoursSettings } from '../hours/hoursSettings';
import { isPlanId } from './approvedPlan';

/** Default hours between two calls to a person. */
const HOURS_BETWEEN_CALLS = 12;

/** Default max conversations per execution, for users and for agents. */
const MAX_CONVERSATIONS = 500;
const TOOL_CONVERSATIONS = 5;

/** Default max conversations per day that an agent may start. */
const TOOL_PER_DAY = 20;

const NO_PLAN =
	'is not a valid plan ID. Copy planId from a dry run with Output: One Item for the Run';

/** The ID of an approved plan. Blank is an error, because it would approve every plan. */
const approvedPlan = z.string({ error: NO_PLAN }).trim().refine(isPlanId, { error: NO_PLAN });

/** The countries that may be called, at least one: ISO 3166 codes, as a list or as text. */
export const allowedCountries: z.ZodType<CountryCode[]> = z.preprocess(
	(value) => splitList(value) ?? [],
	z
		.array(countryParameter, { error: 'must be a list of country codes, e.g. US, CA' })
		.transform((countries) => countries.filter((country) => country !== undefined))
		.refine((countries) => countries.length > 0, {
			error: 'is empty. Choose at least one country, or remove it to call all',
		}),
);

/** People as a list or as text: the number in E.164 of each that is a number, or the text. */
const notCalled = z.preprocess(
	(value) => splitList(value),
	z
		.array(z.unknown(), { error: 'must be a list, e.g. +14155550178, +442079460000' })
		.transform((entries) => entries.map((entry) => cleanText(toText(entry ?? ''))))
		.transform((texts) => new Set(texts.filter((text) => text !== '').map(readPerson)))
		.refine((people) => people.size > 0, { error: 'is empty. Enter a number, or remove it' }),
);

/** Reads a person to free for new calls: a number in E.164, else a Person ID. Unassigned numbers count, because they may have been called. */
function readPerson(text: string): string {
	const read = readPhoneNumber(text, { allowUnassigned: true });
	return 'number' in read ? read.number : text;
}

/** Whether a safeguard was added and left empty, with all its fields. */
const isLeftEmpty = (safeguard: unknown): boolean =>
	isObject(safeguard) ? Object.values(safeguard).every(isLeftEmpty) : isBlank(safeguard);

const filledSafeguards = z.looseObject({}).superRefine((entered, context) => {
	for (const [name, safeguard] of Object.entries(entered))
		if (isLeftEmpty(safeguard))
			context.addIssue({ code: 'custom', path: [name], message: LEFT_EMPTY, continue: false });
});
const LEFT_EMPTY = 'was added but is empty. Enter a value, or remove it';

/** The problem of an empty campaign key. */
export const NO_CAMPAIGN = 'is empty. Attempts are counted by campaign, so enter a name for it';
// Read per row. An expression is a text here, and an empty field is empty in every row.
const campaignKey = z.unknown().refine((entered) => !isBlank(entered), { error: NO_CAMPAIGN });

const safeguards = collectionOf(
	filledSafeguards.pipe(
		z.strictObject({
			// Read per row.
			personId: z.unknown().optional(),
			allowedCountries: allowedCountries.default([]),
			approvedPlan: approvedPlan.optional(),
			attempts: z
				.object({ limit: z.looseObject({ maximum: wholeNumber(1, 10).default(3), campaignKey }) })
				.transform(({ limit }) => limit)
				.optional(),
			callingHours: hoursSettings.transform(({ when }) => when).optional(),
			markedValues: markedValues.optional(),
			notCalled: notCalled.optional(),
			hoursBetweenCalls: numberBetween('hours', 0, 168).optional(),
			maximumConversations: wholeNumber(1).optional(),
			maximumPerDay: wholeNumber(1, 100_000).optional(),
		}),
	),
).prefault({});

const panel = z
	.object({
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
	})
	.refine(
		({ asTool, doNotCall, safeguards: { markedValues: values } }) =>
			!values || (doNotCall === 'marked' && !asTool),
		{
			path: ['safeguards', 'markedValues'],
			error: "is used only if 'Do Not Call' is 'Marked in a Column'. Remove it",
		},
	);

/** The schema of the settings of Conversation > Create. */
export const createSettings = panel.transform(({ options, safeguards: chosen, ...simple }) => {
	const { asTool, doNotCall } = simple;
	const { batching, duplicates, ...sendOptions } = options;
	const maximumPerDay = chosen.maximumPerDay ?? (asTool ? TOOL_PER_DAY : undefined);
	const isCounted = chosen.attempts !== undefined || maximumPerDay !== undefined;
	return {
		...batching,
		...sendOptions,
		...simple,
		...chosen,
		dryRun: simple.dryRun ?? !asTool, // A tool has no dry run.
		// If calls are counted, each person is called once per run.
		duplicates: isCounted && duplicates === 'sendAll' ? 'keepFirst' : duplicates,
		/** The values that mean marked besides yes; undefined if no one is marked. */
		markedValues:
			doNotCall === 'marked' && !asTool ? (chosen.markedValues ?? new Set<string>()) : undefined,
		hoursBetweenCalls: chosen.hoursBetweenCalls ?? HOURS_BETWEEN_CALLS,
		maximumConversations:
			chosen.maximumConversations ?? (asTool ? TOOL_CONVERSATIONS : MAX_CONVERSATIONS),
		maximumPerDay,
		/** Whether the user added a safeguard that needs the list of people called. Hours of 0 need none. */
		needsList: Boolean(chosen.attempts ?? chosen.maximumPerDay ?? chosen.hoursBetweenCalls),
	};
});

/** The settings of a run of Conversation > Create. */
export type CreateSettings = z.output<typeof createSettings>;
