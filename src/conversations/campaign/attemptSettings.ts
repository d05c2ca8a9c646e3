import type { Problem } from '../../core/failures';
import { trueOrFalse, wholeNumber } from '../../core/schemas';

/** The settings of attempts and of the limit of a day, as the panel has them. */
export const attemptSettings = {
	maximumAttempts: wholeNumber(1, 10).optional(),
	onePerDay: trueOrFalse.default(false),
	maximumPerDay: wholeNumber(1, 100_000).optional(),
};

interface AttemptSettings {
	readonly maximumAttempts?: number | undefined;
	readonly onePerDay: boolean;
	readonly skipContacted: boolean;
}

/** What is wrong with these settings together. */
export function attemptProblems({ maximumAttempts, onePerDay, skipContacted }: AttemptSettings) {
	const problems = [];
	if (maximumAttempts === undefined && onePerDay)
		problems.push({
			path: 'onePerDay',
			message: 'needs Maximum Attempts. Add it under Safeguards',
		});
	if (maximumAttempts !== undefined && skipContacted)
		problems.push({
			path: 'maximumAttempts',
			message:
				'cannot be used with Skip People Already Contacted, which allows one. Remove one of them',
		});
	return problems.map(({ path, message }) => ({
		code: 'custom' as const,
		path: ['safeguards', path],
		message,
	}));
}

/** Attempts are counted by campaign. */
export const NO_CAMPAIGN: Problem = {
	path: ['safeguards', 'campaignKey'],
	message: 'is empty. Maximum Attempts counts by campaign, so enter a name for it',
};
