/** The causes for which a row was not accepted, by their codes, with the words that count rows (docs/outcomes.md). */
export const codes = {
	invalid: 'rejected before sending',
	rejected: 'rejected by the service',
	unknown: 'unknown (may have arrived)',
	doNotCall: 'marked do not call',
	noConsent: 'without consent',
	duplicate: 'left out as duplicates',
	calledBefore: 'called before',
	attemptsUsed: 'called often enough',
	overDayLimit: 'over the limit of the day',
	outsideHours: 'outside calling hours',
	sentEarlier: 'sent earlier in this execution',
	accessDenied: 'not sent, because access was denied',
	notFound: 'not sent, because of the address',
	notRecorded: 'not sent, because n8n could not record them',
	refused: 'not sent, because the service rejected all alike',
	serviceFailed: 'not sent, because the service failed',
	settings: 'not sent, because of the settings',
	canceled: 'not sent, because the workflow was stopped',
	stopped: 'not sent',
} as const;

/** The cause for which a row was not accepted. */
export type Code = keyof typeof codes;
