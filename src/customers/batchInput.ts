import { z } from 'zod/v4';
import type { SendSettings } from '../bulk/operation';
import { sendSettings, ungrouped } from '../bulk/operation';
import type { CountryCode } from '../core/phoneNumber';
import { defaultCountry } from '../core/phoneNumber';
import { choice, trueOrFalse, withoutGaps } from '../core/schemas';

/** The settings that both batches of customers have. */
export interface BatchSettings extends SendSettings {
	readonly inputMode: 'fields' | 'json';
	/** Whether the resource mapper maps automatically. */
	readonly customerMapping: string;
	readonly defaultCountry: CountryCode | undefined;
	readonly remainingColumns: 'ignore' | 'metadata';
	/** What is put before each identifier, so customers of several sources can be told apart. */
	readonly identifierPrefix: string;
	/** The column that the user chose instead of the best one. */
	readonly identifierColumn: string;
	readonly leaveOutBadCells: boolean;
	readonly isolateBadRows: boolean;
	readonly sendSource: boolean;
}

/** The settings of a run of Customer > Create Batch. */
export interface InsertSettings extends BatchSettings {
	/** Whether the service keeps the good customers of a batch in which others fail. */
	readonly partial: boolean;
}

/** The settings of a run of Customer > Create or Update Batch. */
export interface UpsertSettings extends BatchSettings {
	readonly skipUnchanged: boolean;
}

const columnName = z
	.string({ error: 'must be the name of a column' })
	.transform((entered) => entered.trim());

const panel = {
	inputMode: choice(['fields', 'json']),
	dryRun: trueOrFalse.default(false),
	customerMapping: z.string().default('defineBelow'),
};

const options = {
	...sendSettings({ batchSize: 500, parallelRequests: 4, invalidRows: 'sendValid' }),
	defaultCountry: defaultCountry.prefault(''),
	remainingColumns: choice(['ignore', 'metadata']).default('ignore'),
	identifierPrefix: z.string({ error: 'must be text' }).default(''),
	identifierColumn: columnName.default(''),
	leaveOutBadCells: trueOrFalse.default(false),
	isolateBadRows: trueOrFalse.default(false),
	sendSource: trueOrFalse.default(true),
};

/** The schema of the settings of an insert, as the panel has them. */
export const insertSettings: z.ZodType<InsertSettings> = z
	.object({
		...panel,
		partial: trueOrFalse.default(false),
		// An option is there only if it was added, so one without a value was lost.
		options: withoutGaps(
			// A node that was switched to this operation may keep an option of the other.
			z.strictObject({ ...options, skipUnchanged: z.unknown().optional() }),
		).prefault({}),
	})
	.transform(({ options: entered, ...others }) => ({ ...ungrouped(entered), ...others }));

/** The schema of the settings of an upsert, as the panel has them. */
export const upsertSettings: z.ZodType<UpsertSettings> = z
	.object({
		...panel,
		options: withoutGaps(
			z.strictObject({
				...options,
				skipUnchanged: trueOrFalse.default(false),
			}),
		).prefault({}),
	})
	.transform(({ options: entered, ...others }) => ({ ...ungrouped(entered), ...others }));

/** The parameters that describe one row. */
export const rowParameters = ['customer', 'customersJson'] as const;
