/** Conditions that do not stop a trigger but concern the user. */
export const reports = {
	damaged:
		'The saved state of the trigger is damaged, so it starts over. Tickets that changed since the last poll can be missed.',
	overlap:
		'Too many tickets changed to cover the whole Overlap. Tickets that the service shows late can be missed. Shorten Overlap or narrow the filters.',
	waiting:
		'Too many tickets wait to remember all of them, so the oldest are ignored. Narrow the filters, for example with Closed At Is Not Set.',
} as const;

/** The name of a report. */
export type Report = keyof typeof reports;
