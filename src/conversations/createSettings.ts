import { z } from 'zod/v4';
import type { SendSettings } from '../bulk/operation';
import { sendSettings } from '../bulk/operation';
import { isPlanId } from '../bulk/planId';
import type { SettledByHand } from '../bulk/settleByHand';
import type { CountryCode, PhoneSettings } from '../core/phoneNumber';
import { defaultCountry } from '../core/phoneNumber';
import { choice, trueOrFalse, wholeNumber } from '../core/schemas';
import { attemptProblems, attemptSettings } from './campaign/attemptSettings';
import type { CallingHours } from './campaign/callingHours';
import type { ZoneSource } from './campaign/hoursSettings';
import { callingHoursOf, hoursSettings } from './campaign/hoursSettings';
import { settledPeople, settledProblems } from './campaign/settledPeople';
import { allowedCountries, doNotCallNumbers } from './safeguards';

/** The settings of a run of Conversation > Create. */
export interface CreateSettings extends SendSettings, PhoneSettings {
	readonly inputMode: 'fields' | 'json';
	readonly variablesMode: 'fields' | 'json';
	readonly maximumConversations: number;
	readonly columnsAsVariables: boolean;
	readonly defaultCountry: CountryCode | undefined;
	readonly allowedCountries: readonly CountryCode[];
	readonly doNotCallNumbers: ReadonlySet<string>;
	readonly skipContacted: boolean;
	readonly asTool: boolean;
	readonly settled?: SettledByHand | undefined;
	readonly approvedPlan?: string | undefined;
	readonly maximumAttempts?: number | undefined;
	readonly onePerDay: boolean;
	readonly maximumPerDay?: number | undefined;
	readonly hours: CallingHours | undefined;
	readonly timeZone: ZoneSource;
}

const NO_PLAN =
	'is not a valid plan ID. Copy planId from a dry run with Items: One Item for the Run';

/** The ID of a plan that was approved; blank is no plan, and would let everything pass. */
const approvedPlan = z.string({ error: NO_PLAN }).trim().refine(isPlanId, { error: NO_PLAN });

/** The schema of these settings, as the panel has them. */
export const createSettings: z.ZodType<CreateSettings> = z
	.object({
		inputMode: choice(['fields', 'json']),
		variablesMode: choice(['fields', 'json']).default('fields'),
		maximumConversations: wholeNumber(1).default(500),
		dryRun: trueOrFalse.default(false),
		asTool: z.boolean().default(false),
		options: z
			.object({
				...sendSettings({ batchSize: 50, parallelRequests: 1, invalidRows: 'stop' }),
				outputAs: choice(['rows', 'requests', 'run']).default('rows'),
				allowUnknownRanges: trueOrFalse.default(false),
				columnsAsVariables: trueOrFalse.default(false),
				defaultCountry: defaultCountry.prefault(''),
			})
			.prefault({}),
		safeguards: z
			.object({
				allowedCountries: allowedCountries.default([]),
				doNotCallNumbers: z.unknown().optional(),
				skipContacted: trueOrFalse.default(false),
				approvedPlan: approvedPlan.optional(),
				unknownCalled: z.unknown().optional(),
				unknownNotCalled: z.unknown().optional(),
				...hoursSettings,
				...attemptSettings,
			})
			.prefault({}),
	})
	.transform(
		(
			{ options: { pause: pauseMs, timeout: timeoutMs, ...options }, safeguards, ...panel },
			context,
		) => {
			const barred = doNotCallNumbers(safeguards.doNotCallNumbers, options);
			for (const message of barred.problems)
				context.addIssue({ code: 'custom', path: ['safeguards', 'doNotCallNumbers'], message });
			for (const issue of attemptProblems(safeguards)) context.addIssue(issue);
			const numbers = { doNotCallNumbers: barred.numbers };
			const hours = callingHoursOf(safeguards);
			const settled = settledPeople(safeguards, options);
			for (const issue of settledProblems(settled, safeguards)) context.addIssue(issue);
			return {
				...options,
				...safeguards,
				...panel,
				...numbers,
				hours,
				settled,
				pauseMs,
				timeoutMs,
			};
		},
	)
	// Skipping people who were contacted leaves no room for contacting one several times.
	.transform((settings) =>
		(settings.skipContacted || settings.maximumAttempts !== undefined) &&
		settings.duplicates === 'sendAll'
			? { ...settings, duplicates: 'keepFirst' as const }
			: settings,
	);
