import { get } from 'lodash';
import { z } from 'zod/v4';
import { bulkSettingSchemas } from '../bulk/run';
import { explainedValues, markColumnName, NO_COLUMN, type MarkColumn } from '../core/readMark';
import { choice, collectionOf, resolvedText, trueOrFalse, rejectGaps } from '../core/schemas';
import { columnsToUse } from './mapColumns';

/** The parameters of the panel that are settings. */
const panelSchema = z.object({
	inputMode: choice(['fields', 'json']),
	// The mapper. Only its mapping mode is a setting.
	customer: z.unknown(),
	// Asked with automatic mapping only.
	doNotDisturb: choice(['marked', 'allowed', 'none']).default('none'),
	doNotDisturbColumn: markColumnName.optional(),
	consentColumn: markColumnName.optional(),
	// A tool of an agent has no dry run.
	dryRun: trueOrFalse.optional(),
	asTool: z.boolean().default(false),
	partial: trueOrFalse.default(false),
	// An option exists only if the user added it, so one without a value is a fault.
	options: rejectGaps(
		collectionOf(
			z.strictObject({
				...bulkSettingSchemas({ batchSize: 500, parallelRequests: 4, invalidRows: 'sendValid' }),
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
});

/** The field of the mapper, or of JSON, that says who must not be called. */
const MARK_FIELD = { column: 'Do Not Disturb', isConsent: false };

/** The schema of the settings of both batches of customers, as the panel has them. */
export const batchSettings = panelSchema.transform((panel, context) => {
	const { batching, ...options } = panel.options;
	const { yesValues = new Set<string>(), noValues = new Set<string>() } = options;
	const isAutomatic =
		panel.inputMode === 'fields' && get(panel.customer, 'mappingMode') === 'autoMapInputData';
	const column = isAutomatic ? readMarkColumn(panel, context) : MARK_FIELD;
	return {
		...panel,
		...batching,
		...options,
		dryRun: panel.dryRun ?? !panel.asTool,
		/** Whether the columns of the rows are mapped by their names. */
		isAutomatic,
		/** The column that says who may be called; undefined if no marks are sent. */
		marks: column && { ...column, yesValues, noValues },
	};
});

/** The settings of a run. */
export type BatchSettings = z.infer<typeof batchSettings>;

/** Returns the column of marks, if any. Reports an empty name, and Yes Values or No Values without a column. */
function readMarkColumn(
	{ doNotDisturb, options, ...columns }: z.infer<typeof panelSchema>,
	context: z.RefinementCtx,
): Pick<MarkColumn, 'column' | 'isConsent'> | undefined {
	const report = (message: string, ...path: string[]) =>
		context.addIssue({ code: 'custom', path, message });
	if (doNotDisturb === 'none') {
		if (options.yesValues) report(NO_COLUMN, 'options', 'yesValues');
		if (options.noValues) report(NO_COLUMN, 'options', 'noValues');
		return undefined;
	}
	const isConsent = doNotDisturb === 'allowed';
	const name = isConsent ? 'consentColumn' : 'doNotDisturbColumn';
	const column = columns[name] ?? '';
	if (column === '') report('is empty. Drag a column here, or enter its name', name);
	return { column, isConsent };
}
