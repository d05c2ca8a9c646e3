import { z } from 'zod/v4';
import { sendSettings } from '../bulk/run';
import { explainedValues, markColumnName, NO_COLUMN, type MarkColumn } from '../core/readMark';
import { choice, collectionOf, resolvedText, trueOrFalse, rejectGaps } from '../core/schemas';
import { columnsToUse } from './mapColumns';

/** Whether the columns of the rows are mapped by their names. */
const isAutomatic = (panel: { readonly inputMode: string; readonly customerMapping: string }) =>
	panel.inputMode === 'fields' && panel.customerMapping === 'autoMapInputData';

/** The schema of the settings of both batches of customers, as the panel has them. */
export const batchSettings = z
	.object({
		inputMode: choice(['fields', 'json']),
		customerMapping: z.string().default('defineBelow'),
		// Asked with automatic mapping only.
		doNotDisturb: choice(['marked', 'allowed', 'none']).default('none'),
		doNotDisturbColumn: markColumnName.optional(),
		consentColumn: markColumnName.optional(),
		// A tool of an agent has no dry run.
		dryRun: trueOrFalse.optional(),
		asTool: z.boolean().default(false),
		partial: trueOrFalse.default(false),
		// An option exists only if it was added, so one without a value was lost.
		options: rejectGaps(
			collectionOf(
				z.strictObject({
					...sendSettings({ batchSize: 500, parallelRequests: 4, invalidRows: 'sendValid' }),
					unmappedToMetadata: trueOrFalse.default(false),
					/** Text before each identifier, which distinguishes customers of several sources. */
					identifierPrefix: resolvedText.default(''),
					columnsToUse,
					// Read per row.
					defaultCountry: z.unknown().optional(),
					...explainedValues,
					duplicates: choice(['keepFirst', 'keepLast', 'stop']).default('keepFirst'),
					leaveOutBadCells: trueOrFalse.default(false),
					leaveOutSource: trueOrFalse.default(false),
				}),
			),
		).prefault({}),
	})
	.superRefine(({ doNotDisturb, doNotDisturbColumn, consentColumn, ...panel }, context) => {
		if (isAutomatic(panel) && doNotDisturb === 'none')
			for (const name of ['yesValues', 'noValues'] as const)
				if (panel.options[name])
					context.addIssue({ code: 'custom', path: ['options', name], message: NO_COLUMN });
		const path = doNotDisturb === 'allowed' ? 'consentColumn' : 'doNotDisturbColumn';
		const column = doNotDisturb === 'allowed' ? consentColumn : doNotDisturbColumn;
		if (doNotDisturb === 'none' || column !== undefined) return;
		const message = 'is empty. Drag a column here, or enter its name';
		context.addIssue({ code: 'custom', path: [path], message });
	})
	.transform(({ options: { batching, ...options }, ...panel }) => {
		const { yesValues = new Set<string>(), noValues = new Set<string>() } = options;
		const isMapped = isAutomatic(panel);
		const isConsent = isMapped && panel.doNotDisturb === 'allowed';
		const chosen = isConsent ? panel.consentColumn : panel.doNotDisturbColumn;
		// By hand, the mark is a field of the customer.
		const column = isMapped ? (chosen ?? '') : 'Do Not Disturb';
		const isAsked = !isMapped || panel.doNotDisturb !== 'none';
		const marks: MarkColumn | undefined = isAsked
			? { column, isConsent, yesValues, noValues }
			: undefined;
		return {
			...batching,
			...options,
			...panel,
			dryRun: panel.dryRun ?? !panel.asTool,
			isAutomatic: isMapped,
			/** The column that says who may be called; undefined if no marks are sent. */
			marks,
		};
	});

/** The settings of a run. */
export type BatchSettings = z.infer<typeof batchSettings>;
