import type { DeclaredParameters, ParameterFacts } from '../../core/operation';

export const ADDITIONAL = 'options.additionalFieldsJson';
export const CAMPAIGN_KEY = 'safeguards.attempts.limit.campaignKey';
export const PERSON_ID = 'safeguards.personId';
export const TIME_ZONE = 'safeguards.callingHours.when.timeZone';

/** The facts of a parameter that is usually a cell of the row. */
const CELL: ParameterFacts = { perRow: true, mayBeBlank: true, needsColumns: 'all' };

/** The parameters of Conversation > Create. */
export const parameters: DeclaredParameters = {
	dryRun: { needsColumns: 'all' },
	doNotCallColumn: { isColumnName: true },
	consentColumn: { isColumnName: true },
	agentId: { perRow: true, byModel: true, gap: 'clearsText' },
	conversationType: { perRow: true, byModel: true },
	toPhoneNumber: { perRow: true, byModel: true, needsColumns: 'whole', gap: 'clearsText' },
	dynamicVariables: { perRow: true, byModel: true, gap: 'isHeard' },
	dynamicVariablesJson: { perRow: true, byModel: true, gap: 'isHeard' },
	conversationJson: { perRow: true, gap: 'isHeard' },
	defaultCountry: CELL,
	[ADDITIONAL]: { perRow: true, gap: 'isHeard' },
	[PERSON_ID]: { ...CELL, gap: 'clearsText' },
	'safeguards.attempts': { gap: 'clearsText' },
	[CAMPAIGN_KEY]: CELL,
	[TIME_ZONE]: CELL,
};
