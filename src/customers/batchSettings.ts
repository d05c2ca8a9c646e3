import { z } from 'zod/v4';
import { sendSettings } from '../bulk/run';
import { markedValues } from '../core/readMark';
import { choice, collectionOf, resolvedText, trueOrFalse, rejectGaps } from '../core/schemas';
import { columnsToUse } from './mapColumns';

/** The schema of the settings of both batches of customers, as the panel has them. */
export const batchSettings = z
	.object({
		inputMode: choice(['fields', 'json']),
		customerMapping: z.string().default('defineBelow'),
		// Asked with automatic mapping only.
		doNotDisturb: choice(['marked', 'none']).optional(),
		/** The name of the column that answers it; blank for an expression. */
		doNotDisturbColumnName: z.string().default(''),
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
					markedValues: markedValues.optional(),
					leaveOutBadCells: trueOrFalse.default(false),
					leaveOutSource: trueOrFalse.default(false),
					skipUnchanged: trueOrFalse.default(false),
				}),
			),
		).prefault({}),
	})
	.transform(({ options: { batching, ...options }, asTool, ...panel }) => ({
		...batching,
		...options,
		...panel,
		dryRun: panel.dryRun ?? !asTool,
		isAutomatic: panel.inputMode === 'fields' && panel.customerMapping === 'autoMapInputData',
	}));

/** The settings of a run. */
export type BatchSettings = z.infer<typeof batchSettings>;
