import { z } from 'zod/v4';
import { sendSettings, ungrouped } from '../bulk/run';
import { defaultCountry } from '../core/phoneNumber';
import { choice, collectionOf, trueOrFalse, withoutGaps } from '../core/schemas';
import { resolvedText } from './customer';

/** The schema of the settings of both batches of customers, as the panel has them. */
export const batchSettings = z
	.object({
		inputMode: choice(['fields', 'json']),
		/** Whether the resource mapper maps automatically. */
		customerMapping: z.string().default('defineBelow'),
		dryRun: trueOrFalse.default(false),
		/** Whether the service keeps the good customers of a batch in which others fail. */
		partial: trueOrFalse.default(false),
		// An option is there only if it was added, so one without a value was lost.
		options: withoutGaps(
			collectionOf(
				z.strictObject({
					...sendSettings({ batchSize: 500, parallelRequests: 4, invalidRows: 'sendValid' }),
					defaultCountry: defaultCountry.prefault(''),
					remainingColumns: choice(['ignore', 'metadata']).default('ignore'),
					/** What is put before each identifier, so customers of several sources can be told apart. */
					identifierPrefix: resolvedText.default(''),
					/** The column that the user chose instead of the best one. */
					identifierColumn: z.string({ error: 'must be the name of a column' }).trim().default(''),
					leaveOutBadCells: trueOrFalse.default(false),
					isolateBadRows: trueOrFalse.default(false),
					sendSource: trueOrFalse.default(true),
					skipUnchanged: trueOrFalse.default(false),
				}),
			),
		).prefault({}),
	})
	.transform(({ options, ...panel }) => ({ ...ungrouped(options), ...panel }));

/** The settings of a run. */
export type BatchSettings = z.infer<typeof batchSettings>;
