import { z } from 'zod/v4';
import type { RowPlan, RunPlanner, SendSettings } from '../bulk/operation';
import { sendSettings } from '../bulk/operation';
import { jsonList } from '../core/json';
import type { Row } from '../core/operation';
import { problemsOf } from '../core/operation';
import type { CountryCode } from '../core/phoneNumber';
import { defaultCountry } from '../core/phoneNumber';
import { choice, trueOrFalse } from '../core/schemas';
import type { Customer } from './customer';
import { customerSchema } from './customer';
import { describeMappingOf, readMapped } from './mapCustomer';

/** The settings of a run of Customer > Create Batch. */
export interface BatchSettings extends SendSettings {
	readonly inputMode: 'fields' | 'json';
	readonly strategy: 'insert' | 'upsert';
	readonly partial: boolean;
	/** Whether the resource mapper maps automatically. */
	readonly customerMapping: string;
	readonly defaultCountry: CountryCode | undefined;
	readonly remainingColumns: 'ignore' | 'metadata';
	readonly isolateBadRows: boolean;
	readonly sendSource: boolean;
	readonly repeatUpserts: boolean;
	readonly skipUnchanged: boolean;
	readonly sendAllAgain: boolean;
}

/** The schema of these settings, as the panel has them. */
export const batchSettings: z.ZodType<BatchSettings> = z
	.object({
		inputMode: choice(['fields', 'json']),
		strategy: choice(['insert', 'upsert']).default('insert'),
		partial: trueOrFalse.default(false),
		dryRun: trueOrFalse.default(false),
		customerMapping: z.string().default('defineBelow'),
		options: z
			.object({
				...sendSettings({ batchSize: 500, parallelRequests: 4, invalidRows: 'sendValid' }),
				defaultCountry: defaultCountry.prefault(''),
				remainingColumns: choice(['ignore', 'metadata']).default('ignore'),
				isolateBadRows: trueOrFalse.default(false),
				sendSource: trueOrFalse.default(true),
				repeatUpserts: trueOrFalse.default(true),
				skipUnchanged: trueOrFalse.default(false),
				sendAllAgain: trueOrFalse.default(false),
			})
			.prefault({}),
	})
	.transform(({ options: { pause: pauseMs, timeout: timeoutMs, ...options }, ...panel }) => ({
		...options,
		...panel,
		pauseMs,
		timeoutMs,
	}));

/** The parameters that describe one row. */
export const rowParameters = ['customer', 'customersJson'] as const;

const customersJson = jsonList(customerSchema, 'customer');

/** Reads and checks rows: the fields of its columns, or those of a JSON parameter. */
export const planCustomers = (settings: BatchSettings): RunPlanner<Customer> => ({
	planRow: (row) => planRow(row, settings),
	finish: () => {
		const mapping = settings.dryRun ? describeMappingOf(settings) : undefined;
		return { problems: [], notes: mapping === undefined ? [] : [mapping] };
	},
});

function planRow(row: Row, settings: BatchSettings): RowPlan<Customer> {
	if (row.problems !== undefined) return { values: [], problems: row.problems };
	const parameters = Object(row.parameters) as Readonly<Record<string, unknown>>;
	if (settings.inputMode === 'json') {
		const many = customersJson.safeParse(parameters['customersJson']);
		return many.success
			? { values: many.data }
			: { values: [], problems: problemsOf(many.error, ['customersJson']) };
	}
	const { read, fields } = readMapped(parameters['customer'], settings);
	if (read.ok) return { values: [read.value] };
	const problems = read.failure.map((each) => ({ ...each, path: ['customer', ...each.path] }));
	return { values: [], problems, entered: { identifier: fields['identifier'] } };
}
