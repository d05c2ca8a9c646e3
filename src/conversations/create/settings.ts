import { isEqual, isObject } from 'lodash';
import { z } from 'zod/v4';
import { bulkSettingSchemas } from '../../bulk/run';
import { countryParameter } from '../../core/country';
import type { CountryCode } from '../../core/libphonenumber';
import { explainedValues, markColumnName, NO_COLUMN, type MarkColumn } from '../../core/readMark';
import {
	choice,
	collectionOf,
	numberBetween,
	splitList,
	trueOrFalse,
	wholeNumber,
} from '../../core/schemas';
import { isBlank, toColumnName } from '../../core/plainText';
import { hoursSettings } from '../hours/hoursSettings';
import { isPlanId } from './approvedPlan';

/** Default hours between two calls to a person. */
const HOURS_BETWEEN_CALLS = 12;

/** Default max conversations per execution, for users and for agents. */
const MAX_CONVERSATIONS = 500;
const TOOL_CONVERSATIONS = 5;

/** Default max conversations per day that an agent may start. */
const TOOL_PER_DAY = 20;

const NO_PLAN = 'is not a valid plan ID. Copy planId from an item of a dry run';

/** The ID of an approved plan. Blank is an error, because it would approve every plan. */
const approvedPlan = z.string({ error: NO_PLAN }).trim().refine(isPlanId, { error: NO_PLAN });

/** The ISO 3166 codes of the countries that may be called, at least one. Users enter codes or names. */
const allowedCountries: z.ZodType<CountryCode[]> = z.preprocess(
	(value) => splitList(value) ?? [],
	z
		.array(countryParameter, { error: 'must be a list of country codes, e.g. US, CA' })
		.transform((countries) => countries.filter((country) => country !== undefined))
		.refine((countries) => countries.length > 0, {
			error: 'is empty. Choose at least one country, or remove it to call all',
		}),
);

/** The names of variables that every row must have, at least one, as a list or as text. */
const requiredVariables: z.ZodType<string[]> = z.preprocess(
	(value) => splitList(value),
	z
		.array(z.string({ error: 'must be the name of a variable' }).transform(toColumnName), {
			error: 'must be a list of names, e.g. firstName, city',
		})
		.refine((names) => names.length > 0, { error: 'is empty. Enter a name, or remove it' }),
);

/** Whether a safeguard is blank, or all its fields are. */
const isLeftEmpty = (safeguard: unknown): boolean =>
	isObject(safeguard) ? Object.values(safeguard).every(isLeftEmpty) : isBlank(safeguard);

/** The safeguards that the user added, unchanged. An empty one is an error, and ends the checks. */
const filledSafeguards = z.looseObject({}).superRefine((entered, context) => {
	for (const [name, safeguard] of Object.entries(entered))
		if (isLeftEmpty(safeguard))
			context.addIssue({ code: 'custom', path: [name], message: LEFT_EMPTY, continue: false });
});
const LEFT_EMPTY = 'was added but is empty. Enter a value, or remove it';

/** The problem of an empty campaign key. */
export const NO_CAMPAIGN = 'is empty. Attempts are counted by campaign, so enter a name for it';
// The key is read per row. Only an empty field is an error here, because it is empty in every row.
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
			hoursBetweenCalls: numberBetween('hours', 0, 168).optional(),
			maximumConversations: wholeNumber(1).optional(),
			maximumPerDay: wholeNumber(1, 100_000).optional(),
			requiredVariables: requiredVariables.default([]),
			...explainedValues,
		}),
	),
).prefault({});

/** The parameters as the panel has them, with the checks that need several of them. */
const panel = z
	.object({
		inputMode: choice(['fields', 'json']),
		variablesMode: choice(['columns', 'fields', 'json']).default('fields'),
		whoMayBeCalled: choice(['notMarked', 'allowed', 'everyone']).default('notMarked'),
		doNotCallColumn: markColumnName.optional(),
		consentColumn: markColumnName.optional(),
		// A tool of an agent has no dry run. It ignores the question who may be called.
		dryRun: trueOrFalse.optional(),
		asTool: z.boolean().default(false),
		options: collectionOf(
			z.strictObject({
				...bulkSettingSchemas({ batchSize: 50, parallelRequests: 1, invalidRows: 'stop' }),
				duplicates: choice(['keepFirst', 'keepLast', 'stop']).default('keepFirst'),
				// Read per row.
				additionalFieldsJson: z.unknown().optional(),
				allowUnassigned: trueOrFalse.default(false),
				allowPremiumRate: trueOrFalse.default(false),
			}),
		).prefault({}),
		safeguards,
	})
	.superRefine((entered, context) => {
		const { asTool, whoMayBeCalled, variablesMode, safeguards: chosen } = entered;
		const addProblem = (path: string[], message: string) =>
			context.addIssue({ code: 'custom', path, message });
		if (asTool && variablesMode === 'columns')
			addProblem(['variablesMode'], "must not be 'Columns of the Row' in a tool of an agent");
		if (asTool || whoMayBeCalled === 'everyone')
			for (const name of ['yesValues', 'noValues'] as const)
				if (chosen[name]) addProblem(['safeguards', name], NO_COLUMN);
		const column = whoMayBeCalled === 'allowed' ? 'consentColumn' : 'doNotCallColumn';
		if (!asTool && whoMayBeCalled !== 'everyone' && entered[column] === undefined)
			addProblem([column], 'is empty. Drag a column here, or enter its name');
	});

/** The schema of the settings of Conversation > Create. */
export const createSettings = panel.transform(({ options, safeguards: chosen, ...simple }) => {
	const { asTool, whoMayBeCalled } = simple;
	const isConsent = whoMayBeCalled === 'allowed';
	const column = isConsent ? simple.consentColumn : simple.doNotCallColumn;
	const { yesValues = new Set<string>(), noValues = new Set<string>() } = chosen;
	const marks: MarkColumn | undefined =
		asTool || whoMayBeCalled === 'everyone' || column === undefined
			? undefined
			: { column, isConsent, yesValues, noValues };
	const { batching, ...sendOptions } = options;
	return {
		...batching,
		...sendOptions,
		...simple,
		...chosen,
		dryRun: simple.dryRun ?? !asTool, // A tool has no dry run.
		/** The names of the safeguards that the user added. */
		addedSafeguards: Object.entries(chosen).flatMap(([name, value]) =>
			value === undefined || isEqual(value, []) ? [] : name,
		),
		/** The column of marks with its values; undefined in a tool, or if everyone may be called. */
		marks,
		hoursBetweenCalls: chosen.hoursBetweenCalls ?? HOURS_BETWEEN_CALLS,
		maximumConversations:
			chosen.maximumConversations ?? (asTool ? TOOL_CONVERSATIONS : MAX_CONVERSATIONS),
		maximumPerDay: chosen.maximumPerDay ?? (asTool ? TOOL_PER_DAY : undefined),
		/** Whether the user added a safeguard that needs the list of people called. Hours of 0 need none. */
		needsList: Boolean(chosen.attempts ?? chosen.maximumPerDay ?? chosen.hoursBetweenCalls),
	};
});

/** The settings of a run of Conversation > Create. */
export type CreateSettings = z.output<typeof createSettings>;
