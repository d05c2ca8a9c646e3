import { z } from 'zod/v4';
import { sendSettings, ungrouped } from '../../bulk/operation';
import { defaultCountry } from '../../core/phoneNumber';
import { choice, numberOf, trueOrFalse, wholeNumber } from '../../core/schemas';
import { hoursSettings } from '../hours/hoursSettings';
import { isPlanId } from './approvedPlan';
import { allowedCountries, doNotCallNumbers, settledPeople, settledProblem } from './safeguards';

/** Hours that have to pass before someone is called again, where the user does not choose. */
export const HOURS_BETWEEN_CALLS = 12;

/** Max conversations per execution where the user chose no number, and that of an agent. */
const MAX_CONVERSATIONS = 500;
const TOOL_CONVERSATIONS = 5;

/** Max conversations per day that an agent may start where the user chose no number. */
const TOOL_PER_DAY = 20;

const NO_PLAN =
	'is not a valid plan ID. Copy planId from a dry run with Items: One Item for the Run';

/** The ID of a plan that was approved; blank is no plan, and would let everything pass. */
const approvedPlan = z.string({ error: NO_PLAN }).trim().refine(isPlanId, { error: NO_PLAN });

const safeguards = z
	.strictObject({
		// Read per row.
		personId: z.unknown().optional(),
		allowedCountries: allowedCountries.optional(),
		approvedPlan: approvedPlan.optional(),
		attempts: z
			.object({ limit: z.looseObject({ maximum: wholeNumber(1, 10).default(3) }) })
			.optional(),
		callingHours: hoursSettings.optional(),
		doNotCall: z.object({ people: z.looseObject({ numbers: z.unknown().optional() }) }).optional(),
		hoursBetweenCalls: numberOf('hours', 0, 168).optional(),
		maximumConversations: wholeNumber(1).optional(),
		maximumPerDay: wholeNumber(1, 100_000).optional(),
		settleUnknown: z
			.object({
				people: z.object({ called: z.unknown().optional(), notCalled: z.unknown().optional() }),
			})
			.optional(),
	})
	.prefault({});

const panel = z.object({
	inputMode: choice(['fields', 'json']),
	variablesMode: choice(['columns', 'fields', 'json']).default('fields'),
	defaultCountry: defaultCountry.prefault(''),
	// A tool of an agent has no dry run.
	dryRun: trueOrFalse.optional(),
	asTool: z.boolean().default(false),
	options: z
		.strictObject({
			...sendSettings({ batchSize: 50, parallelRequests: 1, invalidRows: 'stop' }),
			outputAs: choice(['rows', 'requests', 'run']).default('rows'),
			// Read per row.
			additionalFieldsJson: z.unknown().optional(),
			allowUnknownRanges: trueOrFalse.default(false),
			allowSpecialNumbers: trueOrFalse.default(false),
		})
		.prefault({}),
	safeguards,
});

/** The schema of these settings, as the panel has them. */
export const createSettings = panel.transform(
	({ options: entered, safeguards: chosen, asTool, ...others }, context) => {
		const options = { ...ungrouped(entered), defaultCountry: others.defaultCountry };
		const refuse = (path: readonly string[], message: string): void =>
			context.addIssue({ code: 'custom', path: ['safeguards', ...path], message });
		const barred = doNotCallNumbers(chosen.doNotCall?.people.numbers, options);
		for (const message of barred.problems) refuse(['doNotCall', 'people', 'numbers'], message);
		const settled = chosen.settleUnknown && settledPeople(chosen.settleUnknown.people, options);
		const problem = settled && settledProblem(settled);
		if (problem !== undefined) refuse(['settleUnknown'], problem);
		const maxPerDay = chosen.maximumPerDay ?? (asTool ? TOOL_PER_DAY : undefined);
		return {
			...options,
			...others,
			dryRun: others.dryRun ?? !asTool,
			// Where calls are counted, no one is called several times at once.
			duplicates:
				(chosen.attempts || maxPerDay !== undefined) && options.duplicates === 'sendAll'
					? 'keepFirst'
					: options.duplicates,
			allowedCountries: chosen.allowedCountries ?? [],
			approvedPlan: chosen.approvedPlan,
			attempts: chosen.attempts?.limit,
			doNotCallNumbers: barred.numbers,
			hours: chosen.callingHours?.when,
			hoursBetweenCalls: chosen.hoursBetweenCalls ?? HOURS_BETWEEN_CALLS,
			isHoursChosen: chosen.hoursBetweenCalls !== undefined,
			maximumConversations:
				chosen.maximumConversations ?? (asTool ? TOOL_CONVERSATIONS : MAX_CONVERSATIONS),
			maximumPerDay:
				maxPerDay === undefined
					? undefined
					: { max: maxPerDay, isChosen: chosen.maximumPerDay !== undefined },
			settled,
		};
	},
);

/** The settings of a run of Conversation > Create. */
export type CreateSettings = z.output<typeof createSettings>;
